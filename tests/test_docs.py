"""What docs/writing-a-task.md tells people to write works as it stands there.

A fence names its file after its language. The files of the page are written into one folder, and each
Python file is run: tests by pytest against a server with known answers, anything else as a script.
"""

from __future__ import annotations

import json
import re
import runpy
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.evidence import GateRule, Reason, Tally, judge_task
from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

PAGE = Path(__file__).resolve().parents[1] / "docs" / "writing-a-task.md"
_FENCE = re.compile(r"^```(\w*) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: One red pixel.
RED = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)

#: Words of what is asked → what a good model says. The last message counts; the first that fits is taken.
ANSWERS = {
    "fresh grass": "Chlorophyll makes it so.\nGreen",
    "clean snow": "It scatters all light.\nWhite",
    "lump of coal": "It takes up all light.\nblack",
    "poem": "One wave\nand two\nand three\nand you",
    "tooth": "sad",
    "to the sea": "Happy",
    "fills this picture": "Red.",
    "is a metal": "Iron conducts.\nAnswer: B",
    "is a tree": "A birch is.\nAnswer: D",
    "Country: France": " Paris",
    "Country: Peru": " Lima",
    "minor chord": "That is the relative minor, Am.",
    "prime between": "23",
    "Another one": "29",
    "stone": " stones",
    "river": " rivers",
    "Sum up": "The bridge in Elm Street is closed for a month of repairs.",
    "long story": "Once upon a time there",
    "sharp": "I see no picture. Please send it again.",
}
#: File → how many evaluations it has, all of which pass with those answers.
PLANNED = {
    "test_colours.py": 3,
    "test_poem.py": 1,
    "test_moods.py": 3,
    "test_quiz.py": 2,
    "test_capitals.py": 2,
    "test_chords.py": 1,
    "test_conversation.py": 3,
    "test_summary.py": 1,
    "test_limits.py": 2,
}


@dataclass(frozen=True)
class Fence:
    language: str
    file: str
    content: str


FENCES = [Fence(*found.groups()) for found in _FENCE.finditer(PAGE.read_text(encoding="utf-8"))]
#: Rows of the table of gates: what was counted of 100 planned, and the gate's verdict.
GATES = re.findall(r"^\| (\d+ passed[^|]*?) \| (\w+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
REASONS = {"without an answer": Reason.NO_ANSWER, "timeouts": Reason.TIMEOUT}
PYTHON = {fence.file: fence.content for fence in FENCES if fence.language == "python"}


def answer(received: Received) -> Script:
    if received.method == "GET":
        return json_script({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
    body = received.json
    asked = body["messages"][-1]["content"] if "messages" in body else body["prompt"]
    text = asked if isinstance(asked, str) else asked[0]["text"]
    said = next(said for words, said in ANSWERS.items() if words in text)
    finish = "length" if "long story" in text else "stop"
    return Script(body=[reply_stream(said, is_chat="messages" in body, finish=finish)])


@pytest.fixture
def page(pytester: pytest.Pytester) -> Path:
    """The folder with every file of the page in it."""
    for fence in FENCES:
        if fence.file:
            (pytester.path / fence.file).write_text(fence.content, encoding="utf-8")
    (pytester.path / "red.png").write_bytes(RED)
    return pytester.path


def run_file(pytester: pytest.Pytester, file: str, server: ScriptedServer) -> tuple[int, dict[str, Any]]:
    result = pytester.runpytest_inprocess(
        file, f"--infer-server={server.url}", "--infer-run=run", "-p", "no:cacheprovider"
    )
    return int(result.ret), json.loads((pytester.path / "run" / "run.json").read_text("utf-8"))


def test_every_python_sample_is_a_file_that_is_run() -> None:
    assert {file for file in PYTHON if file.startswith("test_")} == PLANNED.keys()
    assert PYTHON.keys() - PLANNED.keys() == {"try_extractors.py", "chords.py"}  # test_chords.py imports it


@pytest.mark.parametrize("file", PLANNED)
def test_the_tasks_of_the_page_pass_with_good_answers(
    file: str, page: Path, pytester: pytest.Pytester
) -> None:
    with ScriptedServer(answer) as server:
        status, run = run_file(pytester, file, server)
    planned = PLANNED[file]
    assert run["totals"] == {"planned": planned, "passed": planned, "failed": 0, "missing": 0}
    assert status == 0


@pytest.mark.parametrize("file", PLANNED)
def test_and_none_of_them_is_green_with_bad_ones(file: str, page: Path, pytester: pytest.Pytester) -> None:
    with ScriptedServer.answering(lambda body: "as an AI I like thirty G " * 20) as server:
        status, run = run_file(pytester, file, server)
    assert run["verdict"] != "passed"
    assert status == 1


def test_the_extractors_do_what_the_page_says(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(page / "try_extractors.py"))
    said = "no_answer: extract.number found no number: the reply says that it cannot be told\n"
    assert capsys.readouterr().out == said


@pytest.mark.parametrize(("counts", "verdict"), GATES)
def test_the_gates_come_out_as_the_table_says(counts: str, verdict: str) -> None:
    counted = {what: int(number) for number, what in re.findall(r"(\d+) ([a-z ]+)", counts)}
    reasons = {reason: counted[words] for words, reason in REASONS.items() if words in counted}
    observed = Tally(
        passed=counted["passed"],
        failed=counted.get("failed", 0),
        missing=sum(reasons.values()),
        reasons=reasons,
    )
    assert counted.keys() <= {"passed", "failed", *REASONS}
    assert observed.planned == 100
    assert judge_task("page", observed, GateRule(min_pass_rate=0.9)).verdict.value == verdict


def test_the_table_of_gates_shows_all_three_verdicts() -> None:
    assert {verdict for _, verdict in GATES} == {"passed", "failed", "missing"}
