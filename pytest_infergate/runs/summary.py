"""What a run comes to: its tasks, totals, gates and verdict. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..evidence import (
    Component,
    EvaluatorIdentity,
    Gate,
    GateRule,
    Reason,
    Repeats,
    Tally,
    Verdict,
    combine_verdicts,
)
from .score_rates import ScoreRate

#: The name of the gate that every task has. One over its clips has the name of their score; others are given
#: by whoever makes them.
TASK_GATE = "task"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPlan:
    """What is known of a task before anything is asked.

    ``evaluator`` is what turns replies into answers, ``None`` where the test function alone does.
    ``repeat`` is how often each sample is evaluated. ``has_dataset``: its samples are rows of a data set, so
    that a comparison may speak of rates. ``margin`` is the part of the rate that a comparison may lose,
    ``None``: the session's. ``is_empty``: its data set has no rows, so nothing is planned and its gate is
    missing.
    """

    name: str
    version: str
    digest: str
    rule: GateRule
    evaluator: EvaluatorIdentity | None = None
    repeat: int = 1
    has_dataset: bool = False
    margin: float | None = None
    is_empty: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "version": self.version,
            "digest": self.digest,
            "rule": self.rule.as_json(),
            "evaluator": self.evaluator.as_json() if self.evaluator else None,
            "repeat": self.repeat,
            "has_dataset": self.has_dataset,
            "margin": self.margin,
            "is_empty": self.is_empty,
        }

    @property
    def own_gates(self) -> frozenset[str]:
        """The names of its own gates, which its records decide."""
        return frozenset({TASK_GATE, *([self.rule.corpus.score] if self.rule.corpus else [])})

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TaskPlan:
        """Read ``as_json``, or a task of ``run.json``, where its counts tell whether it was empty."""
        if "is_empty" in value:
            is_empty = value["is_empty"]
        else:
            is_empty = not value["totals"]["planned"] and Reason.EMPTY_DATASET.value in value["reasons"]
        return cls(
            name=value["name"],
            version=value["version"],
            digest=value["digest"],
            rule=GateRule.from_json(value["rule"]),
            evaluator=EvaluatorIdentity.from_json(value["evaluator"]) if value["evaluator"] else None,
            repeat=value["repeat"],
            has_dataset=value["has_dataset"],
            margin=value["margin"],
            is_empty=is_empty,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSummary:
    """A task with its counts and its gate.

    ``components`` are the scores beside ``passed``, ``repeats`` what repeats say together, ``None`` where
    each sample is evaluated once, or a selection left out repeats. ``rates`` are those of its clips together,
    and ``corpus_gate`` is the one over them, ``None`` where nothing is asked of them.
    """

    plan: TaskPlan
    tally: Tally
    gate: Gate
    components: tuple[Component, ...] = ()
    repeats: Repeats | None = None
    rates: tuple[ScoreRate, ...] = ()
    corpus_gate: Gate | None = None

    @property
    def verdict(self) -> Verdict:
        """What its gates come to together."""
        gates = (self.gate,) if self.corpus_gate is None else (self.gate, self.corpus_gate)
        return combine_verdicts([gate.verdict for gate in gates])

    def as_json(self) -> dict[str, Any]:
        plan = self.plan.as_json()
        del plan["is_empty"]
        tally = self.tally
        return {
            **plan,
            "totals": tally.as_json(),
            "delivered": tally.delivered,
            "accuracy": tally.accuracy,
            "interval": list(tally.interval) if tally.interval else None,
            "bounds": list(tally.bounds) if tally.bounds else None,
            "reasons": {reason.value: tally.reasons[reason] for reason in Reason if reason in tally.reasons},
            "components": [component.as_json() for component in self.components],
            "repeats": self.repeats.as_json() if self.repeats else None,
            "rates": [rate.as_json() for rate in self.rates],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """All tasks, the totals over them, all gates, and the run's verdict.

    ``gates`` holds each task's gate in the order of ``tasks``, those over clips, then those from outside.
    """

    tasks: tuple[TaskSummary, ...]
    totals: Tally
    gates: tuple[Gate, ...]
    verdict: Verdict

    def as_json(self) -> dict[str, Any]:
        return {
            "totals": self.totals.as_json(),
            "tasks": [task.as_json() for task in self.tasks],
            "gates": [gate.as_json() for gate in self.gates],
            "verdict": self.verdict.value,
        }
