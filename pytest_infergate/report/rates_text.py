"""Rates over the clips of each task together, with the tail that a sum hides."""

from __future__ import annotations

from collections.abc import Sequence

from ..evidence.width import fit_right, shorten_middle
from ..runs import ScoreRate, TaskSummary
from .lines import Line, Segment, Style, heading, line, wrapped
from .table import percent
from .visible import visible_line

#: With less room a name stands below its figures.
_SHORTEST_NAME = 16
_BELOW = " " * 6
_COLUMNS = ("rate", "95 % interval", "median", "above 50 %", "clips")


def rate_lines(tasks: Sequence[TaskSummary], width: int) -> list[Line]:
    """Return a section of rates, none where no clip was measured.

    ``above 50 %`` is the share of clips whose own rate is above one half. Below each stand the normalizer and
    who heard.
    """
    rates = [(visible_line(task.plan.name), rate) for task in tasks for rate in task.rates]
    if not rates:
        return []
    rows = [_COLUMNS, *(_columns(rate) for _, rate in rates)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_COLUMNS))]
    shown = [
        "  " + "  ".join(fit_right(text, room) for text, room in zip(row, widths, strict=True))
        for row in rows
    ]
    lines: list[Line] = [(), heading("error rates, over all clips of a task"), line(shown[0])]
    for numbers, (task, rate) in zip(shown[1:], rates, strict=True):
        name, room = f"{rate.name} {task}", width - len(numbers) - 2
        if room < _SHORTEST_NAME:
            lines += [line(numbers), line(f"{_BELOW}{shorten_middle(name, width - len(_BELOW))}")]
        else:
            lines.append(line(f"{numbers}  ", shorten_middle(name, room)))
        style = Style.MISSING if rate.is_fallback else Style.FAINT
        for below in wrapped(_by(rate), width, first=_BELOW, rest=_BELOW):
            lines.append(tuple(Segment(part.text, style) for part in below))
    return lines


def _columns(rate: ScoreRate) -> tuple[str, ...]:
    corpus = rate.corpus
    interval = corpus.interval
    return (
        percent(corpus.rate),
        f"{percent(interval[0])} – {percent(interval[1])}" if interval else percent(None),
        percent(corpus.median),
        percent(corpus.share_above_half),
        f"{rate.measured} of {rate.planned}",
    )


def _by(rate: ScoreRate) -> str:
    settings = rate.evaluator.settings
    by = rate.evaluator.backend or ("no transcriber" if "transcriber" in settings else "")
    parts = [
        f"normalizer {settings.get('normalizer')} v{settings.get('normalizer_version', '?')}",
        f"{settings.get('unit', 'words')} counted",
        *([f"{'by the fallback' if rate.is_fallback else 'by'} {by}"] if by else []),
    ]
    return visible_line(", ".join(parts), 400)
