"""Rates over clips as a person reads them: figures, coverage, the tail, who heard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_infergate.evidence import EvaluatorIdentity, Fallback, Reason
from pytest_infergate.report.lines import Style, plain_text
from pytest_infergate.report.rates_text import rate_lines
from pytest_infergate.report.task_details import task_details
from pytest_infergate.runs import RunLedger, TaskSummary
from tests.runs.made import CAPITALS, missing
from tests.runs.test_score_rates import clip, wer

SETTINGS: dict[str, Any] = {"normalizer": "english", "normalizer_version": "1", "unit": "words"}
SERVER = EvaluatorIdentity(
    kind="transcriber", name="wer", version="1", backend="vllm 0.9, model whisper-large", settings=SETTINGS
)
LOCAL = EvaluatorIdentity(
    kind="transcriber", name="wer", version="1", backend="faster-whisper 1.2", settings=SETTINGS
)
TEXTS = EvaluatorIdentity(kind="error_rate", name="wer", version="1", settings=SETTINGS)


def summary(*records: Any) -> TaskSummary:
    ledger = RunLedger([CAPITALS])
    for made in records:
        ledger.count(made)
    (task,) = ledger.summary().tasks
    return task


TASK = summary(
    *(clip(str(n), wer(n % 3, 10, SERVER)) for n in range(7)),
    clip("bad", wer(9, 10, SERVER)),
    missing("gone", Reason.UNDECODABLE_MEDIA),
    clip("late", wer(1, 2, LOCAL, fallback=Fallback(preferred="vllm", because="gone"))),
)


def test_the_section_in_full() -> None:
    assert (
        plain_text(rate_lines([TASK], 100))
        == """
error rates, over all clips of a task
    rate   95 % interval  median  above 50 %    clips
  18.8 %  5.0 % – 41.2 %  10.0 %      12.5 %  8 of 10  wer capitals
      normalizer english v1, words counted, by vllm 0.9, model whisper-large
  50.0 %               –  50.0 %       0.0 %  1 of 10  wer capitals
      normalizer english v1, words counted, by the fallback faster-whisper 1.2
"""
    )


def test_a_fallback_stands_out() -> None:
    styles = {part.style for line in rate_lines([TASK], 100) for part in line if "the fallback" in part.text}
    assert styles == {Style.MISSING}


@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    long = replace(TASK, plan=replace(CAPITALS, name="a" * 200))
    assert max(map(len, plain_text(rate_lines([long], width)).splitlines())) <= width


def test_texts_have_no_transcriber() -> None:
    shown = plain_text(rate_lines([summary(clip("a", wer(0, 1, TEXTS)))], 100))
    assert shown.splitlines()[-1] == "      normalizer english v1, words counted"


def test_what_has_a_rate_is_not_told_again_among_the_scores() -> None:
    assert task_details([TASK], 100) == []
    assert rate_lines([summary(missing("a", Reason.TIMEOUT))], 100) == []
