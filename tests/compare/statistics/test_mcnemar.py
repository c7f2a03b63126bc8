"""The exact McNemar test."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_infergate.compare.statistics.errors import StatisticsError
from pytest_infergate.compare.statistics.mcnemar import mcnemar_exact


@pytest.mark.parametrize(
    ("lost", "gained", "p_value"),
    [
        (0, 0, 1.0),  # no flip says nothing
        (1, 0, 1.0),  # nor does a single one
        (5, 0, 0.0625),  # five of five are not enough for 5 %
        (6, 0, 0.03125),  # six of six are
        (7, 1, 0.0703125),  # Fagerland, Lydersen, Laake 2014: airway hyper-responsiveness, 0.0703
        (16, 6, 0.052478790283203125),  # the same: complete response, 0.0525
        (10, 10, 1.0),  # twice a tail with the middle in it would be more than 1
    ],
)
def test_it_gives_the_known_value(lost: int, gained: int, p_value: float) -> None:
    assert mcnemar_exact(lost, gained) == pytest.approx(p_value, rel=1e-12)


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_it_is_the_binomial_test_of_one_half(lost: int, gained: int) -> None:
    expected = binomtest(lost, lost + gained, 0.5).pvalue if lost + gained else 1.0
    assert mcnemar_exact(lost, gained) == pytest.approx(expected, rel=1e-9, abs=1e-300)
    assert mcnemar_exact(lost, gained) == mcnemar_exact(gained, lost)


def test_it_holds_for_a_hundred_thousand_flips() -> None:
    assert mcnemar_exact(50_000, 50_600) == pytest.approx(binomtest(50_000, 100_600).pvalue, rel=1e-6)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(StatisticsError, match="lost=-1, gained=2; accepted: counts of 0 or more"):
        mcnemar_exact(-1, 2)
