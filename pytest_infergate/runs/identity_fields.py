"""What an identity tells of a server, as ``run.json`` holds it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..evidence import canonical_json

#: State that moves while the server stays the same; replicas differ in it.
VOLATILE = frozenset({"loaded", "started_at"})


def lasting_fields(identity: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield name, value and origin of what is known of a server, but for its engine and what moves.

    Values are in one spelling.
    """
    for name, known in identity["fields"].items():
        if name not in VOLATILE:
            yield name, spelled(known["value"]), known["origin"]
    for name, known in identity["sampling_defaults"].items():
        if known is not None:
            yield f"sampling_defaults.{name}", spelled(known["value"]), known["origin"]


def spelled(value: Any) -> str:
    """Return a text as it is, and anything else as JSON."""
    return value if isinstance(value, str) else canonical_json(value)
