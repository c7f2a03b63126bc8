"""A long clip in pieces that fit into memory, cut where it is quiet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .audio import RATE, Audio

if TYPE_CHECKING:
    from .audio import Samples

#: No piece is longer; clips up to this length are one piece.
PIECE_S = 600.0
#: A cut is made in the quietest window of the last so many seconds of a piece.
_SEARCHED_S = 60.0
_WINDOW_S = 0.5


def pieces_of(audio: Audio, longest_s: float = PIECE_S) -> Iterator[tuple[float, Samples]]:
    """Yield where each piece begins, in seconds, and its samples: mono, 16 kHz, float32.

    Together they are all of the clip. Raises ``UndecodableMedia`` where it changed since.
    """
    import numpy

    longest = round(longest_s * RATE)
    begins = 0
    rest = numpy.zeros(0, numpy.float32)
    for block in audio.blocks():
        rest = numpy.concatenate([rest, block])
        while rest.size > longest:
            cut = _quietest(rest[:longest])
            yield begins / RATE, rest[:cut]
            begins, rest = begins + cut, rest[cut:]
    if rest.size:
        yield begins / RATE, rest


def _quietest(samples: Samples) -> int:
    """Return the middle of the quietest window near the end."""
    import numpy

    window = round(_WINDOW_S * RATE)
    first = max(samples.size // 2, samples.size - round(_SEARCHED_S * RATE))
    count = (samples.size - first) // window
    if not count:
        return samples.size
    windows = samples[first : first + count * window].astype(numpy.float64).reshape(count, window)
    return first + int((windows**2).sum(axis=1).argmin()) * window + window // 2
