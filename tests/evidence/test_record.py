"""The line that a run keeps of one evaluation."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import (
    Evaluation,
    EvaluationKey,
    EvaluatorIdentity,
    Missing,
    Reason,
    Record,
    Score,
    Verdict,
)

EVALUATION = Evaluation(
    key=EvaluationKey(task="sums", sample="a/b", repeat=2),
    nodeid="test_sums.py::test_sums[a/b-2]",
    task_version="1",
    task_digest="sha256:1",
    sample_digest="sha256:2",
)
SCORE = Score.measured("passed", 1, evaluator=EvaluatorIdentity(kind="task", name="sums", version="1"))


@pytest.mark.parametrize(
    ("verdict", "missing"),
    [
        (Verdict.MISSING, None),  # missing without a reason
        (Verdict.PASSED, Missing(Reason.TIMEOUT)),
        (Verdict.FAILED, Missing(Reason.TIMEOUT)),
    ],
)
def test_missing_is_given_exactly_where_the_verdict_is_missing(
    verdict: Verdict, missing: Missing | None
) -> None:
    with pytest.raises(ValueError, match="sums/a/b#2"):
        Record(evaluation=EVALUATION, verdict=verdict, missing=missing)


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": Verdict.PASSED, "scores": (SCORE,), "started": "2026-01-01T00:00:00Z", "duration_s": 0.5},
        {"verdict": Verdict.FAILED, "is_expected_failure": True, "message": "assert 3 == 4"},
        {"verdict": Verdict.MISSING, "missing": Missing(Reason.NOT_RUN, "the session was interrupted")},
    ],
)
def test_a_record_reads_back_as_it_was(fields: dict[str, Any]) -> None:
    record = Record(evaluation=EVALUATION, **fields)
    assert Record.from_json(record.as_json()) == record


def test_its_id_is_task_sample_and_repeat() -> None:
    value = Record(evaluation=EVALUATION, verdict=Verdict.PASSED).as_json()
    assert (value["schema"], value["id"]) == ("infergate.record/1", "sums/a/b#2")
