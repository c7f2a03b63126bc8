"""A named number with a unit, a direction, and the evaluator that made it."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .evaluator import EvaluatorIdentity
from .reasons import Missing, Reason

#: The score of an evaluation that records none of its own: 1 where it passed, 0 where it failed.
PASSED = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """The preferred backend that was not used, and why."""

    preferred: str
    because: str

    def as_json(self) -> dict[str, str]:
        return {"from": self.preferred, "because": self.because}

    @classmethod
    def from_json(cls, value: Mapping[str, str]) -> Fallback:
        return cls(preferred=value["from"], because=value["because"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled:
    """The counts of which a score is the ratio: ``part`` of ``whole``, such as errors of reference words.

    Over a corpus the parts are added and the wholes are added: a mean of ratios would give a short sample the
    weight of a long one. Both are finite and not negative; ``whole`` is 0 where the sample has no ratio of
    its own and its part still counts.
    """

    part: float
    whole: float

    def __post_init__(self) -> None:
        for name, number in (("part", self.part), ("whole", self.whole)):
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                raise ValueError(f"the {name} of pooled counts is {number!r}; accepted: a number")
            if not (_is_finite(number) and number >= 0):
                raise ValueError(f"the {name} of pooled counts is {number!r}; accepted: finite, 0 or more")

    def give(self, value: float | None) -> bool:
        """Whether ``value`` is the ratio of these counts; ``None``, missing, is that of a whole of 0 alone.

        What is missing and has a whole would count in a pool as if it had been measured.
        """
        if value is None or not self.whole:
            return value is None and not self.whole
        return math.isclose(value, self.part / self.whole, rel_tol=1e-9, abs_tol=1e-12)

    def as_json(self) -> dict[str, float]:
        return {"part": self.part, "whole": self.whole}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A measured number, or a reason why it was not measured; never both, never neither.

    ``value`` is finite. ``pooled``: the counts of which it is the ratio, ``None`` where it is none; where it
    is missing, their whole is 0. ``gates``: where it is missing, so is the evaluation. ``details`` are what
    its evaluator saw, as JSON, for a person to look at: nothing is counted by them, and nothing compared but
    ``against`` of a visual check, the sha256 of what it was held against.

    Raises ``TypeError`` without an evaluator identity and ``ValueError`` for a name or unit that is not
    printable text, for a value that is not a finite number, and for counts that give another one: use
    ``measured`` for numbers that come from outside.
    """

    name: str
    value: float | None
    unit: str
    higher_is_better: bool
    evaluator: EvaluatorIdentity
    fallback: Fallback | None = None
    missing: Missing | None = None
    gates: bool = True
    pooled: Pooled | None = None
    details: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.evaluator, EvaluatorIdentity):
            raise TypeError(f"score {self.name!r} needs an evaluator identity; got {self.evaluator!r}")
        for what, text in (("name", self.name), ("unit", self.unit)):
            if not (isinstance(text, str) and text.strip() and text.isprintable()):
                raise ValueError(f"the {what} of a score is {text!r}; accepted: printable text, not blank")
        for what, choice in (("higher_is_better", self.higher_is_better), ("gate", self.gates)):
            if not isinstance(choice, bool):
                raise ValueError(f"score {self.name!r}: {what} is {choice!r}; accepted: True or False")
        if (self.value is None) == (self.missing is None):
            raise ValueError(f"score {self.name!r} needs a value or a reason why it is missing, not both")
        if self.value is not None and not _is_finite(self.value):
            raise ValueError(f"score {self.name!r} is {self.value!r}; a score is a finite number")
        if self.pooled is not None and not self.pooled.give(self.value):
            raise ValueError(
                f"score {self.name!r} is {self.value!r} with pooled counts of {self.pooled.part!r} of "
                f"{self.pooled.whole!r}, which give another number"
            )

    @classmethod
    def measured(
        cls,
        name: str,
        value: object,
        *,
        evaluator: EvaluatorIdentity,
        unit: str = "ratio",
        higher_is_better: bool = True,
        low: float | None = None,
        high: float | None = None,
        fallback: Fallback | None = None,
        gates: bool = True,
        pooled: Pooled | None = None,
    ) -> Score:
        """Return the score of a number from outside; ``invalid_score`` where it is not usable.

        ``low`` and ``high`` are the declared range, inclusive; ``None`` is unbounded.
        """
        number = _as_finite(value)
        missing = None
        if number is None:
            missing = Missing(Reason.INVALID_SCORE, f"{name} is {_shown(value)}; a score is a finite number")
        # Asked this way round, a bound of NaN holds nothing in place of everything.
        elif not ((low is None or low <= number) and (high is None or number <= high)):
            missing = Missing(
                Reason.INVALID_SCORE,
                f"{name} is {number!r}, outside its range {_bound(low)} to {_bound(high)}",
            )
        return cls(
            name=name,
            value=None if missing else number,
            unit=unit,
            higher_is_better=higher_is_better,
            evaluator=evaluator,
            fallback=fallback,
            missing=missing,
            gates=gates,
            pooled=None if missing else pooled,
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "higher_is_better": self.higher_is_better,
            "evaluator": self.evaluator.as_json(),
            "fallback": self.fallback.as_json() if self.fallback else None,
            "missing": self.missing.as_json() if self.missing else None,
            "gates": self.gates,
            "pooled": self.pooled.as_json() if self.pooled else None,
            "details": dict(self.details) if self.details is not None else None,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Score:
        return cls(
            name=value["name"],
            value=value["value"],
            unit=value["unit"],
            higher_is_better=value["higher_is_better"],
            evaluator=EvaluatorIdentity.from_json(value["evaluator"]),
            fallback=Fallback.from_json(value["fallback"]) if value["fallback"] else None,
            missing=Missing.from_json(value["missing"]) if value["missing"] else None,
            gates=value["gates"],
            pooled=Pooled(**value["pooled"]) if value["pooled"] else None,
            details=value["details"],
        )


def _as_finite(value: object) -> float | None:
    if isinstance(value, (str, bytes)):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]  # NumPy scalars, Fraction, Decimal, bool
    except Exception:  # whatever a foreign type raises that is no single number
        return None
    return number if math.isfinite(number) else None


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an int past the range of a float
        return False


def _shown(value: object) -> str:
    try:
        return reprlib.repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


def _bound(bound: float | None) -> str:
    return "unbounded" if bound is None else repr(bound)
