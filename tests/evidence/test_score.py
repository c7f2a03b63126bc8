"""A score is a finite number with its evaluator, or a reason; never both, never neither."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import EvaluatorIdentity, Fallback, Missing, Pooled, Reason, Score

WHO = EvaluatorIdentity(kind="extractor", name="number", version="1")
FIELDS: dict[str, Any] = {"name": "s", "unit": "ratio", "higher_is_better": True}


@pytest.mark.parametrize("nobody", [None, "number v1", {"name": "number"}])
def test_a_score_without_an_evaluator_cannot_be_made(nobody: Any) -> None:
    with pytest.raises(TypeError, match="score 's' needs an evaluator identity"):
        Score(**FIELDS, value=1.0, evaluator=nobody)


@pytest.mark.parametrize(
    ("value", "missing"), [(None, None), (1.0, Missing(Reason.TIMEOUT)), (0.0, Missing(Reason.TIMEOUT))]
)
def test_a_score_is_a_value_or_a_reason(value: float | None, missing: Missing | None) -> None:
    with pytest.raises(ValueError, match="needs a value or a reason"):
        Score(**FIELDS, value=value, missing=missing, evaluator=WHO)


@pytest.mark.parametrize(
    ("value", "part", "whole", "reason"),
    [
        (0.0, 1, 3, "a rate edited, its counts not"),
        (0.25, 0, 4, "counts edited, the rate not"),
        (0.0, 0, 0, "no ratio of nothing"),
        (None, 0, 100, "what is missing would count as all right"),
        (None, 5, 10, "or as half wrong"),
    ],
)
def test_counts_that_give_another_number_are_refused(
    value: float | None, part: int, whole: int, reason: str
) -> None:
    missing = Missing(Reason.EMPTY_REFERENCE) if value is None else None
    with pytest.raises(ValueError, match="which give another number"):
        Score(**FIELDS, value=value, missing=missing, evaluator=WHO, pooled=Pooled(part=part, whole=whole))


@given(part=st.integers(0, 10**9), whole=st.integers(1, 10**9))
def test_a_ratio_and_its_counts_go_together(part: int, whole: int) -> None:
    score = Score(**FIELDS, value=part / whole, evaluator=WHO, pooled=Pooled(part=part, whole=whole))
    assert Score.from_json(score.as_json()) == score


def test_insertions_over_an_empty_reference_go_with_no_value() -> None:
    missing = Missing(Reason.EMPTY_REFERENCE)
    Score(**FIELDS, value=None, missing=missing, evaluator=WHO, pooled=Pooled(part=3, whole=0))


def test_what_is_missing_keeps_no_counts_of_a_number_out_of_range() -> None:
    score = Score.measured("s", 2, evaluator=WHO, high=1, pooled=Pooled(part=2, whole=1))
    assert (score.value, score.pooled) == (None, None)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_no_score(value: float) -> None:
    with pytest.raises(ValueError, match="a score is a finite number"):
        Score(**FIELDS, value=value, evaluator=WHO)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, 1.0),
        (True, 1.0),
        (False, 0.0),
        (0.25, 0.25),
        (-3, -3.0),
        (Fraction(1, 4), 0.25),
        (Decimal("0.5"), 0.5),
    ],
)
def test_numbers_from_outside_are_measured(value: object, expected: float) -> None:
    score = Score.measured("s", value, evaluator=WHO)
    assert (score.value, score.missing) == (expected, None)


@pytest.mark.parametrize(
    "value",
    [
        math.nan,  # every comparison with it is false, so no limit would ever catch it
        math.inf,
        -math.inf,
        "0.9",  # a text that looks like a number is a bug of the evaluation
        b"1",
        None,
        [1.0],
        {"value": 1},
        10**400,  # overflows
        Decimal("NaN"),
        1j,
    ],
)
def test_what_is_not_a_finite_number_is_an_invalid_score(value: object) -> None:
    score = Score.measured("s", value, evaluator=WHO)
    assert score.value is None
    assert score.missing is not None
    assert score.missing.reason is Reason.INVALID_SCORE


@pytest.mark.parametrize(
    ("value", "low", "high", "is_valid"),
    [
        (0.0, 0.0, 1.0, True),  # bounds are inclusive
        (1.0, 0.0, 1.0, True),
        (1.0000001, 0.0, 1.0, False),
        (-0.0000001, 0.0, 1.0, False),
        (1e300, 0.0, None, True),  # unbounded above: a word error rate may exceed 1
        (-1.0, 0.0, None, False),
        (-1e300, None, 1.0, True),
        (2.0, None, 1.0, False),
    ],
)
def test_a_score_outside_its_declared_range_is_invalid(
    value: float, low: float | None, high: float | None, is_valid: bool
) -> None:
    score = Score.measured("s", value, evaluator=WHO, low=low, high=high)
    assert (score.missing is None) is is_valid


@given(
    value=st.none() | st.integers() | st.floats() | st.text() | st.booleans(),
    low=st.none() | st.floats(allow_nan=False),
    high=st.none() | st.floats(allow_nan=False),
)
def test_measuring_never_raises_and_reads_back_as_it_was(
    value: object, low: float | None, high: float | None
) -> None:
    score = Score.measured("s", value, evaluator=WHO, low=low, high=high)
    assert score.value is None or math.isfinite(score.value)
    assert Score.from_json(score.as_json()) == score


def test_a_fallback_travels_with_the_score() -> None:
    score = Score.measured(
        "wer",
        0.4,
        evaluator=WHO,
        higher_is_better=False,
        fallback=Fallback(preferred="base", because="no weights"),
    )
    assert score.as_json()["fallback"] == {"from": "base", "because": "no weights"}
    assert Score.from_json(score.as_json()) == score
