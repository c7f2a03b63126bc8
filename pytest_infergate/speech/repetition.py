"""Words that a transcript says again and the speaker did not: what decoders do at a cut and in a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .alignment import Alignment, Unit

#: Tokens that a unit may have.
_LONGEST = 30
#: How often in a row makes a repetition: doubled letters are spelling.
_LEAST_TURNS = {Unit.WORD: 2, Unit.CHARACTER: 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """Tokens that come ``times`` in a row in the hypothesis and less often in the reference.

    ``share``: how much of the hypothesis the surplus turns are, above 0, below 1.
    """

    tokens: tuple[str, ...]
    times: int
    share: float


def find_repetition(alignment: Alignment) -> Repetition | None:
    """Return the repetition with the most surplus tokens, of a unit of up to 30; ``None`` without one.

    What the reference repeats as often is none. Two words in a row are enough, four characters.
    """
    if not alignment.errors:
        return None
    least = _LEAST_TURNS[alignment.unit]
    spoken: dict[tuple[str, ...], int] = {}
    for unit, times in _runs(alignment.reference, 2):
        turned = _in_any_turn(unit)
        spoken[turned] = max(spoken.get(turned, 1), times)
    worst: tuple[int, tuple[str, ...], int] | None = None
    for unit, times in _runs(alignment.hypothesis, least):
        surplus = (times - spoken.get(_in_any_turn(unit), 1)) * len(unit)
        if surplus > (worst[0] if worst else 0):
            worst = surplus, unit, times
    if worst is None:
        return None
    return Repetition(tokens=worst[1], times=worst[2], share=worst[0] / len(alignment.hypothesis))


def _runs(tokens: Sequence[str], least: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every unit that comes ``least`` times in a row or more, with how often."""
    for period in range(1, min(_LONGEST, len(tokens) // least) + 1):
        same = 0
        for at in range(period, len(tokens)):
            same = same + 1 if tokens[at] == tokens[at - period] else 0
            is_over = at + 1 == len(tokens) or tokens[at + 1] != tokens[at + 1 - period]
            if same and is_over and same // period + 1 >= least:
                start = at + 1 - same - period
                unit = tuple(tokens[start : start + period])
                if not _is_repeated(unit):
                    yield unit, same // period + 1


def _is_repeated(unit: tuple[str, ...]) -> bool:
    """Whether it is itself a shorter unit several times."""
    size = len(unit)
    return any(size % part == 0 and unit == unit[:part] * (size // part) for part in range(1, size // 2 + 1))


def _in_any_turn(unit: tuple[str, ...]) -> tuple[str, ...]:
    """Return the same for a b a b and b a b a."""
    return min(unit[at:] + unit[:at] for at in range(len(unit)))
