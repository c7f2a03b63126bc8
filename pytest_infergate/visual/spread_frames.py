"""A few frames of a clip, spread over its time."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from .measure import whole_number

if TYPE_CHECKING:
    from .clip import Clip
    from .frame import Frame

#: Names the rule in records.
SPREAD_RULE = "middles of equal parts of the time"
MOST_SAMPLES = 1000


def check_samples(check: str, samples: int) -> None:
    """Raise ``CheckError`` for a number of frames that is not from 1 to 1,000."""
    whole_number(check, "samples", samples, MOST_SAMPLES)


def spread_frames(clip: Clip, count: int) -> Iterator[Frame]:
    """Yield what is shown in the middle of each of ``count`` equal parts of the clip's time, in order.

    A frame that is shown in the middle of several parts comes once. Memory holds a few frames.
    """
    middles = [clip.duration_s * (part + 0.5) / count for part in range(count)]
    last: Frame | None = None
    with closing(_frames_of(clip)) as frames:
        for last in frames:
            due = [middle for middle in middles if middle < last.time_s + last.duration_s]
            if due:
                yield last
                middles = middles[len(due) :]
            if not middles:
                return
    if last is not None:
        # Time stamps that leave a gap at the end: the last frame is what is shown then.
        yield last


def _frames_of(clip: Clip) -> Generator[Frame, None, None]:
    yield from clip.frames()
