"""An alignment as text: reference above hypothesis, the kind of every error below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import category

from ..evidence.width import fit, shorten_middle, text_width
from .alignment import Alignment, Operation, Unit

_MARKS = {
    Operation.HIT: "",
    Operation.SUBSTITUTION: "S",
    Operation.DELETION: "D",
    Operation.INSERTION: "I",
}
_LABELS = ("REF  ", "HYP  ", "     ")
_LEFT_OUT = "…"
_NARROWEST = 20


@dataclass(frozen=True, slots=True)
class _Column:
    reference: str
    hypothesis: str
    mark: str

    @property
    def width(self) -> int:
        return max(text_width(self.reference), text_width(self.hypothesis), len(self.mark))


def aligned_text(alignment: Alignment, *, width: int = 100, context: int = 3, rows: int = 10) -> list[str]:
    """Return lines of at most ``width`` columns (20 at least) that show the errors of an alignment.

    Three lines a row: ``REF``, ``HYP``, and S, D or I under a substitution, deletion or insertion. A gap is
    blank. Around every error stand ``context`` tokens; what is further off is ``…``. After ``rows`` rows one
    line says how many errors are left. Empty without an error. Wide characters take two columns, marks that
    stand alone are shown on a dotted circle, the space as a token is ``␣``.
    """
    room = max(width, _NARROWEST) - len(_LABELS[0])
    gap = "" if alignment.unit is Unit.CHARACTER else " "
    lines: list[str] = []
    shown = 0
    for made, row in enumerate(_folded(_near_errors(alignment, context), room, len(gap))):
        if made == rows:
            left = alignment.errors - shown
            lines.append(f"… {left} more error{'s' if left > 1 else ''}")
            break
        columns = [_line(row, part, gap) for part in ("reference", "hypothesis", "mark")]
        lines += [f"{label}{text}".rstrip() for label, text in zip(_LABELS, columns, strict=True)]
        shown += sum(bool(column.mark) for column in row)
    return lines


def _line(row: Sequence[_Column], part: str, gap: str) -> str:
    return gap.join(fit(getattr(column, part), column.width) for column in row)


def _folded(columns: Iterator[_Column], room: int, gap: int) -> Iterator[list[_Column]]:
    row: list[_Column] = []
    used = 0
    for column in columns:
        if column.width > room:
            column = _Column(
                shorten_middle(column.reference, room), shorten_middle(column.hypothesis, room), column.mark
            )
        if row and used + gap + column.width > room:
            yield row
            row, used = [], 0
        used += column.width + (gap if row else 0)
        row.append(column)
    if row:
        yield row


def _near_errors(alignment: Alignment, context: int) -> Iterator[_Column]:
    """Every error, with ``context`` tokens that were heard right on both sides."""
    last = len(alignment.chunks) - 1
    if not alignment.errors:
        return
    for number, chunk in enumerate(alignment.chunks):
        expected = alignment.reference[chunk.reference_start : chunk.reference_end]
        heard = alignment.hypothesis[chunk.hypothesis_start : chunk.hypothesis_end]
        if chunk.operation is not Operation.HIT:
            for at in range(max(len(expected), len(heard))):
                yield _column(expected[at : at + 1], heard[at : at + 1], _MARKS[chunk.operation])
            continue
        before = context if number else 0
        after = context if number < last else 0
        left_out = len(expected) - before - after
        if left_out < 2:
            before, left_out = len(expected), 0
        for token in expected[:before]:
            yield _column((token,), (token,), "")
        if left_out:
            yield _Column(_LEFT_OUT, _LEFT_OUT, "")
            for token in expected[len(expected) - after :]:
                yield _column((token,), (token,), "")


def _column(expected: tuple[str, ...], heard: tuple[str, ...], mark: str) -> _Column:
    return _Column("".join(map(_shown, expected)), "".join(map(_shown, heard)), mark)


def _shown(token: str) -> str:
    if token == " ":
        return "␣"
    visible = token if token.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in token)
    return f"◌{visible}" if category(visible[0])[0] == "M" else visible
