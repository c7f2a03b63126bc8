"""How often the 95 % interval of a mean or a pooled rate holds the true difference.

500 comparisons of 20 samples, 200 of 100 and of 6,000 for each case. What is measured here stands in
docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_infergate.compare.statistics.bootstrap import ratio_difference

RUNS = {20: 500, 100: 200, 6000: 200}
Numbers = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], tuple[Numbers, Numbers]]


def scores(draw: Callable[[np.random.Generator, int], Numbers]) -> Draw:
    """Differences of a score; what both sides share does not matter."""

    def drawn(random: np.random.Generator, n: int) -> tuple[Numbers, Numbers]:
        ones = np.ones(n)
        return np.column_stack([0 * ones, ones]), np.column_stack([draw(random, n), ones])

    return drawn


def word_errors(changed: float, more: float) -> Draw:
    """Transcripts of 3 to 40 words; a share ``changed`` comes out anew, with ``more`` errors a word."""

    def drawn(random: np.random.Generator, n: int) -> tuple[Numbers, Numbers]:
        words = random.integers(3, 41, n)
        rates = random.beta(0.5, 5, n)
        errors = random.binomial(words, rates)
        anew = random.binomial(words, rates) + random.binomial(words, more)
        other = np.where(random.random(n) < changed, anew, errors)
        return np.column_stack([errors, words]).astype(float), np.column_stack([other, words]).astype(float)

    return drawn


#: The true difference, and how it is drawn.
CASES = {
    "scores, even": (0.2, scores(lambda random, n: random.normal(0.2, 1, n))),
    "scores, skewed": (1.0, scores(lambda random, n: random.exponential(1, n))),
    "scores, one in ten differs": (0.1, scores(lambda random, n: (random.random(n) < 0.1) * 1.0)),
    "word errors, a third anew": (0.0, word_errors(0.3, 0.0)),
    "word errors, all anew and more": (0.03, word_errors(1.0, 0.03)),
}
#: Two samples of 20 are expected to differ, and in every eighth comparison none does.
TOO_FEW = ("scores, one in ten differs", 20)


def coverage(name: str, n: int) -> float:
    difference, draw = CASES[name]
    random = np.random.default_rng(n)
    held = 0
    for _ in range(RUNS[n]):
        found = ratio_difference(*draw(random, n))
        held += found.low - 1e-12 <= difference <= found.high + 1e-12
    return held / RUNS[n]


@pytest.mark.parametrize("n", RUNS)
@pytest.mark.parametrize("name", CASES)
def test_the_interval_holds_the_true_difference_often_enough(name: str, n: int) -> None:
    found = coverage(name, n)
    # Beside 93 %: two standard errors of so many runs.
    assert found >= 0.93 - 2 * (0.93 * 0.07 / RUNS[n]) ** 0.5 or (name, n) == TOO_FEW


def test_where_hardly_a_sample_differs_the_interval_holds_in_less() -> None:
    assert 0.83 <= coverage(*TOO_FEW) <= 0.92
