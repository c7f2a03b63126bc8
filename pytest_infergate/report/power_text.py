"""Whether a task has enough samples for what a comparison asks of it."""

from __future__ import annotations

from collections.abc import Sequence

from ..compare.power_of_task import TaskPower
from ..evidence.width import fit, fit_right, text_width
from .lines import Line, Segment, Style, heading, line, wrapped
from .table import NARROWEST, percent
from .visible import visible_line

_FLIPS = "where verdicts flip"
_TOO_SMALL = "  too small"
_SMALLEST_NAME = 12


def power_lines(powers: Sequence[TaskPower], without_dataset: Sequence[str], width: int) -> list[Line]:
    """Return a table of tasks and of the samples that comparisons with them take.

    ``without_dataset`` are tasks that are judged by their flips alone.
    """
    width = max(width, NARROWEST)
    lines: list[Line] = [heading("samples that a comparison takes")]
    if powers:
        lines += _table(powers, width)
    if any(power.is_too_small for power in powers):
        lines += wrapped(
            "too small: a candidate that neither gains nor loses stays inconclusive",
            width,
            first="  ",
            rest="  ",
        )
    if powers:
        told = (
            "no flip: the fewest samples that can be no worse at all; the others: samples with which a "
            "candidate that is as good is called so four times of five, where this share of verdicts flips"
        )
        lines += wrapped(told, width, first="  ", rest="  ")
    for name in without_dataset:
        told = "has no data set, so flips alone decide and no number of samples is asked"
        lines += wrapped(f"{visible_line(name)}: {told}", width, first="  ", rest="    ")
    if not powers and not without_dataset:
        lines.append(line("  no task"))
    return lines


def power_warning(power: TaskPower) -> str | None:
    """Return one line on a task too small for its margin, ``None`` for one that is large enough.

    ``power`` has at least one share of flips where it is too small. Where flips were measured, a task is
    large enough that decides four times of five.
    """
    name, margin = visible_line(power.task), f"{power.margin:g}"
    if power.smallest is None:
        return f"{name}: no number of samples shows a loss of less than 0; its margin is {margin}"
    if power.is_too_small:
        return (
            f"{name}: {power.samples} samples cannot show a loss of less than {margin}, unless it gains; "
            f"that takes {power.smallest} if no verdict flips, {_to_decide(power)}"
        )
    if power.flip_rate is not None:
        needed = power.to_decide[0][1]
        if needed is None or power.samples < needed:
            return (
                f"{name}: {power.samples} samples will hardly show a loss of less than {margin}; that takes "
                f"{_to_decide(power)}"
            )
    return None


def _to_decide(power: TaskPower) -> str:
    rate = power.flip_rate
    told = [
        f"{'no number' if needed is None else f'about {needed:,}'} if {percent(share)} flip"
        for share, needed in power.to_decide
    ]
    if rate is not None:
        return f"{told[0]}, as {rate.flips:,} of {rate.pairs:,} did from run to run"
    return " or ".join(told)


def _table(powers: Sequence[TaskPower], width: int) -> list[Line]:
    """Return a row for each task; the shares of flips have lines of their own where the screen is narrow."""
    rows = [[_count(p.samples), f"{p.margin:g}", _count(p.smallest)] for p in powers]
    titles = ["samples", "margin", "no flip"]
    widths = [max(text_width(row[n]) for row in [titles, *rows]) for n in range(3)]
    shares = [_shares(power) for power in powers]
    ends = [text_width(_TOO_SMALL) if power.is_too_small else 0 for power in powers]
    beside = max(text_width(text) + end for text, end in zip([_FLIPS, *shares], [0, *ends], strict=True))
    room = width - sum(widths) - 10 - beside
    is_beside = room >= _SMALLEST_NAME
    names = [visible_line(power.task) for power in powers]
    longest = max(text_width(name) for name in ["task", *names])
    name_width = min(longest, room if is_beside else width - sum(widths) - 8 - text_width(_TOO_SMALL))

    def told(name: str, row: Sequence[str], share: str) -> str:
        numbers = "".join(f"  {fit_right(row[n], widths[n])}" for n in range(3))
        return f"  {fit(name, name_width)}{numbers}{f'  {share}' if is_beside else ''}".rstrip()

    lines = [line(Segment(told("task", titles, _FLIPS), Style.FAINT))]
    for power, name, row, share in zip(powers, names, rows, shares, strict=True):
        end = Segment(_TOO_SMALL if power.is_too_small else "", Style.MISSING)
        lines.append(line(told(name, row, share), end))
        if not is_beside:
            lines += wrapped(f"{_FLIPS}: {share}", width, first="    ", rest="      ")
    return lines


def _shares(power: TaskPower) -> str:
    shares = [f"{percent(share)}: {_count(needed)}" for share, needed in power.to_decide]
    return ", ".join(shares) + (" (measured)" if power.flip_rate is not None else "")


def _count(number: int | None) -> str:
    return "none" if number is None else f"{number:,}"
