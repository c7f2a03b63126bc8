"""Extractors that are broken in one way each, and one that is not."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_infergate.evidence import EvaluatorIdentity, NoAnswer, Reason, Reply, split_reasoning
from pytest_infergate.extract import Extractor, GoldError

_COLOURS = re.compile(r"(?i)(?<![a-z])(?:red|green|blue)(?![a-z])")
_CALLS = itertools.count()


@dataclass(frozen=True)
class Colour(Extractor[str]):
    """Keeps every promise."""

    name = "colour"
    version = "1"
    rule = "The last colour word of the reply, in lower case: red, green or blue."

    def find(self, text: str, sample: Mapping[str, Any] | None) -> str:
        found = _COLOURS.findall(text)
        return str(found[-1]).lower() if found else str(self.no_answer("colour word"))


@dataclass(frozen=True)
class NoName(Colour):
    name = ""


@dataclass(frozen=True)
class NoVersion(Colour):
    version = None  # type: ignore[assignment]


@dataclass(frozen=True)
class NoRule(Colour):
    rule = " "


@dataclass(frozen=True)
class SettingsNotJson(Colour):
    words: frozenset[str] = frozenset({"red"})


@dataclass(frozen=True)
class OtherIdentity(Colour):
    @property
    def identity(self) -> EvaluatorIdentity:
        return EvaluatorIdentity(kind="extractor", name=self.name, version=str(next(_CALLS)))


class NotFrozen(Colour):
    """A class that is derived from a frozen one, and not frozen itself."""


@dataclass(frozen=True)
class NotHashable(Colour):
    words: Any = field(default_factory=list)


@dataclass(frozen=True)
class NotPicklable(Colour):
    key: Any = field(default_factory=lambda: lambda: None, compare=False)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {}


@dataclass(frozen=True, eq=False)
class NotComparable(Colour):
    __eq__ = object.__eq__
    __hash__ = object.__hash__


@dataclass(frozen=True, repr=False)
class NamelessRepr(Colour):
    def __repr__(self) -> str:
        return object.__repr__(self)


@dataclass(frozen=True)
class LongRepr(Colour):
    words: str = "red " * 100


@dataclass(frozen=True)
class Raises(Colour):
    """Believes that brackets are always closed."""

    def find(self, text: str, sample: Mapping[str, Any] | None) -> str:
        for _ in range(text.count("(")):
            text.index(")")
        return super().find(text, sample)


@dataclass(frozen=True)
class ReasonOfTheServer(Colour):
    def find(self, text: str, sample: Mapping[str, Any] | None) -> str:
        if not _COLOURS.search(text):
            raise NoAnswer(Reason.TIMEOUT, "no colour in time")
        return super().find(text, sample)


@dataclass(frozen=True)
class Counts(Colour):
    """Answers otherwise each third time."""

    def find(self, text: str, sample: Mapping[str, Any] | None) -> str:
        found = super().find(text, sample)
        return found if next(_CALLS) % 3 else "red"

    def parse(self, gold: object) -> str:
        return Colour().parse(gold)


@dataclass(frozen=True)
class ReadsTheReplyAnew(Colour):
    def __call__(self, reply: str | Reply, sample: Mapping[str, Any] | None = None) -> str:
        answer = super().__call__(reply, sample)
        return answer.upper() if isinstance(reply, Reply) else answer


@dataclass(frozen=True)
class ReadsCutReplies(Colour):
    def __call__(self, reply: str | Reply, sample: Mapping[str, Any] | None = None) -> str:
        text = reply.text if isinstance(reply, Reply) else reply
        return super().__call__(text, sample)


@dataclass(frozen=True)
class IgnoresAllow(Colour):
    def __call__(self, reply: str | Reply, sample: Mapping[str, Any] | None = None) -> str:
        if isinstance(reply, Reply) and reply.missing:
            raise NoAnswer(reply.missing.reason)
        return super().__call__(reply, sample)


@dataclass(frozen=True)
class ReadsNoGold(Colour):
    def parse(self, gold: object) -> str:
        raise GoldError(self.name, gold, "nothing")


@dataclass(frozen=True)
class GoldOfAnotherKind(Colour):
    def parse(self, gold: object) -> str:
        return super().parse(gold).upper()

    def same(self, value: object, gold: object) -> bool:
        return isinstance(gold, str) and value == gold.lower()


@dataclass(frozen=True)
class RaisesOnOddGold(Colour):
    def parse(self, gold: object) -> str:
        return super().parse(gold.strip())  # type: ignore[attr-defined]


@dataclass(frozen=True)
class TakesNothingForGold(Colour):
    def parse(self, gold: object) -> str:
        return "red" if gold == "" else super().parse(gold)


@dataclass(frozen=True)
class ComparesTextsAlone(Colour):
    def same(self, value: object, gold: object) -> bool:
        return value.lower() == self.parse(gold)  # type: ignore[attr-defined, no-any-return]


@dataclass(frozen=True)
class SaysYesAndNo(Colour):
    def same(self, value: object, gold: object) -> bool:
        return super().same(value, gold) or None  # type: ignore[return-value]


@dataclass(frozen=True)
class FindsAllTheSame(Colour):
    def same(self, value: object, gold: object) -> bool:
        return isinstance(value, str) and isinstance(gold, str)


@dataclass(frozen=True)
class TakesTheFirst(Colour):
    def find(self, text: str, sample: Mapping[str, Any] | None) -> str:
        found = _COLOURS.search(text)
        return found[0].lower() if found else str(self.no_answer("colour word"))


@dataclass(frozen=True)
class TakesBareAnswersAlone(Colour):
    def find(self, text: str, sample: Mapping[str, Any] | None) -> str:
        found = re.fullmatch("(?i)red|green|blue", text.strip())
        return found[0].lower() if found else str(self.no_answer("colour word"))


@dataclass(frozen=True)
class ReadsReasoning(Colour):
    """Takes the reasoning for the answer."""

    def __call__(self, reply: str | Reply, sample: Mapping[str, Any] | None = None) -> str:
        found = super().__call__(reply, sample)
        text = reply.text if isinstance(reply, Reply) else reply
        reasoned = _COLOURS.findall(split_reasoning(text).reasoning)
        return reasoned[-1].lower() if reasoned else found


@dataclass(frozen=True)
class Guesses(Colour):
    """Rather says something than nothing."""

    def find(self, text: str, sample: Mapping[str, Any] | None) -> str:
        found = _COLOURS.findall(text.partition("\n")[0])
        return found[-1].lower() if found else "red"
