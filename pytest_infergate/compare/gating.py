"""Gates over a comparison: its outcomes in the three words. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ..evidence import Gate, Verdict
from ..runs.verdict_file import BASELINE_GATE
from .comparison import FieldDifference, Outcome, RunComparison, TaskComparison
from .side import RunSide

#: So many refusals are named in a gate; the comparison itself names all.
_MOST_NAMED = 3
_LONGEST = 60


def selected_part(base: RunSide, candidate: Collection[str], *, left_out: Collection[str] | None) -> RunSide:
    """Return the tasks of ``base`` that a candidate has to answer for.

    ``candidate`` are the names of its tasks. ``left_out`` are those that were there and that a person did not
    select; the comparison calls any other absent one missing. ``None``: nobody knows what was there, so that
    every absent one counts as not selected.
    """
    asked = {
        name: task
        for name, task in base.tasks.items()
        if name in candidate or not (left_out is None or name in left_out)
    }
    return replace(base, tasks=asked)


def with_note(comparison: RunComparison, base: RunSide) -> RunComparison:
    """Say which tasks of ``base`` the comparison leaves out."""
    compared = {task.task for task in comparison.tasks}
    left_out = [name for name in base.tasks if name not in compared]
    if not left_out:
        return comparison
    return replace(
        comparison, notes=(*comparison.notes, f"not selected, so not compared: {', '.join(left_out)}")
    )


def comparison_gates(comparison: RunComparison, *, fails_inconclusive: bool) -> tuple[Gate, ...]:
    """Return a gate for each task: passed where it is no worse, failed where it regressed, else missing.

    ``fails_inconclusive``: a comparison that decides nothing is missing evidence; otherwise it passes, and
    the gate says so. Without a task there is one missing gate over the run.
    """
    if not comparison.tasks:
        return (
            _nothing_compared(
                comparison.base,
                "no task of this run is in it, so nothing was compared",
                "select a task that it has, or save a baseline of this run",
            ),
        )
    return tuple(_gate(task, comparison, fails_inconclusive) for task in comparison.tasks)


def unsaved_gate(label: str, run: str) -> Gate:
    """Return the gate of a baseline that is not there yet; ``run`` is the folder that could become it."""
    return _nothing_compared(
        label,
        "there is no such baseline yet, so nothing was compared",
        f"keep this run as the baseline: infergate baseline save {run} -o {label}",
    )


def uncompared_gate(label: str, why: str) -> Gate:
    """Return the gate of a comparison that could not be made."""
    return _nothing_compared(label, "nothing was compared", why)


def _nothing_compared(label: str, observed: str, detail: str) -> Gate:
    return Gate(
        name=BASELINE_GATE,
        task=None,
        rule=f"no worse than {label}",
        observed=observed,
        verdict=Verdict.MISSING,
        detail=detail,
    )


def _gate(task: TaskComparison, comparison: RunComparison, fails_inconclusive: bool) -> Gate:
    rule = f"no worse than {comparison.base} by more than {task.margin:g}"
    if not task.is_statistical:
        rule = f"nothing that passed in {comparison.base} is lost"
    is_let_through = task.outcome is Outcome.INCONCLUSIVE and not fails_inconclusive
    observed = f"{task.outcome}{' (let through)' if is_let_through else ''} against {comparison.base}"
    if task.table is not None:
        table = task.table
        observed += f", lost {table.lost} and gained {table.gained} of {table.pairs} pairs"
    if task.refusals:
        observed += f", {_named(task.refusals)}"
    return Gate(
        name=BASELINE_GATE,
        task=task.task,
        rule=rule,
        observed=observed,
        verdict=Verdict.PASSED if is_let_through else task.outcome.verdict,
        detail=f"{task.detail}; --infer-on-inconclusive=pass lets it through"
        if is_let_through
        else task.detail,
    )


def _named(refusals: tuple[FieldDifference, ...]) -> str:
    named = [
        f"{one.field}: {_short(one.base)} there, {_short(one.candidate)} here"
        for one in refusals[:_MOST_NAMED]
    ]
    more = len(refusals) - len(named)
    return "; ".join([*named, *([f"and {more} more"] if more > 0 else [])])


def _short(value: str | None) -> str:
    if value is None:
        return "unknown"
    return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…"
