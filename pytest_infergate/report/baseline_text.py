"""What a baseline holds, and what it replaced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..compare.baseline import Baseline, tally_of
from ..evidence import Tally, Verdict, combine_verdicts, judge_task
from ..runs import RunSummary, TaskSummary
from .header import server_text
from .lines import VERDICT_STYLES, Line, Segment, Style, heading, line, wrapped
from .table import percent, task_table
from .visible import visible_line


def baseline_lines(baseline: Baseline, width: int) -> list[Line]:
    """Return the run that a baseline is of, its tasks, and its history."""
    side = baseline.side
    rows = [
        ("baseline", side.label),
        ("run", side.run_id),
        ("finished", baseline.finished),
        ("server", _server(side.server)),
        ("with", f"pytest-infergate {baseline.tool_version}"),
    ]
    if side.judge is not None:
        rows.insert(4, ("judge", server_text(side.judge)))
    if baseline.replies is not None:
        rows.append(("replies", "kept"))
    lines = [line(Segment(f"{name:<11}", Style.FAINT), visible_line(text, 400)) for name, text in rows]
    lines += [(), *task_table(_summary(baseline), width)]
    notes = notes_on(baseline)
    lines += [(), *notes] if notes else []
    if baseline.history:
        lines += [(), heading("what it replaced, newest first")]
    for place in range(len(baseline.history) - 1, -1, -1):
        lines += replaced_lines(baseline, place, width)
    return lines


def notes_on(baseline: Baseline) -> list[Line]:
    """Return what a reader of comparisons with this baseline has to know: each a line, most often none."""
    side = baseline.side
    lines: list[Line] = []
    if baseline.verdict is not Verdict.PASSED:
        verdict = Segment(baseline.verdict.value, VERDICT_STYLES[baseline.verdict])
        lines.append(line("  the run's verdict is ", verdict, "; no worse than that is all it can ask"))
    if side.partial:
        by = visible_line(", ".join(side.partial), 200)
        lines.append(line(f"  partial run, by {by}; what it left out is not compared"))
    for name, task in sorted(side.tasks.items()):
        rate = task.flip_rate
        if rate is not None:
            told = f"{rate.flips} of {rate.pairs} verdicts ({percent(rate.rate)})"
            lines.append(line(f"  {visible_line(name)}: {told} flipped by themselves from run to run"))
    return lines


def replaced_lines(baseline: Baseline, place: int, width: int) -> list[Line]:
    """Return what an entry of the history says: old figures beside those that came in their place."""
    one = baseline.history[place]
    was = f"run {one.run_id}, finished {one.finished}, {_server(one.server)}"
    lines = wrapped(visible_line(was, 400), width, first="  ", rest="      ")
    after = _after(baseline, place)
    for name in sorted(one.tallies):
        now = _told(after[name]) if name in after else "no longer there"
        outcome = one.outcomes.get(name)
        told = f"{name}: {_told(one.tallies[name])}, then {now}{f' ({outcome})' if outcome else ''}"
        lines += wrapped(visible_line(told, 400), width, first="    ", rest="      ")
    because = visible_line(f"because: {one.because}", 2000)
    return lines + wrapped(because, width, first="    ", rest="      ")


def _after(baseline: Baseline, place: int) -> Mapping[str, Tally]:
    """Return the figures that came in the place of an entry's: the next entry's, or those in force."""
    if place + 1 < len(baseline.history):
        return baseline.history[place + 1].tallies
    return {name: tally_of(task) for name, task in baseline.side.tasks.items()}


def _told(tally: Tally) -> str:
    missing = f", {tally.missing} missing" if tally.missing else ""
    return f"{tally.passed} of {tally.planned} passed{missing}"


def _server(server: Mapping[str, Any] | None) -> str:
    return "none" if server is None else server_text(server)


def _summary(baseline: Baseline) -> RunSummary:
    tasks = []
    for name, task in sorted(baseline.side.tasks.items()):
        counted = tally_of(task)
        tasks.append(
            TaskSummary(plan=task.plan, tally=counted, gate=judge_task(name, counted, task.plan.rule))
        )
    return RunSummary(
        tasks=tuple(tasks),
        totals=sum((task.tally for task in tasks), Tally()),
        gates=tuple(task.gate for task in tasks),
        verdict=combine_verdicts(task.gate.verdict for task in tasks),
    )
