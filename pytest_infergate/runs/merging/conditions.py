"""Whether shards were run under the same conditions: their servers, their judges, their tools. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..head import RunHead
from ..identity_fields import lasting_fields, spelled
from .refusal import Refusal, RefusalKind
from .shard import Shard

#: Settings that decide what is asked, and what counts as missing.
_DECIDING = ("limit", "timeout_s", "retries", "sandbox")
#: What replies alone tell: a shard without replies cannot know it.
_REPLY = "reply"
_UNKNOWN = "unknown"


def differing_conditions(shards: Sequence[Shard]) -> Iterator[Refusal]:
    """Yield every field that two shards do not share, with the values of the first two that differ.

    Where a server listens may differ: shards may ask replicas. A field that one shard knows and another does
    not is a difference, but for what only replies tell. A shard that asked no server agrees with any.
    """
    told: dict[str, tuple[str, str]] = {}
    known: dict[str, list[tuple[str, Mapping[str, str]]]] = {"server": [], "judge": [], "asr": []}
    refused: set[str] = set()
    for shard in shards:
        head = shard.run.head
        for field, value in _fields(head):
            label, first = told.setdefault(field, (shard.label, value))
            if value != first and field not in refused:
                refused.add(field)
                yield _different(field, (label, first), (shard.label, value))
        for name, identity in (("server", head.server), ("judge", head.judge), ("asr", head.asr)):
            if identity is not None:
                known[name].append((shard.label, dict(_identity(identity))))
    for name, sides in known.items():
        yield from _differing_identities(name, sides)


def _differing_identities(name: str, sides: Sequence[tuple[str, Mapping[str, str]]]) -> Iterator[Refusal]:
    for field in dict.fromkeys(field for _, fields in sides for field in fields):
        optional = field.startswith(_REPLY)
        values = [
            (label, fields.get(field, _UNKNOWN)) for label, fields in sides if field in fields or not optional
        ]
        other = next((one for one in values if one[1] != values[0][1]), None)
        if other is not None:
            yield _different(f"{name}.{field.removeprefix(f'{_REPLY}:')}", values[0], other)


def _identity(identity: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "engine", identity["engine"]
    for name, value, origin in lasting_fields(identity):
        yield f"{_REPLY}:{name}" if origin == _REPLY else name, value


def _fields(head: RunHead) -> Iterator[tuple[str, str]]:
    yield "tool.version", head.tool_version
    if head.project is not None:
        yield "project.commit", head.project.commit
    for name in _DECIDING:
        value = head.settings.get(name)
        yield f"settings.{name}", "none" if value is None else spelled(value)


def _different(field: str, *values: tuple[str, str]) -> Refusal:
    return Refusal(kind=RefusalKind.DIFFERENT, what=field, values=values)
