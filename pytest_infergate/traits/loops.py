"""Replies that go round in circles."""

from __future__ import annotations

from collections.abc import Sequence

#: A unit that comes fewer times in a row is rhetoric, not a loop.
_LEAST_TURNS = 4
#: Words, or characters of a text without spaces, that a unit may have.
_LONGEST_UNIT = 60
#: Characters that are looked at, from the end: a model that loops does not stop by itself.
_WINDOW = 20_000


def loop_share(text: str) -> float:
    """Return the share of the text's last 20,000 characters that one repeated unit takes up, 0 to 1.

    A unit has up to 60 words (or, where there are hardly any spaces, characters) and comes at least
    four times in a row.
    """
    text = text[-_WINDOW:]
    words = text.split()
    if not words:
        return 0.0
    units: Sequence[str] = words if len(words) * 20 > len(text) else text
    if len(set(units)) * 2 > len(units):
        return 0.0  # too many different ones for a loop that matters
    return max((_longest_run(units, period) for period in _periods(units)), default=0) / len(units)


def _periods(units: Sequence[str]) -> range:
    return range(1, min(_LONGEST_UNIT, len(units) // _LEAST_TURNS) + 1)


def _longest_run(units: Sequence[str], period: int) -> int:
    """Return the length of the longest stretch that repeats with this period, 0 for too few turns."""
    best = run = 0
    for unit, before in zip(units[period:], units, strict=False):
        run = run + 1 if unit == before else 0
        best = max(best, run)
    length = best + period
    return length if length >= _LEAST_TURNS * period else 0
