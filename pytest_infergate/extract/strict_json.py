"""JSON as RFC 8259 has it, and where it stands in a text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

_SKELETON = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[{}\[\]]', re.DOTALL)
_BEGIN = re.compile(r'\{(?=\s{0,40}["}])|\[(?=\s{0,40}(?:["{\[\]\d-]|true\b|false\b|null\b))')
_MOST_UNCLOSED = 1  # openings without an end that are passed over; each costs a pass over the text
_MOST_SPANS = 20_000  # beyond, the text is no reply with JSON in it
_DEEPEST = 500  # arrays and objects inside one another
_MOST_BRACKETS = 100_000


class NotJson(Exception):
    """A text is not JSON; says why."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that looks like a JSON object or array; ``fault`` says why it is none."""

    start: int
    value: Any = None
    fault: str | None = None
    is_object: bool = False

    @property
    def holds_object(self) -> bool:
        """Whether it is an object, whole or faulty, or an array with an object in it."""
        return (
            self.is_object
            or isinstance(self.value, dict)
            or (isinstance(self.value, list) and any(isinstance(item, dict) for item in self.value))
        )


def read_json(text: str) -> Any:
    """Return the value of a text that is one JSON value; raises ``NotJson``.

    Refused: NaN and infinities, numbers beyond a double, a name that occurs twice in one object (RFC 8259
    leaves its value open), integers of over 4,300 digits, nesting deeper than 500.
    """
    value, end = _read_at(text, len(text) - len(text.lstrip(" \t\r\n")))
    if text[end:].strip(" \t\r\n"):
        raise NotJson(f"there is more after the value, at character {end}")
    return value


def read_json_at(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value that begins at ``start`` and where it ends; raises ``NotJson``."""
    return _read_at(text, start)


def find_json(text: str) -> Iterator[Span]:
    """Yield the outermost objects and arrays within ``text``, the faulty ones too, in linear time."""
    position, unclosed, spans = 0, 0, 0
    while unclosed <= _MOST_UNCLOSED and (begin := _BEGIN.search(text, position)):
        start = begin.start()
        spans += 1
        if spans > _MOST_SPANS:
            yield Span(start, fault="there are too many brackets to tell which is the answer", is_object=True)
            return
        try:
            value, position = _read_at(text, start)
        except NotJson as error:
            yield Span(start, fault=str(error), is_object=text[start] == "{")
            end = _balanced_end(text, start)
            if end is None:
                unclosed += 1
                end = text.find("\n", start + 1)
                if end < 0:
                    return
            position = end
        else:
            yield Span(start, value)


def same_json(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal, booleans apart from numbers; 1 and 1.0 are the same number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_json(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(
            same_json(one, two) for one, two in zip(left, right, strict=True)
        )
    return bool(left == right)


def _read_at(text: str, start: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise NotJson(f"{error.msg} at character {error.pos}") from error
    except ValueError as error:  # ours, or Python's limit on digits
        raise NotJson(str(error)) from error
    except RecursionError as error:
        raise NotJson("it is nested too deeply") from error
    if _is_deep(value):
        raise NotJson("it is nested too deeply")
    return value, end


def _is_deep(value: Any) -> bool:
    """Whether ``value`` is nested deeper than 500: Python's own limit differs from version to version."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(_DEEPEST):
        inner = chain.from_iterable(item.values() if isinstance(item, dict) else item for item in level)
        level = [item for item in inner if isinstance(item, (dict, list))]
        if not level:
            return False
    return True


def _balanced_end(text: str, start: int) -> int | None:
    depth = 0
    for token in islice(_SKELETON.finditer(text, start), _MOST_BRACKETS):
        char = token.group()[:1]
        if char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return token.end()
    return None


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"the number {digits[:40]} is beyond a double")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise ValueError(f"the name {twice!r:.60} occurs twice in one object")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)
