"""Whether a clip moves."""

from __future__ import annotations

import numpy as np

from ...evidence import Reason
from ..check import CheckResult
from ..clip import Clip
from ..measure import Measure, number_below, number_between
from ..picture import Picture
from ..survey import Span, Survey, SurveyRule, survey

NOT_FROZEN = Measure(name="not_frozen", version="2", unit="ratio", higher_is_better=False)
#: A picture that stays for less, or for less than a share of the clip where that is shorter, is no freeze.
SHORTEST_FREEZE_S = 1.0
_SHORTEST_SHARE = 0.25
#: Nor is one that stays for less than this many of the clip's usual frames: slides of a second each move.
_USUAL_FRAMES = 2


def not_frozen(
    media: Picture | Clip,
    *,
    tolerance: float = SurveyRule().still,
    limit: float = 0.2,
    shortest_s: float = SHORTEST_FREEZE_S,
) -> CheckResult:
    """Hold the share of a clip's time in which nothing changes against ``limit``, the greatest accepted.

    A freeze lasts from a frame to the next one that differs from it, or to the end of the last frame: a
    long gap between two frames is one too. It counts from ``shortest_s`` seconds or a quarter of the clip
    on, whichever is less, where that is also two frames of the clip's median length; and where it is the
    whole clip. A frame differs where the mean brightness of one of its blocks of 8 x 8 pixels has moved by
    more than ``tolerance`` levels, 0 to 255, since the freeze began. Noise is no change by that, nor is
    what H.264 does to a still picture up to a constant rate factor of about 40; neither is what moves, but
    differs from its ground by less, or in colour alone. One frame alone is missing.
    """
    number_between("not_frozen", "tolerance", tolerance, 0, 255)
    number_below("not_frozen", "limit", limit, 1)
    number_between("not_frozen", "shortest_s", shortest_s, 0)
    settings = {"tolerance": tolerance, "shortest_s": shortest_s}
    if isinstance(media, Picture):
        return NOT_FROZEN.needs_clip(media)
    seen = survey(media, SurveyRule(still=tolerance))
    if len(seen) < 2:
        return NOT_FROZEN.of(media, settings=settings).miss(
            Reason.NOT_EXERCISED, "needs_two_frames: one frame cannot move"
        )
    freezes = _freezes(seen, shortest_s)
    frozen = sum(freeze.length for freeze in freezes)
    return NOT_FROZEN.of(
        media,
        settings=settings,
        frames={
            "rule": "all",
            "count": len(seen),
            "distinct": int(seen.changes.sum()),
            "frozen": [freeze.as_json() for freeze in freezes],
        },
    ).hold(
        round(frozen / seen.duration_s, 9),
        limit,
        f"frozen for {frozen:.4g} s of {seen.duration_s:.4g} s; "
        f"{int(seen.changes.sum())} of {len(seen)} frames change the picture",
    )


def _freezes(seen: Survey, shortest_s: float) -> list[Span]:
    usual = float(np.median(seen.shown_s)) * _USUAL_FRAMES
    shortest = max(min(shortest_s, seen.duration_s * _SHORTEST_SHARE), usual)
    # A clip that is its first frame all along has not moved, however short it is; and a sum of time stamps
    # may fall short by its last binary place.
    shortest = min(shortest, seen.duration_s) - 1e-6
    return [hold for hold in seen.holds() if hold.length >= shortest]
