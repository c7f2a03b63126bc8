"""The example for chat models, against servers whose answers are known."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from .chat_answers import SUITE, Answer, evasive, right, rows, serving, wrong

DATASETS = {
    "test_choices.test_choice": "choices.jsonl",
    "test_maths.test_problem": "problems.jsonl",
    "test_sentiment.test_mood": "messages.jsonl",
    "test_tools.test_tool_call": "requests.jsonl",
}
FREE_FORM = {"test_conversation.test_follow_up": 1, "test_conversation.test_brevity": 3}
PLANNED = {task: len(rows(dataset)) for task, dataset in DATASETS.items()} | FREE_FORM
ALL = sum(PLANNED.values())


def run_suite(pytester: pytest.Pytester, answer: Answer) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """Return the exit status, the run and its records."""
    suite = pytester.path / "suite"
    shutil.copytree(SUITE, suite, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    with serving(answer) as server:
        result = pytester.runpytest_inprocess(
            suite, f"--infer-server={server.url}", "--infer-run=run", "-p", "no:cacheprovider"
        )
    folder = Path(pytester.path / "run")
    records = [json.loads(line) for line in (folder / "records.jsonl").read_text("utf-8").splitlines()]
    return int(result.ret), json.loads((folder / "run.json").read_text("utf-8")), records


def gates(run: dict[str, Any]) -> dict[str, str]:
    return {gate["task"]: gate["verdict"] for gate in run["gates"] if gate["task"]}


def test_right_answers_are_green(pytester: pytest.Pytester) -> None:
    status, run, records = run_suite(pytester, right)
    assert status == 0
    assert run["verdict"] == "passed"
    assert run["totals"] == {"planned": ALL, "passed": ALL, "failed": 0, "missing": 0}
    assert {task["name"]: task["totals"]["planned"] for task in run["tasks"]} == PLANNED
    assert gates(run) == dict.fromkeys(PLANNED, "passed")
    words = [s for r in records for s in r["scores"] if s["name"] == "words"]
    assert [(score["unit"], score["higher_is_better"]) for score in words] == [("words", False)] * 3


def test_wrong_answers_are_red(pytester: pytest.Pytester) -> None:
    status, run, _ = run_suite(pytester, wrong)
    assert status == 1
    assert run["verdict"] == "failed"
    assert run["totals"] == {"planned": ALL, "passed": 0, "failed": ALL, "missing": 0}
    assert gates(run) == dict.fromkeys(PLANNED, "failed")


def test_replies_without_an_answer_are_missing_rather_than_wrong(pytester: pytest.Pytester) -> None:
    status, run, _ = run_suite(pytester, evasive)
    assert status == 1
    unanswered = (
        ALL - FREE_FORM["test_conversation.test_brevity"]
    )  # which reads no answer: it judges the text
    assert run["totals"] == {"planned": ALL, "passed": 0, "failed": 3, "missing": unanswered}
    expected = dict.fromkeys(PLANNED, "missing") | {"test_conversation.test_brevity": "failed"}
    assert gates(run) == expected


def test_the_conversation_goes_on_with_what_the_model_said(pytester: pytest.Pytester) -> None:
    _, _, records = run_suite(pytester, right)
    (record,) = (r for r in records if r["task"]["name"] == "test_conversation.test_follow_up")
    first, second = (exchange["request"]["messages"] for exchange in record["exchanges"])
    assert [message["role"] for message in second] == ["user", "assistant", "user"]
    assert second[:2] == [*first, {"role": "assistant", "content": "23"}]
