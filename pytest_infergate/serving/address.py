"""Where a server is: its base URL, with the password kept apart."""

from __future__ import annotations

import base64
import ipaddress
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

from ..evidence import InfergateError

#: What people paste: the base of the API, or one of its routes.
_ROUTES = ("/chat/completions", "/completions", "/models", "/audio/transcriptions", "/audio/speech")


class ServerAddressError(InfergateError):
    """A server's URL is not usable as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """``root`` is the URL before ``/v1``, ``api`` the one with it; neither holds user or password.

    ``authorization`` is the Basic header for the user and password of the URL, ``None`` without them;
    it is in no ``repr``. ``secrets`` are the spellings of it that no message may hold.
    """

    root: str
    api: str
    is_loopback: bool
    is_secure: bool
    authorization: str | None = field(default=None, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.root

    @classmethod
    def parse(cls, url: str) -> ServerAddress:
        """Read a base URL with or without ``/v1``, with or without a path before it.

        Raises ``ServerAddressError``, which never repeats a password.
        """
        text = url.strip()
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:  # its message may quote a part of a password
            raise ServerAddressError(
                "the server URL cannot be read: its host or port is malformed; "
                "accepted: http(s)://host:port[/path], / and @ in a password as %2F and %40"
            ) from None
        host = parts.hostname
        if (
            parts.scheme.lower() not in ("http", "https")
            or not host
            or not _is_host(host)
            or not _is_plain(text)
        ):
            shown = repr(text.rpartition("@")[2])
            raise ServerAddressError(
                f"the server URL is {shown}; accepted: http(s)://host:port[/path], "
                "for example http://127.0.0.1:8080"
            )
        scheme = parts.scheme.lower()
        name = f"[{host}]" if ":" in host else host
        path = parts.path.rstrip("/")
        for route in _ROUTES:
            if path.endswith(route):
                path = path[: -len(route)].rstrip("/")
                break
        path = path.removesuffix("/v1")
        root = urlunsplit((scheme, name if port is None else f"{name}:{port}", path, "", ""))
        return cls(
            root=root,
            api=f"{root}/v1",
            is_loopback=_is_loopback(host),
            is_secure=scheme == "https",
            authorization=_basic(parts.username, parts.password),
            secrets=_spellings(parts.username, parts.password),
        )


def _is_plain(text: str) -> bool:
    return text.isprintable() and " " not in text


def _is_host(host: str) -> bool:
    try:
        host.encode("idna")  # what the resolver will do with it
    except UnicodeError:
        return False
    return True


def _basic(username: str | None, password: str | None) -> str | None:
    if username is None and password is None:
        return None
    pair = f"{unquote(username or '')}:{unquote(password or '')}"
    return f"Basic {base64.b64encode(pair.encode()).decode('ascii')}"


def _spellings(username: str | None, password: str | None) -> tuple[str, ...]:
    basic = _basic(username, password)
    spellings = [password, unquote(password or ""), basic and basic.removeprefix("Basic ")]
    return tuple(dict.fromkeys(spelling for spelling in spellings if spelling))


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
