"""Whether every worker of xdist evaluates the same: hosts may have other files, and other versions."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from .. import __version__
from ..evidence import Evaluation, Gate, Verdict, canonical_json
from ..runs import TaskPlan
from .evaluations.plan import Plan

#: So many differences are told; the others are counted.
_MOST_TOLD = 5


class WorkerPlans:
    """Holds the plan of each worker against the first one that came."""

    def __init__(self) -> None:
        self._first = ""
        self._tasks: dict[str, TaskPlan] = {}
        self._evaluations: dict[str, Evaluation] = {}
        self._differences: list[str] = []

    def take(self, report: pytest.TestReport, text: str) -> Plan:
        """Read the plan that came with a worker's report, and note where it differs.

        Raises ``pytest.UsageError`` where the worker has another version of this package.
        """
        worker, value = _worker(report), json.loads(text)
        version = value.get("tool_version")
        if version != __version__:
            raise pytest.UsageError(
                f"worker {worker} has pytest-infergate {version}, this session {__version__}; install one "
                "version on every host"
            )
        plan = Plan.from_json(value)
        tasks = {task.plan.name: task.plan for task in plan.tasks}
        evaluations = {str(evaluation.key): evaluation for evaluation in plan.evaluations}
        if not self._first:
            self._first, self._tasks, self._evaluations = worker, tasks, evaluations
        else:
            self._differences += self._compare(worker, tasks, evaluations)
        return plan

    def gates(self) -> Iterator[Gate]:
        """Yield a gate, missing, where workers differ: nobody can say which of them is meant."""
        if not self._differences:
            return
        told, more = self._differences[:_MOST_TOLD], len(self._differences) - _MOST_TOLD
        yield Gate(
            name="workers",
            task=None,
            rule="every worker of xdist evaluates the same",
            observed="; ".join(told) + (f"; and {more} more" if more > 0 else ""),
            verdict=Verdict.MISSING,
            detail="give every host the same files",
        )

    def _compare(
        self, worker: str, tasks: dict[str, TaskPlan], evaluations: dict[str, Evaluation]
    ) -> Iterator[str]:
        for name in dict.fromkeys((*self._tasks, *tasks)):
            ours, theirs = self._tasks.get(name), tasks.get(name)
            if ours is None or theirs is None:
                yield f"task {name} is on {self._first if theirs is None else worker} alone"
            elif ours != theirs:
                one, other = ours.as_json(), theirs.as_json()
                field = next(field for field in one if one[field] != other[field])
                values = f"{_short(other[field])} on {worker}, {_short(one[field])} on {self._first}"
                yield f"task {name}, {field}: {values}"
        others = [
            key
            for key in dict.fromkeys((*self._evaluations, *evaluations))
            if _sample(self._evaluations.get(key)) != _sample(evaluations.get(key))
        ]
        if others:
            count = "1 evaluation has" if len(others) == 1 else f"{len(others)} evaluations have"
            yield f"{count} another sample on {worker} than on {self._first}, such as {others[0]}"


def _short(value: object) -> str:
    """Return a value as one line; of a digest what tells it from another."""
    text = value if isinstance(value, str) else canonical_json(value)
    return text[:15] + "…" if text.startswith("sha256:") else text


def _worker(report: pytest.TestReport) -> str:
    """Return what a person calls the worker: its id, with its host or its folder where it has one."""
    gateway = vars(report)["node"].gateway  # xdist adds it
    place = gateway.spec.ssh or gateway.spec.socket or gateway.spec.chdir
    return f"{gateway.id} ({place})" if place else str(gateway.id)


def _sample(evaluation: Evaluation | None) -> str | None:
    return evaluation.sample_digest if evaluation else None
