"""Pictures with a known answer, which a judge must get right before its answers about others count."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from .canary import Canary
from .picture_case import PictureCase
from .verdict import JudgeVerdict

_DISC = Path(__file__).with_name("red_disc.png")
_BLANK = Path(__file__).with_name("blank.png")
_SHOWS_DISC = "Is there a red disc in the picture?"


def picture_canaries(*, is_pairwise: bool) -> tuple[Canary, ...]:
    """Return the shipped cases of a form.

    A judge that does not see answers them all alike; one that says yes of a blank picture says it of any.
    """
    disc, blank = _data_url(_DISC), _data_url(_BLANK)
    if is_pairwise:
        case = PictureCase(question="Which picture shows a red disc?", pictures=(disc,), against=(blank,))
        return (_canary("disc-or-blank", case, JudgeVerdict.PASS),)
    return (
        _canary("disc", PictureCase(question=_SHOWS_DISC, pictures=(disc,)), JudgeVerdict.PASS),
        _canary("blank", PictureCase(question=_SHOWS_DISC, pictures=(blank,)), JudgeVerdict.FAIL),
        _canary(
            "no-square",
            PictureCase(question="Is there a blue square in the picture?", pictures=(disc,)),
            JudgeVerdict.FAIL,
        ),
    )


def _canary(id: str, case: PictureCase, expected: JudgeVerdict) -> Canary:
    return Canary(id=id, source="pytest_infergate/judge/picture_canary.py", case=case, expected=expected)


def _data_url(path: Path) -> str:
    return f"data:image/png;base64,{b64encode(path.read_bytes()).decode()}"
