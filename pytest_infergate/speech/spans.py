"""Stretches of a text, and whether a place lies in one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

#: Marks of one kind (quotes, brackets, tags, lines) that a script may hold: more than a long novel has, and a
#: bound on the work for hostile texts.
MOST_MARKS = 50_000
#: The same for what announces speech: names in front of lines, verbs.
MOST_SPEECHES = 20_000


class Span(NamedTuple):
    """The characters from ``start`` up to ``end``."""

    start: int
    end: int


class TooManyMarksError(ValueError):
    """A text holds more marks of a kind than any script."""

    def __init__(self, what: str, most: int = MOST_MARKS) -> None:
        super().__init__(f"more than {most:,} {what}")


def outermost(spans: Iterable[Span]) -> list[Span]:
    """Return the spans that lie in no other, in order."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not found or span.start >= found[-1].end:
            found.append(span)
    return found


def span_at(spans: Sequence[Span], place: int) -> Span | None:
    """Return the one of ``spans``, apart from each other and in order, in which ``place`` lies."""
    number = bisect_right(spans, place, key=_start_of) - 1
    return spans[number] if number >= 0 and place < spans[number].end else None


def overlapping(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Return those of ``spans``, apart from each other and in order, that share a place with start–end."""
    first = max(0, bisect_right(spans, start, key=_start_of) - 1)
    if first < len(spans) and spans[first].end <= start:
        first += 1
    last = first
    while last < len(spans) and spans[last].start < end:
        last += 1
    return spans[first:last]


def _start_of(span: Span) -> int:
    return span.start
