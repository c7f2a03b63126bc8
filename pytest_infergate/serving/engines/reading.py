"""Values out of a server's JSON, each only if it has the type it should have."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from ...evidence import digest_bytes
from ..identity import JSON
from ..inquiry import Inquiry


def at(value: JSON, *path: str | int) -> JSON:
    """Follow ``path`` through objects and arrays; ``None`` where it ends early."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def text_at(value: JSON, *path: str | int) -> str | None:
    """The text there; an empty one says nothing and is ``None``."""
    found = at(value, *path)
    return found if isinstance(found, str) and found.strip() else None


def count_at(value: JSON, *path: str | int) -> int | None:
    """The positive whole number there: engines write 0 and -1 for a size they do not tell."""
    found = at(value, *path)
    if isinstance(found, bool) or not isinstance(found, int | float) or found != found // 1:
        return None
    return int(found) if found > 0 else None


def flag_at(value: JSON, *path: str | int) -> bool | None:
    found = at(value, *path)
    return found if isinstance(found, bool) else None


def objects_at(value: JSON, *path: str | int) -> Iterator[dict[str, JSON]]:
    """The objects of the array there."""
    found = at(value, *path)
    yield from (item for item in (found if isinstance(found, list) else []) if isinstance(item, dict))


def texts_at(value: JSON, *path: str | int) -> list[str]:
    """The texts of the array there."""
    found = at(value, *path)
    return [item for item in (found if isinstance(found, list) else []) if isinstance(item, str)]


def token_ids_at(value: JSON, *path: str | int) -> list[int] | None:
    """The array of token ids there; ``None`` where anything in it is not one."""
    found = at(value, *path)
    if not isinstance(found, list):
        return None
    ids = [item for item in found if isinstance(item, int) and not isinstance(item, bool)]
    return ids if len(ids) == len(found) else None


def listed_models(inquiry: Inquiry) -> Iterator[dict[str, JSON]]:
    """The entries of ``/v1/models`` that have an id."""
    yield from (entry for entry in objects_at(inquiry.models.body, "data") if text_at(entry, "id"))


def listed_model(inquiry: Inquiry, model: str) -> JSON:
    """The entry of ``/v1/models`` whose id is ``model``."""
    return next((entry for entry in listed_models(inquiry) if entry["id"] == model), None)


def owners(inquiry: Inquiry) -> frozenset[str]:
    """Every ``owned_by`` of the model list."""
    return frozenset(owner for entry in listed_models(inquiry) if (owner := text_at(entry, "owned_by")))


def text_digest(text: str | None) -> str | None:
    return None if text is None else digest_bytes(text.encode("utf-8", "surrogatepass"))


def sha256_name(text: str | None) -> str | None:
    """``sha256:<hex>`` from a digest written with or without its kind; ``None`` for anything else."""
    found = re.fullmatch(r"(?:sha256[:-])?([0-9a-f]{64})", text or "", re.IGNORECASE)
    return f"sha256:{found[1].lower()}" if found else None


def as_written(value: JSON) -> JSON:
    """Undo the widening of a 32-bit float: 0.800000011920929 was written as 0.8."""
    if not isinstance(value, float):
        return value
    short = float(f"{value:.7g}")
    try:
        return short if struct.pack("f", short) == struct.pack("f", value) else value
    except OverflowError:
        return value
