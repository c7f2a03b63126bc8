"""Whether a picture or a clip is as wide and as high as asked for."""

from __future__ import annotations

from ..check import CheckError, CheckResult
from ..clip import Clip
from ..limits import MAX_PIXELS
from ..measure import Measure, number_below, whole_number
from ..picture import Picture

SIZE = Measure(name="size", version="1", unit="px off", higher_is_better=False)


def size(
    media: Picture | Clip, width: int | None = None, height: int | None = None, *, tolerance: float = 0
) -> CheckResult:
    """Hold the decoded size, after orientation, against a width, a height, or both, in pixels.

    The value is the greater of the two deviations; ``None`` leaves a side free.
    Raises ``CheckError`` where neither is given, one is not a whole number above 0, or ``tolerance`` is not
    less than both.
    """
    if width is None and height is None:
        raise CheckError("size: neither width nor height is given; give at least one")
    for name, side in (("width", width), ("height", height)):
        if side is not None:
            whole_number("size", name, side, MAX_PIXELS)
    least = min(side for side in (width, height) if side is not None)
    number_below("size", "tolerance", tolerance, least, holds="a picture of no pixels would do")
    off = max(
        abs(measured - asked)
        for measured, asked in ((media.width, width), (media.height, height))
        if asked is not None
    )
    wanted = f"{'any' if width is None else width} x {'any' if height is None else height}"
    return SIZE.of(media, settings={"width": width, "height": height}).hold(
        off, tolerance, f"{media.width} x {media.height} pixels; asked for: {wanted}"
    )
