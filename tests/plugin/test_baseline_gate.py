"""A session that is compared with baselines at its end, and gated on them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.compare.baseline_file import write_baseline
from pytest_infergate.compare.baseline_saving import make_baseline
from pytest_infergate.runs.validate import validate_run
from tests.runs.made import HEAD, RECORDS, write_run
from tests.scripted import ScriptedServer

from .conftest import Evaluate, Outcome

ROWS = """
import pytest

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="{q}", min_pass_rate=0.1)
def test_rows(reply, sample):
    assert reply.text == sample["gold"]
"""
HELLO = """
@pytest.mark.infer_task(prompt="say hello")
def test_hello(reply):
    assert reply.text == "hello"
"""


class Model:
    """Answers with the number that it is asked for, but for those that it gets wrong."""

    def __init__(self) -> None:
        self.wrong: set[int] = set()
        self.suffix = ""

    def answer(self, body: dict[str, Any]) -> str:
        said = body["messages"][-1]["content"].removeprefix("say ")
        return f"not {said}" if said.isdigit() and int(said) in self.wrong else f"{said}{self.suffix}"


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def server(model: Model) -> Iterator[ScriptedServer]:
    with ScriptedServer.answering(model.answer) as server:
        yield server


@pytest.fixture(autouse=True)
def rows(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    write_rows(pytester, 60)


def write_rows(pytester: pytest.Pytester, count: int) -> None:
    rows = ({"id": f"s{n:02}", "q": f"say {n}", "gold": str(n)} for n in range(count))
    (pytester.path / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def save(outcome: Outcome, name: str = "main.json") -> str:
    write_baseline(outcome.folder.parent / name, make_baseline([outcome.folder]))
    return f"--infer-baseline={name}"


def gates_of(outcome: Outcome) -> list[tuple[str | None, str]]:
    return [(gate["task"], gate["verdict"]) for gate in outcome.run["gates"] if gate["name"] == "baseline"]


def verdict_of(outcome: Outcome) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((outcome.folder / "verdict.json").read_text())
    return value


def outcomes_of(outcome: Outcome) -> list[dict[str, str]]:
    return [
        {task["task"].partition(".")[2]: task["outcome"] for task in one["tasks"]}
        for one in verdict_of(outcome)["baselines"]
    ]


FEW = {1, 2, 3}
MANY = set(range(20))


@pytest.mark.parametrize(
    ("base", "candidate", "options", "outcome", "gate", "status", "code", "why"),
    [
        (set(), set(), [], "unchanged", "passed", 0, 0, "the same replies"),
        (MANY, MANY, [], "unchanged", "passed", 0, 0, "as wrong as before, byte for byte"),
        (set(), MANY, [], "regressed", "failed", 1, 1, "twenty of sixty lost"),
        (MANY, set(), [], "improved", "passed", 0, 0, "twenty of sixty gained"),
        (set(), FEW, [], "inconclusive", "missing", 1, 3, "three of sixty can be noise, or a loss of 0.05"),
        (set(), FEW, ["--infer-margin=0.2"], "no_worse", "passed", 0, 0, "within a margin of 0.2"),
        (
            set(),
            FEW,
            ["--infer-on-inconclusive=pass"],
            "inconclusive",
            "passed",
            0,
            0,
            "let through, and that is said",
        ),
        (set(), MANY, ["--infer-on-inconclusive=pass"], "regressed", "failed", 1, 1, "a loss is no noise"),
    ],
)
def test_each_task_has_a_gate_that_says_what_the_comparison_says(
    evaluate: Evaluate,
    model: Model,
    base: set[int],
    candidate: set[int],
    options: list[str],
    outcome: str,
    gate: str,
    status: int,
    code: int,
    why: str,
) -> None:
    model.wrong = base
    option = save(evaluate(ROWS))
    model.wrong = candidate
    found = evaluate(ROWS, option, *options)
    assert outcomes_of(found) == [{"test_rows": outcome}], why
    assert gates_of(found) == [("test_it.test_rows", gate)]
    assert int(found.result.ret) == status
    assert found.run["verdict"] == gate
    assert verdict_of(found)["exit_code"] == code
    if "--infer-on-inconclusive=pass" not in options:
        assert main(["compare", option.partition("=")[2], str(found.folder)]) == code, "as the command says"
    assert validate_run(found.folder).is_valid
    out = found.result.stdout.str()
    assert "compared with main.json" in out
    is_let_through = options == ["--infer-on-inconclusive=pass"] and outcome == "inconclusive"
    assert ("inconclusive (let through) against main.json" in out) == is_let_through


def test_what_is_told(evaluate: Evaluate, model: Model) -> None:
    option = save(evaluate(ROWS))
    model.wrong = MANY
    found = evaluate(ROWS, option)
    found.result.stdout.fnmatch_lines(
        [
            "gates GF",
            "*test_rows?baseline?*",
            "gate failed: no worse than main.json by more than 0.05; regressed against main.json, lost 20 "
            "and gained 0 of 60 pairs; the interval of the difference lies below 0",
            "compared with main.json",
            "base       main.json (*)",
            "candidate  run2 (*)",
            "test_it.test_rows  regressed  100.0 %     66.7 %    20       0     60",
            "gates",
            "  failed   baseline test_it.test_rows: regressed against main.json, *",
            "           asked: no worse than main.json by more than 0.05",
            "           the interval of the difference lies below 0",
            "verdict: failed",
            "GATE FAILED test_it.py::test_rows[[]baseline[]]*",
        ]
    )


def test_without_a_baseline_yet_the_gate_is_missing_and_says_how_to_save_one(
    evaluate: Evaluate, pytester: pytest.Pytester, server: ScriptedServer
) -> None:
    pytester.makeconftest(
        "def pytest_runtest_setup(item): print('the first test is set up')"
    )  # what is told before it is told before the first reply is awaited
    found = evaluate(ROWS, "--infer-baseline=evals/main.json", "-s")
    assert int(found.result.ret) == 1
    assert gates_of(found) == [(None, "missing")]
    assert found.run["verdict"] == "missing"
    assert verdict_of(found)["exit_code"] == 5
    assert len(server.posts) == 60
    command = "infergate baseline save run1 -o evals/main.json"
    found.result.stdout.fnmatch_lines(
        [
            "infergate: there is no baseline evals/main.json yet, so this run cannot pass its gate; keep the "
            f"run as the baseline: {command}",
            "*the first test is set up*",
            "  missing  baseline: *",
            f"           keep this run as the baseline: {command}",
        ]
    )
    # The run itself passed, so what is saved of it says so.
    assert make_baseline([found.folder]).verdict.value == "passed"


def test_several_baselines_each_have_their_gates(evaluate: Evaluate, model: Model) -> None:
    good = evaluate(ROWS + HELLO)
    model.wrong = MANY
    bad = evaluate(ROWS + HELLO)
    options = [save(good), f"--infer-baseline={bad.folder.name}", "--infer-baseline=none.json"]
    found = evaluate(ROWS + HELLO, *options)
    assert outcomes_of(found) == [
        {"test_rows": "regressed", "test_hello": "unchanged"},
        {"test_rows": "unchanged", "test_hello": "unchanged"},
    ]
    assert gates_of(found) == [
        (None, "missing"),
        ("test_it.test_hello", "passed"),
        ("test_it.test_rows", "failed"),
        ("test_it.test_rows", "passed"),
        ("test_it.test_hello", "passed"),
    ]
    assert found.run["verdict"] == "failed"
    assert [one["base"]["label"] for one in verdict_of(found)["baselines"]] == ["main.json", "run2"]


def test_a_baseline_given_in_the_ini_file_counts(evaluate: Evaluate, model: Model) -> None:
    option = save(evaluate(ROWS)).partition("=")[2]
    model.wrong = MANY
    found = evaluate(ROWS, "-o", f"infer_baseline={option}")
    assert (gates_of(found), int(found.result.ret)) == ([("test_it.test_rows", "failed")], 1)


# what is no baseline


def test_what_is_no_baseline_ends_the_session_before_anything_is_asked(
    evaluate: Evaluate, pytester: pytest.Pytester, server: ScriptedServer
) -> None:
    file = pytester.path / "b.json"
    write_baseline(file, make_baseline([write_run(pytester.path / "made", RECORDS)]))
    text = file.read_text()
    (pytester.path / "empty").mkdir()
    write_run(pytester.path / "unfinished", is_finished=False)
    torn = write_run(pytester.path / "torn") / "records.jsonl"
    torn.write_bytes(torn.read_bytes()[:-20])
    for name, content, said in (
        ("edited.json", text.replace('"france"', '"franche"'), "edited by hand"),
        ("torn.json", text[:-30], "the file is damaged"),
        ("foreign.json", "{}", "not a baseline file"),
        ("blank.json", "", "not a baseline file"),
        ("newer.json", text.replace("baseline/1", "baseline/2"), "upgrade pytest-infergate"),
        ("empty", None, "has no run.json"),
        (
            "unfinished",
            None,
            "is not finished, so it is no baseline; finish it with --infer-resume=unfinished",
        ),
        ("torn", None, "the run is damaged"),
    ):
        if content is not None:
            (pytester.path / name).write_text(content)
        for xdist in ([], ["-n2"]) if name == "edited.json" else ([],):
            found = evaluate(ROWS, f"--infer-baseline={name}", *xdist)
            assert int(found.result.ret) == 4, name
            (line,) = [line for line in found.result.errlines if line.startswith("ERROR: --infer-baseline=")]
            assert line.startswith(f"ERROR: --infer-baseline={name}: ")
            assert said in line
            assert not found.folder.exists()
    assert server.posts == []


def test_a_treatment_that_no_server_knows_is_refused_before_anything_is_asked(
    evaluate: Evaluate, server: ScriptedServer
) -> None:
    option = save(evaluate(ROWS))
    asked = len(server.posts)
    found = evaluate(ROWS, option, "--infer-treatment=quantisation", "--infer-declare=quantization=Q8_0")
    assert int(found.result.ret) == 4
    assert "--infer-treatment: treatment 'quantisation'" in found.result.stderr.str()
    assert "did you mean 'quantization'?" in found.result.stderr.str()
    assert len(server.posts) == asked


def test_a_change_beside_the_treatment_is_incomparable(evaluate: Evaluate) -> None:
    declared = "--infer-declare=quantization=Q8_0", "--infer-declare=kv_cache_type=f16"
    option = save(evaluate(ROWS, *declared))
    changed = "--infer-declare=quantization=Q4_K", "--infer-declare=kv_cache_type=q8_0"
    both = evaluate(ROWS, option, *changed)
    assert outcomes_of(both) == [{"test_rows": "unchanged"}]
    one = evaluate(ROWS, option, *changed, "--infer-treatment=quantization")
    assert outcomes_of(one) == [{"test_rows": "incomparable"}]
    assert (gates_of(one), verdict_of(one)["exit_code"]) == ([("test_it.test_rows", "missing")], 4)
    assert "kv_cache_type: f16 there, q8_0 here" in one.run["gates"][-1]["observed"]


def test_a_changed_test_is_incomparable(evaluate: Evaluate) -> None:
    option = save(evaluate(ROWS))
    found = evaluate(ROWS.replace('["gold"]', '["gold"].strip()'), option)
    assert gates_of(found) == [("test_it.test_rows", "missing")]
    (gate,) = [gate for gate in found.run["gates"] if gate["name"] == "baseline"]
    assert gate["observed"].startswith("incomparable against main.json, task digest: sha256:")
    assert "infergate baseline save NEW -o main.json --replace" in gate["detail"]
    assert verdict_of(found)["exit_code"] == 4


def test_a_secret_in_an_identity_is_no_difference_and_is_not_told(evaluate: Evaluate) -> None:
    """It is taken out of what is stored, so what is compared with that is without it too."""
    declared = "--infer-declare=launch_command=serve --api-key sk-verysecret-01234"
    option = save(evaluate(ROWS, declared))
    found = evaluate(ROWS, option, declared)
    assert verdict_of(found)["baselines"][0]["treatment"] == []
    other = evaluate(ROWS, option, "--infer-declare=launch_command=serve --api-key sk-another-012345 -c 9")
    assert [one["field"] for one in verdict_of(other)["baselines"][0]["treatment"]] == ["launch_command"]
    for outcome in (found, other):
        summary = outcome.result.stdout.str().partition("compared with")[2]
        assert "sk-" not in summary.replace("task", "")
        assert "sk-" not in (outcome.folder / "verdict.json").read_text().replace("task", "")


# what was selected


def test_a_part_is_compared_on_what_was_selected(evaluate: Evaluate, model: Model) -> None:
    option = save(evaluate(ROWS + HELLO))
    model.wrong = MANY
    for arguments, outcomes, gates in (
        (["-k", "hello"], {"test_hello": "unchanged"}, [("test_it.test_hello", "passed")]),
        (["-k", "rows"], {"test_rows": "regressed"}, [("test_it.test_rows", "failed")]),
        (
            ["--infer-limit=10"],
            {"test_rows": "regressed", "test_hello": "unchanged"},
            [("test_it.test_rows", "failed"), ("test_it.test_hello", "passed")],
        ),
    ):
        found = evaluate(ROWS + HELLO, option, *arguments)
        assert outcomes_of(found) == [outcomes], arguments
        assert sorted(gates_of(found)) == sorted(gates)
        notes = verdict_of(found)["baselines"][0]["notes"]
        left_out = [name for name in ("test_hello", "test_rows") if name not in outcomes]
        told = [f"not selected, so not compared: test_it.{name}" for name in left_out]
        assert [note for note in notes if note.startswith("not selected")] == told
    assert verdict_of(found)["baselines"][0]["tasks"][-1]["subset"] == [10, 60]


def test_a_task_that_is_gone_is_missing_unless_it_was_not_selected(evaluate: Evaluate) -> None:
    option = save(evaluate(ROWS + HELLO))
    for arguments in (
        [],
        ["--infer-limit=50%"],  # takes samples, and no task
        ["-m", "not slow"],  # chooses among what there is, such as from the ini file of a project
        ["-k", "not nothing"],
        ["--ignore=build"],
        ["--deselect=test_it.py::test_rows[s01]"],
        ["-k", "rows", "-n2"],
    ):
        found = evaluate(ROWS, option, *arguments)
        assert dict(gates_of(found))["test_it.test_hello"] == "missing"
        assert int(found.result.ret) == 1
        assert verdict_of(found)["exit_code"] in (3, 5)


@pytest.mark.parametrize("arguments", [["test_it.py::test_rows"], ["test_it.py::test_rows[s01]"], ["--lf"]])
def test_where_tests_are_named_the_other_tasks_were_not_selected(
    evaluate: Evaluate, arguments: list[str]
) -> None:
    option = save(evaluate(ROWS + HELLO))
    if "--lf" in arguments:
        arguments = ["-p", "cacheprovider", *arguments]
    assert dict(gates_of(evaluate(ROWS, option, *arguments))).keys() == {"test_it.test_rows"}


def test_a_run_is_no_baseline_of_itself(evaluate: Evaluate) -> None:
    found = evaluate(ROWS, "--infer-baseline=run1")
    assert found.result.ret == pytest.ExitCode.USAGE_ERROR
    assert "--infer-baseline=run1 is where --infer-run keeps this run" in found.result.stderr.str()
    assert not found.folder.exists()


def test_a_new_task_is_shown_and_gates_nothing(evaluate: Evaluate) -> None:
    option = save(evaluate(ROWS))
    found = evaluate(ROWS + HELLO, option)
    assert gates_of(found) == [("test_it.test_rows", "passed")]
    assert verdict_of(found)["baselines"][0]["added"] == ["test_it.test_hello"]
    assert int(found.result.ret) == 0


def test_where_no_selected_task_is_in_the_baseline_nothing_was_compared(evaluate: Evaluate) -> None:
    option = save(evaluate(ROWS))
    found = evaluate(ROWS + HELLO, option, "-k", "hello")
    assert gates_of(found) == [(None, "missing")]
    assert (int(found.result.ret), verdict_of(found)["exit_code"]) == (1, 5)


def test_what_was_not_reached_is_missing(evaluate: Evaluate) -> None:
    suite = ROWS.replace("    assert", "    assert sample.id != 's05', 'stop here'\n    assert")
    suite = suite.replace(", min_pass_rate=0.1", "")
    option = save(evaluate(suite))
    found = evaluate(suite, option, "-x")
    assert gates_of(found) == [("test_it.test_rows", "missing")]
    assert found.run["totals"]["missing"] == 54


# how it runs


def test_under_xdist_the_controller_compares(evaluate: Evaluate, model: Model) -> None:
    option = save(evaluate(ROWS + HELLO))
    model.wrong = MANY
    found = evaluate(ROWS + HELLO, option, "-n2")
    assert outcomes_of(found) == [{"test_rows": "regressed", "test_hello": "unchanged"}]
    assert sorted(gates_of(found)) == [("test_it.test_hello", "passed"), ("test_it.test_rows", "failed")]
    assert int(found.result.ret) == 1
    found.result.stdout.fnmatch_lines(["compared with main.json", "verdict: failed"])


def test_a_replay_is_compared_too(evaluate: Evaluate, model: Model) -> None:
    good = evaluate(ROWS)
    model.wrong = MANY
    bad = evaluate(ROWS)
    for run, outcome, status in ((good, "unchanged", 0), (bad, "regressed", 1)):
        found = evaluate(ROWS, save(good), f"--infer-replay={run.folder}", url=None)
        assert (outcomes_of(found), int(found.result.ret)) == ([{"test_rows": outcome}], status)


def test_what_is_too_small_is_named_before_anything_is_asked(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    write_rows(pytester, 20)
    pytester.makeconftest("def pytest_runtest_setup(item): print('the first test is set up')")
    warning = (
        "infergate: test_it.test_rows: 20 samples cannot show a loss of less than 0.05, unless it gains; "
        "that takes 52 if no verdict flips, about * if 10.0 % flip"
    )
    first = evaluate(ROWS + HELLO, "--infer-baseline=main.json", "-s")
    first.result.stdout.fnmatch_lines([warning, "*the first test is set up*"])
    assert "test_hello: " not in first.result.stdout.str().partition("the first test")[0]
    for arguments in (["--infer-baseline=main.json", "--infer-margin=0.2"], []):
        found = evaluate(ROWS + HELLO, *arguments)
        assert "cannot show" not in found.result.stdout.str(), arguments


def test_a_measured_flip_rate_says_what_is_hardly_enough(evaluate: Evaluate, model: Model) -> None:
    first = evaluate(ROWS)
    model.wrong = set(range(6))
    again = evaluate(ROWS)
    write_baseline(first.folder.parent / "b.json", make_baseline([first.folder, again.folder]))
    found = evaluate(ROWS, "--infer-baseline=b.json")
    found.result.stdout.fnmatch_lines(
        [
            "infergate: test_it.test_rows: 60 samples will hardly show a loss of less than 0.05; that takes "
            "about * if 10.0 % flip, as 6 of 60 did from run to run",
            "*asked again, the same server flipped 6 of 60 pairs (10.0 %)*",
        ]
    )


def test_without_a_baseline_nothing_heavy_is_loaded(
    pytester: pytest.Pytester, server: ScriptedServer
) -> None:
    pytester.makepyfile(test_it=ROWS)
    pytester.makeconftest(
        "import sys\n"
        "def pytest_unconfigure(): print('loaded:', [m for m in ('scipy', 'numpy') if m in sys.modules])"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-s", f"--infer-server={server.url}", "--infer-run=r"]
    done = subprocess.run(command, cwd=pytester.path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "loaded: []" in done.stdout


def test_a_baseline_of_another_project_names_what_differs(evaluate: Evaluate, tmp_path: Path) -> None:
    run = write_run(tmp_path / "other", RECORDS, head=HEAD)
    found = evaluate(ROWS, f"--infer-baseline={run}")
    assert gates_of(found) == [("capitals", "missing"), ("sums", "missing")]
    assert verdict_of(found)["baselines"][0]["added"] == ["test_it.test_rows"]
