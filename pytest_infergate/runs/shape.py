"""What a JSON Schema can tell of a value, so that values it cannot tell apart are checked once."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator
from typing import Any

#: Keywords whose answer depends on nothing but what ``Shapes.of`` keeps.
KNOWN_KEYWORDS = frozenset(
    {"$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "items", "enum"}
    | {"additionalProperties", "const", "pattern", "minimum", "maximum", "minLength", "uniqueItems", "anyOf"}
    | {"if", "then", "else"}
)


class Shapes:
    """Reduces values to shapes: two values of one shape are both valid, or both not.

    A shape keeps the keys of objects, the types of values, the words that the schema names, which of its
    patterns a string matches and on which side of its bounds a number lies. ``minLength`` may be 1 at most.
    Objects under ``free`` keys may hold anything, so only their being objects is kept.
    """

    def __init__(self, schema: dict[str, Any], free: frozenset[str]) -> None:
        self._free = free
        self._words: set[str] = set()
        self._bounds: list[float] = []
        patterns = set()
        for keyword, operand in keywords_of(schema):
            if keyword not in KNOWN_KEYWORDS or (keyword == "minLength" and operand != 1):
                raise ValueError(f"schema keyword {keyword!r}: {operand!r} is not known to shapes")
            if keyword in ("minimum", "maximum"):
                self._bounds.append(operand)
            elif keyword == "pattern":
                patterns.add(operand)
            elif keyword in ("enum", "const"):
                self._words.update(operand if keyword == "enum" else [operand])
        self._bounds.sort()
        self._patterns = [re.compile(pattern).search for pattern in sorted(patterns)]

    def of(self, value: Any) -> Hashable:
        """Return the shape of a JSON value; ``RecursionError`` where it is nested too deeply."""
        if isinstance(value, str):
            if value in self._words:
                return value
            return (str, not value, *[search(value) is not None for search in self._patterns])
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, (int, float)):
            bounds = self._bounds
            sides = bisect_left(bounds, value), bisect_right(bounds, value)
            return (float, value == int(value), *sides)
        if isinstance(value, list):
            shapes = [self.of(item) for item in value]
            distinct = set(shapes)
            return (list, frozenset(distinct), len(distinct) == len(shapes))
        free = self._free
        return (
            dict,
            *[
                (key, dict if key in free and isinstance(item, dict) else self.of(item))
                for key, item in value.items()
            ],
        )


def keywords_of(schema: Any) -> Iterator[tuple[str, Any]]:
    """Walk the keywords of a schema and of the schemas inside it, with their operands."""
    if not isinstance(schema, dict):
        return
    for keyword, operand in schema.items():
        yield keyword, operand
        if keyword in ("properties", "$defs"):
            inner = list(operand.values())
        elif keyword in ("anyOf",):
            inner = operand
        elif keyword in ("items", "additionalProperties", "if", "then", "else", "propertyNames"):
            inner = [operand]
        else:
            inner = []
        for item in inner:
            yield from keywords_of(item)
