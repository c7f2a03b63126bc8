"""What a session is about to evaluate, known before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..evidence import Evaluation
from ..runs import TaskPlan
from .evaluation import RunningEvaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTask:
    """A task, and the test function to which its gate belongs."""

    plan: TaskPlan
    nodeid: str

    def as_json(self) -> dict[str, Any]:
        return {"plan": self.plan.as_json(), "nodeid": self.nodeid}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PlannedTask:
        return cls(plan=TaskPlan.from_json(value["plan"]), nodeid=value["nodeid"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The tasks and evaluations that were selected, and what made the selection partial."""

    tasks: tuple[PlannedTask, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    partial: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "tasks": [task.as_json() for task in self.tasks],
            "evaluations": [evaluation.as_json() for evaluation in self.evaluations],
            "partial": list(self.partial),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Plan:
        return cls(
            tasks=tuple(map(PlannedTask.from_json, value["tasks"])),
            evaluations=tuple(map(Evaluation.from_json, value["evaluations"])),
            partial=tuple(value["partial"]),
        )


def build_plan(running: Iterable[RunningEvaluation], *, partial: tuple[str, ...]) -> Plan:
    """Return the plan of these evaluations, in their order; placeholders stand for empty tasks."""
    tasks: dict[str, PlannedTask] = {}
    evaluations = []
    for one in running:
        if not one.is_placeholder:
            evaluations.append(one.evaluation)
        known = tasks.get(one.task.name)
        if known is None or (known.plan.is_empty and not one.is_placeholder):
            tasks[one.task.name] = _planned(one)
    return Plan(tasks=tuple(tasks.values()), evaluations=tuple(evaluations), partial=partial)


def _planned(running: RunningEvaluation) -> PlannedTask:
    task = running.task
    plan = TaskPlan(
        name=task.name,
        version=task.declaration.version,
        digest=task.digest,
        rule=task.rule,
        evaluator=task.evaluator,
        repeat=task.declaration.repeat,
        has_dataset=task.dataset is not None,
        margin=task.declaration.margin,
        is_empty=running.is_placeholder,
    )
    return PlannedTask(plan=plan, nodeid=task.nodeid)
