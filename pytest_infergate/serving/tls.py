"""What a client of a server needs for TLS: made once in a process, since certificates take long to load."""

from __future__ import annotations

import ssl
from functools import lru_cache

import httpx

from .address import ServerAddress


def tls_of(address: ServerAddress) -> ssl.SSLContext:
    """Return the context for a server's clients; one without certificates where none is looked at."""
    is_plain = address.is_loopback and not address.is_secure
    return _no_tls() if is_plain else _tls()


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context()


@lru_cache(maxsize=1)
def _no_tls() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loads no certificates; nothing of it is used
