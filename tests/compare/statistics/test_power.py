"""How many samples it takes, and what that number is worth: 5,000 comparisons for each stated number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_infergate.compare.statistics.clustered import clustered_difference
from pytest_infergate.compare.statistics.errors import StatisticsError
from pytest_infergate.compare.statistics.power import (
    power_of,
    samples_to_decide,
    samples_to_decide_observed,
    samples_to_decide_repeated,
    smallest_without_flips,
)
from pytest_infergate.compare.statistics.tango import paired_difference

from .drawing import Truth, difference_of, share_of_runs

RUNS = 5_000


def simulated_power(n: int, margin: float, rate: float, difference: float) -> float:
    truth = Truth((rate - difference) / 2, (rate + difference) / 2)
    drawn = truth.draw(np.random.default_rng(n), n, RUNS)
    return share_of_runs(*drawn, lambda lost, gained: difference_of(lost, gained, n).lower_bound > -margin)


@pytest.mark.parametrize(
    ("margin", "n"),
    [
        (0.01, 268),
        (0.02, 133),
        (0.05, 52),  # the default
        (0.1, 25),
        (0.5, 3),
        (1.0, 1),  # nothing is worse by more than everything
        (0.0, None),  # to lose nothing at all cannot be shown without a gain
    ],
)
def test_the_fewest_samples_that_can_be_no_worse_without_a_flip(margin: float, n: int | None) -> None:
    assert smallest_without_flips(margin) == n


@given(st.floats(0.001, 1))
def test_one_sample_fewer_cannot_be_no_worse_without_a_flip(margin: float) -> None:
    n = smallest_without_flips(margin)
    assert n is not None
    assert paired_difference(0, 0, n).lower_bound > -margin
    assert n == 1 or paired_difference(0, 0, n - 1).lower_bound <= -margin + 1e-12


@pytest.mark.parametrize(
    ("margin", "rate", "difference"),
    [
        (0.05, 0.01, 0.0),  # fewer than one flip in the samples that it takes
        (0.05, 0.05, 0.0),
        (0.05, 0.1, 0.0),
        (0.05, 0.3, 0.0),
        (0.05, 0.1, -0.02),  # a little worse, and not by the margin
        (0.05, 0.1, 0.02),
        (0.02, 0.1, 0.0),
        (0.1, 0.5, 0.0),
        (0.01, 0.2, 0.0),  # many: from the normal distribution
    ],
)
@pytest.mark.parametrize("power", [0.8, 0.95])
def test_the_stated_number_of_samples_has_the_stated_power(
    margin: float, rate: float, difference: float, power: float
) -> None:
    n = samples_to_decide(margin=margin, discordant_rate=rate, difference=difference, power=power)
    assert n is not None
    stated = power_of(n, margin=margin, discordant_rate=rate, difference=difference)
    assert stated >= power
    simulated = simulated_power(n, margin, rate, difference)
    assert simulated == pytest.approx(stated, abs=0.02)
    # The number is the first of its neighbourhood: with a handful of flips power comes in steps.
    assert power - 0.02 <= simulated <= power + 0.15
    fewer = power_of(n - 1, margin=margin, discordant_rate=rate, difference=difference)
    assert fewer < power


def test_without_flips_it_takes_what_a_comparison_without_flips_takes() -> None:
    assert samples_to_decide(margin=0.05, discordant_rate=0.0) == 52


@pytest.mark.parametrize(
    ("margin", "rate", "difference"),
    [
        (0.05, 0.1, -0.05),  # worse by just the margin
        (0.05, 0.3, -0.2),  # worse by more
        (0.0, 0.1, 0.0),  # as good, where nothing may be lost
    ],
)
def test_no_number_of_samples_makes_worse_no_worse(margin: float, rate: float, difference: float) -> None:
    assert samples_to_decide(margin=margin, discordant_rate=rate, difference=difference) is None


@settings(deadline=None, max_examples=40)
@given(st.floats(0.02, 0.2), st.floats(0.0, 0.5), st.floats(0.1, 0.9))
def test_a_wider_margin_never_takes_many_more_samples(margin: float, rate: float, power: float) -> None:
    one = samples_to_decide(margin=margin, discordant_rate=rate, power=power)
    other = samples_to_decide(margin=margin * 1.5, discordant_rate=rate, power=power)
    assert one is not None
    assert other is not None
    assert other <= one


@pytest.mark.parametrize(
    ("lost", "gained", "n", "margin", "needed"),
    [
        (0, 0, 20, 0.05, 52),  # no flip: what no flip takes
        (5, 5, 100, 0.05, 263),  # a tenth flips, both ways alike
        (5, 2, 100, 0.05, 609),  # a little worse, not by the margin: until that is shown
        (12, 4, 100, 0.05, 194),  # worse by more than the margin: until the loss is
        (7, 2, 100, 0.05, 281),  # worse by just the margin: the loss alone can be shown
        (5, 5, 100, 0.0, None),  # as good as equal, where nothing may be lost
        (3, 0, 51, 0.05, 132),
    ],
)
def test_the_number_that_would_decide_goes_by_the_flips_that_were_seen(
    lost: int, gained: int, n: int, margin: float, needed: int | None
) -> None:
    found = samples_to_decide_observed(lost, gained, n, margin)
    assert found == needed
    assert found is None or found > n


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 15), st.integers(0, 15), st.integers(1, 80), st.integers(1, 6))
def test_repeats_that_all_agree_take_as_many_samples(lost: int, gained: int, same: int, repeats: int) -> None:
    n = lost + gained + same
    differences = [-1.0] * lost + [1.0] * gained + [0.0] * same
    expected = samples_to_decide_observed(lost, gained, n, 0.05)
    found = samples_to_decide_repeated(differences, repeats, 0.05)
    assert found == expected or (found is not None and expected is not None and found >= expected)


def test_so_many_repeated_samples_do_decide() -> None:
    differences = [0.2, -0.2, 0.0, 0.0, 0.4, -0.4, 0.0, 0.0, 0.0, 0.0]
    needed = samples_to_decide_repeated(differences, 5, 0.05)
    assert needed is not None
    random = np.random.default_rng(1)
    decided = sum(
        clustered_difference(random.choice(differences, needed).tolist(), 5).lower_bound > -0.05
        for _ in range(400)
    )
    assert decided / 400 >= 0.75


@pytest.mark.parametrize(
    ("margin", "rate", "difference", "message"),
    [
        (-0.1, 0.1, 0.0, r"margin=-0.1; accepted: from 0 to 1; write 5 % as 0.05"),
        (5, 0.1, 0.0, r"margin=5; accepted: from 0 to 1"),
        (0.05, 0.1, -0.2, r"discordant_rate=0.1 with difference=-0.2; accepted: a share"),
        (0.05, 1.2, 0.0, r"discordant_rate=1.2 with difference=0.0; accepted: a share"),
    ],
)
def test_rates_that_cannot_be_are_refused(
    margin: float, rate: float, difference: float, message: str
) -> None:
    with pytest.raises(StatisticsError, match=message):
        samples_to_decide(margin=margin, discordant_rate=rate, difference=difference)
