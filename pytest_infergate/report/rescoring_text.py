"""What judging stored replies again changed, both figures side by side."""

from __future__ import annotations

from collections.abc import Iterator

from ..evidence.width import shorten_middle
from ..runs.rescored import Cause, EvaluatorChange, Rescored, TaskRescored, VerdictChange
from .lines import Line, Segment, Style, heading, line, wrapped
from .visible import visible_line

_BECAUSE = {
    Cause.EVALUATOR: "the evaluator changed; the replies are the same",
    Cause.SAMPLE: "the sample is another one",
    Cause.NO_REPLY: "there is no reply to what is asked now",
    Cause.UNKNOWN: "replies, sample and evaluator are the same: chance, time, or a judge asked again",
}
#: Columns for a task's name at least, and for a sample's id at most.
_LEAST = 12
_LONGEST_ID = 40


def rescoring_lines(rescored: Rescored, width: int) -> list[Line]:
    """Return each task's figures before and after, why verdicts changed, and the first that did."""
    lines: list[Line] = [(), heading(f"judged again: the replies of {visible_line(rescored.run)}")]
    for task in rescored.tasks:
        lines += _task(task, width)
    if rescored.absent:
        names = visible_line(", ".join(rescored.absent), 400)
        lines += wrapped(f"not judged again, though that run has it: {names}", width, first="  ", rest="    ")
    return lines


def _task(task: TaskRescored, width: int) -> Iterator[Line]:
    figures = _figures(task)
    style = Style.MISSING if task.changed else Style.PLAIN
    name = shorten_middle(visible_line(task.task), max(width - len(figures) - 4, _LEAST))
    yield line(f"  {name}: ", Segment(figures, style))
    for cause in Cause:
        count = task.causes.get(cause, 0)
        if count:
            text = f"{count} {_verdicts(count)} changed: {_BECAUSE[cause]}"
            yield from wrapped(text, width, first="    ", rest="      ")
    for change in task.evaluator:
        yield from wrapped(_told(change), width, first="      ", rest="        ")
    if task.added:
        told = f"{task.added} not in that run, so without replies"
        yield from wrapped(told, width, first="    ", rest="      ")
    if task.left_out:
        yield from wrapped(f"{task.left_out} of that run left out", width, first="    ", rest="      ")
    if task.changes:
        more = task.changed - len(task.changes)
        told = ", ".join(_changed(change) for change in task.changes)
        text = f"{told}, and {more} more" if more > 0 else told
        yield from wrapped(text, width, first="      ", rest="        ")


def _figures(task: TaskRescored) -> str:
    before, after = task.before, task.after
    if not before.planned:
        return "nothing of it in that run"
    if not task.changed:
        return f"{after.passed} of {after.planned} passed, as before"
    missing = f", missing {before.missing} → {after.missing}" if before.missing != after.missing else ""
    return f"{before.passed} of {before.planned} → {after.passed} of {after.planned} passed{missing}"


def _told(change: EvaluatorChange) -> str:
    return visible_line(f"{change.field}: {change.before or 'none'} → {change.after or 'none'}", 400)


def _changed(change: VerdictChange) -> str:
    repeat = f"#{change.repeat}" if change.repeat else ""
    sample = shorten_middle(visible_line(change.sample), _LONGEST_ID)
    return f"{sample}{repeat} {visible_line(change.before)} → {visible_line(change.after)}"


def _verdicts(count: int) -> str:
    return "verdict" if count == 1 else "verdicts"
