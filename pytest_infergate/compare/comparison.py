"""What a comparison of two runs comes to. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..evidence import Verdict
from ..runs.exit_code import ExitCode, first_code
from .side import FlipRate


class Outcome(Enum):
    """The verdict on one task, or on all of them."""

    UNCHANGED = "unchanged"
    IMPROVED = "improved"
    NO_WORSE = "no_worse"
    REGRESSED = "regressed"
    INCONCLUSIVE = "inconclusive"
    INCOMPARABLE = "incomparable"
    MISSING = "missing"

    def __str__(self) -> str:
        """As people say it."""
        return self.value.replace("_", " ")

    @property
    def is_good(self) -> bool:
        return self in (Outcome.UNCHANGED, Outcome.IMPROVED, Outcome.NO_WORSE)

    @property
    def verdict(self) -> Verdict:
        """The three words of a gate: what decides nothing is missing evidence."""
        if self.is_good:
            return Verdict.PASSED
        return Verdict.FAILED if self is Outcome.REGRESSED else Verdict.MISSING


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDifference:
    """A field that two runs do not share; values as text, ``None`` where a side does not have it.

    ``where`` is the task, or the task and sample, that it was seen on; ``count`` how many evaluations it
    concerns.
    """

    field: str
    base: str | None
    candidate: str | None
    where: str = ""
    count: int = 1

    def as_json(self) -> dict[str, Any]:
        return {
            "field": self.field,
            "base": self.base,
            "candidate": self.candidate,
            "where": self.where,
            "count": self.count,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTable:
    """Evaluations by what became of them on both sides; ``unresolved`` is missing, and not the model's.

    ``lost`` passed on the base only, ``gained`` on the candidate only.
    """

    both: int = 0
    lost: int = 0
    gained: int = 0
    neither: int = 0
    unresolved: int = 0

    @property
    def pairs(self) -> int:
        return self.both + self.lost + self.gained + self.neither + self.unresolved

    @property
    def flip_rate(self) -> FlipRate | None:
        """How often a verdict is another on the two sides; ``None`` where every pair is unresolved."""
        resolved = self.pairs - self.unresolved
        return FlipRate(flips=self.lost + self.gained, pairs=resolved) if resolved else None

    def as_json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """Candidate less base, with its 95 % interval and its lower one-sided 95 % bound.

    ``p_value`` is two-sided, of no difference; ``method`` names the procedure.
    """

    value: float
    low: float
    high: float
    lower_bound: float
    p_value: float
    method: str

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """An evaluation whose verdict is another on the two sides.

    ``confirmed``: asking again gave the same; ``None``: it was not asked again.
    """

    sample: str
    repeat: int
    base: str
    candidate: str
    confirmed: bool | None = None

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreComparison:
    """One component score on both sides, paired; it never decides the task's outcome.

    ``base`` and ``candidate`` are over the ``pairs`` that have a value on both sides, of ``planned``;
    ``difference`` is ``None`` below two pairs. ``outcome`` is unchanged, improved, regressed, inconclusive or
    incomparable where ``refusals`` say why.
    """

    name: str
    unit: str
    higher_is_better: bool
    outcome: Outcome
    planned: int
    pairs: int
    base: float | None
    candidate: float | None
    difference: PairedDifference | None
    detail: str = ""
    refusals: tuple[FieldDifference, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "unit": self.unit,
            "higher_is_better": self.higher_is_better,
            "outcome": self.outcome.value,
            "planned": self.planned,
            "pairs": self.pairs,
            "base": self.base,
            "candidate": self.candidate,
            "difference": self.difference.as_json() if self.difference else None,
            "detail": self.detail,
            "refusals": [one.as_json() for one in self.refusals],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskComparison:
    """One task on both sides.

    ``samples`` counts samples, ``table`` evaluations. ``difference`` is ``None`` where nothing statistical is
    claimed. ``adjusted_p`` is ``difference.p_value`` after Holm over the tasks. ``margin`` is what it may
    lose. ``needed``: samples that would decide, where it is inconclusive, ``None`` where that cannot be told.
    ``subset``: the candidate has only these of the base's samples, as (candidate's, base's) counts.
    ``detail`` says in one line what decided. ``refusals`` are given where it is incomparable.
    """

    task: str
    outcome: Outcome
    margin: float
    samples: int = 0
    table: PairedTable | None = None
    difference: PairedDifference | None = None
    adjusted_p: float | None = None
    needed: int | None = None
    flips: tuple[Flip, ...] = ()
    flip_rate: FlipRate | None = None
    scores: tuple[ScoreComparison, ...] = ()
    refusals: tuple[FieldDifference, ...] = ()
    subset: tuple[int, int] | None = None
    is_statistical: bool = True
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "outcome": self.outcome.value,
            "margin": self.margin,
            "samples": self.samples,
            "table": self.table.as_json() if self.table else None,
            "difference": self.difference.as_json() if self.difference else None,
            "adjusted_p": self.adjusted_p,
            "needed": self.needed,
            "flips": [flip.as_json() for flip in self.flips],
            "flip_rate": self.flip_rate.as_json() if self.flip_rate else None,
            "scores": [score.as_json() for score in self.scores],
            "refusals": [one.as_json() for one in self.refusals],
            "subset": list(self.subset) if self.subset else None,
            "is_statistical": self.is_statistical,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """Two runs, task by task.

    ``treatment`` are the server's fields that differ: what was changed between the runs; empty where nothing
    known was. ``confounded``: fields that differ beside the declared treatment, which make every task
    incomparable. ``timing`` are differences that void a comparison of times and nothing else. ``added`` are
    tasks that the candidate alone has.
    """

    base: str
    candidate: str
    base_id: str
    candidate_id: str
    tasks: tuple[TaskComparison, ...]
    treatment: tuple[FieldDifference, ...] = ()
    confounded: tuple[FieldDifference, ...] = ()
    timing: tuple[FieldDifference, ...] = ()
    added: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """The first of 1, 4, 5, 3 that a task gives; missing where there is no task at all."""
        return first_code(_CODES.get(task.outcome, ExitCode.PASSED) for task in self.tasks)

    @property
    def verdict(self) -> Verdict:
        """The three words of a gate: an inconclusive comparison is missing evidence."""
        code = self.exit_code
        if code is ExitCode.PASSED:
            return Verdict.PASSED
        return Verdict.FAILED if code is ExitCode.FAILED else Verdict.MISSING

    def as_json(self) -> dict[str, Any]:
        lists: Mapping[str, tuple[FieldDifference, ...]] = {
            "treatment": self.treatment,
            "confounded": self.confounded,
            "timing": self.timing,
        }
        return {
            "base": {"label": self.base, "run_id": self.base_id},
            "candidate": {"label": self.candidate, "run_id": self.candidate_id},
            "exit_code": int(self.exit_code),
            "verdict": self.verdict.value,
            **{name: [one.as_json() for one in found] for name, found in lists.items()},
            "added": list(self.added),
            "notes": list(self.notes),
            "tasks": [task.as_json() for task in self.tasks],
        }


_CODES = {
    Outcome.REGRESSED: ExitCode.FAILED,
    Outcome.INCOMPARABLE: ExitCode.INCOMPARABLE,
    Outcome.MISSING: ExitCode.MISSING,
    Outcome.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
}
