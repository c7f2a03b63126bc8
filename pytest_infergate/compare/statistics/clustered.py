"""The difference of two pass rates where samples were repeated."""

from __future__ import annotations

from collections.abc import Sequence

from ..comparison import PairedDifference
from .errors import StatisticsError
from .sign_flip import sign_flip_exact
from .tango import Z_ONE_SIDED, Z_TWO_SIDED, score_interval

METHOD = "Tango's score interval on samples, exact sign-flip test"


def clustered_difference(differences: Sequence[float], repeats: int) -> PairedDifference:
    """Return the mean of per-sample differences of pass rates, candidate less base, in [-1, 1].

    ``differences`` has one entry a sample: passed repeats of the candidate less those of the base, divided by
    ``repeats``. Samples are the clusters: repeats of one sample are not independent, so they make each
    difference finer and never count as samples. Raises :class:`StatisticsError` without samples, and for a
    difference that is no multiple of 1/``repeats`` in [-1, 1].

    The interval is Tango's for a table of equal differences ±step with the mean and the sum of squares that
    were seen; the step is 1, or less where a step of 1 could not give that mean. With one repeat it is
    Tango's own. It never ends nearer to the mean than it would with no difference seen at all: samples that
    turned altogether may be among those that were not asked.
    """
    if not differences or repeats < 1:
        raise StatisticsError(
            f"{len(differences)} samples with repeats={repeats!r}; accepted: at least one of each"
        )
    steps = [round(difference * repeats) for difference in differences]
    for difference, step in zip(differences, steps, strict=True):
        if abs(step) > repeats or abs(difference * repeats - step) > 1e-6:
            raise StatisticsError(
                f"the difference {difference!r} of a sample with {repeats} repeats; accepted: a multiple of "
                f"1/{repeats} from -1 to 1"
            )
    low, high = _interval(steps, repeats, Z_TWO_SIDED)
    return PairedDifference(
        value=sum(steps) / (repeats * len(steps)),
        low=low,
        high=high,
        lower_bound=_interval(steps, repeats, Z_ONE_SIDED)[0],
        p_value=sign_flip_exact(steps),
        method=METHOD,
    )


def _interval(steps: Sequence[int], repeats: int, z: float) -> tuple[float, float]:
    n = len(steps)
    total = sum(steps) / repeats
    squares = sum(step * step for step in steps) / repeats**2
    size = min(1.0, squares / abs(total)) if total else 1.0
    flips, net = squares / size**2, total / size
    lost, gained = max(0.0, (flips - net) / 2), max(0.0, (flips + net) / 2)
    low, high = score_interval(min(lost, n), min(gained, n), n, z)
    unseen = z * z / (n + z * z)
    return max(-1.0, min(low * size, total / n - unseen)), min(1.0, max(high * size, total / n + unseen))
