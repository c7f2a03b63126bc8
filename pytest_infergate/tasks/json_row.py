"""JSON as the standard has it: no NaN, no key twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .errors import DatasetError, excerpt


class _NotStrict(ValueError):
    pass


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _NotStrict(f"the key {twice!r} stands twice in one object; keep one of them")
    return fields


def _no_constant(name: str) -> Any:
    raise _NotStrict(f"{name} is not JSON; write null or leave the field out")


_DECODER = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant)


def decode_value(text: str, start: int, path: Path, line: int) -> tuple[Any, int]:
    """Return the JSON value that begins at ``start``, on ``line`` of ``path``, and the place after it.

    Raises ``DatasetError``.
    """
    where = f"{path}:{line}"
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        column = error.pos - text.rfind("\n", 0, error.pos)
        what = f"{error.msg} (column {column}): {excerpt(text[start : start + 100])}"
        fault = line + text.count("\n", start, error.pos)
        raise DatasetError(f"{path}:{fault}: unreadable JSON: {what}; a row is an object, {{…}}") from error
    except RecursionError as error:
        raise DatasetError(f"{where}: the row is nested too deeply; flatten it") from error
    except _NotStrict as error:
        raise DatasetError(f"{where}: {error}") from error
    except ValueError as error:  # an integer of more digits than Python converts
        raise DatasetError(f"{where}: unreadable number: {error}; write it as a string") from error


def as_row(value: Any, where: str) -> dict[str, Any]:
    """Return ``value`` where it is an object. Raises ``DatasetError`` that begins with ``where``."""
    if isinstance(value, dict):
        return value
    kinds = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    kind = kinds.get(type(value), "a number")
    raise DatasetError(f"{where}: the row is {kind}: {excerpt(value)}; a row is an object, {{…}}")
