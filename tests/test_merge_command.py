"""``infergate merge`` over shards that real sessions left, and what it tells people and programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.runs.validate import validate_run
from tests.plugin.conftest import server  # noqa: F401
from tests.scripted import ScriptedServer

FILES = {
    "evals/rows.jsonl": "".join(
        json.dumps({"id": f"s{n}", "word": f"w{n}", "gold": f"w{n}" if n % 4 else "other"}) + "\n"
        for n in range(8)
    ),
    "evals/test_rows.py": """
import pytest

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {word}", min_pass_rate=0.5)
def test_rows(reply, sample):
    assert reply.text == sample["gold"]

@pytest.mark.infer_task(repeat=2)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_numbers(infer, n):
    assert infer.chat(f"say {n}").text == str(n)
""",
    "evals/test_words.py": """
import pytest

class TestWords:
    @pytest.mark.infer_task
    def test_yes(self, infer):
        infer.score("length", len(infer.chat("say yes").text), unit="characters")

    @pytest.mark.infer_task
    def test_no(self, infer):
        assert infer.chat("say no").text == "no"

def test_ordinary():
    pass
""",
}

SHARDINGS = [
    # the arguments of each shard, why
    ([["evals/test_words.py"], ["evals/test_rows.py"]], "by file, the last file first"),
    ([["evals", "-k", "test_rows"], ["evals", "-k", "not test_rows"]], "by a word, which is a file's, too"),
    ([["evals", "-k", "s1 or s2 or test_no"], ["evals", "-k", "not (s1 or s2 or test_no)"]], "by samples"),
    (
        [
            ["evals/test_rows.py::test_numbers", "evals/test_words.py::TestWords::test_no"],
            ["evals/test_rows.py::test_rows", "evals/test_words.py::TestWords::test_yes"],
        ],
        "by node ids",
    ),
    (
        [
            ["evals/test_rows.py::test_numbers[#0-2]", "evals/test_rows.py::test_numbers[#1-1]"],
            ["evals", *(f"--deselect=evals/test_rows.py::test_numbers[{id}]" for id in ("#0-2", "#1-1"))],
        ],
        "repeats apart from each other, and all the rest",
    ),
    ([["evals/test_rows.py", "-n2"], ["evals", "-k", "test_words"]], "with workers, who end in any order"),
    ([["evals", "-m", "infer"]], "one shard is the run itself"),
]
#: The fields of run.json that say what a run came to.
OUTCOME = ("totals", "tasks", "gates", "verdict", "partial", "collected", "server", "settings", "project")


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    for name, text in FILES.items():
        path = pytester.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return pytester


def evaluate(pytester: pytest.Pytester, url: str, folder: str, *args: str) -> None:
    run = pytester.runpytest_subprocess if "-n2" in args else pytester.runpytest_inprocess
    run(f"--infer-server={url}", f"--infer-run={folder}", "-p", "no:cacheprovider", *args)


def read(folder: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    lines = (Path(folder) / "records.jsonl").read_text().splitlines()
    return json.loads((Path(folder) / "run.json").read_text()), [json.loads(line) for line in lines]


def measured(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what is another one each time: when it ran, and how long it took."""
    exchanges = [{**one, "timing": None} for one in record["exchanges"]]
    return {**record, "started": None, "duration_s": None, "exchanges": exchanges}


@pytest.mark.parametrize(("shards", "why"), SHARDINGS, ids=[why for _, why in SHARDINGS])
def test_shards_of_real_sessions_make_the_run_that_is_made_at_once(
    suite: pytest.Pytester,
    server: ScriptedServer,  # noqa: F811
    shards: list[list[str]],
    why: str,
) -> None:
    evaluate(suite, server.url, "once", "evals")
    names = [f"shard{number}" for number in range(len(shards))]
    for name, args in zip(names, shards, strict=True):
        evaluate(suite, server.url, name, *args)
    assert main(["merge", *reversed(names), "-o", "all"]) == 0
    once, expected = read("once")
    run, records = read("all")
    assert list(map(measured, records)) == list(map(measured, expected))
    for field in OUTCOME:
        assert run[field] == once[field], field
    assert validate_run(Path("all")).exit_code == validate_run(Path("once")).exit_code == 0


def test_the_screen_of_a_merge(
    suite: pytest.Pytester,
    server: ScriptedServer,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    evaluate(suite, server.url, "night", "evals", "-k", "test_no")
    evaluate(suite, server.url, "day", "evals/test_words.py", "-k", "test_yes")
    capsys.readouterr()
    assert main(["merge", "day", "night", "-o", "all"]) == 2
    assert capsys.readouterr().out.splitlines() == [
        "not merged: nothing was written",
        "",
        "collected, and in no shard",
        "  task test_rows.test_rows: all 8 evaluations are in no shard, such as test_rows.test_rows/s0#0, "
        "test_rows.test_rows/s1#0, test_rows.test_rows/s2#0",
        "  task test_rows.test_numbers: all 6 evaluations are in no shard, such as "
        "test_rows.test_numbers/1#0, test_rows.test_numbers/2#0, test_rows.test_numbers/3#0",
        "",
        "what to do next",
        "  run what is in no shard and merge it too, or add --partial for a run that says so",
    ]
    assert main(["merge", "day", "night", "-o", "all", "--partial"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "merged 2 shards into all",
        "  night  1 record",
        "  day    1 record",
        "",
        "partial run, by 14 of the suite's 16 evaluations in no shard",
    ]
    assert "verdict: passed (partial run)" in lines


def test_programs_are_told_the_same(
    suite: pytest.Pytester,
    server: ScriptedServer,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    evaluate(suite, server.url, "a", "evals/test_words.py", "-k", "test_no")
    evaluate(suite, server.url, "b", "evals/test_words.py", "-k", "not test_no")
    capsys.readouterr()
    assert main(["merge", "a", "-o", "all", "--json"]) == 2
    (refusal,) = json.loads(capsys.readouterr().out)["refusals"]
    assert refusal["kind"] == "gap"
    assert refusal["count"] == 1
    assert main(["merge", "a", "b", "-o", "all", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == "all"
    assert told["shards"] == [{"shard": "a", "records": 1}, {"shard": "b", "records": 1}]
    assert told["verdict"] == "passed"
    assert told["derived_from"] == {"by": "merge", "runs": [read("a")[0]["run_id"], read("b")[0]["run_id"]]}


USAGE = [
    (["merge", "a"], "required: -o/--output"),
    (["merge", "-o", "all"], "required: RUN"),
    (["merge", "nothing", "-o", "all"], "'nothing' is not a folder"),
]


@pytest.mark.parametrize(("args", "says"), USAGE)
def test_wrong_usage_is_one_line(
    args: list[str], says: str, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(args)
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
