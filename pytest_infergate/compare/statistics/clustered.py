"""The difference of two pass rates where samples were repeated."""

from __future__ import annotations

from collections.abc import Sequence

from ..comparison import PairedDifference
from .equal_steps import equal_steps, whole_steps
from .sign_flip import sign_flip_exact
from .tango import Z_ONE_SIDED, Z_TWO_SIDED

METHOD = "Tango's score interval on samples, exact sign-flip test"


def clustered_difference(differences: Sequence[float], repeats: int) -> PairedDifference:
    """Return the mean of per-sample differences of pass rates, candidate less base, in [-1, 1].

    ``differences`` has one entry a sample: passed repeats of the candidate less those of the base, divided by
    ``repeats``. Samples are the clusters: repeats of one sample are not independent, so they make each
    difference finer and never count as samples. Raises :class:`StatisticsError` without samples, and for a
    difference that is no multiple of 1/``repeats`` in [-1, 1].

    The interval is Tango's for the table of equal differences ±size that has their mean, their mean size and
    their sum of squares; with one repeat it is Tango's own. It leaves room for a share z²/(n + z²) of samples
    that turned altogether: none of them may be among those that were asked.
    """
    steps = whole_steps(differences, repeats)
    table = equal_steps(steps, repeats)
    low, high = table.interval(Z_TWO_SIDED)
    return PairedDifference(
        value=sum(steps) / (repeats * len(steps)),
        low=low,
        high=high,
        lower_bound=table.interval(Z_ONE_SIDED)[0],
        p_value=sign_flip_exact(steps),
        method=METHOD,
    )
