"""Reading JSON that must be exactly one thing to everyone who reads it."""

from __future__ import annotations

import json
import math
from typing import Any


def parse_strict(raw: bytes) -> Any:
    """Return the value of ASCII JSON.

    Raises ``ValueError``, saying what is wrong, for what readers disagree about: bytes beyond ASCII, an
    object with the same key twice, NaN, infinities, and numbers that overflow to them.
    """
    try:
        return _DECODER.decode(raw.decode("ascii"))
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {raw[error.start]:#04x} at offset {error.start} is not ASCII") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise ValueError("nested too deeply to be read") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"key {next(n for n in names if names.count(n) > 1)!r} occurs twice in one object")
    return value


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is too large for a number")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
