"""What a session is about to evaluate, known before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ... import __version__
from ...evidence import Evaluation
from ...runs import CollectedEvaluation, CollectedTask, TaskPlan
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
    """The tasks and evaluations that were selected, and what made the selection partial.

    ``collected`` is what there was to select from, empty where nothing was left out. ``refusal``: why the
    session that is resumed cannot go on with this. ``kept`` are the ids of what another run has judged, and
    whose records are kept.
    """

    tasks: tuple[PlannedTask, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    partial: tuple[str, ...] = ()
    collected: tuple[CollectedTask, ...] = ()
    refusal: str | None = None
    kept: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "tasks": [task.as_json() for task in self.tasks],
            "evaluations": [evaluation.as_json() for evaluation in self.evaluations],
            "partial": list(self.partial),
            "tool_version": __version__,
            "collected": [task.as_json() for task in self.collected],
            "refusal": self.refusal,
            "kept": list(self.kept),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Plan:
        return cls(
            tasks=tuple(map(PlannedTask.from_json, value["tasks"])),
            evaluations=tuple(map(Evaluation.from_json, value["evaluations"])),
            partial=tuple(value["partial"]),
            collected=tuple(map(CollectedTask.from_json, value["collected"])),
            refusal=value["refusal"],
            kept=tuple(value["kept"]),
        )


def build_plan(
    selected: Sequence[RunningEvaluation], collected: Sequence[RunningEvaluation], *, partial: tuple[str, ...]
) -> Plan:
    """Return the plan of what was selected, in its order; placeholders stand for empty tasks."""
    return Plan(
        tasks=tuple(_tasks(selected).values()),
        evaluations=tuple(one.evaluation for one in selected if not one.is_placeholder),
        partial=partial,
        collected=tuple(_collected(collected)) if len(collected) > len(selected) else (),
    )


def _collected(running: Sequence[RunningEvaluation]) -> Iterator[CollectedTask]:
    tasks = _tasks(running)
    evaluations: dict[str, list[CollectedEvaluation]] = {name: [] for name in tasks}
    for one in running:
        if not one.is_placeholder:
            key, digest = one.evaluation.key, one.evaluation.sample_digest
            evaluations[key.task].append(CollectedEvaluation(key.sample, key.repeat, digest))
    for name, task in tasks.items():
        yield CollectedTask(plan=task.plan, nodeid=task.nodeid, evaluations=tuple(evaluations[name]))


def _tasks(running: Iterable[RunningEvaluation]) -> dict[str, PlannedTask]:
    tasks: dict[str, PlannedTask] = {}
    for one in running:
        known = tasks.get(one.task.name)
        if known is None or (known.plan.is_empty and not one.is_placeholder):
            tasks[one.task.name] = _planned(one)
    return tasks


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
