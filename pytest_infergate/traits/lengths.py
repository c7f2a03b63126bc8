"""Replies far longer than a task's others."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from statistics import median

#: A reply is unusually long from this many times the median on, and this many characters beyond it.
_TIMES, _BEYOND = 4, 200


@dataclass(frozen=True, slots=True)
class UnusualLength:
    """How many replies are unusually long, the longest, whose it is, and the task's median, in characters."""

    count: int
    longest: float
    example: str
    median: float


class Lengths:
    """The lengths of a task's replies: eight bytes for each."""

    def __init__(self) -> None:
        self._lengths = array("d")
        self._longest = (-1.0, "")

    def add(self, length: float, evaluation: str) -> None:
        self._lengths.append(length)
        if length > self._longest[0]:
            self._longest = (length, evaluation)

    def unusual(self) -> UnusualLength | None:
        """Return what is unusually long, ``None`` where nothing is."""
        if not self._lengths:
            return None
        middle = median(self._lengths)
        limit = max(_TIMES * middle, middle + _BEYOND)
        count = sum(length > limit for length in self._lengths)
        return UnusualLength(count, *self._longest, middle) if count else None
