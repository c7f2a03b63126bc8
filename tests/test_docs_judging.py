"""What docs/judging.md tells people to write works as it stands there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main

from .scripted import ScriptedServer

PAGE = Path(__file__).resolve().parents[1] / "docs" / "judging.md"
FENCES = [
    found.groups()
    for found in re.finditer(
        r"^```(\w+) (\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
]
FILES = {file: content for language, file, content in FENCES if language in ("python", "jsonl")}
AGREEMENT = next(content for _, file, content in FENCES if file == "agreement")
#: File → evaluations, and how many pass with a good model and a good judge.
PLANNED = {
    "test_answers.py": (2, 2),
    "test_tone.py": (1, 1),
    "test_better.py": (1, 1),
    "test_summary.py": (1, 1),
    "test_judge.py": (4, 3),
}

#: Words of what is asked → what a good model says.
ANSWERS = {
    "tides": "The Moon and the Sun pull on the sea.",
    "rust": "With water and oxygen iron turns into its oxide.",
    "refund": "I am sorry, that ticket is too old for one.",
    "transistor": "A tiny switch.",
    "library": "The library is open on Sundays from now on.",
}
#: Parts of replies that a good judge lets pass.
RIGHT = "Paris|24 legs|= 42|December|yellow|Moon|oxide|sorry|bridge is closed|open on Sundays|Ice|even"


def answer(body: dict[str, Any]) -> str:
    asked = body["messages"][-1]["content"]
    said = next(said for words, said in ANSWERS.items() if words in asked)
    return f"Imagine {said}" if body["messages"][0]["role"] == "system" else said


def judge(body: dict[str, Any]) -> str:
    shown = dict(re.findall(r"BEGIN (\w+) \w+\n(.*?)\nEND \1", body["messages"][1]["content"], re.DOTALL))
    if "REPLY" in shown:
        word = "pass" if re.search(RIGHT, shown["REPLY"]) else "fail"
        return json.dumps({"reason": "As it is.", "verdict": word})
    better = "first" if re.search(f"{RIGHT}|Imagine", shown["FIRST"]) else "second"
    return json.dumps({"reason": "It is better.", "better": better})


@pytest.fixture
def judging() -> Iterator[ScriptedServer]:
    with ScriptedServer.answering(judge, model="judge") as server:
        yield server


def evaluate(
    pytester: pytest.Pytester, file: str, judging: ScriptedServer, url: str
) -> tuple[int, dict[str, Any]]:
    for name, content in FILES.items():
        (pytester.path / name).write_text(content, encoding="utf-8")
    options = [f"--infer-server={url}", f"--infer-judge={judging.url}", "--infer-run=run"]
    result = pytester.runpytest_inprocess(file, *options, "-p", "no:cacheprovider")
    return int(result.ret), json.loads((pytester.path / "run" / "run.json").read_text("utf-8"))


def test_every_test_of_the_page_is_run() -> None:
    assert {file for file in FILES if file.endswith(".py")} == PLANNED.keys()


@pytest.mark.parametrize("file", PLANNED)
def test_the_tasks_of_the_page_pass_with_good_answers_and_a_good_judge(
    file: str, pytester: pytest.Pytester, judging: ScriptedServer
) -> None:
    with ScriptedServer.answering(answer) as model:
        status, run = evaluate(pytester, file, judging, model.url)
    planned, passed = PLANNED[file]
    assert run["totals"] == {"planned": planned, "passed": passed, "failed": planned - passed, "missing": 0}
    assert status == 0


@pytest.mark.parametrize("file", sorted(PLANNED.keys() - {"test_judge.py"}))
def test_and_none_of_them_is_green_with_bad_answers(
    file: str, pytester: pytest.Pytester, judging: ScriptedServer
) -> None:
    with ScriptedServer.answering(lambda body: "As an AI I cannot say.") as model:
        status, run = evaluate(pytester, file, judging, model.url)
    assert run["verdict"] != "passed"
    assert status == 1


@pytest.mark.parametrize("file", PLANNED)
def test_nor_with_a_judge_that_says_pass_to_everything(file: str, pytester: pytest.Pytester) -> None:
    def easy(body: dict[str, Any]) -> str:
        field = "better" if "FIRST" in body["messages"][1]["content"] else "verdict"
        return json.dumps({"reason": "", field: {"better": "first", "verdict": "pass"}[field]})

    with ScriptedServer.answering(answer) as model, ScriptedServer.answering(easy, model="easy") as judging:
        status, run = evaluate(pytester, file, judging, model.url)
    assert run["totals"]["missing"] == PLANNED[file][0]
    assert run["tasks"][0]["reasons"] == {"evaluator_unavailable": PLANNED[file][0]}
    assert (run["verdict"], status) == ("missing", 1)


def test_agreement_comes_out_as_the_page_shows(
    pytester: pytest.Pytester, judging: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedServer.answering(answer) as model:
        evaluate(pytester, "test_judge.py", judging, model.url)
    capsys.readouterr()
    assert main(["agreement", "run", "labels.jsonl"]) == 0
    assert capsys.readouterr().out == AGREEMENT
