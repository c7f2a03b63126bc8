"""The table of tasks: what was planned and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..evidence import Tally
from ..evidence.width import fit, fit_right, shorten_middle, text_width
from ..runs import RunSummary, TaskPlan, TaskSummary
from .lines import VERDICT_STYLES, Line, Segment, Style, heading, line
from .visible import visible_line

#: From here the evaluator has a column; below it has a line of its own under the task.
_WIDE = 100
NARROWEST = 60
_GAP = "  "
_SMALLEST_NAME = 12
_LONGEST_NAME = 40
_NONE = "–"


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    style: Style
    counts: tuple[str, ...]
    delivered: str
    interval: str
    evaluator: str


def task_table(summary: RunSummary, width: int, *, is_finished: bool = True) -> list[Line]:
    """Return the table in ``width`` columns, of which 60 are the least.

    Of a run that is not finished nobody knows what was planned, so it has no delivered share. The total
    has none either: nothing is averaged over tasks.
    """
    width = max(width, NARROWEST)
    rows = [_row(task, is_finished) for task in summary.tasks]
    if len(rows) > 1:
        rows.append(_Row("total", Style.PLAIN, _counts(summary.totals), "", "", ""))
    columns = [
        ["planned" if is_finished else "judged", *(row.counts[0] for row in rows)],
        ["passed", *(row.counts[1] for row in rows)],
        ["failed", *(row.counts[2] for row in rows)],
        ["missing", *(row.counts[3] for row in rows)],
        ["delivered", *(row.delivered for row in rows)],
    ]
    longest = max((text_width(row.name) for row in rows), default=0)
    with_interval = _side_by_side([*columns, ["95 % interval", *(row.interval for row in rows)]])
    # The interval gives way to the names.
    has_interval = width - len(with_interval[0]) >= min(longest, _LONGEST_NAME)
    numbers = with_interval if has_interval else _side_by_side(columns)
    evaluator = max((text_width(row.evaluator) for row in rows), default=0)
    beside = width - len(numbers[0]) - len(_GAP) - evaluator
    is_wide = width >= _WIDE and beside >= min(longest, _LONGEST_NAME)
    room = beside if is_wide else width - len(numbers[0])
    name = max(min(longest, room, _LONGEST_NAME), _SMALLEST_NAME)

    title = f"{fit('task', name)}{numbers[0]}" + (f"{_GAP}evaluator" if is_wide else "")
    lines: list[Line] = [heading(title)]
    for row, values in zip(rows, numbers[1:], strict=True):
        end = f"{_GAP}{row.evaluator}" if is_wide else ""
        lines.append(line(Segment(fit(row.name, name), row.style), f"{values}{end}".rstrip()))
        if not is_wide:
            lines += _below(row, width, has_interval=not has_interval)
    return lines


def _side_by_side(columns: list[list[str]]) -> list[str]:
    """Return the rows of right-aligned columns, each column after a gap."""
    widths = [max(map(len, column)) for column in columns]
    return [
        "".join(f"{_GAP}{fit_right(value, width)}" for value, width in zip(row, widths, strict=True))
        for row in zip(*columns, strict=True)
    ]


def _below(row: _Row, width: int, *, has_interval: bool) -> Sequence[Line]:
    parts = [f"95 % interval {row.interval}"] if has_interval and row.interval not in ("", _NONE) else []
    if row.evaluator:
        parts.append(row.evaluator)
    if not parts:
        return ()
    return [(Segment(f"{_GAP}{shorten_middle(', '.join(parts), width - len(_GAP))}", Style.FAINT),)]


def _row(task: TaskSummary, is_finished: bool) -> _Row:
    tally, plan = task.tally, task.plan
    interval = tally.interval if is_finished else None
    return _Row(
        name=visible_line(plan.name),
        style=VERDICT_STYLES[task.verdict] if is_finished else Style.PLAIN,
        counts=_counts(tally),
        delivered=percent(tally.delivered if is_finished else None),
        interval=f"{percent(interval[0])} – {percent(interval[1])}" if interval else _NONE,
        evaluator=visible_line(_evaluator(plan)),
    )


def _evaluator(plan: TaskPlan) -> str:
    """Name who judges: the test by version and digest, since its name stands beside, and its extractors."""
    by = plan.evaluator
    if by is not None and by.kind != "test":
        return str(by)
    extractors = by.settings.get("extractors") if by is not None else None
    used = [
        f"extract.{one.get('name')} v{one.get('version')}"
        for one in (extractors if isinstance(extractors, list) else ())
        if isinstance(one, dict)
    ]
    return ", ".join([f"test v{plan.version} {plan.digest[7:15]}", *used])


def _counts(tally: Tally) -> tuple[str, ...]:
    return str(tally.planned), str(tally.passed), str(tally.failed), str(tally.missing)


def percent(rate: float | None) -> str:
    """Spell a share; what is not all is never shown as 100 %, what is not nothing never as 0 %."""
    if rate is None:
        return _NONE
    if 0.9995 <= rate < 1:
        return "> 99.9 %"
    if 0 < rate < 0.0005:
        return "< 0.1 %"
    return f"{100 * rate:.1f} %"
