"""Differences of repeated samples as a table of equal steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import StatisticsError
from .tango import score_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualSteps:
    """``lost`` and ``gained`` of ``n`` samples, differing by -``size`` and ``size``; counts may be fractions.

    The table has the mean, the mean size and the sum of squares of the differences it stands for. ``size``,
    from 0 to 1, is 1 with one repeat and without any difference.
    """

    n: int
    size: float
    lost: float
    gained: float

    @property
    def value(self) -> float:
        return self.size * (self.gained - self.lost) / self.n

    def interval(self, z: float) -> tuple[float, float]:
        """Return Tango's interval in units of a sample, with room for samples that turned altogether.

        A share of z²/(n + z²) of them may exist though none is among those that were asked.
        """
        low, high = score_interval(self.lost, self.gained, self.n, z)
        unseen = z * z / (self.n + z * z)
        return (
            min(low * self.size, self.value - unseen * (1 + self.value)),
            max(high * self.size, self.value + unseen * (1 - self.value)),
        )


def whole_steps(differences: Sequence[float], repeats: int) -> list[int]:
    """Return the differences in units of 1/``repeats``; :class:`StatisticsError` for one that is none."""
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
    return steps


def equal_steps(steps: Sequence[int], repeats: int) -> EqualSteps:
    """Return the table that stands for differences given in units of 1/``repeats``."""
    n, net = len(steps), sum(steps)
    flips, squares = sum(abs(step) for step in steps), sum(step * step for step in steps)
    if not flips:
        return EqualSteps(n=n, size=1.0, lost=0.0, gained=0.0)
    return EqualSteps(
        n=n,
        size=squares / flips / repeats,
        # Whole numbers up to one division: a table at its edge has to be exactly there.
        lost=flips * (flips - net) / (2 * squares),
        gained=flips * (flips + net) / (2 * squares),
    )
