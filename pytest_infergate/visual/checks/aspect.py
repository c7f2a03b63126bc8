"""Whether the sides of a picture or a clip have the proportion asked for."""

from __future__ import annotations

import math
import re

from ..check import CheckError, CheckResult
from ..clip import Clip
from ..measure import Measure, number_between
from ..picture import Picture

ASPECT = Measure(name="aspect", version="1", unit="ratio off", higher_is_better=False)


def aspect(media: Picture | Clip, ratio: str | float, *, tolerance: float = 0.01) -> CheckResult:
    """Hold width divided by height, of what is shown, against ``"16:9"`` or a number.

    Shown is after orientation, and with the pixels of a clip as wide as it says. The value is the relative
    deviation, ``max(measured / asked, asked / measured) - 1``: 0.01 is one percent, in either direction.
    Raises ``CheckError`` for a ratio that is none.
    """
    asked = _parse_ratio(ratio)
    number_between("aspect", "tolerance", tolerance, 0)
    measured = media.width / media.height
    if isinstance(media, Clip):
        measured *= media.pixel_aspect
    return ASPECT.hold(
        media,
        max(measured / asked, asked / measured) - 1,
        tolerance,
        f"{media.width} x {media.height} pixels are shown as {measured:.6g}; asked for: {ratio}",
        settings={"ratio": asked},
    )


def _parse_ratio(ratio: str | float) -> float:
    if isinstance(ratio, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[:/x]\s*(\d+(?:\.\d+)?)\s*", ratio)
        width, height = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
        value = width / height if height else 0.0
    else:
        value = 0.0 if isinstance(ratio, bool) or not isinstance(ratio, (int, float)) else float(ratio)
    if not (math.isfinite(value) and value > 0):
        raise CheckError(f"aspect: ratio is {ratio!r}; accepted: text such as '16:9', or a number above 0")
    return value
