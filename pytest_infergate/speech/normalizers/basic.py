"""The normalizer ``basic``: what is spoken, for every script, without knowledge of any language."""

from __future__ import annotations

import re
from unicodedata import category

from .characters import CURRENCIES, IN_CONTEXT, fold_characters
from .characters import TABLES as CHARACTER_TABLES

NAME, VERSION = "basic", "1"
RULE = (
    "Case, white space and punctuation are no words. One spelling for what is spoken alike: canonical "
    "composition (NFC), case folding, full-width and half-width forms, the digits of every script as 0-9, "
    "every kind of apostrophe. Emoji, other signs, invisible characters are left out; marks (vowel signs, "
    "accents) are kept. Of punctuation is kept: an apostrophe inside a word; the sign, decimal and "
    "grouping marks and slashes of a number; percent and degree signs; currency signs; mathematical signs;"
    " & and @ between words, + and # at a word. A hyphen parts two words. Numbers stay as they are "
    "written: 50 is not fifty."
)

_SIGNS = re.escape(IN_CONTEXT)
_WORD = rf"[^\s{_SIGNS}]"  # a letter, a mark, a digit, a currency sign
_MONEY = f"[{CURRENCIES}]"
_NUMBER_NEXT = rf"(?=(?:{_MONEY}\ ?)?\.?[0-9])"
_IN_CONTEXT = re.compile(
    rf"""
      (?P<kept>
          (?<={_WORD})['·](?={_WORD})
        | (?<=[0-9])[.,/](?=[0-9])
        | (?<![^\s\-−–+{CURRENCIES}])\.(?=[0-9])            # .5
        | (?<=[0-9])[%‰°] | °(?=[cf](?!{_WORD}))            # 20°, °c
        | (?<={_WORD})[&@](?={_WORD})
        | (?<={_WORD})\#(?!{_WORD}) | \#(?=[0-9])           # c#, #1
        | (?<={_WORD})\+\+?(?!\+|{_WORD})                  # c++, 18+
        | (?<![^\s{CURRENCIES}])\+{_NUMBER_NEXT}            # +5
      )
    | (?P<minus>(?<![^\s./,'"{CURRENCIES}])[-–−]{_NUMBER_NEXT})
    | (?P<apart>[%‰°&@+−])
    | (?P<acronym>(?<=[א-ת])["״](?=[א-ת]))
    | [{_SIGNS}]
    """,
    re.VERBOSE,
)
_HAS_SIGN = re.compile(f"[{_SIGNS}]")
_AFTER_NUMBER = re.compile(rf"(?<=[0-9]) +(?=[%‰°]|{_MONEY}(?!\S))")
_BEFORE_NUMBER = re.compile(rf"(?<!\S)(-?{_MONEY}) +(?=\.?[0-9])")

#: What this file depends on, for the digest of the normalizer.
TABLES = (*CHARACTER_TABLES, _IN_CONTEXT.pattern, _AFTER_NUMBER.pattern, _BEFORE_NUMBER.pattern)


def normalize_basic(text: str) -> str:
    """Return the words of ``text``, parted by one space; empty where nothing is spoken."""
    return drop_punctuation(fold_characters(text))


def drop_punctuation(folded: str) -> str:
    """Return the words of a text whose characters are folded."""
    if not folded.isascii():
        folded = _without_lone_marks(folded)
    if _HAS_SIGN.search(folded):
        folded = _IN_CONTEXT.sub(_in_context, folded)
    return join_signs(" ".join(folded.split()))


def join_signs(words: str) -> str:
    """Return ``words`` with ``5 %``, ``5 €`` and ``$ 5`` as one word each."""
    return _BEFORE_NUMBER.sub(r"\1", _AFTER_NUMBER.sub("", words))


def _in_context(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "kept":
            return found[0]
        case "minus":
            return "-"
        case "apart":
            return f" {found[0]} "
        case "acronym":
            return "״"
    return " "


def _without_lone_marks(text: str) -> str:
    """Leave out marks that have no letter to stand on, such as those of punctuation that is left out."""
    marks = "".join(sorted(char for char in set(text) if category(char)[0] == "M"))
    return re.sub(rf"(?<!{_WORD})[{marks}]+", "", text) if marks else text
