"""Whether a clip lasts as long as asked for."""

from __future__ import annotations

from ..check import CheckResult
from ..clip import Clip
from ..measure import Measure, number_between
from ..picture import Picture

DURATION = Measure(name="duration", version="1", unit="s off", higher_is_better=False)


def duration(media: Picture | Clip, seconds: float, *, tolerance: float = 0.1) -> CheckResult:
    """Hold the time from the first frame to the end of the last one against ``seconds``.

    It is read from the frames' time stamps: what a header says is not looked at, and of a clip that was cut
    off only what is there counts. The value is the deviation in seconds. A picture has no duration:
    missing.
    """
    number_between("duration", "seconds", seconds, 0)
    number_between("duration", "tolerance", tolerance, 0)
    if isinstance(media, Picture):
        return DURATION.needs_clip(media)
    return DURATION.hold(
        media,
        # Time stamps are whole ticks: 1.1 - 1.0 must not exceed 0.1 for the last binary place alone.
        round(abs(media.duration_s - seconds), 9),
        tolerance,
        f"{media.duration_s:.6g} s from time stamps; asked for: {seconds:g} s",
        settings={"seconds": seconds},
    )
