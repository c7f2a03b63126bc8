"""What every extraction adapter is: a versioned, frozen value that reads an answer out of a reply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import isfinite
from typing import Any, ClassVar, Generic, TypeVar

from ..evidence import EvaluatorIdentity, InfergateError, NoAnswer, Reason, Reply, split_reasoning
from .turn import own_turn

T = TypeVar("T")
Sample = Mapping[str, Any]


class GoldError(InfergateError):
    """A gold answer cannot be read as the type of its extractor: a fault of the data set."""

    def __init__(self, extractor: str, gold: object, accepted: str) -> None:
        self.extractor, self.gold, self.accepted = extractor, gold, accepted
        super().__init__(
            f"gold answer {show_short(gold)} is not usable with extract.{extractor}, which takes {accepted}; "
            "correct the row"
        )

    def __reduce__(self) -> tuple[type[GoldError], tuple[str, object, str]]:
        return type(self), (self.extractor, self.gold, self.accepted)


class ExtractorError(InfergateError):
    """An extractor cannot be made or used as it was written: a fault of the evaluation."""


class Extractor(ABC, Generic[T]):
    """Read an answer of type ``T`` out of a reply; a frozen value that carries its own version.

    To write one, subclass it, give it ``name``, ``version`` and ``rule``, and implement ``find``::

        @dataclass(frozen=True)
        class Colour(Extractor[str]):
            name = "colour"
            version = "1"
            rule = "The last colour word of the reply, in lower case."

            def find(self, text, sample):
                words = re.findall("red|green|blue", text.lower())
                return words[-1] if words else self.no_answer("a colour word")

    ``find`` gets the final answer as text (never empty, reasoning taken out) and returns a value or
    raises ``NoAnswer``. Fields of the dataclass are the settings; give ``settings`` yourself where
    they are not JSON. Override ``parse`` where a gold answer is written otherwise than a reply.
    Change ``version`` with every change of behaviour: scores of two versions are not comparable.
    """

    __slots__ = ()

    name: ClassVar[str]
    version: ClassVar[str]
    rule: ClassVar[str]

    @abstractmethod
    def find(self, text: str, sample: Sample | None) -> T:
        """Return the answer in ``text`` or raise ``NoAnswer``."""

    def __call__(self, reply: str | Reply, sample: Sample | None = None) -> T:
        """Return the answer of ``reply``.

        Raises ``NoAnswer``: ``truncated``, ``refused``, ``broken_stream`` or ``empty_reply`` as the reply
        says of itself, unless it was allowed; ``no_answer`` where a complete reply holds none.
        """
        return self.find(final_text(reply), sample)

    def parse(self, gold: object) -> T:
        """Return the gold answer in the type of the answer; raises ``GoldError``."""
        if not isinstance(gold, str) or not gold.strip():
            raise GoldError(self.name, gold, "a text that holds an answer")
        try:
            return self.find(gold, None)
        except NoAnswer as missing:
            raise GoldError(self.name, gold, f"a text that holds an answer ({missing.detail})") from missing

    def same(self, value: object, gold: object) -> bool:
        """Whether ``value`` is the answer ``gold``, in this extractor's own terms; never raises."""
        try:
            return bool(value == self.parse(gold))
        except (InfergateError, RecursionError):
            return False

    def __repr__(self) -> str:
        """Return how a test spells it: ``extract.number``, ``extract.code('python')``."""
        spelled = self._spelled_settings()
        return f"extract.{self.name}" if spelled is None else f"extract.{self.name}({spelled})"

    def _spelled_settings(self) -> str | None:
        """Return what stands between the brackets of ``repr``; ``None``: no brackets."""
        given = [show_short(value) for value in self.settings.values() if value is not None]
        return ", ".join(given) if self.settings else None

    @property
    def settings(self) -> Mapping[str, Any]:
        """What distinguishes this value from another of the same adapter, as JSON."""
        return {field: getattr(self, field) for field in getattr(self, "__dataclass_fields__", {})}

    @property
    def identity(self) -> EvaluatorIdentity:
        return EvaluatorIdentity(
            kind="extractor", name=self.name, version=self.version, settings=self.settings
        )

    def gold_text(self, gold: object) -> str:
        """Return a gold answer that is a text or a finite number as stripped text; raises ``GoldError``."""
        accepted = "a text that is not blank, or a finite number"
        if isinstance(gold, bool) or not isinstance(gold, (str, int, float)):
            raise GoldError(self.name, gold, accepted)
        try:
            text = str(gold).strip()
        except ValueError as error:  # an int past Python's digit limit
            raise GoldError(self.name, gold, accepted) from error
        if not text or (isinstance(gold, float) and not isfinite(gold)):
            raise GoldError(self.name, gold, accepted)
        return text

    def no_answer(self, wanted: str) -> Any:
        """Raise ``NoAnswer`` that says what was looked for."""
        raise NoAnswer(Reason.NO_ANSWER, f"extract.{self.name} found no {wanted}")


def final_text(reply: str | Reply) -> str:
    """Return the text of the final answer: not empty, stripped, without reasoning and other turns.

    Raises ``NoAnswer`` where the reply did not deliver (unless allowed), is empty, or is still reasoning.
    """
    if isinstance(reply, Reply):
        require_delivered(reply)
    elif not isinstance(reply, str):
        raise ExtractorError(f"an extractor reads a str or a Reply; got {type(reply).__name__}")
    text = reply.text if isinstance(reply, Reply) else reply
    if isinstance(reply, Reply) and reply.reasoning:
        # Taken out already: a tag that is left is the answer's own.
        reasoning, answer, is_open = reply.reasoning, text, False
    else:
        reasoning, answer, is_open = split_reasoning(text.removeprefix("\ufeff"))
    if is_open:
        cut = isinstance(reply, Reply) and reply.is_truncated
        raise NoAnswer(
            Reason.TRUNCATED if cut else Reason.NO_ANSWER, "the reasoning was opened and never closed"
        )
    answer = own_turn(answer)
    if not answer.strip():
        if isinstance(reply, Reply) and reply.tool_calls:
            raise NoAnswer(Reason.NO_ANSWER, "the reply holds tool calls and no text")
        raise NoAnswer(Reason.EMPTY_REPLY, "only reasoning" if reasoning.strip() else "no text")
    return answer.strip("\r\n").rstrip()


def require_delivered(reply: Reply) -> None:
    """Raise ``NoAnswer`` with the reply's own reason for delivering nothing, unless it was allowed."""
    missing = reply.missing
    if missing is not None and missing.reason not in reply.allowed:
        raise NoAnswer(missing.reason, missing.detail)


def show_short(value: object) -> str:
    try:
        shown = repr(value)
    except (RecursionError, ValueError):  # nested too deeply; an int past Python's digit limit
        shown = f"<{type(value).__name__}>"
    return shown if len(shown) <= 120 else f"{shown[:117]}..."
