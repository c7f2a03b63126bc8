"""Whether a clip is the one expected, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from ...evidence import Reason
from ..check import CheckError, CheckResult, ShownFile
from ..clip import Clip
from ..content import content_share
from ..difference_picture import shown_difference
from ..frame import AnimationFrame, Frame
from ..measure import Measure, number_below
from ..picture import Picture
from ..pixel_difference import pixel_difference

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAME_CLIP = Measure(name="same_clip", version="2", unit="ratio", higher_is_better=False)
#: See ``matches``.
_FLAT = 4


@dataclass(slots=True)
class _Worst:
    """The pair of frames that differs most so far."""

    share: float = -1.0
    index: int = 0
    frames: tuple[NDArray[np.uint8], NDArray[np.uint8]] | None = None


def same_clip(
    actual: Picture | Clip,
    expected: Clip,
    *,
    tolerance: float = 0,
    limit: float = 0,
    time_tolerance: float = 0.005,
) -> CheckResult:
    """Hold every frame of a clip against the frame of the same number of the expected one.

    The clips have to agree in size, in the number of frames, and in when each is shown, within
    ``time_tolerance`` seconds; else they are not the same and nothing is measured: neither is cut to the
    other's length, and no frame is repeated. The value is the greatest share of pixels of one frame that
    differ by more than ``tolerance`` levels, see ``pixel_difference``; ``limit`` is the greatest that is
    accepted. Clips of blank frames throughout that seem the same are missing, low information. What differs
    comes with pictures of its worst frame.

    Raises ``UndecodableMedia`` where one of them does not decode to its end.
    """
    number_below("same_clip", "tolerance", tolerance, 255)
    number_below("same_clip", "limit", limit, 1)
    if not isinstance(expected, Clip):
        raise CheckError(
            f"same_clip: expected is {type(expected).__name__}; accepted: a Clip, or use matches"
        )
    number_below(
        "same_clip", "time_tolerance", time_tolerance, expected.duration_s, holds="any time would do"
    )
    settings = {"tolerance": tolerance, "time_tolerance": time_tolerance}
    if isinstance(actual, Picture):
        return SAME_CLIP.needs_clip(actual)
    measured = SAME_CLIP.of(actual, settings=settings, against=expected)
    if expected.cut is not None:
        detail = f"the expected clip {expected.source} is cut off: {expected.cut}"
        return measured.miss(Reason.UNDECODABLE_MEDIA, detail)
    if (actual.width, actual.height) != (expected.width, expected.height):
        sizes = f"{actual.width} x {actual.height} against {expected.width} x {expected.height} pixels"
        return measured.fail(limit, sizes)
    worst, late, counts, is_flat = _Worst(), 0.0, [0, 0], True
    for one, other in zip_longest(actual.frames(), expected.frames()):
        counts[0] += one is not None
        counts[1] += other is not None
        if one is None or other is None:
            continue
        late = max(late, abs(one.time_s - other.time_s))
        pair = _pixels(one), _pixels(other)
        share = pixel_difference(*pair, tolerance=tolerance).share
        is_flat = is_flat and all(content_share(frame, tolerance=_FLAT) == 0 for frame in pair)
        if share > worst.share:
            worst = _Worst(share, one.index, pair)
    frames: dict[str, Any] = {"rule": "all", "count": counts[0], "expected": counts[1], "worst": worst.index}
    measured = replace(measured, frames=frames)
    problem = _unequal(actual, expected, counts, late, time_tolerance)
    if problem or worst.frames is None:
        return measured.fail(limit, problem or "no frames")
    if is_flat and worst.share <= limit:
        detail = "low information: every frame of both clips is of one colour"
        return measured.miss(Reason.EMPTY_REFERENCE, detail)
    return measured.hold(
        worst.share,
        limit,
        f"{counts[0]} frames each; in the worst, frame {worst.index}, {worst.share:.4%} of the pixels differ "
        f"by more than {tolerance:g}",
        artifacts=() if worst.share <= limit else _shown(*worst.frames, tolerance),
    )


def _unequal(actual: Clip, expected: Clip, counts: list[int], late: float, time_tolerance: float) -> str:
    """Return how the clips differ as a whole, nothing where they do not."""
    if counts[0] != counts[1]:
        return f"{counts[0]} frames against {counts[1]}"
    if abs(actual.duration_s - expected.duration_s) > time_tolerance:
        return f"{actual.duration_s:.6g} s against {expected.duration_s:.6g} s"
    if late > time_tolerance:
        return f"frames of the same number are shown up to {late:.4g} s apart"
    return ""


def _pixels(frame: Frame) -> NDArray[np.uint8]:
    if isinstance(frame, AnimationFrame):
        return frame.rgba
    rgb = frame.rgb
    pixels = np.full((*rgb.shape[:2], 4), 255, np.uint8)
    pixels[..., :3] = rgb
    return pixels


def _shown(one: NDArray[np.uint8], other: NDArray[np.uint8], tolerance: float) -> tuple[ShownFile, ...]:
    return shown_difference(one, other, pixel_difference(one, other, tolerance=tolerance).differs)
