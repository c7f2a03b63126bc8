"""What can be wrong with a data set, a prompt or a marker."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ..evidence import InfergateError


class DatasetError(InfergateError):
    """A data set cannot be read as it stands; the message begins with file and line."""


class DeclarationError(InfergateError):
    """A marker or a prompt is not usable as written; the message begins with where it stands."""


class MissingFieldError(InfergateError, KeyError):
    """A sample was asked for a field that its row does not have."""

    # KeyError's own str() is the repr of its argument.
    __str__ = Exception.__str__


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the nearest of ``valid``, or nothing."""
    # Folded, since a difference in case alone is the likeliest slip of all.
    folded = {word.casefold(): word for word in reversed(list(valid))}
    near = get_close_matches(name.strip().casefold(), folded, n=1, cutoff=0.7)
    return f" (did you mean {folded[near[0]]!r}?)" if near else ""


def listed(names: Iterable[str]) -> str:
    """Return the names by repr, at most twenty of them."""
    names = list(names)
    shown = ", ".join(map(repr, names[:20]))
    return f"{shown} and {len(names) - 20} more" if len(names) > 20 else shown or "none"


def excerpt(value: object, limit: int = 80) -> str:
    """Return ``repr(value)`` on one line, cut after ``limit`` characters."""
    if isinstance(value, (str, bytes)):
        value = value[: limit + 1]
    try:
        shown = repr(value)
    except Exception:  # a foreign repr, or an int too long to print
        shown = f"<{type(value).__name__}>"
    shown = " ".join(shown.split()) if "\n" in shown else shown
    return shown if len(shown) <= limit else f"{shown[:limit]}…"
