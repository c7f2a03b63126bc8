"""Whether the fields of a result are what they are to be: checks of other packages make results too."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..evidence import Fallback, Missing, canonical_json

if TYPE_CHECKING:
    from .check import CheckResult


def check_fields(result: CheckResult) -> None:
    """Raise ``ValueError`` for the first field that is of another kind than it says."""
    for names, is_right, accepted in _RULES:
        for name in names:
            value = getattr(result, name)
            if not is_right(value):
                raise ValueError(f"check {result.name!r:.80}: {name} is {value!r:.80}; accepted: {accepted}")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number_or_none(value: object) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value is None or (is_number and math.isfinite(value))  # type: ignore[arg-type]


def _is_artifacts(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(one, tuple) and tuple(map(type, one)) == (str, bytes, str) for one in value
    )


def _is_json_or_none(value: object) -> bool:
    try:
        return value is None or (isinstance(value, dict) and bool(canonical_json(value)))
    except (TypeError, ValueError, RecursionError):
        return False


_RULES: tuple[tuple[tuple[str, ...], Callable[[Any], bool], str], ...] = (
    (("name", "version", "unit"), _is_text, "text that is not blank"),
    (("detail",), lambda value: isinstance(value, str), "text"),
    (("passed",), lambda value: value is None or isinstance(value, bool), "True, False or None"),
    (("higher_is_better",), lambda value: isinstance(value, bool), "True or False"),
    (("value", "limit"), _is_number_or_none, "a finite number or None"),
    (("missing",), lambda value: value is None or isinstance(value, Missing), "a Missing or None"),
    (("fallback",), lambda value: value is None or isinstance(value, Fallback), "a Fallback or None"),
    (("backend",), lambda value: value is None or isinstance(value, str), "text or None"),
    (("against",), lambda value: value is None or isinstance(value, str), "a sha256 or None"),
    (("artifacts",), _is_artifacts, "a tuple of (name, bytes, suffix)"),
    (("settings", "frames", "seen"), _is_json_or_none, "a dict that JSON can hold"),
)
