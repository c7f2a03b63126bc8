"""Whether a clip lasts as long as asked for."""

from __future__ import annotations

from ..check import CheckError, CheckResult
from ..clip import Clip
from ..measure import Measure, number_below, number_between
from ..picture import Picture

DURATION = Measure(name="duration", version="1", unit="s off", higher_is_better=False)
_TOLERANCE_S = 0.1


def duration(media: Picture | Clip, seconds: float, *, tolerance: float = _TOLERANCE_S) -> CheckResult:
    """Hold the time from the first frame to the end of the last one against ``seconds``.

    It is read from the frames' time stamps: what a header says is not looked at, and of a clip that was cut
    off only what is there counts. The value is the deviation in seconds. A picture has no duration:
    missing. Raises ``CheckError`` for 0 seconds, and a tolerance that is not less than ``seconds``,
    or 0.2.
    """
    if not number_between("duration", "seconds", seconds, 0):
        raise CheckError(f"duration: seconds is {seconds!r}; accepted: a number above 0")
    # As much as the default may be all of a short clip.
    most = max(seconds, 2 * _TOLERANCE_S)
    number_below("duration", "tolerance", tolerance, most, holds="a clip of no time would do")
    if isinstance(media, Picture):
        return DURATION.needs_clip(media)
    return DURATION.of(media, settings={"seconds": seconds}).hold(
        # Time stamps are whole ticks: 1.1 - 1.0 must not exceed 0.1 for the last binary place alone.
        round(abs(media.duration_s - seconds), 9),
        tolerance,
        f"{media.duration_s:.6g} s from time stamps; asked for: {seconds:g} s",
    )
