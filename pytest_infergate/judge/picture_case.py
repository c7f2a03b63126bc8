"""A question about pictures that is put before a judge."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .errors import JudgeError
from .form import VerdictForm


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureCase:
    """A question, and the pictures to look at: one, or frames of a clip in the order of time.

    ``pictures`` are data URLs. ``against`` are those of another picture or clip; the question is then which
    of the two it is truer of. Without it, the question is answered with yes or no. Raises ``JudgeError`` for
    a question that is blank and for no picture.
    """

    question: str
    pictures: tuple[str, ...]
    against: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.question, str) or not self.question.strip():
            raise JudgeError(f"question={self.question!r:.80} is no question; give text that is not blank")
        if not self.pictures or self.against == ():
            raise JudgeError("there is no picture to look at; give at least one")

    @property
    def is_pairwise(self) -> bool:
        return self.against is not None

    @property
    def form(self) -> VerdictForm:
        return VerdictForm.PAIRWISE if self.is_pairwise else VerdictForm.PICTURE

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text beside the pictures."""
        return (self.question,)

    def swapped(self) -> PictureCase:
        """Return the case with its two pictures in the other order."""
        if self.against is None:
            raise JudgeError("a case with one picture has no other order; give against=…")
        return replace(self, pictures=self.against, against=self.pictures)
