"""Showing what a model said without obeying it."""

from __future__ import annotations

import re
from unicodedata import category

from ..evidence.width import shorten_end, text_width

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


def visible_block(text: str, *, width: int = 200, lines: int = 200) -> list[str]:
    """Return ``text`` as lines of at most ``width`` columns; after ``lines`` of them one tells what is left.

    Longer lines go on in the next one. A line is what a line feed ends, with or without a carriage return.
    """
    text = text.replace("\r\n", "\n").removesuffix("\n")
    shown: list[str] = []
    at = 0
    while at < len(text):
        if len(shown) == lines:
            shown.append(f"… {len(text) - at} more characters")
            break
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        row, columns, stop = "", 0, at
        # Marks take no column, so characters are counted too.
        while stop < end and stop - at < 4 * width:
            spelled = _spell(text[stop])
            columns += text_width(spelled)
            if columns > width and row:
                break
            row += spelled
            stop += 1
        shown.append(row)
        at = stop + 1 if stop == end else stop
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
