"""Component scores of a task, each for itself: nothing is averaged across components."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

from .evaluator import EvaluatorIdentity
from .interval import wilson_interval
from .score import PASSED, Pooled, Score

_Z = 1.959963984540054  # the normal distribution's 97.5 % point


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One score over the evaluations of a task, of one evaluator.

    Scores of another evaluator, of a fallback, in another unit or direction, or that gate where others do
    not, are another component: they do not mean the same.
    ``measured`` + ``missing`` is how often it was recorded. ``mean`` is over what was measured, ``None``
    where nothing was; ``interval`` is its 95 % interval (Wilson's where every value is 0 or 1, else
    the normal approximation), ``None`` below two values. Where scores carry counts, ``pooled`` is their sum
    and ``mean`` its ratio, with the interval of a ratio of sums (W. G. Cochran, "Sampling Techniques", 3rd
    edition, section 6.3); counts of a sample without a ratio of its own are in the sum. What is past the
    range of a float, such as the variance of values of 1e200, is ``None``.
    """

    name: str
    unit: str
    higher_is_better: bool
    evaluator: EvaluatorIdentity
    is_fallback: bool
    gates: bool
    measured: int
    missing: int
    mean: float | None
    interval: tuple[float, float] | None
    pooled: Pooled | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "unit": self.unit,
            "higher_is_better": self.higher_is_better,
            "evaluator": self.evaluator.as_json(),
            "fallback": self.is_fallback,
            "gates": self.gates,
            "measured": self.measured,
            "missing": self.missing,
            "mean": self.mean,
            "interval": list(self.interval) if self.interval else None,
            "pooled": self.pooled.as_json() if self.pooled else None,
        }


class ComponentTally:
    """Adds up scores as they come, without keeping them. The score ``passed`` is the task's own row."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str, bool, str, bool, bool, bool], _Sum] = {}

    def count(self, scores: Iterable[Score]) -> None:
        for score in scores:
            if score.name == PASSED:
                continue
            key = (
                score.name,
                score.evaluator.digest,
                score.fallback is not None,
                score.unit,
                score.higher_is_better,
                score.gates,
                score.pooled is not None,
            )
            found = self._sums.get(key)
            if found is None:
                found = self._sums[key] = _Sum(score)
            found.add(score.value, score.pooled)

    def components(self) -> tuple[Component, ...]:
        """Return the components in the order of their first score."""
        return tuple(one.component() for one in self._sums.values())


class _Sum:
    __slots__ = ("counts", "first", "is_binary", "mean", "measured", "missing", "squares")

    def __init__(self, first: Score) -> None:
        self.first = first
        self.measured = self.missing = 0
        self.mean = self.squares = 0.0
        self.is_binary = True
        self.counts = _Counts() if first.pooled is not None else None

    def add(self, value: float | None, pooled: Pooled | None) -> None:
        if self.counts is not None and pooled is not None:
            self.counts.add(pooled)
        if value is None:
            self.missing += 1
            return
        # Welford's update: sums of squares lose digits.
        self.measured += 1
        delta = value - self.mean
        if isfinite(delta):
            self.mean += delta / self.measured
        else:  # two values at the ends of a float's range; their mean is within it
            self.mean += value / self.measured - self.mean / self.measured
        self.squares += delta * (value - self.mean)
        self.is_binary = self.is_binary and value in (0.0, 1.0)

    def component(self) -> Component:
        first = self.first
        return Component(
            name=first.name,
            unit=first.unit,
            higher_is_better=first.higher_is_better,
            evaluator=first.evaluator,
            is_fallback=first.fallback is not None,
            gates=first.gates,
            measured=self.measured,
            missing=self.missing,
            mean=self._rate(),
            interval=self._interval(),
            pooled=self.counts.pooled() if self.counts else None,
        )

    def _rate(self) -> float | None:
        if self.counts is not None:
            return self.counts.ratio
        return self.mean if self.measured else None

    def _interval(self) -> tuple[float, float] | None:
        if self.counts is not None:
            return self.counts.interval()
        n = self.measured
        if n < 2:
            return None
        if self.is_binary:
            return wilson_interval(self.mean * n, n)
        return _around(self.mean, self.squares / (n - 1) / n)


class _Counts:
    """Sums of pooled counts, and of their products, for the interval of the ratio of sums."""

    __slots__ = ("n", "part", "part_part", "part_whole", "whole", "whole_whole")

    def __init__(self) -> None:
        self.n = 0
        self.part = self.whole = self.part_part = self.part_whole = self.whole_whole = 0.0

    def add(self, pooled: Pooled) -> None:
        part, whole = float(pooled.part), float(pooled.whole)
        self.n += 1
        self.part += part
        self.whole += whole
        # Products, since a power past the range of a float raises.
        self.part_part += part * part
        self.part_whole += part * whole
        self.whole_whole += whole * whole

    def pooled(self) -> Pooled | None:
        if not (isfinite(self.part) and isfinite(self.whole)):
            return None
        return Pooled(part=self.part, whole=self.whole)

    @property
    def ratio(self) -> float | None:
        if not self.whole:
            return None
        ratio = self.part / self.whole
        return ratio if self.pooled() and isfinite(ratio) else None

    def interval(self) -> tuple[float, float] | None:
        ratio = self.ratio
        if ratio is None or self.n < 2:
            return None
        residual = self.part_part - 2 * ratio * self.part_whole + ratio * ratio * self.whole_whole
        # Rounding can take a sum of squares below 0; NaN, of sums past the range, stays what it is.
        residual = 0.0 if residual < 0 else residual
        found = _around(ratio, residual * self.n / (self.n - 1) / self.whole / self.whole)
        return (max(0.0, found[0]), found[1]) if found else None


def _around(mean: float, variance: float) -> tuple[float, float] | None:
    """Return the normal approximation's 95 % interval; ``None`` where it is past the range of a float."""
    if not isfinite(variance):
        return None
    half = _Z * sqrt(variance)
    low, high = mean - half, mean + half
    return (low, high) if isfinite(low) and isfinite(high) else None
