"""An extractor is mended and the same replies are judged again: 17 of 100, then 97 of 100."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.runs.validate import validate_run
from tests.scripted import ScriptedServer

from .conftest import Evaluate, Outcome

#: How the hundred replies end, and how often: what the first extractor reads, what only the second one
#: reads, and what is wrong however it is read.
ENDS = (
    ("#### {}", 17),
    ("**Answer:** {}", 24),
    ("So the answer is **{}**.", 20),
    ("\\boxed{{{}}}", 14),
    ("<answer>{}</answer>", 12),
    ("Therefore she has {} apples left.", 10),
    ("I would rather talk about pears.", 3),
)
FIRST = """
import re
from dataclasses import dataclass
import pytest
from pytest_infergate.extract import Extractor

@dataclass(frozen=True)
class Final(Extractor):
    name = "final"
    version = "1"
    rule = "The number of the reply."

    def find(self, text, sample):
        found = re.findall(r"^#### (-?\\d+)$", text, re.MULTILINE)
        return int(found[-1]) if found else self.no_answer("number")

@pytest.mark.infer_task(dataset="apples.jsonl", prompt="{question}", min_pass_rate=0.9)
@pytest.mark.infer_extract(Final())
def test_apples(answer, sample):
    assert answer == sample["gold"]
"""
SECOND = FIRST.replace('version = "1"', 'version = "2"').replace(r"^#### (-?\d+)$", r"(-?\d+)")


def write_apples(folder: Path) -> dict[str, str]:
    """Write a hundred questions and return question → reply."""
    ends = [end for end, count in ENDS for _ in range(count)]
    rows = [{"id": f"q{n}", "question": f"Apples {n}?", "gold": 7 * n + 1} for n in range(100)]
    (folder / "apples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return {
        row["question"]: f"First she had {row['gold'] + 5}, then fewer.\n{end.format(row['gold'])}"
        for row, end in zip(rows, ends, strict=True)
    }


@pytest.fixture
def parent(pytester: pytest.Pytester, evaluate: Evaluate) -> Outcome:
    replies = write_apples(pytester.path)
    with ScriptedServer.answering(lambda body: replies[body["messages"][-1]["content"]]) as server:
        return evaluate(FIRST, url=server.url)


def replay(evaluate: Evaluate, parent: Outcome, source: str, *args: str, **options: Any) -> Outcome:
    return evaluate(source, f"--infer-replay={parent.folder}", *args, url=None, **options)


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["plain", "xdist"])
def test_seventeen_of_a_hundred_become_ninety_seven_because_the_adapter_changed(
    evaluate: Evaluate, parent: Outcome, workers: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert parent.run["totals"] == {"planned": 100, "passed": 17, "failed": 0, "missing": 83}
    again = replay(evaluate, parent, SECOND, *workers, subprocess=bool(workers))
    assert again.run["totals"] == {"planned": 100, "passed": 97, "failed": 3, "missing": 0}
    assert again.run["verdict"] == "passed"
    (task,) = again.run["rescored"]["tasks"]
    assert task["before"] == parent.run["totals"]
    assert task["after"] == again.run["totals"]
    assert task["causes"] == {"evaluator": 83}
    assert task["evaluator"][0] == {"field": "extractor final", "before": "v1", "after": "v2"}
    assert [change["field"] for change in task["evaluator"]] == ["extractor final", "code of the test"]
    assert len(task["changes"]) == 10
    assert task["changes"][0] == {
        "sample": "q17",
        "repeat": 0,
        "before": "missing (no_answer)",
        "after": "passed",
        "cause": "evaluator",
    }
    told = [
        "judged again: the replies of *",
        "  test_it.test_apples: 17 of 100 → 97 of 100 passed, missing 83 → 0",
        "    83 verdicts changed: the evaluator changed; the replies are the same",
        "      extractor final: v1 → v2",
        "      code of the test: * → *",
        "      q17 missing (no_answer) → passed, q18 missing (no_answer) → passed,*",
    ]
    again.result.stdout.fnmatch_lines(told)
    # Both figures stay: in the new run, in what is shown of it, and in the old one.
    capsys.readouterr()
    main(["show", str(again.folder)])
    shown = capsys.readouterr().out
    assert "17 of 100 → 97 of 100 passed" in shown
    assert f"replies of {parent.run['run_id']} (replay)" in shown
    assert validate_run(again.folder).problems == ()
    assert validate_run(parent.folder).problems == ()
    assert parent.run["totals"]["passed"] == 17


def test_with_nothing_changed_every_figure_is_as_before(evaluate: Evaluate, parent: Outcome) -> None:
    again = replay(evaluate, parent, FIRST)
    (task,) = again.run["rescored"]["tasks"]
    assert (task["causes"], task["evaluator"], task["changes"]) == ({}, [], [])
    again.result.stdout.fnmatch_lines(["  test_it.test_apples: 17 of 100 passed, as before"])


def test_going_back_goes_back(evaluate: Evaluate, parent: Outcome) -> None:
    mended = replay(evaluate, parent, SECOND)
    back = replay(evaluate, mended, FIRST)
    assert back.verdicts == parent.verdicts
    (task,) = back.run["rescored"]["tasks"]
    assert (task["before"]["passed"], task["after"]["passed"]) == (97, 17)


def test_a_gold_answer_that_was_mended_is_no_change_of_the_adapter(
    pytester: pytest.Pytester, evaluate: Evaluate, parent: Outcome
) -> None:
    path = pytester.path / "apples.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[0]["gold"] = 1000
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (task,) = replay(evaluate, parent, FIRST).run["rescored"]["tasks"]
    assert task["causes"] == {"sample": 1}
    assert task["changes"] == [
        {"sample": "q0", "repeat": 0, "before": "passed", "after": "failed", "cause": "sample"}
    ]


def test_a_prompt_that_changed_leaves_no_replies(evaluate: Evaluate, parent: Outcome) -> None:
    again = replay(evaluate, parent, FIRST.replace('prompt="{question}"', 'prompt="{question} Think."'))
    (task,) = again.run["rescored"]["tasks"]
    assert task["after"] == {"planned": 100, "passed": 0, "failed": 0, "missing": 100}
    assert task["causes"] == {"no_reply": 100}
    again.result.stdout.fnmatch_lines(["    100 verdicts changed: there is no reply to what is asked now"])


def test_a_test_that_hangs_on_chance_is_told_as_such(evaluate: Evaluate) -> None:
    suite = """
import pathlib, pytest

@pytest.mark.infer_task
def test_it(infer):
    assert infer.chat("say 1").text and not (pathlib.Path(__file__).parent / "flag").exists()
"""
    parent = evaluate(suite)
    (parent.folder.parent / "flag").touch()
    (task,) = replay(evaluate, parent, suite).run["rescored"]["tasks"]
    assert task["causes"] == {"unknown": 1}
    assert task["evaluator"] == []


def test_an_edit_of_what_was_rescored_does_not_validate(evaluate: Evaluate, parent: Outcome) -> None:
    again = replay(evaluate, parent, SECOND)
    path = again.folder / "run.json"
    path.write_text(path.read_text().replace('"passed": 17', '"passed": 71'))
    assert not validate_run(again.folder).is_valid
