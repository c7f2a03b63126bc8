"""Component scores of a task: each for itself, of one evaluator."""

from __future__ import annotations

from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import (
    ComponentTally,
    EvaluatorIdentity,
    Fallback,
    Missing,
    Reason,
    Score,
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
