"""Whether there is anything to see."""

from __future__ import annotations

from ..check import CheckResult
from ..clip import Clip
from ..content import content_share
from ..measure import Measure, number_between
from ..picture import Picture
from ..survey import SurveyRule, survey

NOT_BLANK = Measure(name="not_blank", version="2", unit="ratio", higher_is_better=True)
#: A picture with less content than this is blank: one pixel in ten thousand.
LEAST_CONTENT = 0.0001
#: A clip is blank where less of its time shows anything.
LEAST_TIME = 0.9


def not_blank(media: Picture | Clip, *, tolerance: float = 4, limit: float | None = None) -> CheckResult:
    """Hold the share of a picture that is not of its one colour, or of a clip's time that shows such.

    Blank is what is flat or nearly so: one colour, black, white, transparent all over, or noise around one
    colour whose means over blocks of 8 x 8 pixels stay within ``tolerance`` levels, see ``content_share``.
    ``limit`` is the least share: of a picture 0.0001 unless given, of a clip's time 0.9.
    """
    number_between("not_blank", "tolerance", tolerance, 0, 255)
    if limit is not None:
        number_between("not_blank", "limit", limit, 0, 1)
    if isinstance(media, Picture):
        share = content_share(media.rgba, tolerance=tolerance)
        return NOT_BLANK.of(media, settings={"of": "picture", "tolerance": tolerance}).hold(
            share,
            _at_least_something(LEAST_CONTENT if limit is None else limit),
            f"{share:.4%} of the picture is anything but one colour",
        )
    seen = survey(media, SurveyRule(content=tolerance))
    blank = seen.content < LEAST_CONTENT
    share = round(seen.share_of_time(~blank), 9)
    spans = [span.as_json() for span in seen.spans(blank)]
    return NOT_BLANK.of(
        media,
        settings={"of": "time", "tolerance": tolerance, "least_content": LEAST_CONTENT},
        frames={"rule": "all", "count": len(seen), "blank": spans},
    ).hold(
        share,
        _at_least_something(LEAST_TIME if limit is None else limit),
        f"{share:.2%} of {seen.duration_s:.6g} s shows anything; "
        f"{int(blank.sum())} of {len(seen)} frames are blank",
    )


def _at_least_something(limit: float) -> float:
    """Return the limit; one of 0 would hold of what is blank through and through."""
    return max(limit, 1e-9)
