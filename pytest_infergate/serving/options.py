"""Fields of a request that are the caller's, and the digest of a request that holds them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..evidence import canonical_json, digest_bytes
from .request import RequestError


def check_options(what: str, options: Mapping[str, Any], own: Collection[str]) -> None:
    """Raise ``RequestError`` where ``options`` of ``what`` hold one of ``own``, which the request sets."""
    for name in own:
        if name in options:
            raise RequestError(f"the option {name!r} of a {what} is set by the request itself")


def digest_recorded(recorded: Mapping[str, Any]) -> str:
    """Return the digest of a request as a record holds it. Raises ``RequestError`` for what is no JSON."""
    try:
        return digest_bytes(canonical_json(dict(recorded)).encode("ascii"))
    except (TypeError, ValueError, RecursionError) as error:
        raise RequestError(f"the request is not JSON: {error}; send text, numbers, lists, objects") from error
