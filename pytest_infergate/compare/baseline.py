"""A run as it is kept in a repository, with what it replaced. Values only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..evidence import Reason, Tally, Verdict
from .comparison import Outcome
from .side import RunSide, TaskSide

#: (sample id, repeat) → what the model said, reply by reply.
Replies: TypeAlias = Mapping[tuple[str, int], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """Figures that a baseline had before others were accepted in their place, and why they were.

    ``finished`` is when the old run ended, ``server`` what a person knows it by, ``None`` where it had none.
    ``tallies`` are without reasons. ``by`` is the id of the run that came in its place. ``outcomes`` say what
    the comparison of the two came to.
    """

    run_id: str
    finished: str
    server: Mapping[str, Any] | None
    tallies: Mapping[str, Tally]
    by: str
    because: str
    outcomes: Mapping[str, Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What a baseline file holds.

    ``verdict`` is what the run came to, less its own comparisons. ``repeats`` are the ids of the runs of the
    same server that measured how often verdicts flip by themselves. ``replies``: by task, ``None`` where the
    file keeps none. ``history`` is what was accepted, oldest first.
    """

    side: RunSide
    started: str
    finished: str
    verdict: Verdict
    tool_version: str
    repeats: tuple[str, ...] = ()
    history: tuple[Replaced, ...] = ()
    replies: Mapping[str, Replies] | None = None


def tally_of(task: TaskSide) -> Tally:
    """Count a task of one side."""
    seen = task.observations.values()
    reasons = Counter(one.reason for one in seen if one.reason is not None)
    if task.plan.is_empty:
        reasons[Reason.EMPTY_DATASET] = 1
    return Tally(
        passed=sum(one.verdict is Verdict.PASSED for one in seen),
        failed=sum(one.verdict is Verdict.FAILED for one in seen),
        missing=sum(one.verdict is Verdict.MISSING for one in seen),
        expected_failures=sum(one.is_expected_failure for one in seen),
        reasons=dict(reasons),
    )
