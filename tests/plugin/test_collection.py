"""What is refused when tests are collected, and which items are evaluations at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate

TASK = """
import pytest
from pytest_infergate import extract

@pytest.mark.infer_task({arguments})
@pytest.mark.infer_extract(extract.last_line)
def test_it(answer, sample):
    assert answer == sample["gold"]
"""

REFUSED = [
    # marker arguments, rows, what the line says
    (
        "dataset='rows.jsonl', promt='x'",
        "{}",
        "*unknown argument 'promt' (did you mean 'prompt'?); valid: name,*",
    ),
    ("dataset='rows.jsonl', prompt='say {q}'", '{"id": "a"}', "*rows.jsonl:1: sample 'a' has no field 'q'*"),
    ("dataset='rows.jsonl', prompt='{q}'", '{"id":1,"q":"x"}\n{"id":1,"q":"y"}', "*rows.jsonl:2: *1*line 1*"),
    ("dataset='rows.jsonl', prompt='{q}'", '{"q": "x"}\n{"q": ', "*rows.jsonl:2: *"),
    ("dataset='rows.jsonl', prompt='{q}'", '{"q": NaN}', "*rows.jsonl:1: *NaN*"),
    ("dataset='gone.jsonl', prompt='{q}'", "", "*gone.jsonl*"),
    (
        "prompt='{q}'",
        "",
        "*the prompt uses the field 'q', there is no data set, and sample '0' has none; give dataset=*",
    ),
    ("dataset='rows.jsonl'", '{"q": "x"}', "*fixture 'answer' needs a prompt; add infer_task(prompt=…)"),
    ("prompt='x', endpoint='chats'", "", '*endpoint=\'chats\'; accepted: "chat" or "completion"'),
    ("prompt='x', min_pass_rate=55", "", "*min_pass_rate=55; accepted: a number above 0, up to 1*"),
    ("prompt='x', allow=['truncate']", "", "*allow holds 'truncate' (did you mean 'truncated'?)*"),
    ("prompt='x', temperature=-1", "", "*temperature=-1; accepted: a number >= 0*"),
]


@pytest.mark.parametrize(("arguments", "rows", "line"), REFUSED)
def test_refused_with_one_line_and_nothing_sent(
    evaluate: Evaluate,
    server: ScriptedServer,
    pytester: pytest.Pytester,
    arguments: str,
    rows: str,
    line: str,
) -> None:
    (pytester.path / "rows.jsonl").write_text(rows)
    outcome = evaluate(TASK.format(arguments=arguments))
    assert outcome.result.ret == pytest.ExitCode.INTERRUPTED
    outcome.result.stdout.fnmatch_lines([line.replace("[", "[[]")])
    assert "Traceback" not in outcome.result.stdout.str()
    assert server.requests == []


def test_a_prompt_may_use_parameters(evaluate: Evaluate) -> None:
    suite = TASK.format(arguments="prompt='say {word}'").replace("sample):", "sample, word):")
    suite = suite.replace(
        "@pytest.mark.infer_task", "@pytest.mark.parametrize('word', ['a', 'b'])\n@pytest.mark.infer_task"
    )
    outcome = evaluate(suite.replace('sample["gold"]', "word"))
    assert outcome.verdicts == {"a#0": "passed", "b#0": "passed"}


def test_two_tasks_of_one_name_are_refused(evaluate: Evaluate) -> None:
    suite = """
    import pytest
    @pytest.mark.infer_task(name="same")
    def test_one(infer): infer.chat("say x")
    @pytest.mark.infer_task(name="same")
    def test_two(infer): infer.chat("say x")
    """
    outcome = evaluate(suite)
    assert outcome.result.ret == pytest.ExitCode.INTERRUPTED
    outcome.result.stdout.fnmatch_lines(
        ["test_it.py::test_two: task name 'same' is taken by test_it.py::test_one; give one of them another*"]
    )


@pytest.mark.parametrize("args", [[], ["-n2"]], ids=["plain", "n2"])
@pytest.mark.parametrize("gate", ["", "min_pass_rate=0.5,"])
@pytest.mark.parametrize(
    ("name", "content"), [("a.jsonl", ""), ("a.jsonl", "\n\n"), ("a.csv", "q,gold\n"), ("a.json", "[]")]
)
def test_a_data_set_without_samples_is_red(
    evaluate: Evaluate, pytester: pytest.Pytester, name: str, content: str, gate: str, args: list[str]
) -> None:
    (pytester.path / name).write_text(content)
    outcome = evaluate(TASK.format(arguments=f"dataset={name!r}, {gate} prompt='say {{q}}'"), *args)
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "missing"
    (task,) = outcome.run["tasks"]
    assert task["totals"] == {"planned": 0, "passed": 0, "failed": 0, "missing": 0}
    assert task["reasons"] == {"empty_dataset": 1}
    assert task["delivered"] is None
    assert outcome.records == {}


def test_ids_repeats_and_parameters_name_an_evaluation(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    (pytester.path / "rows.jsonl").write_text(
        '{"id": "é x", "q": "1", "gold": "1"}\n{"id": "b", "q": "2", "gold": "2"}\n'
    )
    arguments = "dataset='rows.jsonl', prompt='say {q}', repeat=2"
    outcome = evaluate(TASK.format(arguments=arguments), "-v")
    assert list(outcome.verdicts) == ["é x#0", "é x#1", "b#0", "b#1"]
    outcome = evaluate(
        TASK.format(arguments=arguments)
        .replace("sample):", "sample, mode):")
        .replace(
            "@pytest.mark.infer_task",
            "@pytest.mark.parametrize('mode', ['m1', 'm2'])\n@pytest.mark.infer_task",
        )
    )
    assert set(outcome.verdicts) == {
        f"{s}-{m}#{r}" for s in ("é x", "b") for m in ("m1", "m2") for r in (0, 1)
    }
    assert outcome.run["verdict"] == "passed"


def test_a_fixture_of_the_same_name_stays_the_projects_own(evaluate: Evaluate) -> None:
    suite = """
    import pytest

    @pytest.fixture
    def sample(): return {"mine": 1}

    @pytest.fixture
    def infer(): return None

    def test_ordinary(sample, infer): assert sample["mine"] == 1
    """
    outcome = evaluate(suite, url=None)
    assert outcome.result.ret == 0
    assert not outcome.folder.exists()


def test_a_fixture_that_builds_on_ours_is_an_evaluation(evaluate: Evaluate) -> None:
    suite = """
    import pytest

    @pytest.fixture
    def infer(infer): return infer

    def test_it(infer): pass
    """
    assert evaluate(suite).verdict == ("missing nothing_evaluated", "missing", 1)


def test_unittest_methods_cannot_be_evaluations(evaluate: Evaluate) -> None:
    suite = """
    import unittest, pytest

    class TestIt(unittest.TestCase):
        @pytest.mark.infer_task
        def test_it(self): pass
    """
    outcome = evaluate(suite)
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)


SELECTIONS = [
    (["-k", "one"], ["-k one"]),
    (["-m", "infer"], None),
    (["-m", "infer and not slow"], ["-m infer and not slow"]),
    (["test_it.py::test_one"], ["node id test_it.py::test_one"]),
    (["--deselect", "test_it.py::test_two"], ["--deselect test_it.py::test_two"]),
    (["--infer-limit=50%"], ["--infer-limit=50%"]),
]


@pytest.mark.parametrize("xdist", [[], ["-n2"]], ids=["plain", "n2"])
@pytest.mark.parametrize(("args", "by"), SELECTIONS)
def test_a_partial_selection_is_said_everywhere(
    evaluate: Evaluate, args: list[str], by: list[str] | None, xdist: list[str]
) -> None:
    suite = """
    import pytest
    pytestmark = pytest.mark.filterwarnings("ignore")
    def test_one(infer): infer.chat("say x")
    @pytest.mark.infer_task
    def test_two(infer): infer.chat("say x")
    """
    outcome = evaluate(suite, *args, *xdist)
    assert outcome.result.ret == 0
    assert outcome.run["partial"] == (by and {"by": by})
    if by:
        outcome.result.stdout.fnmatch_lines([f"partial run, by {by[0]}", "verdict: passed (partial run)"])


@pytest.mark.parametrize("xdist", [[], ["-n2"]], ids=["plain", "n2"])
@pytest.mark.parametrize(
    "suite",
    ["def test_ordinary(): pass", "def test_it(infer): infer.chat('say x')\ndef test_ordinary(): pass", ""],
    ids=["no evaluation", "all deselected", "no test"],
)
def test_a_source_of_replies_and_nothing_evaluated_is_red(
    evaluate: Evaluate, server: ScriptedServer, suite: str, xdist: list[str]
) -> None:
    outcome = evaluate(suite, "-m", "not infer", *xdist)
    assert outcome.result.ret != 0
    assert outcome.run["verdict"] == "missing"
    assert [gate["name"] for gate in outcome.run["gates"] if gate["verdict"] != "passed"] == [
        "nothing_evaluated"
    ]
    assert server.posts == []


def test_ordinary_tests_are_left_alone(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(): pass")
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=1)
    assert "infergate" not in result.stdout.str().replace("infergate-0.", "")
    assert not (pytester.path / ".infergate").exists()


def test_junit_properties_carry_the_evidence(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    evaluate("def test_it(infer): assert infer.chat('say x').text == 'x'", "--junitxml=j.xml")
    xml = (pytester.path / "j.xml").read_text()
    for name, value in {
        "infer.task": "test_it.test_it",
        "infer.sample": "0",
        "infer.verdict": "passed",
        "infer.score.passed": "1",
        "infer.evaluator.passed": "test test_it.test_it v1",
    }.items():
        assert f'<property name="{name}" value="{value}"' in xml


def test_extractors_that_the_code_reaches_are_in_the_evaluators_identity(evaluate: Evaluate) -> None:
    suite = """
    from pytest_infergate import extract
    LETTERS = extract.choice("ABC")
    def read(reply): return LETTERS(reply)
    def test_it(infer): assert read(infer.chat("say B")) == "B" and extract.yes_no
    """
    outcome = evaluate(suite)
    (record,) = outcome.records.values()
    used = record["scores"][0]["evaluator"]["settings"]["extractors"]
    assert [(one["name"], one["version"]) for one in used] == [("choice", "1"), ("yes_no", "1")]
    assert record["scores"][0]["evaluator"]["digest"] == record["task"]["digest"]


def test_the_run_folder_defaults_to_a_place_that_git_ignores(
    pytester: pytest.Pytester, server: ScriptedServer
) -> None:
    pytester.makepyfile("def test_it(infer): infer.chat('say x')")
    pytester.runpytest(f"--infer-server={server.url}")
    (folder,) = Path(pytester.path, ".infergate", "runs").iterdir()
    assert json.loads((folder / "run.json").read_text())["run_id"] == folder.name
    assert (pytester.path / ".infergate" / ".gitignore").read_text() == "*\n"


MODULE_SKIPS = {
    "skip": "pytest.skip('not today', allow_module_level=True)",
    "importorskip": "pytest.importorskip('no_such_module')",
}


@pytest.mark.parametrize("xdist", [[], ["-n2"]], ids=["plain", "n2"])
@pytest.mark.parametrize("module", MODULE_SKIPS.values(), ids=MODULE_SKIPS.keys())
def test_a_module_with_evaluations_that_is_skipped_whole_is_red(
    evaluate: Evaluate, pytester: pytest.Pytester, module: str, xdist: list[str]
) -> None:
    source = f"import pytest\n{module}\ndef test_gone(infer): infer.chat('say x')"
    (pytester.path / "test_skipped.py").write_text(source)
    outcome = evaluate("def test_it(infer): infer.chat('say x')", *xdist)
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "missing"
    (gate,) = [gate for gate in outcome.run["gates"] if gate["verdict"] != "passed"]
    assert gate["name"] == "collection"
    assert gate["observed"].startswith("test_skipped.py: ")


def test_an_ordinary_module_may_be_skipped_whole(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    (pytester.path / "test_skipped.py").write_text(
        "import pytest\npytest.skip('no', allow_module_level=True)"
    )
    assert evaluate("def test_it(infer): infer.chat('say x')").run["verdict"] == "passed"


def test_two_items_of_one_id_are_not_taken_for_one(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    (pytester.path / "rows.jsonl").write_text('{"id": "a", "q": "1"}\n{"id": "a-b", "q": "1"}\n')
    suite = """
    import pytest

    @pytest.mark.infer_task(dataset="rows.jsonl")
    @pytest.mark.parametrize("mode", ["b-c", "c"])
    def test_it(infer, sample, mode):
        infer.chat("say x")
    """
    outcome = evaluate(suite)
    assert outcome.result.ret == 1
    assert outcome.run["totals"] == {"planned": 4, "passed": 3, "failed": 0, "missing": 1}
    (lost,) = [record for record in outcome.records.values() if record["missing"]]
    assert "another item has the id 'test_it.test_it/a-b-c#0'" in lost["missing"]["detail"]


def test_evaluations_that_a_plugin_takes_away_are_said(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    pytester.makeconftest("def pytest_collection_modifyitems(items): del items[1:]")
    outcome = evaluate("def test_a(infer): infer.chat('say x')\ndef test_b(infer): infer.chat('say x')")
    assert outcome.run["partial"] == {"by": ["1 evaluations taken away by a plugin"]}


def test_optimized_python_is_refused(evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    outcome = evaluate("def test_it(infer): assert infer.chat('say x').text == 'y'", subprocess=True)
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    outcome.result.stderr.fnmatch_lines(["*python -O takes assert statements away*"])


def test_a_rerun_until_it_is_right_does_not_turn_green(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
            for attempt in range(2):
                reports = runtestprotocol(item, nextitem=nextitem, log=False)
                if not any(report.failed for report in reports):
                    break
                if attempt == 0:
                    for report in reports:
                        report.outcome = "rerun"
                        item.ihook.pytest_runtest_logreport(report=report)
                    item._initrequest()
            for report in reports:
                item.ihook.pytest_runtest_logreport(report=report)
            return True
        """
    )
    suite = """
    asked = []
    def test_it(infer):
        asked.append(1)
        assert infer.chat("say x").text == "x" and len(asked) == 2
    """
    outcome = evaluate(suite)
    assert outcome.run["totals"]["failed"] == 1
    assert outcome.result.ret == 1


def test_a_test_may_ask_on_threads_of_its_own(evaluate: Evaluate) -> None:
    suite = """
    from concurrent.futures import ThreadPoolExecutor

    def test_it(infer):
        with ThreadPoolExecutor(4) as pool:
            said = [reply.text for reply in pool.map(infer.chat, [f"say {n}" for n in range(20)])]
        assert said == [str(n) for n in range(20)]
    """
    outcome = evaluate(suite)
    assert outcome.verdict == ("passed", "passed", 0)
    assert len(outcome.records["test_it.test_it/0#0"]["exchanges"]) == 20


def test_an_extractor_class_in_place_of_a_value_does_not_swallow_its_test(evaluate: Evaluate) -> None:
    suite = """
    from dataclasses import dataclass
    import pytest
    from pytest_infergate import extract

    @dataclass(frozen=True)
    class Word(extract.Extractor[str]):
        prefix: str = ""
        name = "word"
        version = "1"
        rule = "The first word."

        def find(self, text, sample):
            return text.split()[0]

    @pytest.mark.infer_task(prompt="say yes")
    @pytest.mark.infer_extract({marked})
    def test_it(answer): assert answer == "yes"

    def test_other(infer): infer.chat("say x")
    """
    outcome = evaluate(suite.format(marked="Word"))
    assert outcome.result.ret == pytest.ExitCode.INTERRUPTED
    outcome.result.stdout.fnmatch_lines(
        ["*test_it.py::test_it is no test function any more: infer_extract was given a class; give*"]
    )
    assert evaluate(suite.format(marked="Word()")).result.ret == 0


def test_as_many_requests_are_in_flight_as_the_server_has_slots(evaluate: Evaluate) -> None:
    def handle(received: Received) -> Script:
        if received.method == "POST":
            return Script(body=[reply_stream("x", model="m")])
        llama = {"Server": "llama.cpp"}
        if received.path.startswith("/props"):
            return json_script({"build_info": "b1-a", "total_slots": 2}, headers=llama)
        if received.path == "/v1/models":
            return json_script({"data": [{"id": "m"}]}, headers=llama)
        return json_script({"error": {"code": 404}}, status=404, headers=llama)

    suite = "def test_it(infer): infer.chat('say x')"
    with ScriptedServer(handle) as server:
        evaluate(suite, url=server.url).result.stdout.fnmatch_lines(["infergate: *, llamacpp *, 2 at a time"])
        given = evaluate(suite, "--infer-concurrency=5", url=server.url)
        given.result.stdout.fnmatch_lines(["infergate: *, llamacpp *, 5 at a time"])
