"""What is put before a judge."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .errors import JudgeError
from .form import VerdictForm


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question and the reply to be judged.

    ``criteria`` is what a reply must do to pass, ``None``: answer correctly and completely. ``reference``
    is an answer known to be right. ``against`` is another reply to compare ``reply`` with; ``None``: it is
    judged by itself. Raises ``JudgeError`` for a part that is not text or is blank.
    """

    question: str
    reply: str
    criteria: str | None = None
    reference: str | None = None
    against: str | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if value is None and name not in ("question", "reply"):
                continue
            if not isinstance(value, str) or not value.strip():
                raise JudgeError(
                    f"{name}={value!r:.80} is not a text to judge by; give text that is not blank"
                )

    @property
    def is_pairwise(self) -> bool:
        return self.against is not None

    @property
    def form(self) -> VerdictForm:
        return VerdictForm.PAIRWISE if self.is_pairwise else VerdictForm.SINGLE

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text that the model under test, or a data set, may have written."""
        return tuple(text for text in (self.question, self.reply, self.reference, self.against) if text)

    def swapped(self) -> Case:
        """Return the case with its two replies in the other order."""
        if self.against is None:
            raise JudgeError("a case with one reply has no other order; give against=…")
        return replace(self, reply=self.against, against=self.reply)
