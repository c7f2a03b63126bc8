"""Counts of one task, always against what was planned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import (
    Evaluation,
    EvaluationKey,
    Missing,
    Reason,
    ReasonGroup,
    Record,
    Tally,
    Verdict,
    tally,
    wilson_interval,
)


def record(number: int, outcome: Reason | Verdict, is_expected: bool = False) -> Record:
    evaluation = Evaluation(
        key=EvaluationKey(task="t", sample=str(number)),
        nodeid=f"t.py::t[{number}]",
        task_version="1",
        task_digest="sha256:1",
        sample_digest="sha256:2",
    )
    if isinstance(outcome, Reason):
        return Record(evaluation=evaluation, verdict=Verdict.MISSING, missing=Missing(outcome))
    return Record(evaluation=evaluation, verdict=outcome, is_expected_failure=is_expected)


outcomes = st.lists(st.sampled_from([*Reason, Verdict.PASSED, Verdict.FAILED]), max_size=30)


@given(outcomes)
def test_every_planned_evaluation_is_counted_once(given_outcomes: list[Reason | Verdict]) -> None:
    counts = tally(record(i, outcome) for i, outcome in enumerate(given_outcomes))
    assert counts.planned == len(given_outcomes)
    assert sum(counts.reasons.values()) == counts.missing
    model = sum(isinstance(o, Reason) and o.group is ReasonGroup.MODEL for o in given_outcomes)
    assert counts.missing_beyond_model == counts.missing - model


@given(outcomes)
def test_the_true_rate_lies_within_the_bounds_whatever_the_missing_would_have_been(
    given_outcomes: list[Reason | Verdict],
) -> None:
    counts = tally(record(i, outcome) for i, outcome in enumerate(given_outcomes))
    if not counts.planned:
        assert (counts.bounds, counts.delivered, counts.accuracy, counts.interval) == (None, None, None, None)
        return
    assert counts.bounds is not None
    lo, hi = counts.bounds
    for resolved in range(counts.missing + 1):
        assert lo <= (counts.passed + resolved) / counts.planned <= hi
    assert counts.delivered == lo


@pytest.mark.parametrize(
    ("counts", "delivered", "accuracy"),
    [
        (Tally(passed=12, failed=4, missing=4), 0.6, 0.75),  # 0.75 is not the rate of the 20 planned
        (Tally(missing=5), 0.0, None),  # nothing was measured: no accuracy, and not 0
        (Tally(passed=3), 1.0, 1.0),
        (Tally(failed=3), 0.0, 0.0),
        (Tally(), None, None),
    ],
)
def test_delivered_is_of_planned_and_accuracy_of_measured(
    counts: Tally, delivered: float | None, accuracy: float | None
) -> None:
    assert (counts.delivered, counts.accuracy) == (delivered, accuracy)


def test_an_expected_failure_is_among_the_failed() -> None:
    counts = tally([record(0, Verdict.FAILED, is_expected=True), record(1, Verdict.FAILED)])
    assert (counts.failed, counts.expected_failures) == (2, 1)


@pytest.mark.parametrize(
    ("passed", "planned", "low", "high"),
    [
        # From R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(passed: int, planned: int, low: float, high: float) -> None:
    assert wilson_interval(passed, planned) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_rate_and_mirrors(case: tuple[int, int]) -> None:
    passed, planned = case
    low, high = wilson_interval(passed, planned)
    assert 0 <= low <= passed / planned <= high <= 1
    mirrored = wilson_interval(planned - passed, planned)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)
