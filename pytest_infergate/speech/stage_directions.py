"""What stands in a script and is not spoken: brackets, parentheses, asterisks, tags."""

from __future__ import annotations

import re
from itertools import islice

from .spans import MOST_MARKS, Span, TooManyMarksError, outermost

_PAIRS = {"[": "]", "(": ")", "（": "）", "【": "】", "〔": "〕", "［": "］"}
_OPENERS = {closer: opener for opener, closer in _PAIRS.items()}
_MARK = re.compile(r"[\[\]()（）【】〔〕［］]|\n[ \t]*\n")
_ASTERISKS = re.compile(r"(?<![*\w])\*(?![*\s])[^*\n]{1,300}(?<!\s)\*(?![*\w])")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")


def find_directions(text: str) -> list[Span]:
    """Return the stage directions of ``text``, in order and apart: from an opening mark past its closing one.

    ``[…]`` and ``(…)``, also full-width, close within their paragraph, else they are none; ``*…*`` closes
    within its line (``**…**`` is bold type and spoken); ``<tags>`` are markup.
    """
    found = [Span(*one.span()) for one in islice(_TAG.finditer(text), MOST_MARKS)]
    found += [Span(*one.span()) for one in islice(_ASTERISKS.finditer(text), MOST_MARKS)]
    if len(found) >= MOST_MARKS:
        raise TooManyMarksError("tags and asterisks")
    stack: list[tuple[str, int]] = []
    for count, mark in enumerate(_MARK.finditer(text)):
        if count > MOST_MARKS:
            raise TooManyMarksError("brackets")
        sign = mark.group()
        if sign in _PAIRS:
            stack.append((sign, mark.start()))
        elif sign in _OPENERS:
            if any(opener == _OPENERS[sign] for opener, _ in stack[-8:]):
                while True:
                    opener, start = stack.pop()
                    if opener == _OPENERS[sign]:
                        break
                found.append(Span(start, mark.end()))
        else:  # a paragraph ends
            stack.clear()
    return outermost(found)
