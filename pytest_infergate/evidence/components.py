"""Component scores of a task, each for itself: nothing is averaged across components."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from .evaluator import EvaluatorIdentity
from .interval import wilson_interval
from .score import PASSED, Score

_Z = 1.959963984540054  # the normal distribution's 97.5 % point


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One score over the evaluations of a task, of one evaluator.

    Scores of another evaluator, of a fallback, in another unit or direction, or that gate where others do
    not, are another component: they do not mean the same.
    ``measured`` + ``missing`` is how often it was recorded. ``mean`` is over what was measured, ``None``
    where nothing was; ``interval`` is its 95 % interval (Wilson's where every value is 0 or 1, else
    the normal approximation), ``None`` below two values.
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
        }


class ComponentTally:
    """Adds up scores as they come, without keeping them. The score ``passed`` is the task's own row."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str, bool, str, bool, bool], _Sum] = {}

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
            )
            found = self._sums.get(key)
            if found is None:
                found = self._sums[key] = _Sum(score)
            found.add(score.value)

    def components(self) -> tuple[Component, ...]:
        """Return the components in the order of their first score."""
        return tuple(one.component() for one in self._sums.values())


class _Sum:
    __slots__ = ("first", "is_binary", "mean", "measured", "missing", "squares")

    def __init__(self, first: Score) -> None:
        self.first = first
        self.measured = self.missing = 0
        self.mean = self.squares = 0.0
        self.is_binary = True

    def add(self, value: float | None) -> None:
        if value is None:
            self.missing += 1
            return
        # Welford's update: sums of squares lose digits.
        self.measured += 1
        delta = value - self.mean
        self.mean += delta / self.measured
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
            mean=self.mean if self.measured else None,
            interval=self._interval(),
        )

    def _interval(self) -> tuple[float, float] | None:
        n = self.measured
        if n < 2:
            return None
        if self.is_binary:
            return wilson_interval(self.mean * n, n)
        half = _Z * sqrt(self.squares / (n - 1) / n)
        return self.mean - half, self.mean + half
