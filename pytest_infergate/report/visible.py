"""Showing what a model said without obeying it."""

from __future__ import annotations

import re
from unicodedata import category

from .width import shorten_end

#: Letters and marks that show nothing: Hangul fillers, the blank Braille pattern, joiners, selectors.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
#: Controls, formats (bidi, zero-width), surrogates, private and unassigned characters, line and
#: paragraph separators, and spaces that are not the space.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible_line(text: str, width: int = 200) -> str:
    """Return ``text`` as one line of at most ``width`` columns that a terminal shows and does not obey.

    Characters that act, hide or turn the direction are spelled as Python does: ``\\x1b``, ``\\u202e``.
    Backslashes of the text stay as they are, since LaTeX is full of them.
    """
    # No character takes less than a third of a column but marks; they are cut too where they pile up.
    return shorten_end(_spell(text[: 4 * width]) + ("…" if len(text) > 4 * width else ""), width)


def visible_block(text: str, *, width: int = 200, lines: int = 40) -> list[str]:
    """Return ``text`` as at most ``lines`` lines of ``width`` columns, and one more that tells what is left.

    Lines are those that a line feed ends, with or without a carriage return before it.
    """
    if not text:
        return []
    every = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    shown = [visible_line(item, width) for item in every[:lines]]
    if len(every) > lines:
        shown.append(f"… {len(every) - lines} more lines")
    return shown


def _spell(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(_spelled(char) if _acts(char) else char for char in text)


def _acts(char: str) -> bool:
    return char != " " and (category(char) in _HIDDEN or bool(_BLANK.match(char)))


def _spelled(char: str) -> str:
    code = ord(char)
    if char in _NAMED:
        return _NAMED[char]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
