"""One answer of a judge."""

from __future__ import annotations

from dataclasses import dataclass

from ..evidence import Missing
from .verdict import JudgeVerdict

_LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """A verdict with the judge's reason for it, or why there is none.

    ``verdict`` is on the case as it was given, also where the replies were shown in the other order.
    """

    verdict: JudgeVerdict | None = None
    reason: str = ""
    missing: Missing | None = None

    def __post_init__(self) -> None:
        if (self.verdict is None) == (self.missing is None):
            raise ValueError(f"a vote is a verdict or a reason why there is none; got {self!r}")


def shown_words(text: str) -> str:
    """Return what a judge said for a message: quoted, on one line, at most 200 characters of it."""
    words = " ".join(text.split())
    return repr(words if len(words) <= _LONGEST_SHOWN else f"{words[:_LONGEST_SHOWN]}…")
