"""What a function's docstring tells a model about it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

_SECTION = re.compile(r"^(Args|Arguments|Parameters|Params):\s*$")
_ANY_SECTION = re.compile(r"^[A-Z][\w ]*:\s*$")
_ARGUMENT = re.compile(r"^(\s+)\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
_FIELD = re.compile(r"^:param\s+(?:[^:]*\s)?(\w+):\s*(.*)$")


def read_docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return the description and what is said of each parameter, as Google's or Sphinx' style has it.

    The description ends where the parameters begin.
    """
    lines = (inspect.getdoc(function) or "").splitlines()
    begins = next(
        (n for n, line in enumerate(lines) if _ANY_SECTION.match(line) or line.startswith(":")), len(lines)
    )
    told: dict[str, str] = {}
    is_inside, indent, name = False, "", ""
    for line in lines[begins:]:
        if field := _FIELD.match(line):
            name, told[field[1]] = field[1], field[2]
        elif _ANY_SECTION.match(line):
            is_inside, indent, name = bool(_SECTION.match(line)), "", ""
        elif line.startswith(":"):
            name = ""
        elif is_inside and (found := _ARGUMENT.match(line)) and found[1] == (indent or found[1]):
            indent, name, told[found[2]] = found[1], found[2], found[3]
        elif name and line.strip():
            told[name] = f"{told[name]} {line.strip()}".strip()
    return "\n".join(lines[:begins]).strip(), told
