"""Tango's score interval of the difference of two paired rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ..comparison import PairedDifference
from .errors import StatisticsError
from .mcnemar import mcnemar_exact

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Number = TypeVar("Number", float, NDArray[np.float64])

#: The normal distribution's 97.5 % and 95 % points: of a two-sided interval, and of a one-sided bound.
Z_TWO_SIDED = 1.959963984540054
Z_ONE_SIDED = 1.6448536269514722
METHOD = "Tango's score interval, exact McNemar test"


def paired_difference(lost: int, gained: int, n: int) -> PairedDifference:
    """Return the difference of two pass rates over the same ``n`` samples, candidate less base, in [-1, 1].

    ``lost`` samples passed on the base only, ``gained`` on the candidate only. The interval needs neither a
    flip nor many samples. Raises :class:`StatisticsError` unless the counts are 0 or more and fit in ``n`` >=
    1.

    Source: T. Tango, "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", Statistics in Medicine 17 (1998) 891-908.
    """
    if n < 1 or lost < 0 or gained < 0 or lost + gained > n:
        raise StatisticsError(
            f"lost={lost!r}, gained={gained!r} of n={n!r}; accepted: counts of 0 or more that fit in n >= 1"
        )
    low, high = score_interval(lost, gained, n, Z_TWO_SIDED)
    return PairedDifference(
        value=(gained - lost) / n,
        low=low,
        high=high,
        lower_bound=score_interval(lost, gained, n, Z_ONE_SIDED)[0],
        p_value=mcnemar_exact(lost, gained),
        method=METHOD,
    )


def score_interval(lost: float, gained: float, n: float, z: float) -> tuple[float, float]:
    """Return the differences that the score test at ``z`` does not reject; counts need not be whole."""
    return -_upper(gained, lost, n, z), _upper(lost, gained, n, z)


def score_variance(lost: Number, gained: Number, n: float, difference: float) -> Number:
    """Return the variance of one pair's difference, estimated under the hypothesis that it is ``difference``.

    The rate of losses is the maximum likelihood estimate under that restriction (Tango 1998, equation 8).
    """
    if difference < 0:
        return score_variance(gained, lost, n, -difference)
    b = (2 * n - gained + lost) * difference - gained - lost
    c = -lost * difference * (1 - difference)
    loss_rate: Number = ((b * b - 8 * n * c) ** 0.5 - b) / (4 * n)
    return 2 * loss_rate + difference * (1 - difference)


def _upper(lost: float, gained: float, n: float, z: float) -> float:
    """Return the upper end, where the statistic reaches ``-z``."""
    from scipy.optimize import brentq

    square = z * z
    # Where the estimate has no variance it is itself a root; the other one is known.
    if gained == n:
        return 1.0
    if lost == gained == 0:
        return square / (n + square)
    if lost == n:
        return (square - n) / (square + n)

    def above(difference: float) -> float:
        distance = gained - lost - n * difference
        return distance * distance - square * n * score_variance(lost, gained, n, difference)

    return float(brentq(above, (gained - lost) / n, 1.0, xtol=1e-13))
