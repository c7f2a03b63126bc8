"""Whether a clip goes black for a while."""

from __future__ import annotations

import numpy as np

from ..check import CheckResult
from ..clip import Clip
from ..measure import Measure, number_between
from ..picture import Picture
from ..survey import SurveyRule, survey

NO_BLACK_GAP = Measure(name="no_black_gap", version="1", unit="s", higher_is_better=False)
#: A frame is black where this share of its pixels is, as in FFmpeg's blackdetect.
BLACK_SHARE = 0.98


def no_black_gap(
    media: Picture | Clip, *, limit: float = 0.5, black: int = SurveyRule().black
) -> CheckResult:
    """Hold the longest time that a clip is black, in seconds, against ``limit``, the longest accepted.

    A pixel is black up to a brightness of ``black``, 0 to 255; a frame where 98 % of its pixels are. A gap
    lasts to the next frame that is not black, or to the end of the last frame. At the beginning and at the
    end it counts as well.
    """
    number_between("no_black_gap", "limit", limit, 0)
    number_between("no_black_gap", "black", black, 0, 254)
    if isinstance(media, Picture):
        return NO_BLACK_GAP.needs_clip(media)
    seen = survey(media, SurveyRule(black=black))
    is_black: np.ndarray[tuple[int], np.dtype[np.bool_]] = seen.black >= BLACK_SHARE
    gaps = list(seen.spans(is_black))
    longest = max((gap.length for gap in gaps), default=0.0)
    return NO_BLACK_GAP.of(
        media,
        settings={"black": black, "black_share": BLACK_SHARE},
        frames={"rule": "all", "count": len(seen), "black": [gap.as_json() for gap in gaps]},
    ).hold(
        round(longest, 9),
        # A clip that is black from end to end has a gap, however short it is.
        limit if longest < seen.duration_s else min(limit, 0.0),
        f"black for {longest:.4g} s at a time, and for {seen.share_of_time(is_black):.2%} of "
        f"{seen.duration_s:.4g} s",
    )
