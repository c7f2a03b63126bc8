r"""Short mathematical answers in LaTeX, and when two of them are the same.

Bounded rewriting of spellings and exact rationals; no computer algebra: ``\sqrt{8}`` is not ``2\sqrt{2}``.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import Any

_LONGEST = 2_000  # characters of an answer that are rewritten; longer ones are compared as written

_DROPPED = re.compile(
    r"\\(?:left|right|bigl?|bigr?|Bigl?|Bigr?|biggl?|biggr?|displaystyle|textstyle|limits|quad"
    r"|qquad|thinspace|mathstrut)(?![A-Za-z])"
    r"|\\[,;:!>]|(?<!\\)\\(?=\s)|~|\\\(|\\\)|\\\[|\\\]|\^\s*\{?\s*\\(?:circ|degree)(?![A-Za-z])\s*\}?"
    r"|\\degree(?![A-Za-z])|°|\\?%|\\?\$|[€£¥]"
)
_TEXT = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|operatorname|mbox|boldsymbol|bm|boxed"
    r"|fbox)\s*\{([^{}]*)\}"
)
_UNIT = re.compile(
    r"(?<=[\d}])\s*\\(?:text|mathrm|textrm|mbox"
    r"|operatorname)\s*\{\s*[^{}\d]*\}(?:\s*\^\s*\{?[23]\}?)?\s*$"
    r"|(?<=\d)\s+[A-Za-z][A-Za-z/ .]{0,40}(?:\^\{?[23]\}?)?\s*$|(?<=\d)(?:mm|cm|km|kg|m|g|s|km/h"
    r"|m/s)(?:\^\{?[23]\}?)?\s*$"
)
_ALIASES = (
    (re.compile(r"\\[dtc]frac(?![A-Za-z])"), r"\\frac"),
    (re.compile(r"\\leq?(?![A-Za-z])|≤|<="), "≤"),
    (re.compile(r"\\geq?(?![A-Za-z])|≥|>="), "≥"),
    (re.compile(r"\\neq?(?![A-Za-z])|≠|!="), "≠"),
    (re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])|×|·|⋅"), "*"),
    (re.compile(r"\\pi(?![A-Za-z])"), "π"),
    (re.compile(r"\\infty(?![A-Za-z])"), "∞"),
    (re.compile(r"\\pm(?![A-Za-z])"), "±"),
    (re.compile(r"\\cup(?![A-Za-z])"), "∪"),
    (re.compile(r"\\cap(?![A-Za-z])"), "∩"),
    (re.compile(r"\\in(?![A-Za-z])"), "∈"),
    (re.compile(r"\\(?:emptyset|varnothing)(?![A-Za-z])|⦃\s*⦄"), "∅"),
    (re.compile(r"\\(?:lbrace)(?![A-Za-z])|\\\{"), "⦃"),
    (re.compile(r"\\(?:rbrace)(?![A-Za-z])|\\\}"), "⦄"),
    (re.compile(r"\\sqrt\s*(\d|[A-Za-z])"), r"\\sqrt{\1}"),
    (re.compile(r"(?:√|(?<!\\)\bsqrt)\s*(?:\(([^()]*)\)|(\d+))"), r"\\sqrt{\1\2}"),
    (re.compile(r"\\frac\s*(\d)\s*(\d)"), r"\\frac{\1}{\2}"),
    (re.compile(r"\\frac\s*(\d)\s*\{"), r"\\frac{\1}{"),
    (re.compile(r"(\\frac\s*\{[^{}]*\})\s*(\d|[A-Za-z])"), r"\1{\2}"),
    (re.compile(r"([\^_])\s*\{\s*(\w)\s*\}"), r"\1\2"),
)
_SPACES = re.compile(r"\s+")
_NUMBER = re.compile(r"[+-]?(?:\d{1,4300}(?:\.\d{1,4300})?|\.\d{1,4300})")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:(?:,|\{,\}|\\,|\\ |\\!|,\\!)\d{3})+(?:\.\d+)?")
_SIMPLE_FRACTION = re.compile(
    r"([+-]?)(\d{0,4300})(?:\\frac\{([+-]?[\d.]{1,4300})\}\{([+-]?[\d.]{1,4300})\}|(?<!\d)"
    r"([\d.]{1,4300})/([\d.]{1,4300}))"
)
_RATIO = re.compile(r"([+-]?)\(?([+-]?[\d.]{1,4300})/([\d.]{1,4300})\)?")
_POWER_OF_TEN = re.compile(r"([+-]?[\d.]{1,4300})\*10\^\{?([+-]?\d{1,3})\}?")
_ASSIGNED = re.compile(
    r"\s*(?:[A-Za-z]|\\[a-z]{1,8}|[A-Za-z]_\{?\w\}?|[A-Za-z]\([A-Za-z]\)|π)\s*(?:=|∈)(?![^=]*=)\s*"
)
_CLOSES = {"(": ")", "[": "]", "⦃": "⦄", "{": "}"}


class MathText(str):
    r"""An answer as it was written, equal to every text that spells the same answer.

    ``MathText("\\frac12") == "0.5"``. The hash is of the answer, so that equal ``MathText`` values meet in
    a set; with a plain ``str`` use ``==``.
    """

    __slots__ = ("_answer",)

    _answer: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str):
            return NotImplemented
        return (
            str.__eq__(self, other)
            or self.answer == (other if isinstance(other, MathText) else MathText(other)).answer
        )

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash(self.answer)

    def __reduce__(self) -> tuple[type[MathText], tuple[str]]:
        return type(self), (str(self),)

    @property
    def answer(self) -> Any:
        """The answer in its one spelling: a ``Fraction``, a text, or a tuple of a bracket and parts."""
        try:
            return self._answer
        except AttributeError:
            self._answer = _canonical(str(self))
            return self._answer


def _canonical(text: str) -> Any:
    if len(text) > _LONGEST:
        return _SPACES.sub(" ", text).strip()
    try:
        return _read(_rewrite(text))
    except (ValueError, ZeroDivisionError, RecursionError):
        return _SPACES.sub("", text)


def _rewrite(text: str) -> str:
    text = unicodedata.normalize("NFC", text).replace("\u2212", "-").replace("\uff0d", "-").strip()
    text = text.strip("$").strip().rstrip(".,;").strip()
    if _GROUPED.fullmatch(text.replace("\\$", "").replace("$", "").replace("\\%", "").strip()):
        return re.sub(r"[^\d.+-]", "", text)
    text = text.replace("{,}", "")
    text = _UNIT.sub("", text)
    text = re.sub(r"\\(?:\{|\})", lambda brace: "⦃" if brace.group() == "\\{" else "⦄", text)
    for _ in range(8):
        text, count = _TEXT.subn(r" \1 ", text)
        if not count:
            break
    text = _DROPPED.sub(" ", text)
    for pattern, plain in _ALIASES:
        text = pattern.sub(plain, text)
    text = text.strip()
    words = text.split()
    if len(words) > 1 and all(word.strip(".,'").isalpha() and len(word) > 1 for word in words):
        return " ".join(words).casefold()
    text = re.sub(r"(?<=\d)\s+(?=\\frac|\d/)", "&", text)
    text = re.sub(r"(?<=\d)\s+(?=\d)", "&", text)
    text = _SPACES.sub("", text).replace("&", " ")
    assigned = _ASSIGNED.match(text)
    return text[assigned.end() :] if assigned else text


def _read(text: str) -> Any:
    """Return a number, a bracket with its parts, or the text with its numbers in one spelling."""
    text = text.strip().rstrip(".,;")
    number = _rational(text)
    if number is not None:
        return number
    if re.fullmatch(r"\([A-Z]\)", text):
        return text[1]
    parts = _split(text)
    if parts is not None:
        opening, inner, closing = parts
        values = [_read(part) for part in inner]
        if opening == "⦃":
            return ("set", frozenset(values))
        if len(values) > 1:
            return (opening + closing, *values)
        if opening == "(" and not re.search(r"[∪∩]", text):
            return values[0] if isinstance(values[0], Fraction) else ("()", *values)
    if text.isalpha() and len(text) > 1 and text.isascii():
        return text.casefold()
    pieces = _top_level(text)
    if len(pieces) > 1:
        return ("", *(_read(piece) for piece in pieces))
    return re.sub(
        r"(?<![\d.])\d{1,400}(?:\.\d{1,400})?(?![\d.])", lambda found: str(Fraction(found.group())), text
    )


def _rational(text: str) -> Fraction | None:
    if _NUMBER.fullmatch(text):
        return Fraction(text)
    if _GROUPED.fullmatch(text):
        return Fraction(re.sub(r"[^\d.+-]", "", text))
    power = _POWER_OF_TEN.fullmatch(text)
    if power:
        return Fraction(power[1]) * Fraction(10) ** int(power[2])
    ratio = _RATIO.fullmatch(text)
    if ratio:
        return _signed(ratio[1]) * Fraction(ratio[2]) / Fraction(ratio[3])
    mixed = re.fullmatch(
        r"([+-]?)(\d{1,400}) (?:\\frac\{(\d{1,400})\}\{(\d{1,400})\}|(\d{1,400})/(\d{1,400}))", text
    )
    if mixed:
        return _signed(mixed[1]) * (
            Fraction(mixed[2]) + Fraction(int(mixed[3] or mixed[5]), int(mixed[4] or mixed[6]))
        )
    fraction = _SIMPLE_FRACTION.fullmatch(text)
    if fraction and fraction[3]:
        value = Fraction(fraction[3]) / Fraction(fraction[4])
        return _signed(fraction[1]) * (Fraction(fraction[2] or 0) + value)
    return None


def _signed(sign: str) -> int:
    return -1 if sign == "-" else 1


def _split(text: str) -> tuple[str, list[str], str] | None:
    """Return opening bracket, parts and closing bracket of a text that is one bracket, else ``None``."""
    if len(text) < 2 or text[0] not in "([⦃" or text[-1] not in ")]⦄":
        return None
    if (text[0] == "⦃") != (text[-1] == "⦄"):
        return None
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([{⦃") - (char in ")]}⦄")
        if depth == 0 and at < len(text) - 1:
            return None
    return (text[0], _top_level(text[1:-1]), text[-1]) if depth == 0 else None


def _top_level(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{⦃") - (char in ")]}⦄")
        if depth == 0 and char in ",;":
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
