"""The difference of two means of a component score."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..comparison import PairedDifference
from .bootstrap import ratio_difference
from .errors import StatisticsError


def mean_difference(base: Sequence[float], candidate: Sequence[float]) -> PairedDifference:
    """Return the difference of the means of a score over the same samples, candidate less base, in its unit.

    Entry i of both is sample i's score. Raises :class:`StatisticsError` unless both have the same number, at
    least two, of finite values. For the procedure see :func:`.bootstrap.ratio_difference`.
    """
    import numpy as np

    if len(base) != len(candidate) or len(base) < 2:
        raise StatisticsError(
            f"{len(base)} scores of the base and {len(candidate)} of the candidate; accepted: as many of "
            f"both, at least two"
        )
    for value in (*base, *candidate):
        if not math.isfinite(value):
            raise StatisticsError(f"the score {value!r}; accepted: finite numbers")
    ours, theirs, ones = np.asarray(base, float), np.asarray(candidate, float), np.ones(len(base))
    # Scores that differ by rounding alone are equal.
    rounding = 1e-12 * np.maximum(np.abs(ours), np.abs(theirs))
    differences = np.where(np.abs(theirs - ours) <= rounding, 0.0, theirs - ours)
    return ratio_difference(np.column_stack([0 * ones, ones]), np.column_stack([differences, ones]))
