"""One pass over a clip's frames: what is on each, and which of them change anything."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..evidence import UndecodableMedia
from .backgrounds import luma, on_backgrounds
from .clip import Clip
from .content import (
    block_means,
    block_side,
    blocks_content_share,
    content_share,
    plane_content_share,
    rgb_content_share,
)
from .frame import AnimationFrame, Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What several checks of one clip ask about is looked up; a survey of an hour takes some megabytes.
_KEPT = 4
_surveys: OrderedDict[tuple[str, SurveyRule], Survey] = OrderedDict()


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyRule:
    """How much of a difference is one, in levels of brightness, 0 to 255.

    ``still``: a frame changes the picture where the mean of one of its blocks is more than this far from
    where it was when the picture last changed: a slow drift adds up to a change, and noise does not.
    ``content``: see ``content_share``. ``black``: a pixel no brighter than this is black, a tenth of full
    scale as in FFmpeg's blackdetect.
    """

    still: float = 10
    content: float = 4
    black: int = 25


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time, in seconds from the first frame, and the frames in it, the last one included."""

    begin: float
    end: float
    first: int
    last: int

    @property
    def length(self) -> float:
        return self.end - self.begin

    def as_json(self) -> dict[str, Any]:
        return {
            "seconds": [round(self.begin, 6), round(self.end, 6)],
            "frames": [self.first, self.last],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Every frame of a clip, in order. Arrays have one number for each frame.

    ``begins``: when it is shown, in seconds after the first. ``duration_s``: when the last one ends.
    ``content`` and ``black`` are the shares of the frame, 0 to 1, that are anything but its one colour and
    that are black. ``changes``: whether it differs from the frame that last did; the first one does.
    """

    begins: NDArray[np.float64]
    duration_s: float
    content: NDArray[np.float64]
    black: NDArray[np.float64]
    changes: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.begins)

    @property
    def shown_s(self) -> NDArray[np.float64]:
        """How long each frame is shown, until the next one or the end, in seconds."""
        return np.diff(self.begins, append=self.duration_s)

    def share_of_time(self, frames: NDArray[np.bool_]) -> float:
        """Return the share of the clip's time, 0 to 1, in which these frames are shown.

        Of a clip that lasts no time at all it is the share of its frames.
        """
        if self.duration_s <= 0:
            return float(frames.mean())
        return float(self.shown_s[frames].sum() / self.duration_s)

    def spans(self, frames: NDArray[np.bool_]) -> Iterator[Span]:
        """Yield the stretches of frames for which this is true; one open at the end is closed by it."""
        edges = np.flatnonzero(np.diff(frames.astype(np.int8), prepend=0, append=0))
        for first, after in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            yield self.span(first, after)

    def holds(self) -> Iterator[Span]:
        """Yield the stretches in which nothing changes: from each change to the next one or the end."""
        firsts = np.flatnonzero(self.changes).tolist()
        for first, after in zip(firsts, [*firsts[1:], len(self)], strict=True):
            yield self.span(first, after)

    def span(self, first: int, after: int) -> Span:
        """Return the time from frame ``first`` to where frame ``after`` begins."""
        end = self.duration_s if after == len(self) else float(self.begins[after])
        return Span(float(self.begins[first]), end, first, after - 1)


def survey(clip: Clip, rule: SurveyRule | None = None) -> Survey:
    """Look at every frame of a clip, once for several checks.

    Memory holds one frame, and a few numbers of each.     Raises ``UndecodableMedia`` where the clip does
    not decode to its end.
    """
    rule = rule or SurveyRule()
    key = (clip.sha256, rule)
    if key not in _surveys:
        _surveys[key] = _look_at(clip, rule)
        while len(_surveys) > _KEPT:
            _surveys.popitem(last=False)
    _surveys.move_to_end(key)
    return _surveys[key]


def _look_at(clip: Clip, rule: SurveyRule) -> Survey:
    begins: list[float] = []
    content: list[float] = []
    black: list[float] = []
    changes: list[bool] = []
    anchor: NDArray[np.float32] | None = None
    in_colour: float | None = None
    for frame in clip.frames():
        coded, levels = frame.coded_grey
        level_of = np.frombuffer(levels, np.uint8)
        blocks = level_of[block_means(coded, block_side(*coded.shape)).astype(np.uint8)].astype(np.float32)
        around = _blocks_on_backgrounds(frame) if isinstance(frame, AnimationFrame) else blocks
        changed = anchor is None or bool((np.abs(around - anchor) > rule.still).any())
        if changed:
            anchor = around
        begins.append(frame.time_s)
        changes.append(changed)
        share = blocks_content_share(blocks, tolerance=rule.content)
        if not share:
            share = plane_content_share(frame.grey, blocks, tolerance=rule.content)
        if share:
            in_colour = None
        else:
            # Colours of one brightness; asked once for frames alike, since it costs many times as much.
            if changed or in_colour is None:
                in_colour = _content_in_colour(frame, rule.content)
            share = in_colour
        content.append(share)
        codes_of_black = int(np.count_nonzero(level_of <= rule.black))
        black.append(np.count_nonzero(coded < codes_of_black) / coded.size)
    if not begins:
        raise UndecodableMedia(f"{clip.source} has no frame")
    times = np.array(begins, np.float64)
    return Survey(
        begins=times,
        duration_s=max(clip.duration_s, float(times[-1])),
        content=np.array(content, np.float64),
        black=np.array(black, np.float64),
        changes=np.array(changes, np.bool_),
    )


def _blocks_on_backgrounds(frame: AnimationFrame) -> NDArray[np.float32]:
    """Return the blocks of a frame on black and on white: what is white shows on the one alone."""
    seen = [luma(rgb) for (rgb,) in on_backgrounds(frame.rgba)]
    return np.stack([block_means(seen[side], block_side(*seen[side].shape)) for side in (0, -1)])


def _content_in_colour(frame: Frame, tolerance: float) -> float:
    if isinstance(frame, AnimationFrame):
        return content_share(frame.rgba, tolerance=tolerance)
    return rgb_content_share(frame.rgb, tolerance=tolerance)
