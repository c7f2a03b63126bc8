"""Whether the sides of a picture or a clip have the proportion asked for."""

from __future__ import annotations

import re

from ..check import CheckError, CheckResult
from ..clip import Clip
from ..limits import MAX_PIXELS
from ..measure import Measure, number_below
from ..picture import Picture

ASPECT = Measure(name="aspect", version="1", unit="ratio off", higher_is_better=False)
#: A picture has at most so many pixels, all of them side by side.
_MOST = MAX_PIXELS + 1


def aspect(media: Picture | Clip, ratio: str | float, *, tolerance: float = 0.01) -> CheckResult:
    """Hold width divided by height, of what is shown, against ``"16:9"`` or a number.

    Shown is after orientation, and with the pixels of a clip as wide as it says. The value is the relative
    deviation, ``max(measured / asked, asked / measured) - 1``: 0.01 is one percent, in either direction.
    Raises ``CheckError`` for a ratio that is none, and a tolerance that is not less than 1.
    """
    asked = _parse_ratio(ratio)
    number_below("aspect", "tolerance", tolerance, 1, holds="a square would do for 2:1")
    measured = media.width / media.height
    if isinstance(media, Clip):
        measured *= media.pixel_aspect
    return ASPECT.of(media, settings={"ratio": asked}).hold(
        max(measured / asked, asked / measured) - 1,
        tolerance,
        f"{media.width} x {media.height} pixels are shown as {measured:.6g}; asked for: {ratio}",
    )


def _parse_ratio(ratio: str | float) -> float:
    if isinstance(ratio, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[:/x]\s*(\d+(?:\.\d+)?)\s*", ratio)
        width, height = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
        value = width / height if height else 0.0
    else:
        is_number = isinstance(ratio, (int, float)) and not isinstance(ratio, bool)
        value = float(ratio) if is_number and abs(ratio) < _MOST else 0.0
    if not 1 / _MOST < value < _MOST:
        raise CheckError(
            f"aspect: ratio is {ratio!r:.80}; accepted: text such as '16:9', or a number above 0"
        )
    return value
