"""Component scores of a task: each for itself, of one evaluator."""

from __future__ import annotations

from math import isfinite
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import (
    ComponentTally,
    EvaluatorIdentity,
    Fallback,
    Missing,
    Pooled,
    Reason,
    Score,
    canonical_json,
    wilson_interval,
)

STYLE = EvaluatorIdentity(kind="test", name="style", version="1")


def score(value: float | None, name: str = "style", **more: object) -> Score:
    missing = Missing(Reason.INVALID_SCORE) if value is None else None
    fields = {"unit": "ratio", "higher_is_better": True, "evaluator": STYLE, **more}
    return Score(name=name, value=value, missing=missing, **fields)  # type: ignore[arg-type]


def tallied(*scores: Score) -> ComponentTally:
    tally = ComponentTally()
    for one in scores:
        tally.count([one])
    return tally


def test_passed_is_the_tasks_own_row() -> None:
    assert tallied(score(1.0, name="passed")).components() == ()


def test_what_was_not_measured_is_counted_and_not_averaged() -> None:
    (found,) = tallied(score(0.5), score(None), score(0.7)).components()
    assert (found.measured, found.missing) == (2, 1)
    assert found.mean == pytest.approx(0.6)


def test_nothing_measured_has_no_mean() -> None:
    (found,) = tallied(score(None)).components()
    assert (found.mean, found.interval) == (None, None)


@pytest.mark.parametrize(
    "other",
    [
        score(0.5, name="tone"),
        score(0.5, evaluator=EvaluatorIdentity(kind="test", name="style", version="2")),
        score(0.5, fallback=Fallback(preferred="large", because="not installed")),
        score(0.5, unit="count"),
        score(0.5, higher_is_better=False),
        score(0.5, gates=False),
    ],
    ids=[
        "another name",
        "another version of the evaluator",
        "a fallback",
        "another unit",
        "another direction",
        "one that does not gate",
    ],
)
def test_what_does_not_mean_the_same_is_another_component(other: Score) -> None:
    assert len(tallied(score(0.5), other).components()) == 2


def test_zeros_and_ones_have_wilsons_interval() -> None:
    (found,) = tallied(*map(score, (1.0, 0.0, 1.0, 1.0))).components()
    assert found.interval == pytest.approx(wilson_interval(3, 4))


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40))
def test_mean_and_interval_are_those_of_the_values(values: list[float]) -> None:
    (found,) = tallied(*map(score, values)).components()
    assert found.mean == pytest.approx(mean(values), abs=1e-6)
    if set(values) - {0.0, 1.0}:
        assert found.interval is not None
        half = 1.959963984540054 * stdev(values) / len(values) ** 0.5
        assert found.interval[1] - found.interval[0] == pytest.approx(2 * half, abs=1e-3)


MOST = 1.7976931348623157e308


@pytest.mark.parametrize(
    ("values", "mean_is"),
    [
        ((1e200, -1e200, 3.0), 1.0),  # their squares are past the range of a float
        ((MOST, -MOST), 0.0),  # so is their difference
        ((MOST, MOST, MOST), MOST),
        ((1e155, 2e155, 3e155), 2e155),
    ],
)
def test_values_whose_squares_overflow_have_a_mean_and_no_interval(
    values: tuple[float, ...], mean_is: float
) -> None:
    (found,) = tallied(*map(score, values)).components()
    assert found.mean == pytest.approx(mean_is)
    assert found.interval is None or len(set(values)) == 1


def counted(part: float, whole: float) -> Score:
    return score(part / whole if whole else None, pooled=Pooled(part=part, whole=whole))


def test_counts_that_overflow_have_no_figures_where_they_have_none() -> None:
    (squares,) = tallied(counted(1e200, 1e201), counted(2e200, 1e201)).components()
    assert squares.mean == pytest.approx(0.15)
    assert squares.interval is None
    (ratio,) = tallied(counted(1e-300, 1e-300), counted(1e300, 0.0)).components()
    assert (ratio.mean, ratio.interval, ratio.pooled) == (None, None, Pooled(part=1e300, whole=1e-300))
    (sums,) = tallied(counted(MOST, 1.0), counted(MOST, 1.0)).components()
    assert (sums.mean, sums.interval, sums.pooled) == (None, None, None)


@pytest.mark.parametrize("part", [10**400, 10**309])
def test_counts_past_the_range_of_a_float_are_refused(part: int) -> None:
    with pytest.raises(ValueError, match="accepted: finite, 0 or more"):
        Pooled(part=part, whole=1)
    with pytest.raises(ValueError, match="a score is a finite number"):
        score(part)


extremes = st.one_of(
    st.floats(0, MOST), st.sampled_from([0.0, 5e-324, 1e-200, 1.0, 1e154, 1e155, 1e200, 1e300, MOST])
)


ratios = st.tuples(extremes, extremes).filter(lambda counts: not counts[1] or isfinite(counts[0] / counts[1]))


@given(st.lists(st.tuples(extremes, st.booleans()), max_size=6), st.lists(ratios))
def test_whatever_was_recorded_the_run_can_be_written(
    values: list[tuple[float, bool]], counts: list[tuple[float, float]]
) -> None:
    scores = [score(-value if is_negative else value) for value, is_negative in values]
    for found in tallied(*scores, *(counted(part, whole) for part, whole in counts)).components():
        canonical_json(found.as_json())  # raises for NaN and infinities
