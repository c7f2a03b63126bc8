"""What a task's size can show of a loss within its margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .side import FlipRate

#: Shares of samples whose verdict flips, for which the number of samples is told where none was measured.
SUPPOSED_RATES = (0.05, 0.1, 0.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPower:
    """How far ``samples`` reach.

    ``smallest``: the fewest samples that can ever be no worse than ``margin``, which takes that none flips;
    ``None``: no number can, since the margin is 0. ``to_decide``: share of samples that flip → samples with
    which a candidate that is as good is called no worse four times of five; ``None``: no number does.
    ``flip_rate`` is the measured one, ``None`` where the shares are supposed.
    """

    task: str
    samples: int
    margin: float
    smallest: int | None
    to_decide: tuple[tuple[float, int | None], ...]
    flip_rate: FlipRate | None = None

    @property
    def is_too_small(self) -> bool:
        """Whether the task can only be no worse where the candidate gains."""
        return self.smallest is None or self.samples < self.smallest

    def as_json(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "samples": self.samples,
            "margin": self.margin,
            "smallest": self.smallest,
            "too_small": self.is_too_small,
            "flip_rate": self.flip_rate.as_json() if self.flip_rate else None,
            "to_decide": [{"discordant_rate": rate, "samples": n} for rate, n in self.to_decide],
        }


def power_of_task(
    task: str,
    *,
    samples: int,
    margin: float,
    flip_rate: FlipRate | None = None,
    supposed: Sequence[float] = SUPPOSED_RATES,
) -> TaskPower:
    """Return what the size of a task can show.

    ``flip_rate`` is that of its baseline; ``supposed`` are the shares that stand in where it has none.
    """
    from .statistics.power import samples_to_decide, smallest_without_flips

    rates = supposed if flip_rate is None else (flip_rate.rate,)
    return TaskPower(
        task=task,
        samples=samples,
        margin=margin,
        smallest=smallest_without_flips(margin),
        to_decide=tuple((rate, samples_to_decide(margin=margin, discordant_rate=rate)) for rate in rates),
        flip_rate=flip_rate,
    )
