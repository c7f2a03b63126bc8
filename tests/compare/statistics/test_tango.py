"""Tango's score interval."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.compare.statistics.errors import StatisticsError
from pytest_infergate.compare.statistics.mcnemar import mcnemar_exact
from pytest_infergate.compare.statistics.tango import (
    Z_ONE_SIDED,
    Z_TWO_SIDED,
    paired_difference,
    score_interval,
    score_variance,
)
from pytest_infergate.evidence.interval import wilson_interval


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int, int]:
    n = draw(st.integers(1, 5000))
    lost = draw(st.integers(0, n))
    return lost, draw(st.integers(0, n - lost)), n


@pytest.mark.parametrize(
    ("lost", "gained", "n", "z", "low", "high"),
    [
        # Fagerland, Lydersen, Laake, Statistics in Medicine 33 (2014): their two examples.
        (7, 1, 21, Z_TWO_SIDED, -0.517, -0.026),
        (16, 6, 161, Z_TWO_SIDED, -0.124, -0.0054),
        # The 90 % interval that R's PropCIs gives.
        (25, 28, 618, Z_ONE_SIDED, -0.0148, 0.0247),
    ],
)
def test_it_gives_the_published_interval(
    lost: int, gained: int, n: int, z: float, low: float, high: float
) -> None:
    digits = 3 if n == 21 else 4
    assert [round(end, digits) for end in score_interval(lost, gained, n, z)] == [low, high]


@given(tables())
def test_its_ends_are_where_the_score_test_turns(table: tuple[int, int, int]) -> None:
    lost, gained, n = table
    for z in (Z_ONE_SIDED, Z_TWO_SIDED):
        for end in score_interval(lost, gained, n, z):
            distance = gained - lost - n * end
            variance = max(0.0, n * score_variance(float(lost), float(gained), n, end))
            assert abs(distance) == pytest.approx(z * math.sqrt(variance), rel=1e-4, abs=1e-3)


@given(tables())
def test_it_holds_the_value_and_stays_within_what_is_possible(table: tuple[int, int, int]) -> None:
    lost, gained, n = table
    found = paired_difference(*table)
    assert found.value == (gained - lost) / n
    assert -1 <= found.low <= found.lower_bound <= found.value <= found.high <= 1
    assert found.low < found.high, "no number of samples makes a difference certain"


@given(tables())
def test_swapping_the_sides_turns_it_round(table: tuple[int, int, int]) -> None:
    lost, gained, n = table
    one, other = paired_difference(lost, gained, n), paired_difference(gained, lost, n)
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low), abs=1e-12)
    assert one.p_value == other.p_value


@pytest.mark.parametrize("n", [1, 2, 20, 1000, 100_000])
def test_without_a_flip_it_is_wilsons_interval_of_no_loss(n: int) -> None:
    found = paired_difference(0, 0, n)
    assert found.value == 0
    assert found.high == pytest.approx(wilson_interval(0, n)[1], rel=1e-12)
    assert found.low == -found.high


@pytest.mark.parametrize("n", [1, 2, 20, 1000])
def test_where_every_sample_flips_it_is_wilsons_interval_of_the_gains(n: int) -> None:
    for gained in {0, n // 3, n}:
        low, high = wilson_interval(gained, n)
        found = paired_difference(n - gained, gained, n)
        assert (found.low, found.high) == pytest.approx((2 * low - 1, 2 * high - 1), abs=1e-9)


def test_a_significant_test_never_meets_an_interval_that_holds_zero() -> None:
    """The exact test is the stricter of the two, for every number of flips up to 400, and for some beyond."""
    for flips in [*range(1, 401), 1000, 10_000, 100_000]:
        # The most balanced table that is still significant.
        lost = 0
        step = max(1, flips // 2)
        while step:
            while lost + step <= flips // 2 and mcnemar_exact(lost + step, flips - lost - step) <= 0.05:
                lost += step
            step //= 2
        if mcnemar_exact(lost, flips - lost) <= 0.05:
            for n in (flips, 3 * flips, 100 * flips):
                assert paired_difference(lost, flips - lost, n).low > 0


@pytest.mark.parametrize(("lost", "gained", "n"), [(0, 0, 0), (-1, 0, 5), (0, -1, 5), (3, 3, 5)], ids=str)
def test_counts_that_do_not_fit_are_refused(lost: int, gained: int, n: int) -> None:
    with pytest.raises(StatisticsError, match=f"lost={lost}, gained={gained} of n={n}; accepted: counts"):
        paired_difference(lost, gained, n)


def test_more_samples_never_lower_the_bound_of_a_comparison_without_flips() -> None:
    bounds = [paired_difference(0, 0, n).lower_bound for n in range(1, 400)]
    assert bounds == sorted(bounds)
