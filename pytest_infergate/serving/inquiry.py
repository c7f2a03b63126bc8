"""Asking a server who it is: short GETs that generate nothing, each sent once."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..evidence import canonical_json
from .identity import JSON

if TYPE_CHECKING:
    import httpx

#: Seconds that one question may take.
PATIENCE = 2.0
#: Bytes of an answer that are read; a chat template or a long model list stays far below.
LONGEST = 16_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for one question.

    ``status`` is ``None`` where no answer was read; ``trouble`` then says why. Header names are lower case.
    ``json`` is ``None`` where the body is not JSON: a status alone proves nothing, since LM Studio answers
    200 on every path.
    """

    path: str
    status: int | None = None
    headers: Mapping[str, str]
    text: str = ""
    json: JSON = None
    trouble: str = ""

    @property
    def is_ok(self) -> bool:
        return self.status == 200

    @property
    def body(self) -> JSON:
        """The JSON of a 200, else ``None``."""
        return self.json if self.is_ok else None

    @property
    def server(self) -> str:
        return self.headers.get("server", "")

    def __str__(self) -> str:
        if self.status is None:
            return f"{self.path}: {self.trouble}"
        kind = self.headers.get("content-type", "no content type").partition(";")[0]
        shown = " ".join(self.text[:400].split())[:80]
        return f"{self.path}: HTTP {self.status}, {kind}, {shown!r}"


class Inquiry:
    """Questions to one server through one httpx client, at ``root``, the address without ``/v1``.

    A GET is sent once and remembered, so that engines can share what they looked at.
    """

    def __init__(self, client: httpx.Client, root: str) -> None:
        self._client = client
        self._root = root
        self._answers: dict[str, Answer] = {}

    @property
    def models(self) -> Answer:
        return self.get("/v1/models")

    def get(self, path: str) -> Answer:
        """Ask GET ``path``; trouble on the way is part of the answer, nothing is raised."""
        if path not in self._answers:
            self._answers[path] = self._ask("GET", path)
        return self._answers[path]

    def post(self, path: str, body: Mapping[str, Any]) -> Answer:
        """Ask POST ``path`` now, for the questions that an engine takes no other way."""
        return self._ask("POST", path, body)

    def post_once(self, path: str, body: Mapping[str, Any]) -> Answer:
        """Ask POST ``path`` and remember the answer, as ``get`` does."""
        key = f"{path} {canonical_json(dict(body))}"
        if key not in self._answers:
            self._answers[key] = self._ask("POST", path, body)
        return self._answers[key]

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Answer:
        import httpx

        try:
            with self._client.stream(method, self._root + path, json=body, timeout=PATIENCE) as response:
                raw = _read(response, time.monotonic() + PATIENCE)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Answer(path=path, headers={}, trouble=_trouble(error))
        headers = {name.lower(): value for name, value in response.headers.items()}
        text = raw.decode("utf-8", "replace")
        return Answer(path=path, status=response.status_code, headers=headers, text=text, json=_parse(text))


def _read(response: httpx.Response, deadline: float) -> bytes:
    import httpx

    raw = bytearray()
    for chunk in response.iter_bytes():
        raw += chunk
        # httpx times each read, which a dripping server never exceeds.
        if time.monotonic() > deadline or len(raw) > LONGEST:
            raise httpx.ReadTimeout("the answer did not end")
    return bytes(raw)


def _trouble(error: Exception) -> str:
    import httpx

    if isinstance(error, httpx.TimeoutException):
        return f"no complete answer within {PATIENCE:g} s"
    return str(error) or type(error).__name__


def _parse(text: str) -> JSON:
    try:
        value: JSON = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
