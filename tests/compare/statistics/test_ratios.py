"""Differences of means and of pooled rates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_infergate.compare import PairedDifference
from pytest_infergate.compare.statistics.bootstrap import BOOTSTRAP, JACKKNIFE, LARGEST_BOOTSTRAP
from pytest_infergate.compare.statistics.errors import StatisticsError
from pytest_infergate.compare.statistics.means import mean_difference
from pytest_infergate.compare.statistics.pooled import pooled_difference
from pytest_infergate.evidence import Pooled

scores = st.floats(-1000, 1000).map(lambda value: round(value, 3))
pairs = st.lists(st.tuples(scores, scores), min_size=2, max_size=30)


def pooled(*counts: tuple[float, float]) -> list[Pooled]:
    return [Pooled(part=part, whole=whole) for part, whole in counts]


def ends(found: PairedDifference) -> tuple[float, ...]:
    return found.value, found.low, found.high, found.lower_bound


def test_scores_that_are_all_equal_differ_by_nothing() -> None:
    found = mean_difference([95.0, 80.5, 0.1 + 0.2], [95.0, 80.5, 0.3])
    assert ends(found) == (0, 0, 0, 0)
    assert found.p_value == 1


def test_a_difference_that_is_the_same_everywhere_is_that_difference() -> None:
    found = mean_difference([1.0, 2.0, 3.0, 4.0], [1.3, 2.3, 3.3, 4.3])
    assert ends(found) == pytest.approx((0.3, 0.3, 0.3, 0.3))
    assert found.p_value == 0.125, "two of sixteen combinations of signs"


@settings(deadline=None, max_examples=40)
@given(pairs)
def test_the_interval_holds_the_difference_of_the_means(drawn: list[tuple[float, float]]) -> None:
    base, candidate = [list(side) for side in zip(*drawn, strict=True)]
    found = mean_difference(base, candidate)
    expected = sum(candidate) / len(drawn) - sum(base) / len(drawn)
    assert found.value == pytest.approx(expected, abs=1e-8)
    assert all(map(math.isfinite, ends(found)))
    assert found.low <= found.lower_bound <= found.value <= found.high
    assert 0 < found.p_value <= 1


@settings(deadline=None, max_examples=20)
@given(pairs)
def test_the_same_scores_give_the_same_figures(drawn: list[tuple[float, float]]) -> None:
    base, candidate = [list(side) for side in zip(*drawn, strict=True)]
    assert mean_difference(base, candidate) == mean_difference(base, candidate)


@settings(deadline=None, max_examples=20)
@given(pairs, st.sampled_from([0.001, 7.0, 1e6]))
def test_the_unit_does_not_matter(drawn: list[tuple[float, float]], unit: float) -> None:
    base, candidate = [list(side) for side in zip(*drawn, strict=True)]
    one = mean_difference(base, candidate)
    other = mean_difference([unit * value for value in base], [unit * value for value in candidate])
    scale = max(map(abs, (*base, *candidate)))
    assert ends(other) == pytest.approx([unit * end for end in ends(one)], rel=1e-6, abs=unit * scale * 1e-9)


def test_wholes_of_one_make_a_pooled_rate_a_mean() -> None:
    base, candidate = [0.0, 3.0, 1.0, 2.0, 5.0], [1.0, 3.0, 0.0, 4.0, 9.0]
    one = mean_difference(base, candidate)
    other = pooled_difference(
        pooled(*((part, 1) for part in base)), pooled(*((part, 1) for part in candidate))
    )
    assert ends(one) == pytest.approx(ends(other))
    assert one.p_value == pytest.approx(other.p_value)


def test_a_pooled_rate_gives_a_long_sample_its_weight() -> None:
    base, candidate = pooled((0, 90), (5, 10)), pooled((9, 90), (5, 10))
    assert pooled_difference(base, candidate).value == pytest.approx(14 / 100 - 5 / 100)


def test_wholes_may_differ_between_the_sides_and_be_0_for_some_samples() -> None:
    base, candidate = pooled((1, 10), (2, 0), (0, 5), (1, 5)), pooled((2, 12), (0, 0), (0, 4), (1, 5))
    found = pooled_difference(base, candidate)
    assert found.value == pytest.approx(3 / 21 - 4 / 20)
    assert all(map(math.isfinite, ends(found)))


def test_one_sample_that_differs_is_no_result() -> None:
    for n in (2, 20, 100, 1000):
        found = mean_difference([1.0] * n, [0.0] + [1.0] * (n - 1))
        assert found.low < 0 < found.high
        assert found.p_value > 0.05


def test_a_clear_difference_is_one() -> None:
    random = np.random.default_rng(0)
    words = random.integers(5, 30, 200)
    errors = random.binomial(words, 0.05)
    more = np.minimum(words, errors + random.binomial(words, 0.05))
    found = pooled_difference(
        pooled(*zip(errors.tolist(), words.tolist(), strict=True)),
        pooled(*zip(more.tolist(), words.tolist(), strict=True)),
    )
    assert found.low > 0
    assert found.p_value < 0.01
    assert found.method == BOOTSTRAP


def test_above_five_thousand_samples_the_jackknife_agrees_with_the_bootstrap() -> None:
    random = np.random.default_rng(1)
    base = random.exponential(1, LARGEST_BOOTSTRAP + 1)
    candidate = base + random.exponential(1, LARGEST_BOOTSTRAP + 1) - 0.9
    one = mean_difference(base[:-1].tolist(), candidate[:-1].tolist())
    other = mean_difference(base.tolist(), candidate.tolist())
    assert (one.method, other.method) == (BOOTSTRAP, JACKKNIFE)
    assert ends(one) == pytest.approx(ends(other), abs=0.003)


def test_the_standard_error_is_the_jackknifes() -> None:
    random = np.random.default_rng(2)
    n = 6000
    words = random.integers(1, 40, (2, n))
    errors = random.binomial(words, 0.1)
    found = pooled_difference(
        *(
            pooled(*zip(part.tolist(), whole.tolist(), strict=True))
            for part, whole in zip(errors, words, strict=True)
        )
    )
    without = [(part.sum() - part) / (whole.sum() - whole) for part, whole in zip(errors, words, strict=True)]
    left_out = without[1] - without[0]
    error = math.sqrt((n - 1) / n * np.square(left_out - left_out.mean()).sum())
    assert (found.high - found.low) / 2 == pytest.approx(1.959964 * error, rel=1e-3)


@pytest.mark.parametrize(
    ("base", "candidate", "message"),
    [
        (
            [1.0],
            [2.0],
            "1 scores of the base and 1 of the candidate; accepted: as many of both, at least two",
        ),
        ([1.0, 2.0], [2.0], "2 scores of the base and 1 of the candidate; accepted: as many of both"),
        ([1.0, math.nan], [2.0, 1.0], "the score nan; accepted: finite numbers"),
    ],
    ids=["one pair", "another number", "no number"],
)
def test_scores_that_are_no_pairs_are_refused(
    base: list[float], candidate: list[float], message: str
) -> None:
    with pytest.raises(StatisticsError, match=message):
        mean_difference(base, candidate)


def test_nothing_over_nothing_is_no_rate() -> None:
    with pytest.raises(StatisticsError, match="the wholes of the candidate add up to 0; accepted: more"):
        pooled_difference(pooled((1, 5), (0, 5)), pooled((1, 0), (0, 0)))
    with pytest.raises(StatisticsError, match="pooled counts of 1 samples of the base and 1"):
        pooled_difference(pooled((1, 5)), pooled((1, 5)))
