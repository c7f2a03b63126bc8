"""A known answer, wrapped the way that models wrap answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from hypothesis import strategies as st

from . import phrases
from .thinking import thoughts


class Wrapping(Enum):
    """One way in which an answer is wrapped; a text may be wrapped in several."""

    PROSE = "prose"
    """An English sentence that announces it."""
    LANGUAGE = "language"
    """Such a sentence in another language."""
    MARKDOWN = "markdown"
    """Bold, italic, code, a heading, a quotation."""
    LATEX = "latex"
    """``$…$``, ``\\boxed{…}`` and the like."""
    FENCE = "fence"
    """A fenced block of its own."""
    REASONING = "reasoning"
    """Reasoning before it, in the tags of any family, with other answers in it."""
    WORKING = "working"
    """Sentences before it that hold no answer."""
    CLOSING = "closing"
    """A courtesy after it."""
    UNIT = "unit"
    """A unit or a currency beside it."""
    LOCALE = "locale"
    """A number as other countries write it: grouped digits, a decimal comma. Other answers stay."""
    RETRACTION = "retraction"
    """Another answer before it, which is taken back; then the answer in full."""
    AFTERTHOUGHT = "afterthought"
    """Such a retraction, after which the answer stands bare: "The answer is 42. Wait, no — 43"."""


EVERY_WRAPPING = frozenset(Wrapping)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapped:
    """``text`` is what the model says, ``answer`` what it means; ``wrappings`` are those that were used."""

    text: str
    answer: str
    wrappings: frozenset[Wrapping]

    def __str__(self) -> str:
        return self.text


@st.composite
def wrapped(
    draw: st.DrawFn,
    answer: str | st.SearchStrategy[str],
    *,
    wrappings: Collection[Wrapping] = EVERY_WRAPPING,
    others: Iterable[str] = (),
) -> Wrapped:
    """Return a strategy of texts that mean ``answer``, wrapped in some of ``wrappings`` or in none.

    ``others`` are wrong answers, for reasoning and retractions; without any there is no retraction, and
    reasoning holds no answer. An answer of several lines stands in a block of its own.
    """
    given = answer if isinstance(answer, str) else draw(answer)
    allowed = [one for one in Wrapping if one in wrappings]  # in one order, for every run of Hypothesis
    wrong = [other for other in dict.fromkeys(others) if other != given]
    used = set(draw(st.lists(st.sampled_from(allowed), unique=True, max_size=4))) if allowed else set()
    layers = _Layers(draw, used, [given, *wrong])
    text = layers.answer(given)
    if layers.wants(Wrapping.RETRACTION, bool(wrong)):
        text = layers.retraction(layers.answer(draw(st.sampled_from(wrong))), text)
    elif layers.wants(Wrapping.AFTERTHOUGHT, bool(wrong)):
        first = draw(st.sampled_from(phrases.SENTENCES)).format(draw(st.sampled_from(wrong)))
        text = layers.retraction(first, given)
    elif layers.wants(Wrapping.WORKING):
        text = f"{draw(st.sampled_from(phrases.WORKING))}\n\n{text}"
    if layers.wants(Wrapping.CLOSING):
        text = f"{text}\n\n{draw(st.sampled_from(phrases.CLOSING))}"
    if layers.wants(Wrapping.REASONING):
        text = draw(thoughts(wrong)) + text
    return Wrapped(text=text, answer=given, wrappings=frozenset(layers.done))


class _Layers:
    """The layers of one text: which are wanted, which were put on. ``answers`` are dressed alike."""

    def __init__(self, draw: st.DrawFn, used: set[Wrapping], answers: Sequence[str]) -> None:
        self._used = used
        self._has_lines = any("\n" in answer for answer in answers)
        self._is_boxed = any("\\boxed" in answer for answer in answers)
        self._has_ticks = any("`" in answer for answer in answers)
        self._unit = draw(st.sampled_from(phrases.UNITS))
        self._locale = draw(st.integers(0, 20))
        self._latex = draw(st.sampled_from(phrases.LATEX))
        self._markdown = draw(st.sampled_from(phrases.MARKDOWN))
        self._info = draw(st.sampled_from(["", "text"]))
        self._sentences = {
            Wrapping.PROSE: draw(st.sampled_from(phrases.SENTENCES)),
            Wrapping.LANGUAGE: draw(st.sampled_from(phrases.FOREIGN)),
        }
        self._retraction = draw(st.sampled_from(phrases.RETRACTIONS))
        self.done: set[Wrapping] = set()

    def wants(self, wrapping: Wrapping, is_possible: bool = True) -> bool:
        """Say whether to put this on, and remember that it was."""
        if wrapping in self._used and is_possible:
            self.done.add(wrapping)
            return True
        return False

    def answer(self, answer: str) -> str:
        """Return one answer in its spelling, its dress and its sentence."""
        return self._sentence(self._dress(self._spelling(answer)))

    def retraction(self, wrong: str, right: str) -> str:
        """Return ``wrong`` taken back and ``right`` after it; blocks stand on lines of their own."""
        if "\n" in wrong or "\n" in right:
            return f"{wrong}\n\nWait, no.\n\n{right}"
        return self._retraction.format(wrong, right)

    def _spelling(self, answer: str) -> str:
        spellings = respelled(answer)
        if self.wants(Wrapping.LOCALE, bool(spellings)):
            answer = spellings[self._locale % len(spellings)]
        return self._unit.format(answer) if self.wants(Wrapping.UNIT, not self._has_lines) else answer

    def _dress(self, answer: str) -> str:
        if self.wants(Wrapping.LATEX, not self._has_lines and not self._is_boxed):
            is_word = re.search("[A-Za-z%$€]", answer) and "\\" not in answer
            return self._latex.format(f"\\text{{{answer}}}" if is_word else answer)
        if self.wants(Wrapping.FENCE):
            longest = max((len(run) for run in re.findall("`{3,}", answer)), default=2)
            fence, info = "`" * (longest + 1), "markdown" if longest > 2 else self._info
            return f"{fence}{info}\n{answer}\n{fence}"
        if self.wants(Wrapping.MARKDOWN, not self._has_lines and not self._has_ticks):
            return self._markdown.format(answer)
        return answer

    def _sentence(self, answer: str) -> str:
        kind = next((kind for kind in self._sentences if self.wants(kind)), None)
        if kind is None:
            return answer
        sentence = self._sentences[kind]
        if self._has_lines or answer.startswith(("`" * 3, "#", ">")):
            lead = sentence.partition("{}")[0].rstrip(" :：")
            return f"{lead}:\n\n{answer}"
        return sentence.format(answer)


_NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?")
#: What groups the digits, and what stands before the decimals.
_MARKS = ((",", "."), (".", ","), (" ", ","), ("\u202f", ","), ("\u00a0", ","), ("'", "."))


def respelled(answer: str) -> list[str]:
    """Return other spellings of a plain decimal number, each of which has one reading; else nothing.

    Dots group only where a decimal comma or a second dot shows that they are no decimal point.
    """
    found = _NUMBER.fullmatch(answer)
    if found is None:
        return []
    sign, whole, decimals = found.groups()
    if len(whole) > 1 and whole.startswith("0"):
        return []
    spellings = []
    for mark, point in _MARKS:
        groups = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", mark, whole)
        if groups == whole:
            # 3,5 has one reading and 3,500 has two; 3.5 is no other spelling.
            is_clear = bool(decimals) and point == "," and len(decimals) != 3
        else:
            is_clear = mark != "." or bool(decimals) or groups.count(mark) > 1
        if is_clear:
            spellings.append(sign + groups + (point + decimals if decimals else ""))
    if sign:
        spellings.append("\u2212" + whole + ("." + decimals if decimals else ""))
    return list(dict.fromkeys(spellings))
