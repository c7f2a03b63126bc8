"""The Authorization header of every request to a server."""

from __future__ import annotations

from ..evidence import InfergateError
from .address import ServerAddress


def authorization_header(address: ServerAddress, api_key: str | None) -> str | None:
    """Return the header's value: the user and password of the URL, else the key; ``None`` without either.

    Raises ``InfergateError``, without repeating it, for a key that a header cannot carry.
    """
    key = (api_key or "").strip()
    if key and not (key.isascii() and key.isprintable()):
        raise InfergateError(
            "the API key holds a character that an HTTP header cannot carry; accepted: printable ASCII. "
            "Look at the environment variable that --infer-api-key-env names"
        )
    return address.authorization or (f"Bearer {key}" if key else None)


def secrets_of(address: ServerAddress, api_key: str | None) -> tuple[str, ...]:
    """Return every spelling of what no message and no record may hold."""
    key = (api_key or "").strip()
    return (*address.secrets, *((key,) if key else ()))
