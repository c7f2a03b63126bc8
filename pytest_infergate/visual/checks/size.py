"""Whether a picture or a clip is as wide and as high as asked for."""

from __future__ import annotations

from ..check import CheckError, CheckResult
from ..clip import Clip
from ..measure import Measure, number_between
from ..picture import Picture

SIZE = Measure(name="size", version="1", unit="px off", higher_is_better=False)


def size(
    media: Picture | Clip, width: int | None = None, height: int | None = None, *, tolerance: float = 0
) -> CheckResult:
    """Hold the decoded size, after orientation, against a width, a height, or both, in pixels.

    The value is the greater of the two deviations; ``None`` leaves a side free.
    Raises ``CheckError`` where neither is given, or one is not a whole number above 0.
    """
    if width is None and height is None:
        raise CheckError("size: neither width nor height is given; give at least one")
    for name, side in (("width", width), ("height", height)):
        if side is not None and (isinstance(side, bool) or not isinstance(side, int) or side < 1):
            raise CheckError(f"size: {name} is {side!r}; accepted: a whole number above 0")
    number_between("size", "tolerance", tolerance, 0)
    off = max(
        abs(measured - asked)
        for measured, asked in ((media.width, width), (media.height, height))
        if asked is not None
    )
    wanted = f"{'any' if width is None else width} x {'any' if height is None else height}"
    return SIZE.hold(
        media,
        off,
        tolerance,
        f"{media.width} x {media.height} pixels; asked for: {wanted}",
        settings={"width": width, "height": height},
    )
