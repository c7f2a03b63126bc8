"""What judging stored replies again changed: the parent's figures beside the new ones, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..evidence import Tally

#: So many changed verdicts of a task are kept one by one; all are counted.
MOST_CHANGES = 10


class Cause(Enum):
    """Why a verdict is another one than the parent's."""

    #: The replies and the sample are the same, and what judges them is not.
    EVALUATOR = "evaluator"
    #: The row of the data set is another one.
    SAMPLE = "sample"
    #: What is asked now was not asked then, so there is no reply of it.
    NO_REPLY = "no_reply"
    #: Replies, sample and evaluator are the same: chance, a clock, a judge that was asked again.
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatorChange:
    """A field of an evaluator's identity with both values as text; ``None``: it has no such field."""

    field: str
    before: str | None
    after: str | None

    def as_json(self) -> dict[str, str | None]:
        return {"field": self.field, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    """An evaluation whose verdict changed; verdicts as words, with the reason where missing."""

    sample: str
    repeat: int
    before: str
    after: str
    cause: Cause

    def as_json(self) -> dict[str, Any]:
        return {
            "sample": self.sample,
            "repeat": self.repeat,
            "before": self.before,
            "after": self.after,
            "cause": self.cause.value,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> VerdictChange:
        return cls(**{**value, "cause": Cause(value["cause"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRescored:
    """One task before and after, over the evaluations that both runs have.

    Both tallies are without reasons. ``added`` evaluations are in the new run alone, where they are missing;
    ``left_out`` in the parent alone. ``evaluator`` says what changed in whom it is judged by. ``causes``
    counts every changed verdict by its cause; ``changes`` are the first of them.
    """

    task: str
    before: Tally
    after: Tally
    added: int = 0
    left_out: int = 0
    evaluator: tuple[EvaluatorChange, ...] = ()
    causes: Mapping[Cause, int] = field(default_factory=dict)
    changes: tuple[VerdictChange, ...] = ()

    @property
    def changed(self) -> int:
        return sum(self.causes.values())

    def as_json(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "before": self.before.as_json(),
            "after": self.after.as_json(),
            "added": self.added,
            "left_out": self.left_out,
            "evaluator": [change.as_json() for change in self.evaluator],
            "causes": {cause.value: self.causes[cause] for cause in Cause if cause in self.causes},
            "changes": [change.as_json() for change in self.changes],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TaskRescored:
        return cls(
            task=value["task"],
            before=Tally.from_json(value["before"]),
            after=Tally.from_json(value["after"]),
            added=value["added"],
            left_out=value["left_out"],
            evaluator=tuple(EvaluatorChange(**change) for change in value["evaluator"]),
            causes={Cause(name): count for name, count in value["causes"].items()},
            changes=tuple(map(VerdictChange.from_json, value["changes"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescored:
    """All tasks of a replayed run beside those of the ``run`` whose replies it judged.

    ``absent`` are tasks of that run which the new one does not have.
    """

    run: str
    tasks: tuple[TaskRescored, ...]
    absent: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "tasks": [task.as_json() for task in self.tasks],
            "absent": list(self.absent),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Rescored:
        return cls(
            run=value["run"],
            tasks=tuple(map(TaskRescored.from_json, value["tasks"])),
            absent=tuple(value["absent"]),
        )
