"""One spelling for every value, so that equal things have equal digests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_ENCODE = json.JSONEncoder(ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")).encode


def canonical_json(value: Any) -> str:
    """Return ASCII JSON with sorted keys and no spaces.

    Raises ``ValueError`` for NaN and infinities, ``TypeError`` for what JSON cannot hold.
    """
    return _ENCODE(value)


def digest(value: Any) -> str:
    """Return ``sha256:<hex>`` of the canonical JSON of ``value``."""
    return digest_bytes(_ENCODE(value).encode("ascii"))


def seal_of(value: Mapping[str, Any]) -> str:
    """Return the digest of all fields of an object but ``digest``, which is where it keeps it."""
    return digest({name: item for name, item in value.items() if name != "digest"})


def digest_bytes(raw: bytes) -> str:
    """Return ``sha256:<hex>`` of ``raw``."""
    return f"sha256:{sha256(raw).hexdigest()}"
