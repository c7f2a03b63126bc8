"""Differences of samples that were repeated."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.compare.statistics.clustered import clustered_difference
from pytest_infergate.compare.statistics.equal_steps import equal_steps
from pytest_infergate.compare.statistics.errors import StatisticsError
from pytest_infergate.compare.statistics.mcnemar import mcnemar_exact
from pytest_infergate.compare.statistics.sign_flip import sign_flip_exact
from pytest_infergate.compare.statistics.tango import paired_difference


@st.composite
def repeated(draw: st.DrawFn) -> tuple[list[float], int]:
    repeats = draw(st.integers(1, 8))
    steps = draw(st.lists(st.integers(-repeats, repeats), min_size=1, max_size=60))
    return [step / repeats for step in steps], repeats


def values(lost: int, gained: int, n: int) -> list[float]:
    return [-1.0] * lost + [1.0] * gained + [0.0] * (n - lost - gained)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 100))
def test_with_one_repeat_it_is_the_comparison_of_single_samples(lost: int, gained: int, same: int) -> None:
    n = lost + gained + same or 1
    one, other = clustered_difference(values(lost, gained, n), 1), paired_difference(lost, gained, n)
    assert (one.value, one.low, one.high, one.lower_bound, one.p_value) == pytest.approx(
        (other.value, other.low, other.high, other.lower_bound, other.p_value), abs=1e-9
    )


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 50), st.integers(2, 10))
def test_repeats_that_all_agree_add_nothing(lost: int, gained: int, same: int, repeats: int) -> None:
    differences = values(lost, gained, lost + gained + same)
    one, other = clustered_difference(differences, 1), clustered_difference(differences, repeats)
    assert (one.low, one.high, one.p_value) == pytest.approx((other.low, other.high, other.p_value), abs=1e-9)


@given(repeated())
def test_it_holds_the_value_and_is_never_surer_than_without_a_difference(
    drawn: tuple[list[float], int],
) -> None:
    differences, repeats = drawn
    found, none = clustered_difference(differences, repeats), paired_difference(0, 0, len(differences))
    assert found.value == pytest.approx(sum(differences) / len(differences), abs=1e-12)
    assert -1 <= found.low <= found.lower_bound <= found.value <= found.high <= 1
    assert found.low <= found.value - none.high * (1 + found.value) + 1e-12
    assert found.high >= found.value + none.high * (1 - found.value) - 1e-12


@given(repeated())
def test_the_table_of_equal_steps_has_the_mean_size_and_squares_of_the_differences(
    drawn: tuple[list[float], int],
) -> None:
    differences, repeats = drawn
    table = equal_steps([round(one * repeats) for one in differences], repeats)
    assert table.size * (table.gained - table.lost) == pytest.approx(sum(differences), abs=1e-9)
    assert table.size * (table.gained + table.lost) == pytest.approx(sum(map(abs, differences)), abs=1e-9)
    squares = sum(one * one for one in differences)
    assert table.size**2 * (table.gained + table.lost) == pytest.approx(squares, abs=1e-9)
    assert table.lost + table.gained <= len(differences) + 1e-9


@pytest.mark.parametrize(
    ("differences", "repeats", "message"),
    [
        ([], 3, "0 samples with repeats=3; accepted: at least one of each"),
        ([0.0], 0, "1 samples with repeats=0; accepted: at least one of each"),
        ([0.5], 3, "the difference 0.5 of a sample with 3 repeats; accepted: a multiple of 1/3"),
        ([1.5], 2, "the difference 1.5 of a sample with 2 repeats; accepted: a multiple of 1/2 from -1 to 1"),
    ],
    ids=["no sample", "no repeat", "between two steps", "more than all of them"],
)
def test_what_no_repeats_can_give_is_refused(differences: list[float], repeats: int, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        clustered_difference(differences, repeats)


@given(st.lists(st.integers(-9, 9), max_size=9))
def test_the_sign_flip_test_counts_every_combination_of_signs(steps: list[int]) -> None:
    sums = [
        abs(sum(sign * step for sign, step in zip(signs, steps, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(steps))
    ]
    expected = sum(one >= abs(sum(steps)) for one in sums) / len(sums)
    assert sign_flip_exact(steps) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_sign_flip_test_of_whole_flips_is_mcnemars(lost: int, gained: int) -> None:
    found = sign_flip_exact([-1] * lost + [1] * gained)
    assert found == pytest.approx(max(1e-12, mcnemar_exact(lost, gained)), abs=1e-11)
