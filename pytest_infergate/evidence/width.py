"""How many columns of a terminal a text takes."""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width


def text_width(text: str) -> int:
    """Return the columns: 2 for wide and full-width characters, 0 for what joins the one before.

    Source of the classes: Unicode Standard Annex 11. Ambiguous characters count as 1.
    """
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def fit(text: str, width: int) -> str:
    """Pad to exactly ``width`` columns, shortening in the middle what is longer."""
    text = shorten_middle(text, width)
    return text + " " * (width - text_width(text))


def fit_right(text: str, width: int) -> str:
    """Pad on the left to at least ``width`` columns."""
    return " " * (width - text_width(text)) + text


def shorten_middle(text: str, width: int) -> str:
    """Return ``text`` in at most ``width`` columns (at least 1): both ends of a name tell it apart."""
    if text_width(text) <= width:
        return text
    room = width - 1
    head = _take(text, room - room // 2)
    tail = _take(text[::-1], room // 2)[::-1]
    # A mark that joined a character cut away would join the ellipsis.
    while tail and _char_width(tail[0]) == 0:
        tail = tail[1:]
    return f"{head}…{tail}"


def shorten_end(text: str, width: int) -> str:
    """Return ``text`` in at most ``width`` columns (at least 1), cut at the end."""
    if text_width(text) <= width:
        return text
    return f"{_take(text, width - 1)}…"


def wrap(text: str, width: int) -> list[str]:
    """Break at spaces into lines of at most ``width`` columns; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and text_width(lines[-1]) + 1 + text_width(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _take(text: str, width: int) -> str:
    for index, char in enumerate(text):
        width -= _char_width(char)
        if width < 0:
            return text[:index]
    return text


def _char_width(char: str) -> int:
    if combining(char) or category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1
