"""Pairs drawn from two servers whose pass rates are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_infergate.compare.statistics.tango import paired_difference

Counts = NDArray[np.int64]

#: A table is computed once: an interval depends on nothing else.
difference_of = cache(paired_difference)


@dataclass(frozen=True, slots=True)
class Truth:
    """Chances of a sample to be lost and to be gained."""

    lost: float
    gained: float

    @property
    def difference(self) -> float:
        return self.gained - self.lost

    @property
    def flips(self) -> float:
        return self.lost + self.gained

    def draw(self, random: np.random.Generator, n: int, runs: int | tuple[int, ...]) -> tuple[Counts, Counts]:
        """Return the lost and the gained of ``runs`` comparisons of ``n`` samples."""
        counts = random.multinomial(n, [self.lost, self.gained, max(0.0, 1 - self.flips)], runs)
        return counts[..., 0], counts[..., 1]


def truth_of(base: float, candidate: float, share: float) -> Truth:
    """Return the truth of two rates; ``share`` from 0, no flips but their difference, to 1, all there are."""
    fewest, most = max(0.0, base - candidate), min(base, 1 - candidate)
    lost = fewest + share * (most - fewest)
    return Truth(lost, max(0.0, lost + candidate - base))


def independent(base: float, candidate: float) -> Truth:
    return Truth(base * (1 - candidate), candidate * (1 - base))


def share_of_runs(lost: Counts, gained: Counts, holds: Callable[[int, int], Any]) -> float:
    """Return the share of runs whose table ``holds``, asked once for every table that occurs."""
    tables, counts = np.unique(np.stack([lost, gained]), axis=1, return_counts=True)
    kept = [bool(holds(int(one), int(other))) for one, other in tables.T]
    return float(counts[kept].sum() / counts.sum())
