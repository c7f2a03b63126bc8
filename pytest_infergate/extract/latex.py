"""Braces and boxes of LaTeX."""

from __future__ import annotations

import re
from itertools import islice

_TOKEN = re.compile(r"(\\(?:boxed|fbox)[ \t\r\n]{0,4}\{)|\\.|\{+|\}+", re.DOTALL)
_MOST = 300_000  # braces that are looked at: no answer needs as many
_JOINT = re.compile(r"(?P<close>\})[\s$.]{0,4}(?:[,;]|(?:,\s?)?\b(?:and|or)\b)[\s$]{0,4}\Z", re.IGNORECASE)
_LONGEST_JOINT = 20
_LONGEST_LISTED = 1_000  # characters of the box before it
_BOX = re.compile(r"\\(?:boxed|fbox)[ \t\r\n]{0,4}\{")


def find_last_box(text: str) -> tuple[int, str] | None:
    r"""Return position and content of the last ``\boxed{…}`` or ``\fbox{…}`` with balanced braces.

    Of nested boxes the outermost counts. ``None`` where there is none; one pass, linear.
    """
    first = _BOX.search(text) if "\\boxed" in text or "\\fbox" in text else None
    if first is None:
        return None
    depth = 0
    open_boxes: list[
        tuple[int, int, int]
    ] = []  # depth inside the box, where it starts, where its content starts
    found: tuple[int, int, int] | None = None
    for token in islice(_TOKEN.finditer(text, first.start()), _MOST):
        start, end = token.span()
        char = text[start]
        if token.lastindex:
            depth += 1
            open_boxes.append((depth, start, end))
        elif char == "{":
            if open_boxes:
                depth += end - start
        elif char == "}" and open_boxes:
            outer = depth - (end - start)
            while open_boxes and open_boxes[-1][0] > outer:
                inside, at, content = open_boxes.pop()
                found = (at, content, start + depth - inside)
            depth = max(outer, 0) if open_boxes else 0
    if found is None:
        return None
    at, content, stop = found
    return at, text[content:stop]


def find_listed_box(text: str, box: int) -> str | None:
    r"""Return what the box holds that a comma, "and" or "or" joins with the one at ``box``, else ``None``.

    ``\boxed{3} or \boxed{5}`` is a list, and its last box alone is not the answer.
    """
    joint = _JOINT.search(text, max(0, box - _LONGEST_JOINT), box)
    if joint is None:
        return None
    end = joint.end("close")
    other = find_last_box(text[max(0, end - _LONGEST_LISTED) : end])
    return None if other is None else other[1]
