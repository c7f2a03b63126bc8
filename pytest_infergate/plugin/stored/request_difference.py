"""What two requests do not share, in one line for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_MOST_TOLD = 3
_LONGEST = 40


def request_difference(stored: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Name the fields in which ``asked`` differs from ``stored``; short values are shown, stored first.

    Both are requests as a record holds them.
    """
    found = list(_differences(stored, asked))
    more = f" and {len(found) - _MOST_TOLD} more" if len(found) > _MOST_TOLD else ""
    # Digests may differ where the record does not: secrets are taken out of it.
    return ", ".join(found[:_MOST_TOLD]) + more or "what the record does not show"


def _differences(stored: Mapping[str, Any], asked: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for name in sorted(stored.keys() | asked.keys()):
        before, after = stored.get(name), asked.get(name)
        if before == after and (name in stored) == (name in asked):
            continue
        if name == "sampling" and isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _differences(before, after, "sampling.")
        elif name == "messages" and isinstance(before, list) and isinstance(after, list):
            yield _messages(before, after)
        else:
            yield f"{prefix}{name} ({_shown(stored, name)} there, {_shown(asked, name)} here)"


def _messages(before: list[Any], after: list[Any]) -> str:
    first = next(
        (number for number, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    if first < min(len(before), len(after)):
        return f"message {first + 1} of {len(after)}"
    return f"the number of messages ({len(before)} there, {len(after)} here)"


def _shown(request: Mapping[str, Any], name: str) -> str:
    if name not in request:
        return "not sent"
    shown = repr(request[name])
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 2]} …"
