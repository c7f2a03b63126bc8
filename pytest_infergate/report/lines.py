"""Lines of text with a meaning to each part, for whoever can colour it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ..evidence import Verdict
from ..evidence.width import wrap


class Style(Enum):
    """What a part of a line means; how that looks is up to the terminal."""

    PLAIN = "plain"
    HEADING = "heading"
    FAINT = "faint"
    PASSED = "passed"
    FAILED = "failed"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a line. ``text`` holds no line break and nothing that a terminal would obey."""

    text: str
    style: Style = Style.PLAIN


Line: TypeAlias = "tuple[Segment, ...]"

VERDICT_STYLES = {
    Verdict.PASSED: Style.PASSED,
    Verdict.FAILED: Style.FAILED,
    Verdict.MISSING: Style.MISSING,
}


def line(*parts: str | Segment) -> Line:
    """Make a line of parts; a bare string is plain."""
    return tuple(Segment(part) if isinstance(part, str) else part for part in parts)


def heading(text: str) -> Line:
    return (Segment(text, Style.HEADING),)


def wrapped(text: str, width: int, *, first: str, rest: str) -> list[Line]:
    """Break visible text at spaces into lines of ``width`` columns, indented by ``first``, then ``rest``."""
    rows = wrap(text, max(width - len(rest), 40))
    return [line(f"{rest if number else first}{row}") for number, row in enumerate(rows)]


def plain_text(lines: Iterable[Line]) -> str:
    """Return the lines without their styles, each ended by a line break."""
    return "".join("".join(segment.text for segment in parts).rstrip() + "\n" for parts in lines)


def ansi_text(lines: Iterable[Line]) -> str:
    """Return the lines with ANSI colours, each ended by a line break."""
    text = []
    for parts in lines:
        for segment in parts:
            code = _ANSI.get(segment.style)
            text.append(f"\x1b[{code}m{segment.text}\x1b[0m" if code else segment.text)
        text.append("\n")
    return "".join(text)


_ANSI = {
    Style.HEADING: "1",
    Style.FAINT: "2",
    Style.PASSED: "32",
    Style.FAILED: "31",
    Style.MISSING: "33",
}
