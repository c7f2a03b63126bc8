"""Whether a picture or a clip decodes whole."""

from __future__ import annotations

from ..check import CheckResult
from ..clip import Clip
from ..measure import Measure
from ..picture import Picture

NOT_CORRUPT = Measure(name="not_corrupt", version="1", unit="faults", higher_is_better=False)


def not_corrupt(media: Picture | Clip) -> CheckResult:
    """Hold the number of faults in a picture or a clip against 0.

    What does not decode cannot be opened, and never comes here: every pixel and every frame was decoded,
    and packets that do not decode or frames that the header counts and nobody finds are
    ``undecodable_media`` there. What is left are the warnings: a clip that ends before it says. The detail
    says what was counted.
    """
    if isinstance(media, Picture):
        detail = f"every pixel of {media.width} x {media.height} decoded ({media.format})"
        return NOT_CORRUPT.hold(media, 0, 0, detail)
    header = "says no number of them" if media.header_frames is None else f"says {media.header_frames}"
    declared = "" if media.declared_duration_s is None else f" of {media.declared_duration_s:.4g} s"
    counted = f"{media.frame_count} frames decode, the file {header}; {media.duration_s:.4g} s{declared}"
    return NOT_CORRUPT.hold(
        media,
        len(media.warnings),
        0,
        "; ".join([*media.warnings, counted]),
        frames={"rule": "all", "count": media.frame_count},
    )
