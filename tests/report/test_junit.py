"""Task, sample, verdict, score and evaluator in a JUnit file."""

from __future__ import annotations

from pytest_infergate.evidence import Fallback, Reason, Score
from pytest_infergate.report import junit_properties
from tests.runs.made import LAST_LINE, missing, record


def test_an_evaluation_carries_its_task_sample_verdict_score_and_evaluator() -> None:
    assert junit_properties(record("france", repeat=2)) == [
        ("infer.task", "capitals"),
        ("infer.sample", "france"),
        ("infer.repeat", "2"),
        ("infer.verdict", "passed"),
        ("infer.score.passed", "1"),
        ("infer.evaluator.passed", "task capitals v1"),
    ]


def test_missing_evidence_carries_its_reason_and_no_number() -> None:
    assert junit_properties(missing("france", Reason.TIMEOUT, "no end\x00"))[3:] == [
        ("infer.verdict", "missing"),
        ("infer.missing", r"timeout: no end\x00"),
    ]


def test_a_score_says_whether_it_is_missing_and_whether_it_was_a_fallback() -> None:
    fallback = Fallback(preferred="base", because="no weights")
    scores = (
        Score.measured("wer", 0.1 + 0.2, evaluator=LAST_LINE, fallback=fallback),
        Score.measured("speed", float("nan"), evaluator=LAST_LINE),
    )
    assert junit_properties(record("france", scores=scores))[4:] == [
        ("infer.score.wer", "0.3"),
        ("infer.evaluator.wer", "extractor last_line v1, a fallback from base: no weights"),
        ("infer.score.speed", "missing: invalid_score"),
        ("infer.evaluator.speed", "extractor last_line v1"),
    ]
