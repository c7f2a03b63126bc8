"""How often the 95 % interval of a pass rate's difference holds the true one.

20,000 comparisons for each case, 5,000 of 1,000 samples, 2,000 with repeats. What is measured here stands in
docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from pytest_infergate.compare.statistics.equal_steps import EqualSteps
from pytest_infergate.compare.statistics.tango import Z_TWO_SIDED, score_interval

from .drawing import Truth, independent, share_of_runs, truth_of

Chances = NDArray[np.float64]

RUNS = {20: 20_000, 100: 20_000, 1000: 5_000}
REPEATED_RUNS = 2_000
RATES = (0.05, 0.5, 0.95)
#: Pass rates of base and candidate: the same, a little off, far off.
PAIRS = [
    (base, candidate)
    for base in RATES
    for candidate in sorted({base, *RATES, *(round(base + step, 2) for step in (-0.1, -0.03, 0.03, 0.1))})
    if 0 < candidate < 1
]
#: Every sample flips, 19 of 20 one way: the interval of a single rate near its edge, and known not to hold.
BEYOND = {(20, 0.05, 0.95, "most flips"), (20, 0.95, 0.05, "most flips")}

#: A table is computed once.
interval_of = cache(score_interval)


def truths(base: float, candidate: float) -> dict[str, Truth]:
    """What two pass rates can have to do with each other."""
    return {
        "fewest flips": truth_of(base, candidate, 0),
        "few more": truth_of(base, candidate, 0.1),
        "half way": truth_of(base, candidate, 0.5),
        "independent": independent(base, candidate),
        "most flips": truth_of(base, candidate, 1),
    }


def coverage(truth: Truth, n: int, seed: int) -> float:
    def holds(lost: int, gained: int) -> bool:
        low, high = interval_of(lost, gained, n, Z_TWO_SIDED)
        return low - 1e-9 <= truth.difference <= high + 1e-9

    return share_of_runs(*truth.draw(np.random.default_rng(seed), n, RUNS[n]), holds)


@pytest.mark.parametrize("n", [20, 100, 1000])
@pytest.mark.parametrize(("base", "candidate"), PAIRS, ids=lambda rate: f"{rate:g}")
def test_the_interval_holds_the_true_difference_often_enough_and_not_too_often(
    base: float, candidate: float, n: int
) -> None:
    for number, (name, truth) in enumerate(truths(base, candidate).items()):
        if (n, base, candidate, name) in BEYOND:
            continue
        found = coverage(truth, n, seed=number)
        assert found >= 0.93, name
        assert found <= 0.97 or n * truth.flips < 10, name


def test_where_every_sample_flips_and_nearly_all_one_way_no_interval_holds_between_93_and_97_percent() -> (
    None
):
    for n, base, candidate, name in BEYOND:
        assert coverage(truths(base, candidate)[name], n, seed=1) == pytest.approx(0.9245, abs=0.006)
    # What decides is whether 17 of 20 is held to be compatible with 95 %; the intervals that do hold 98.4 %.
    assert 1 - binom.cdf(17, 20, 0.95) == pytest.approx(0.9245, abs=1e-4)
    assert 1 - binom.cdf(16, 20, 0.95) == pytest.approx(0.9841, abs=1e-4)


@dataclass(frozen=True, slots=True)
class Repeated:
    """Samples whose chance to pass differs: those of the base, and what the candidate makes of them."""

    base: Callable[[np.random.Generator, tuple[int, int]], Chances]
    candidate: Callable[[np.random.Generator, Chances], Chances]
    difference: float


def _few(random: np.random.Generator, chances: Chances, rate: float, to: float) -> Chances:
    return np.where(random.random(chances.shape) < rate, to, chances)


def _beta(rate: float, spread: float = 0.5) -> Callable[[np.random.Generator, tuple[int, int]], Chances]:
    return lambda random, shape: random.beta(rate * spread, (1 - rate) * spread, shape)


REPEATED = {
    "the same, 5 %": Repeated(_beta(0.05), lambda random, chances: chances, 0.0),
    "the same, half": Repeated(_beta(0.5), lambda random, chances: chances, 0.0),
    "the same, 95 %": Repeated(_beta(0.95), lambda random, chances: chances, 0.0),
    "others pass": Repeated(
        _beta(0.5, 0.6), lambda random, chances: random.beta(0.3, 0.3, chances.shape), 0.0
    ),
    "each a fifth lower": Repeated(_beta(0.6, 5), lambda random, chances: chances * 0.8, -0.12),
    "each from 1 to 0.9": Repeated(
        lambda random, shape: np.ones(shape), lambda random, chances: chances * 0.9, -0.1
    ),
    "one in ten lost, the rest unsteady": Repeated(
        lambda random, shape: np.where(random.random(shape) < 0.7, 0.95, 0.3),
        lambda random, chances: _few(random, chances, 0.1, 0.0),
        -0.0755,
    ),
    "one in twenty half lost": Repeated(
        lambda random, shape: np.ones(shape), lambda random, chances: _few(random, chances, 0.05, 0.5), -0.025
    ),
}


@cache
def repeated_interval(net: int, flips: int, squares: int, n: int, repeats: int) -> tuple[float, float]:
    """The interval depends on three sums; these steps of one size have them where there are any."""
    return EqualSteps(
        n=n,
        size=squares / flips / repeats if flips else 1.0,
        lost=flips * (flips - net) / (2 * squares) if flips else 0.0,
        gained=flips * (flips + net) / (2 * squares) if flips else 0.0,
    ).interval(Z_TWO_SIDED)


def repeated_coverage(truth: Repeated, n: int, repeats: int, seed: int) -> float:
    random = np.random.default_rng(seed)
    chances = truth.base(random, (REPEATED_RUNS, n))
    other = truth.candidate(random, chances)
    steps = random.binomial(repeats, other) - random.binomial(repeats, chances)
    sums = np.stack([steps.sum(axis=1), np.abs(steps).sum(axis=1), np.square(steps).sum(axis=1)], axis=1)
    held = 0
    for net, flips, squares in sums.tolist():
        low, high = repeated_interval(net, flips, squares, n, repeats)
        held += low - 1e-9 <= truth.difference <= high + 1e-9
    return held / REPEATED_RUNS


@pytest.mark.parametrize("n", [20, 100, 500])
@pytest.mark.parametrize("repeats", [3, 10])
@pytest.mark.parametrize("name", REPEATED)
def test_the_interval_of_repeated_samples_holds_the_true_difference_often_enough(
    name: str, repeats: int, n: int
) -> None:
    assert repeated_coverage(REPEATED[name], n, repeats, seed=n) >= 0.93
