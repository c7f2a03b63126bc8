"""Figures as they are spoken in English: signs, money, percentages, units, and numbers in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .characters import CURRENCIES
from .english_numbers import NUMBER_WORDS, TRIGGERS, is_figure, read_number

_MONEY = {
    "dollar": "$",
    "dollars": "$",
    "euro": "€",
    "euros": "€",
    "pound": "£",
    "pounds": "£",
    "rupee": "₹",
    "rupees": "₹",
    "yen": "¥",
}
_NAMED = {"$": "dollars", "€": "euros", "£": "pounds", "₹": "rupees", "¥": "yen", "¢": "cents"}
_CENTS = ("cent", "cents")
_MINUS = ("minus", "negative")
_FIGURE = re.compile(
    rf"(?P<sign>[+-])?(?P<money>[{CURRENCIES}])?(?P<second_sign>[+-])?(?P<digits>\.?[0-9]+(?:[.,/][0-9]+)*)(?P<rest>.*)",
    re.DOTALL,
)
_ENDINGS = {
    "": [],
    "%": ["percent"],
    "+": ["plus"],
    "°": ["degrees"],
    "°c": ["degrees", "celsius"],
    "°f": ["degrees", "fahrenheit"],
    **{sign: [word] for sign, word in _NAMED.items()},
}
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_ORDINAL = re.compile(r"(?:[0-9]*[02-9])?(?:1st|2nd|3rd|[04-9]th)|[0-9]*1[0-9]th")
_SIGN = re.compile(f"[{CURRENCIES}]")
_DIGIT = re.compile("[0-9]")
#: What is left over of one pass and may belong to a figure that the pass made.
_MAY_JOIN = TRIGGERS | _MONEY.keys() | {"point", *_CENTS}
_STARTS = TRIGGERS | {"a", "oh", "o", "plus", *_MINUS}
_WHOLE_MONEY = re.compile(r"[+-]?[$€£][0-9]+")

#: What this file depends on, for the digest of the normalizer.
TABLES = (sorted(_MONEY.items()), sorted(_ENDINGS.items()))


def split_figures(words: Sequence[str]) -> list[str]:
    """Write figures as the words they are spoken in: ``-5%`` as minus 5 percent, ``20mm`` as 20 mm."""
    split: list[str] = []
    for at, word in enumerate(words):
        if word.isalpha() or (word not in _NAMED and not _DIGIT.search(word)):
            split.append(word)
        elif word in _NAMED:
            after = words[at + 1] if at + 1 < len(words) else ""
            is_before_number = after in NUMBER_WORDS or after[:1].isdecimal()
            split.append(word if is_before_number and word != "¢" else _NAMED[word])
        else:
            split += _spoken(word)
    return split


def _spoken(word: str) -> Sequence[str]:
    if word[:1] == "#" and word[1:].isdecimal():
        return ["number", word[1:]]
    found = _FIGURE.fullmatch(word)
    if found is None or (found["sign"] and found["second_sign"]):
        return [word]
    digits, rest = found["digits"], found["rest"]
    if _ORDINAL.fullmatch(digits + rest):
        return [word]
    if rest in ("s", "'s"):
        return [f"{word.removesuffix(rest)}s"]
    ending = _ENDINGS.get(rest)
    if ending is None and rest.isalpha() and rest.isascii():
        ending = [rest]
    if ending is None or (found["money"] and rest[:1] in _NAMED):
        return [word]
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    digits = f"0{digits}" if digits[0] == "." else digits
    sign = {"+": ["plus"], "-": ["minus"]}.get(found["sign"] or found["second_sign"], [])
    if found["money"] == "¢":
        return [*sign, digits, "cents", *ending]
    return [*sign, *([found["money"]] if found["money"] else []), digits, *ending]


def write_figures(words: Sequence[str]) -> list[str]:
    """Write what ``split_figures`` parts, and numbers in words, as figures."""
    written, again = _written(words), list(words)
    while any(word in _MAY_JOIN for word in written):
        before, again = again, split_figures(written)
        if again == before:
            break
        written = _written(again)  # five dollars million
    return written


def _written(words: Sequence[str]) -> list[str]:
    out: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word in _STARTS or word in _NAMED or word[:1].isdecimal() or _SIGN.fullmatch(word):
            at = _write_one(words, at, out)
        else:
            out.append(word)
            at += 1
    return out


def _write_one(words: Sequence[str], at: int, out: list[str]) -> int:
    """Write the figure that begins at ``at``, or the word there; return where the next one begins."""
    word, start = words[at], at
    is_after_number = bool(out) and is_figure(out[-1])
    if word in ("oh", "o") and out and out[-1].isdecimal() and read_number(words, at + 1):
        out.append("0")
        return at + 1
    sign = ""
    if word == "plus" or word in _MINUS:
        if is_after_number:  # five minus three
            after_sign = at + 1 + bool(at + 1 < len(words) and _SIGN.fullmatch(words[at + 1]))
            is_sign = read_number(words, after_sign)
            out.append("minus" if word in _MINUS and is_sign else word)
            return at + 1
        sign, at = "+" if word == "plus" else "-", at + 1
    money = words[at] if at < len(words) and _SIGN.fullmatch(words[at]) else ""
    number = read_number(words, at + bool(money))
    if number is None or (not number.is_plain and (sign or money)):
        out.append(_NAMED.get(word, word))
        return start + 1
    if not number.is_plain:
        out.append(number.text)
        return number.end
    text, end = number.text, number.end
    after = words[end] if end < len(words) else ""
    if not money and after in _CENTS and text.isdecimal() and len(text) <= 2 and int(text):
        _write_cents(f"{int(text):02}", sign, out)
        return end + 1
    if not money and after in _MONEY:
        money, end = _MONEY[after], end + 1
    if money:
        text = text.removesuffix(".00")
    elif after == "percent":
        text, end = f"{text}%", end + 1
    out.append(f"{sign}{money}{text}")
    return end


def _write_cents(cents: str, sign: str, out: list[str]) -> None:
    """Add cents to whole dollars before them: three dollars and fifty cents."""
    at = -2 if out[-1:] == ["and"] else -1
    if not sign and len(out) >= -at and _WHOLE_MONEY.fullmatch(out[at]):
        out[at:] = [f"{out[at]}.{cents}"]
    else:
        out.append(f"{sign}$0.{cents}")
