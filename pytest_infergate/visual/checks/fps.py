"""Whether a clip shows as many frames a second as asked for."""

from __future__ import annotations

from ...evidence import Reason
from ..check import CheckError, CheckResult
from ..clip import Clip
from ..measure import Measure, number_below, number_between
from ..picture import Picture

FPS = Measure(name="fps", version="1", unit="fps off", higher_is_better=False)
_TOLERANCE = 0.1


def fps(media: Picture | Clip, rate: float, *, tolerance: float = _TOLERANCE) -> CheckResult:
    """Hold the frames that decode, divided by the time they are shown, against ``rate``.

    The value is the deviation, in frames a second. The detail says the longest time that a frame is shown: of
    a variable rate the mean alone says little. One frame has no rate: missing. Raises ``CheckError`` for a
    rate of 0, and a tolerance that is not less than ``rate``, or 0.2.
    """
    if not number_between("fps", "rate", rate, 0):
        raise CheckError(f"fps: rate is {rate!r}; accepted: a number above 0")
    # As much as the default may be all of a slow rate.
    most = max(rate, 2 * _TOLERANCE)
    number_below("fps", "tolerance", tolerance, most, holds="a clip that stands still would do")
    if isinstance(media, Picture):
        return FPS.needs_clip(media)
    settings = {"rate": rate}
    if media.frame_count < 2:
        return FPS.of(media, settings=settings).miss(
            Reason.NOT_EXERCISED, "needs_two_frames: one frame has no rate"
        )
    return FPS.of(media, settings=settings, frames={"rule": "all", "count": media.frame_count}).hold(
        round(abs(media.frame_rate - rate), 9),
        tolerance,
        f"{media.frame_rate:.6g} frames a second ({media.frame_count} in {media.duration_s:.6g} s, none "
        f"shown for longer than {media.longest_frame_s:.4g} s); asked for: {rate:g}",
    )
