"""Replies that broke other tools, read in place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate import extract
from pytest_infergate.evidence import NoAnswer, Reply
from pytest_infergate.extract import Extractor

_FILE = Path(__file__).resolve().parents[2] / ".." / "shared" / "cases" / "cases.jsonl"
_TASKS: dict[str, Any] = {
    "number": extract.number,
    "number_after_reasoning": extract.number,
    "boxed_math": extract.boxed,
    "python_code": extract.code("python"),
    "json": extract.json_value(),
    "hermes_tool_call_text": extract.tool_calls,
}


def _cases() -> list[Any]:
    if not _FILE.exists():
        return [
            pytest.param(None, marks=pytest.mark.skip(reason="the shared cases are not beside this project"))
        ]
    cases = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in cases if case["area"] == "A"]


def _extractor(case: dict[str, Any]) -> Extractor[Any]:
    given, task = case["input"], case["input"]["task"]
    return extract.choice(given["options"]) if task == "choice" else _TASKS[task]


@pytest.mark.parametrize("case", _cases())
def test_a_reply_that_broke_another_tool(case: dict[str, Any]) -> None:
    given, expected, extractor = case["input"], case["expected"], _extractor(case)
    reply = Reply(text=given["text"], finish_reason=given.get("finish_reason", "stop"))
    if expected["classification"] == "missing":
        with pytest.raises(NoAnswer):
            extractor(reply)
        return
    found = extractor(reply)
    assert extractor.same(found, expected["value"]), found
    if "gold" in given:
        assert extractor.same(found, given["gold"]) is bool(expected["score"])
        assert (found == extractor.parse(given["gold"])) is bool(expected["score"])
    if "answer_text" in expected:
        assert extract.final_answer(reply) == expected["answer_text"]
