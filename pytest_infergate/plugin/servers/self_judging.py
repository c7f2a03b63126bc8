"""Whether a judge is the model that it judges."""

from __future__ import annotations

from urllib.parse import urlsplit

from ...serving import ServerAddress, ServerIdentity


def is_same_model(judge: ServerIdentity, model: ServerIdentity) -> bool:
    """Say whether two servers are known to answer with the same weights.

    So they are where both tell the same digest of them, or where both are one model of one address; the
    names of this machine are one address. What is unknown on either side proves nothing.
    """
    left, right = judge.known("weights_digest"), model.known("weights_digest")
    if left is not None and right is not None and left.value == right.value:
        return True
    return judge.model == model.model and place_of(judge.url) == place_of(model.url)


def place_of(url: str) -> tuple[str, int | None, str]:
    """Return what tells one server from another by its address; the names of this machine are one."""
    address = ServerAddress.parse(url)
    parts = urlsplit(address.root)
    host = "loopback" if address.is_loopback else parts.hostname or ""
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return host, port, parts.path
