"""A judge's exchange is told apart from the model's wherever a record is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_infergate.evidence import Exchange, Missing, Reason, Role, Timing, Verdict
from pytest_infergate.plugin.evaluations.judgement import Ending, PhaseEnd, judge_evaluation
from pytest_infergate.report import identity_lines, plain_text, record_lines
from pytest_infergate.runs.validate import validate_run

from ..runs.made import CAPITALS, HEAD, SERVER, exchange, record, write_run

UNDELIVERED = {"reply": None, "error": Missing(Reason.TIMEOUT, "no end after 300 s"), "timing": Timing()}
ENDED = (PhaseEnd(phase="call", ending=Ending.FINE),)


def of(role: Role) -> Exchange:
    return exchange(role=role, **UNDELIVERED)


def test_only_a_model_that_does_not_deliver_makes_the_evaluation_missing_by_itself() -> None:
    # What a judge did not deliver is in its score: other votes may have decided.
    assert judge_evaluation(ENDED, [exchange(), of(Role.JUDGE)], ()).verdict is Verdict.PASSED
    judgement = judge_evaluation(ENDED, [exchange(), of(Role.MODEL)], ())
    assert judgement.missing == UNDELIVERED["error"]


@pytest.mark.parametrize(("role", "is_valid"), [(Role.JUDGE, True), (Role.MODEL, False)])
def test_validate_asks_the_same_of_a_record(tmp_path: Path, role: Role, is_valid: bool) -> None:
    made = record("france", exchanges=[exchange(), of(role)])
    assert validate_run(write_run(tmp_path / "run", [made], [CAPITALS])).is_valid is is_valid


def test_a_reader_is_told_who_was_asked() -> None:
    text = plain_text(record_lines(record("france", exchanges=[exchange(), exchange(role=Role.JUDGE)]), 80))
    assert "exchange 1 of 2: chat, HTTP 200, 1 attempt, server\n" in text
    assert "exchange 2 of 2: judge, chat, HTTP 200, 1 attempt, server\n" in text


def test_a_run_tells_who_judged() -> None:
    judge = {**SERVER, "url": "http://127.0.0.1:9090"}
    text = plain_text(identity_lines(replace(HEAD, judge=judge), None))
    assert "judge      http://127.0.0.1:9090, model gemma-3, llama.cpp b6000\n" in text
    assert "judge" not in plain_text(identity_lines(HEAD, None))
