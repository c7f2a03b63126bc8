"""The table of a comparison: a row for each task on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..compare import Outcome, PairedDifference, PairedTable, TaskComparison
from ..evidence.width import fit, fit_right, text_width
from .lines import Line, Segment, Style, heading, line
from .table import NARROWEST, percent
from .visible import visible_line

#: From here the difference has columns, and from here the rates; below they are in a line under the task.
_WIDE = 108
_MIDDLE = 72
_GAP = "  "
_SMALLEST_NAME = 12
_LONGEST_NAME = 40
_NONE = "–"

OUTCOME_STYLES = {
    Outcome.UNCHANGED: Style.PASSED,
    Outcome.IMPROVED: Style.PASSED,
    Outcome.NO_WORSE: Style.PASSED,
    Outcome.REGRESSED: Style.FAILED,
    Outcome.INCONCLUSIVE: Style.MISSING,
    Outcome.INCOMPARABLE: Style.MISSING,
    Outcome.MISSING: Style.MISSING,
}


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    style: Style
    outcome: str
    rates: tuple[str, str]
    difference: tuple[str, str]
    flips: tuple[str, ...]


_HEADS = _Row(
    "task",
    Style.HEADING,
    "outcome",
    ("base", "candidate"),
    ("difference", "95 % interval"),
    ("lost", "gained", "pairs"),
)


def comparison_table(tasks: Sequence[TaskComparison], width: int) -> list[Line]:
    """Return outcome, rates, difference in percentage points and flips of each task in ``width`` columns.

    Rates are of the pairs; ``≥`` where some are missing on a side. ``pairs`` counts evaluations.
    """
    width = max(width, NARROWEST)
    rows = [_row(task) for task in tasks]
    heads = _cells(_HEADS, width)
    cells = [_cells(row, width) for row in rows]
    sizes = [max(map(text_width, column)) for column in zip(heads, *cells, strict=True)]
    outcome = max(len(row.outcome) for row in (_HEADS, *rows))
    room = width - outcome - len(_GAP) - sum(size + len(_GAP) for size in sizes)
    longest = max((text_width(row.name) for row in rows), default=0)
    name = max(min(longest, room, _LONGEST_NAME), _SMALLEST_NAME)
    title = f"{fit(_HEADS.name, name)}{_GAP}{fit(_HEADS.outcome, outcome)}{_side_by_side(heads, sizes)}"
    lines = [heading(title)]
    for row, values in zip(rows, cells, strict=True):
        lines.append(
            line(
                f"{fit(row.name, name)}{_GAP}",
                Segment(fit(row.outcome, outcome), row.style),
                _side_by_side(values, sizes),
            )
        )
        lines += _below(row, width)
    return lines


def points(value: float) -> str:
    """Spell a difference of rates in percentage points, with its sign; what is not 0 is never shown as 0."""
    scaled = 100 * value
    if scaled and abs(scaled) < 0.05:
        return f"{scaled:+.1g}"
    return f"{scaled + 0.0:+.1f}" if scaled else "0.0"


def _row(task: TaskComparison) -> _Row:
    table = task.table or PairedTable()
    counted = task.table is not None
    return _Row(
        name=visible_line(task.task),
        style=OUTCOME_STYLES[task.outcome],
        outcome=str(task.outcome),
        rates=(_rate(table.both + table.lost, table), _rate(table.both + table.gained, table)),
        difference=_difference(task.difference),
        flips=tuple(f"{n:,}" if counted else _NONE for n in (table.lost, table.gained, table.pairs)),
    )


def _rate(passed: int, table: PairedTable) -> str:
    if not table.pairs:
        return _NONE
    return f"{'≥ ' if table.unresolved else ''}{percent(passed / table.pairs)}"


def _difference(difference: PairedDifference | None) -> tuple[str, str]:
    if difference is None:
        return _NONE, _NONE
    return points(difference.value), f"{points(difference.low)} to {points(difference.high)}"


def _cells(row: _Row, width: int) -> tuple[str, ...]:
    rates = row.rates if width >= _MIDDLE else ()
    return (*rates, *(row.difference if width >= _WIDE else ()), *row.flips)


def _below(row: _Row, width: int) -> list[Line]:
    """Return what has no columns in ``width``, where there is any."""
    parts = []
    if width < _MIDDLE and row.rates[0] != _NONE:
        parts.append(f"base {row.rates[0]}, candidate {row.rates[1]}")
    if width < _WIDE and row.difference[0] != _NONE:
        parts.append(f"difference {row.difference[0]}, 95 % interval {row.difference[1]}")
    return [(Segment(f"{_GAP}{part}", Style.FAINT),) for part in parts]


def _side_by_side(values: Sequence[str], sizes: Sequence[int]) -> str:
    return "".join(f"{_GAP}{fit_right(value, size)}" for value, size in zip(values, sizes, strict=True))
