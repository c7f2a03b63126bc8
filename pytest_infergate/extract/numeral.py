"""Numerals: how numbers are written, and what they are worth."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from math import isinf

Number = int | float

_MOST = 512  # numerals of one text that are read, from its end
_LONGEST = 4300  # digits; Python's own limit for int(str), beyond which conversion is quadratic
_LARGEST_EXPONENT = 400

_VULGAR = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4",
    "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
_SPELLING = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u2008\u2009\u202f", "\u2009"),
        **dict.fromkeys("\u2212\uff0d\ufe63\u2010\u2011\u2013", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u2060\ufe0f", ""),
        **dict.fromkeys("’＇ʼ", "'"),
        **{sign: f" {fraction}" for sign, fraction in _VULGAR.items()},
        **{sign: f"^{power}" for power, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        **{sign: f"_{index}" for index, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
        "⁻": "^-", "，": ",", "．": ".", "：": ":",
        "％": "%", "＋": "+", "＝": "=", "＄": "$", "／": "/", "＊": "*",
        "⁄": "/", "∕": "/", "\u066b": ".", "\u066c": ",", "\u066a": "%", "＃": "#", "（": "(", "）": ")",
    }
)  # fmt: skip
_POWER = re.compile(r"\^(-?)((?:\^\d){1,400})")  # 10⁻⁶ became 10^-^6
_POWER_RUN = re.compile(r"(?<=\^)(\d)((?:\^\d){1,400})")
_FRACTION = re.compile(
    r"(\d?)(-?)\\[dtc]?frac\s?(?:\{\s?(-?[\d.]{1,40})\s?\}|(\d))\s?(?:\{\s?([\d.]{1,40})\s?\}|(\d))"
)
_LATEX = (
    (re.compile(r"\{,\}|,\\!|\\!,"), ","),
    (re.compile(r"\\[,;:]|\\thinspace\b"), "\u2009"),
    (re.compile(r"\\!|\\(?=[$%#&])"), ""),
    (re.compile(r"\\(?:left|right)\b|\\(?:displaystyle|big|Big)\b"), ""),
    (re.compile(r"\\(?:approx|simeq|equiv)\b|≈|≅|≡"), "="),
    (re.compile(r"\\times(?![A-Za-z])|\\cdot(?![A-Za-z])|×|·|⋅"), "*"),
    (re.compile(r"\\pm(?![A-Za-z])"), "±"),
    (re.compile(r"\\div(?![A-Za-z])|÷"), "/ "),
    (re.compile(r"\^\s?(?:\{\s?\\circ\s?\}|\\circ\b)"), "°"),
    (re.compile(r"https?://\S{1,2000}"), " "),
)

_CURRENCY = "$€£¥₹₽₩₺₴₫₪₦฿￥￡"
_SCALES = {
    "hundred": 2,
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "lakh": 5,
    "crore": 7,
    "k": 3,
    "m": 6,
    "mn": 6,
    "b": 9,
    "bn": 9,
}
_TOKEN = re.compile(
    r"""
    (?<![\w^\\.])(?P<date>\d{4}-\d{1,2}-\d{1,2}(?:T[\d:.]{1,20}Z?)?|\d{1,2}-\d{1,2}-\d{4})(?![\w-])
    | (?:(?<![A-Za-z_^\\\d.])|(?<=USD|EUR|GBP|INR|CHF|JPY|CNY|CAD|AUD|SEK)|(?<=\bRs)|(?<=\bRs\.))
      (?P<run>(?:(?<![\w.])\.)?\d(?:\d|[.,:/'_\u2009](?=\d)|[ ](?=\d{3}(?!\d)))*)
      (?P<exponent>[eE][+-]?\d{1,6}(?![\w.]{0,40}\d)
        |[ ]?[x*][ ]?10\^\{?(?P<tens>[+-]?\d{1,6})\}?
        |(?<=10)\^\{?(?P<ten>[+-]?\d{1,6})\}?
      )?
    """,
    re.VERBOSE,
)
_FORM = re.compile(
    r"""
      (?P<comma>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?)
    | (?P<dot>\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,})
    | (?P<space>\d{1,3}(?P<separator>[ \u2009'])\d{3}(?:(?P=separator)\d{3})*(?:[.,]\d+)?)
    | (?P<under>\d+(?:_\d+)+(?:\.\d+)?)
    | (?P<plain>\d*\.\d+|\d+)
    | (?P<decimal_comma>\d+,\d+)
    """,
    re.VERBOSE,
)
_RATIO = re.compile(r"(?P<over>\d+(?:\.\d+)?)/(?P<under>\d+(?:\.\d+)?)")
_AFTER = re.compile(
    r"""
      (?P<ordinal>(?:st|nd|rd|th)\b|[ºª])
    | (?P<scale>[kKmMbB]n?\b(?![²³^/]))
    | (?P<word>[ \u2009-]?(?:hundred|thousand|million|billion|trillion|lakh|crore)s?\b)
    | (?P<broken>[xyzni]\b|[ ]and[ ]a[ ](?:half|quarter)\b|[ ]?\\?(?:pi\b|sqrt\b)|[ ]?[π√]|\^|_
        |(?!(?:mm|cm|dm|m|km|in|ft)[23]\b)[A-Za-z]{1,40}\d|\.\d|:\d)
    """,
    re.VERBOSE,
)
_RAISED = re.compile(r"\^\{?-?\d{1,6}\}?")
_BEFORE = re.compile(rf"(?P<sign>-[ ]?)?(?P<money>[{_CURRENCY}][ ]?)?(?P<inner>-)?$")
_WORD_SIGN = re.compile(r"(?<![\d)] )\b(?:minus|negative)[ ](?:[$€£])?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A numeral in a text. ``value`` ``None``: it cannot be read as a number (a date, a list, too long)."""

    start: int
    end: int
    value: Number | None
    is_ordinal: bool = False
    is_date: bool = False


def spell_plainly(text: str) -> str:
    """Return ``text`` with digits, signs, spaces and LaTeX of numbers in one spelling."""
    if not text.isascii():
        digits = {ord(c): str(unicodedata.decimal(c)) for c in set(text) if c > "\x7f" and c.isdecimal()}
        text = text.translate({**_SPELLING, **digits})
        text = _POWER_RUN.sub(lambda run: run[1] + run[2].replace("^", ""), text.replace("^-^", "^-"))
    if "\\" in text:
        text = _FRACTION.sub(_plain_fraction, text)
    for pattern, plain in _LATEX:
        text = pattern.sub(plain, text)
    return text


def find_numerals(text: str) -> list[Numeral]:
    """Return the numerals of ``text``, which is spelled plainly, in order; unreadable ones included."""
    found: list[Numeral] = []
    for token in list(_TOKEN.finditer(text))[-_MOST:]:
        if token["date"]:
            found.append(Numeral(token.start(), token.end(), None, is_date=True))
            continue
        run, start = token["run"], token.start("run")
        if " " in run and not _FORM.fullmatch(run):
            pieces = run.split(" ")
            for piece in pieces[:-1]:
                found.append(_numeral(text, start, piece, None))
                start += len(piece) + 1
            run = pieces[-1]
        power = token["tens"] or token["ten"]
        exponent = None
        if token["exponent"]:
            exponent = int(power) if power else int(token["exponent"][1:])
            if token["ten"]:
                run = "1" if run == "10" else ""  # 2^10 is a sum to do, not a numeral
        numeral = _numeral(text, start, run, exponent, token.end())
        previous = found[-1] if found else None
        mixed = _mixed(text, previous, numeral, run)
        if mixed is not None:
            found[-1] = mixed
        else:
            found.append(numeral)
    return found


def read_exactly(digits: str, exponent: int = 0) -> Number | None:
    """Return the value of ``digits`` (``12``, ``1.50``, ``.5``) times ten to ``exponent``.

    An ``int`` where integral, else a ``float``; ``None`` where neither can hold it.
    """
    if len(digits) > _LONGEST or abs(exponent) > _LARGEST_EXPONENT:
        return None
    whole, _, part = digits.partition(".")
    return _as_number(Fraction(int(whole + part or "0")) * Fraction(10) ** (exponent - len(part)))


def _as_number(value: Fraction) -> Number | None:
    if value.denominator == 1:
        return value.numerator
    try:
        number = value.numerator / value.denominator
    except OverflowError:
        return None
    return None if isinf(number) or not number else number


def _plain_fraction(found: re.Match[str]) -> str:
    lead, sign, over, under = found[1], found[2], found[3] or found[4], found[5] or found[6]
    if over.startswith("-"):
        over, sign = over[1:], "" if sign else "-"
    gap = " " if lead and not sign else ""
    return f"{lead}{gap}{sign}{over}/{under}"


def _numeral(text: str, start: int, run: str, exponent: int | None, end: int | None = None) -> Numeral:
    stop = start + len(run) if end is None else end
    lead = text[max(0, start - 4) : start]
    before = _BEFORE.search(lead)
    sign, has_money, begin = 1, False, start
    if before is not None:
        has_money = bool(before["money"])
        begin = start - (before.end() - before.start())
        if before["sign"] or before["inner"]:
            owner = text[max(0, begin - 1) : begin] if before["sign"] else ""
            if before["sign"] and not _is_sign(text, begin, before["sign"]):
                begin += len(before["sign"])
                if owner.isalpha() and len(before["sign"]) == 1 and not has_money and owner < "\u0530":
                    return Numeral(start, stop, None)  # GPT-4
            else:
                sign = -1
    if sign == 1 and _WORD_SIGN.search(text, max(0, begin - 12), begin):
        sign = -1
    is_readable = not _is_pair(text, start, stop, run) and text[max(0, begin - 1) : begin] != "±"
    value = _read(run, exponent) if is_readable else None
    after = _AFTER.match(text, stop)
    is_ordinal = False
    if after is not None:
        if after["broken"] or (after["scale"] and not has_money and not _is_unit(after["scale"])):
            value = None
            raised = _RAISED.match(text, stop)
            stop = raised.end() if raised else stop
        elif after["ordinal"]:
            is_ordinal = True
        elif value is not None and (after["word"] or (after["scale"] and has_money)):
            scale = _SCALES[(after["word"] or after["scale"]).strip(" \u2009-").lower().removesuffix("s")]
            value, stop = _scaled(run, scale), after.end()
    return Numeral(begin, stop, None if value is None else sign * value, is_ordinal)


def _is_pair(text: str, start: int, stop: int, run: str) -> bool:
    """Whether ``run`` is what stands between the brackets of ``(1,2)``."""
    return (
        "," in run
        and text[max(0, start - 1) : start] in tuple("([{")
        and text[stop : stop + 1] in tuple(")]}")
    )


def _is_unit(letters: str) -> bool:
    return letters in ("m", "b")  # metres, bits; "5k" and "5M" may or may not mean thousands


def _is_sign(text: str, at: int, sign: str) -> bool:
    """Whether the minus at ``at`` belongs to the numeral, rather than joining, subtracting or listing."""
    before = text[max(0, at - 1) : at]
    if before and (before.isalnum() or before in ")]}%°'_"):
        return False
    if " " not in sign:
        return True
    return text[max(0, at - 40) : at].rstrip(" ")[-1:] in tuple("=:([{,$")


def _read(run: str, exponent: int | None) -> Number | None:
    if not run or len(run) > _LONGEST:
        return None
    ratio = _RATIO.fullmatch(run)
    if ratio is not None and exponent is None:
        under = Fraction(ratio["under"])
        return _as_number(Fraction(ratio["over"]) / under) if under else None
    digits = _plain_digits(run)
    return None if digits is None else read_exactly(digits, exponent or 0)


def _plain_digits(run: str) -> str | None:
    form = _FORM.fullmatch(run)
    if form is None:
        return None
    kind = form.lastgroup
    if kind == "comma":
        return run.replace(".", "").replace(",", ".", 1) if run.startswith("0") else run.replace(",", "")
    if kind == "dot":
        return run.replace(".", "").replace(",", ".")
    if kind == "decimal_comma":
        return run.replace(",", ".")
    return re.sub(r"[ \u2009'_]", "", run).replace(",", ".")


def _scaled(run: str, scale: int) -> Number | None:
    digits = _plain_digits(run)
    return None if digits is None else read_exactly(digits, scale)


def _mixed(text: str, whole: Numeral | None, part: Numeral, run: str) -> Numeral | None:
    """Return the mixed number of ``2`` and ``1/2``, or ``None`` where they are two numerals."""
    ratio = _RATIO.fullmatch(run)
    if whole is None or ratio is None or part.value is None or part.value < 0 or part.value >= 1:
        return None
    if text[whole.end : part.start] not in (" ", "\u2009", "  ", "\u2009 ") or not isinstance(
        whole.value, int
    ):
        return None
    if not text[whole.start : whole.end].lstrip("-$ ").isdecimal():
        return None
    exact = abs(whole.value) + Fraction(ratio["over"]) / Fraction(ratio["under"])
    value = _as_number(exact)
    return None if value is None else Numeral(whole.start, part.end, -value if whole.value < 0 else value)
