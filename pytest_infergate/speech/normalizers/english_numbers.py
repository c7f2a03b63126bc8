"""Numbers that are spelled out in English, as digits: whole numbers, years, decades, ordinals, decimals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .characters import CURRENCIES

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_FIRSTS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_DATE_WORDS = "the january february march april may june july august september october november december"
_SMALL = {word: value for value, word in enumerate(_UNITS.split())}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_ORDINALS = {word: value for value, word in enumerate(_FIRSTS.split(), 1)}
_TENTHS = {f"{word[:-1]}ieth": value for word, value in _TENS.items()}
_POWERS = {"hundredth": 2, **{f"{word}th": power for word, power in _SCALES.items()}}
_DECADES = {f"{word[:-1]}ies": value for word, value in _TENS.items()}
_ZEROS = ("oh", "o")
#: Where one stands before it, "twenty second" is the 22nd; elsewhere it may be twenty seconds long.
_BEFORE_DATES = frozenset(_DATE_WORDS.split())
#: After these, "a million" is no number of its own.
_BEFORE_SHARES = frozenset(["half", "many", "quarter", "such"])
NUMBER_WORDS = frozenset({*_SMALL, *_TENS, "hundred", *_SCALES})
_ORDINAL_WORDS = frozenset({*_ORDINALS, *_TENTHS, *_POWERS})
#: Words without which there is nothing to do.
TRIGGERS = NUMBER_WORDS | _ORDINAL_WORDS | set(_DECADES)
_STARTS = TRIGGERS | {"a"}
_STARTS_AS_FIGURE = re.compile(rf"[+-]?[{CURRENCIES}]?[0-9]")
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_FIGURE = re.compile(r"[0-9]+(?:[.,/][0-9]+)*")
_SHORT = re.compile(r"[0-9]{1,3}(?:\.[0-9]+)?")

#: What the words of this file depend on, for the digest of the normalizer.
TABLES = (sorted(TRIGGERS), sorted(_BEFORE_DATES), sorted(_BEFORE_SHARES))


@dataclass(frozen=True, slots=True)
class Number:
    """Digits, and the place of the word after the last one read. ``is_plain``: no ordinal, no decade."""

    text: str
    end: int
    is_plain: bool = True


@dataclass(frozen=True, slots=True)
class _Part:
    value: int
    end: int
    is_ordinal: bool = False


def is_figure(word: str) -> bool:
    """Whether a word begins or ends as a figure does: 5, -5%, $5, 21st, r$5."""
    return word[-1:].isdecimal() or bool(_STARTS_AS_FIGURE.match(word))


def read_number(words: Sequence[str], at: int) -> Number | None:
    """Return the number that begins with the word at ``at``: the longest one; ``None`` where none does.

    Numbers in digits are numbers too, and take "million" or "point five" after them.
    """
    word = _word(words, at)
    if word not in _STARTS and not word[:1].isdecimal():
        return None
    found = _year(words, at) or _decade(words, at) or _whole(words, at) or _digits(words, at)
    return _with_fraction(words, found) if found is not None and found.is_plain else found


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if 0 <= at < len(words) else ""


def _year(words: Sequence[str], at: int) -> Number | None:
    """Nineteen eighty four, twenty twenty, ten sixty six; not fifteen twenty or eleven thirty: a time."""
    first = _below_hundred(words, at)
    if first is None or first.end != at + 1 or not 10 <= first.value <= 20:
        return None
    word = _word(words, first.end)
    if word in _DECADES:
        return Number(f"{first.value}{_DECADES[word]}s", first.end + 1, is_plain=False)
    if word in _ZEROS and first.value >= 16 and 0 < _SMALL.get(_word(words, first.end + 1), 0) < 10:
        return Number(f"{first.value}0{_SMALL[words[first.end + 1]]}", first.end + 2)
    last = _below_hundred(words, first.end)
    if last is None or last.value < 10 or (first.value < 16 and last.value < 60):
        return None
    after = _word(words, last.end)
    if after in _SCALES or after == "hundred" or after in _POWERS:
        return None
    if last.value % 10 == 0 and last.value > 10 and 0 < _ORDINALS.get(after, 0) < 10:
        return None  # nineteen, twenty first
    return Number(f"{first.value}{last.value}", last.end)


def _decade(words: Sequence[str], at: int) -> Number | None:
    word = _word(words, at)
    return Number(f"{_DECADES[word]}s", at + 1, is_plain=False) if word in _DECADES else None


def _whole(words: Sequence[str], at: int) -> Number | None:
    """Read a whole number below 10¹⁵ of hundreds with their scales; an ordinal ends it."""
    part = _hundreds(words, at) or _ordinal(words, at, start=at)
    if part is None:
        return None
    is_followed = part.value and _word(words, part.end) in _SCALES
    if part.end == at + 1 and _word(words, at).isdecimal() and not is_followed:
        return None  # digits that nothing is added to stay as they are written
    total, power = 0, 15
    while not part.is_ordinal and part.value:
        word = _word(words, part.end)
        if word in _POWERS and _POWERS[word] < power and word != "hundredth":
            part = _Part(part.value * 10 ** _POWERS[word], part.end + 1, is_ordinal=True)
            break
        if _SCALES.get(word, 99) >= power:
            break
        power = _SCALES[word]
        total += part.value * 10**power
        part = _Part(0, part.end + 1)
        part = _rest(words, part.end, power, start=at) or part
    total += part.value
    return Number(_with_ending(total) if part.is_ordinal else str(total), part.end, not part.is_ordinal)


def _rest(words: Sequence[str], at: int, power: int, *, start: int) -> _Part | None:
    """Read what follows a scale: less than it, and not the beginning of another number."""
    at += _word(words, at) == "and"
    part = _hundreds(words, at) or _ordinal(words, at, start=start)
    if part is None or not 0 < part.value < 10**power:
        return None
    after = _word(words, part.end)
    if _SCALES.get(after, 0) >= power or after == "hundred":
        return None
    # One thousand 5 are two numbers; 2 million 300 thousand are one.
    return None if _word(words, at).isdecimal() and part.end == at + 1 and after not in _SCALES else part


def _hundreds(words: Sequence[str], at: int) -> _Part | None:
    """Read a number below a thousand, or up to ninety nine hundred."""
    lead = _below_hundred(words, at) or _short_digits(words, at) or _article(words, at)
    if lead is None or not 0 < lead.value < 100:
        return lead
    word = _word(words, lead.end)
    if word == "hundredth":
        return _Part(100 * lead.value, lead.end + 1, is_ordinal=True)
    if word != "hundred":
        tens = _TENS.get(_word(words, at))
        ordinal = _ordinal(words, at, start=at) if tens and lead.end == at + 1 else None
        return ordinal or lead
    hundreds, end = 100 * lead.value, lead.end + 1
    after = end + (_word(words, end) == "and")
    rest = _ordinal(words, after, start=at) or _below_hundred(words, after)
    if rest is None or not 0 < rest.value < 100 or _word(words, rest.end) in ("hundred", "hundredth"):
        return _Part(hundreds, end)
    return _Part(hundreds + rest.value, rest.end, rest.is_ordinal)


def _below_hundred(words: Sequence[str], at: int) -> _Part | None:
    word = _word(words, at)
    if word in _TENS:
        unit = _SMALL.get(_word(words, at + 1), 0)
        return _Part(_TENS[word] + unit, at + 2) if 0 < unit < 10 else _Part(_TENS[word], at + 1)
    return _Part(_SMALL[word], at + 1) if word in _SMALL else None


def _short_digits(words: Sequence[str], at: int) -> _Part | None:
    word = _word(words, at)
    return _Part(int(word), at + 1) if len(word) <= 3 and word.isdecimal() else None


def _article(words: Sequence[str], at: int) -> _Part | None:
    """Read the "a" of "a hundred" as one."""
    after = _word(words, at + 1)
    is_one = _word(words, at) == "a" and (after == "hundred" or after in _SCALES)
    return _Part(1, at + 1) if is_one and _word(words, at - 1) not in _BEFORE_SHARES else None


def _ordinal(words: Sequence[str], at: int, *, start: int) -> _Part | None:
    """Read an ordinal below a hundred, or one such as "hundredth"; ``start`` is where its number begins."""
    word, after = _word(words, at), _word(words, at + 1)
    if word in _TENS and 0 < _ORDINALS.get(after, 0) < 10:
        if after == "second" and not _is_date(words, start, at + 2):
            return None
        return _Part(_TENS[word] + _ORDINALS[after], at + 2, is_ordinal=True)
    if word == "second" and not _is_alone(words, start, at):
        return None
    value = _ORDINALS.get(word) or _TENTHS.get(word)
    if value is None and at == start and word in _POWERS:
        value = 10 ** _POWERS[word]
    return _Part(value, at + 1, is_ordinal=True) if value else None


def _is_alone(words: Sequence[str], start: int, at: int) -> bool:
    """Whether "second" is an ordinal: not after a number, unless the number is a date."""
    if at > start:
        return _is_date(words, start, at + 1)
    before = _word(words, at - 1)
    return not (is_figure(before) or before in TRIGGERS)


def _is_date(words: Sequence[str], start: int, end: int) -> bool:
    return _word(words, start - 1) in _BEFORE_DATES or _word(words, end) == "of"


def _with_ending(value: int) -> str:
    if value % 100 in (11, 12, 13):
        return f"{value}th"
    return f"{value}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th') }"


def _digits(words: Sequence[str], at: int) -> Number | None:
    word = _word(words, at)
    return Number(word, at + 1) if _FIGURE.fullmatch(word) else None


def _with_fraction(words: Sequence[str], number: Number) -> Number:
    """Add "point one four", as often as it comes (version one point two point three), and a scale."""
    end, parts = number.end, [number.text]
    is_pointed = bool(_DIGITS.fullmatch(number.text))
    while is_pointed and _word(words, end) == "point":
        digits, stop = _after_point(words, end + 1)
        if not digits:
            break
        parts.append(digits)
        end = stop
    text = ".".join(parts)
    scale = _SCALES.get(_word(words, end))
    if scale and "." in text and _SHORT.fullmatch(text) and float(text):
        text, end = _shifted(text, scale), end + 1
    return Number(text, end)


def _after_point(words: Sequence[str], at: int) -> tuple[str, int]:
    end, digits = at, ""
    while _word(words, end) in _ZEROS or _SMALL.get(_word(words, end), 10) < 10:
        digits += str(_SMALL.get(words[end], 0))
        end += 1
    if digits:
        return digits, end
    word = _word(words, at)
    if word.isdecimal():
        return word, at + 1
    tens = _below_hundred(words, at)
    return (str(tens.value), tens.end) if tens else ("", at)


def _shifted(decimal: str, places: int) -> str:
    whole, _, fraction = decimal.partition(".")
    moved = whole + fraction[:places].ljust(places, "0")
    rest = fraction[places:].rstrip("0")
    return (moved.lstrip("0") or "0") + (f".{rest}" if rest else "")
