"""Comparing two runs, task by task."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ..runs.identity_fields import spelled
from .collector import paused_collector
from .comparability import refusals_of
from .comparison import FieldDifference, Outcome, RunComparison, TaskComparison
from .component_scores import compare_scores
from .deciding import Decision, Question, decide
from .pairing import Pair, Paired, pair_up, pairs_of
from .servers import server_differences, unknown_on_both, unknown_treatments
from .side import RunSide, TaskSide
from .wording import detail_of, missing_of, way_out

#: What a task's rate may lose unless the task or a person says otherwise.
MARGIN = 0.05

#: (task, sample, repeat) → whether a loss came again when it was asked again.
Confirmed = Mapping[tuple[str, str, int], bool]


@paused_collector()
def compare_runs(
    base: RunSide,
    candidate: RunSide,
    *,
    margin: float = MARGIN,
    treatment: Collection[str] | None = None,
    confirmed: Confirmed | None = None,
) -> RunComparison:
    """Compare two runs wherever that is valid, and say elsewhere what keeps them from being compared.

    ``margin`` is for tasks that have none of their own, a part of the rate in [0, 1]. ``treatment`` names the
    fields of the server that may differ, ``None``: all. ``confirmed``: losses that were asked again; those
    that did not come again are no losses, and where a regression hangs on them it is inconclusive: only what
    spoke against the candidate was asked again, so nothing better can follow.
    """
    differences = server_differences(base, candidate)
    treated, confounded = differences, tuple[FieldDifference, ...]()
    if treatment is not None:
        treated = tuple(one for one in differences if one.field in treatment)
        confounded = tuple(one for one in differences if one.field not in treatment)
    tasks: dict[str, TaskComparison | _Comparable] = {}
    for name in base.tasks if base.is_finished else candidate.tasks:
        tasks[name] = _examine(name, base, candidate, confounded, margin)
    comparable = {name: one for name, one in tasks.items() if isinstance(one, _Comparable)}
    decided = _decide(comparable, confirmed)
    return RunComparison(
        base=base.label,
        candidate=candidate.label,
        base_id=base.run_id,
        candidate_id=candidate.run_id,
        tasks=tuple(one if isinstance(one, TaskComparison) else decided[name] for name, one in tasks.items()),
        treatment=treated,
        confounded=confounded,
        timing=_timing_differences(base, candidate),
        added=tuple(name for name in candidate.tasks if name not in base.tasks) if base.is_finished else (),
        notes=tuple(_notes(base, candidate, differences, treatment)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparable:
    """A task whose two sides mean the same, before all tasks are judged together."""

    base: TaskSide
    candidate: TaskSide
    pairs: list[Pair]
    question: Question
    subset: tuple[int, int] | None


def _examine(
    name: str,
    base: RunSide,
    candidate: RunSide,
    confounded: tuple[FieldDifference, ...],
    default_margin: float,
) -> TaskComparison | _Comparable:
    ours, theirs = base.tasks.get(name), candidate.tasks.get(name)
    margin = default_margin
    if theirs is not None and theirs.plan.margin is not None:
        margin = theirs.plan.margin
    absent = _absence(name, base, candidate)
    if absent is not None:
        return TaskComparison(task=name, outcome=Outcome.MISSING, margin=margin, detail=absent)
    assert ours is not None
    assert theirs is not None
    pairs = pairs_of(ours, theirs)
    refusals = refusals_of(ours, theirs, pairs, schemas=(base.schema, candidate.schema))
    if refusals or confounded:
        return TaskComparison(
            task=name,
            outcome=Outcome.INCOMPARABLE,
            margin=margin,
            scores=compare_scores(pairs) if refusals else (),
            refusals=(*refusals, *confounded),
            detail=way_out(refusals, confounded, base.label),
        )
    samples = (len({id for id, _ in theirs.observations}), len({id for id, _ in ours.observations}))
    question = Question(paired=pair_up(pairs), margin=margin, is_statistical=theirs.plan.has_dataset)
    if base.run_id == candidate.run_id and question.paired.table.unresolved:
        return TaskComparison(
            task=name,
            outcome=Outcome.MISSING,
            margin=margin,
            samples=question.paired.samples,
            table=question.paired.table,
            detail=f"a run compared with itself, and {missing_of(question.paired)}",
        )
    return _Comparable(
        base=ours,
        candidate=theirs,
        pairs=pairs,
        question=question,
        subset=samples if samples[0] < samples[1] else None,
    )


def _absence(name: str, base: RunSide, candidate: RunSide) -> str | None:
    """Say why there is nothing to compare on one of the sides."""
    for side, who in ((base, "base"), (candidate, "candidate")):
        if not side.is_finished:
            return f"the {who} is not finished, so what it holds proves nothing; resume it or run it again"
        task = side.tasks.get(name)
        if task is None:
            by = f", a partial run (by {', '.join(side.partial)})" if side.partial else ""
            return f"the {who}{by} has no such task"
        if not task.observations:
            return f"the {who} planned nothing: its data set has no rows, or none was selected"
        for identity, whose in ((side.server, "server"), (side.judge, "judge")):
            changes = identity.get("changes") if identity is not None else None
            if changes is not None and changes["change"] == "changed":
                return f"the {whose} of the {who} became another one during the run: {changes['detail']}"
        if side.unproven is not None:
            return f"the {who} is no evidence as a whole ({side.unproven}): run it again"
    return None


def _decide(comparable: Mapping[str, _Comparable], confirmed: Confirmed | None) -> dict[str, TaskComparison]:
    questions = {name: one.question for name, one in comparable.items()}
    decisions = decide(questions)
    asked_again = {
        name: pair_up(comparable[name].pairs, again)
        for name in decisions
        if (again := _of_task(name, confirmed))
    }
    alarmed = {name for name in asked_again if decisions[name].outcome is Outcome.REGRESSED}
    second = decide(
        {
            name: replace(question, paired=asked_again[name] if name in alarmed else question.paired)
            for name, question in questions.items()
        }
        if alarmed
        else {}
    )
    return {
        name: _compared(
            name, one, decisions[name], asked_again.get(name), second[name] if name in alarmed else None
        )
        for name, one in comparable.items()
    }


def _of_task(task: str, confirmed: Confirmed | None) -> dict[tuple[str, int], bool]:
    return {(sample, repeat): is_ for (of, sample, repeat), is_ in (confirmed or {}).items() if of == task}


def _compared(
    name: str, one: _Comparable, decision: Decision, again: Paired | None, second: Decision | None
) -> TaskComparison:
    """Put together what is told; ``second`` is what an alarm comes to without what did not come again."""
    question = one.question
    outcome, flips, needed = decision.outcome, (again or question.paired).flips, decision.needed
    if second is not None and second.outcome is not Outcome.REGRESSED:
        outcome, needed = Outcome.INCONCLUSIVE, None
    return TaskComparison(
        task=name,
        outcome=outcome,
        margin=question.margin,
        samples=question.paired.samples,
        table=question.paired.table,
        difference=decision.difference,
        adjusted_p=decision.adjusted_p,
        needed=needed,
        flips=flips,
        flip_rate=one.base.flip_rate or one.candidate.flip_rate,
        scores=compare_scores(one.pairs),
        subset=one.subset,
        is_statistical=question.is_statistical,
        detail=detail_of(
            question, decision, outcome, flips, margins=(one.base.plan.margin, one.candidate.plan.margin)
        ),
    )


def _timing_differences(base: RunSide, candidate: RunSide) -> tuple[FieldDifference, ...]:
    ours, theirs = dict(base.conditions), dict(candidate.conditions)
    for side, conditions in ((base, ours), (candidate, theirs)):
        changes = side.server.get("changes") if side.server is not None else None
        if changes is not None and changes["change"] == "restarted":
            conditions["server"] = "restarted during the run"
    return tuple(
        FieldDifference(field=name, base=_spelled(ours.get(name)), candidate=_spelled(theirs.get(name)))
        for name in dict.fromkeys((*ours, *theirs))
        if ours.get(name) != theirs.get(name)
    )


def _spelled(value: object) -> str | None:
    return None if value is None else spelled(value)


def _notes(
    base: RunSide,
    candidate: RunSide,
    differences: tuple[FieldDifference, ...],
    treatment: Collection[str] | None,
) -> Iterator[str]:
    for side, who in ((base, "base"), (candidate, "candidate")):
        if not side.is_finished:
            yield f"the {who} is not finished: there is no evidence to compare"
        if side.partial:
            yield f"the {who} is a partial run, by {', '.join(side.partial)}"
    if base.run_id == candidate.run_id:
        yield "both are the same run"
    elif base.server is not None and candidate.server is not None and not differences:
        yield "nothing known differs between the servers"
    if treatment is not None:
        unknown = unknown_treatments(treatment, base, candidate)
        for name, near in unknown.items():
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            yield f"the treatment {name!r} is a field that neither server tells{meant}"
        same = [n for n in treatment if n not in unknown and all(one.field != n for one in differences)]
        if same:
            yield f"declared as treatment and the same on both sides: {', '.join(same)}"
    unknown_fields = unknown_on_both(base, candidate)
    if unknown_fields:
        yield f"unknown on both sides, and taken as equal: {', '.join(unknown_fields)}"
