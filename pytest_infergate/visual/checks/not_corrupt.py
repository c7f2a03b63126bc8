"""Whether a picture or a clip decodes whole."""

from __future__ import annotations

from ...evidence import UndecodableMedia
from ..check import CheckResult
from ..clip import Clip
from ..measure import Measure
from ..picture import Picture
from ..sound import audible_seconds

NOT_CORRUPT = Measure(name="not_corrupt", version="2", unit="faults", higher_is_better=False)


def not_corrupt(media: Picture | Clip) -> CheckResult:
    """Hold the number of faults in a picture or a clip against 0.

    What does not decode cannot be opened, and never comes here: every pixel and every frame was decoded,
    and packets that do not decode or frames that the header counts and nobody finds are
    ``undecodable_media`` there. What is left are the warnings, of a clip that ends before it says, and its
    audio, which is decoded here. The detail says what was counted.
    """
    if isinstance(media, Picture):
        detail = f"every pixel of {media.width} x {media.height} decoded ({media.format})"
        if media.frames > 1:
            which = "the first was drawn" if media.renderer else "all of them decode"
            detail += f"; of {media.frames} pages {which}"
        return NOT_CORRUPT.of(media).hold(0, 0, detail)
    faults = [*media.warnings]
    if media.cut is None:
        try:
            audible_seconds(media.file)
        except UndecodableMedia as error:
            faults.append(error.detail)
    header = "says no number of them" if media.header_frames is None else f"says {media.header_frames}"
    declared = "" if media.declared_duration_s is None else f" of {media.declared_duration_s:.4g} s"
    counted = f"{media.frame_count} frames decode, the file {header}; {media.duration_s:.4g} s{declared}"
    return NOT_CORRUPT.of(media, frames={"rule": "all", "count": media.frame_count}).hold(
        len(faults), 0, "; ".join([*faults, counted])
    )
