"""The token ids of a prompt, from the server that will read it."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .address import ServerAddress
from .authorization import authorization_header
from .engines import ENGINES, Engine
from .identity import ServerIdentity
from .inquiry import Inquiry
from .probe import engine_of
from .request import Request

if TYPE_CHECKING:
    import httpx


class PromptTokenizer:
    """Ask the server for the token ids of a request's prompt; give it to a client as ``tokenize``.

    Returns ``None`` where the server cannot render and tokenize, which is every engine but llama.cpp and
    vLLM, and every prompt with pictures or sound. Threads share it.
    """

    def __init__(
        self,
        identity: ServerIdentity,
        base_url: str,
        *,
        api_key: str | None = None,
        engines: Sequence[Engine] = ENGINES,
    ) -> None:
        self._address = ServerAddress.parse(base_url)
        self._api_key = api_key
        self._engine = engine_of(identity, engines)
        self._model = identity.model
        self._opening = threading.Lock()
        self._client: httpx.Client | None = None
        self._inquiry: Inquiry | None = None

    def __call__(self, request: Request) -> Sequence[int] | None:
        if type(self._engine).tokenize is Engine.tokenize:
            return None  # no client is made for an engine that cannot tell
        body = json.loads(request.body(self._model))
        return self._engine.tokenize(self._open(), request.endpoint, body)

    def close(self) -> None:
        """Give back the connection; there need not be one."""
        if self._client is not None:
            self._client.close()

    def _open(self) -> Inquiry:
        import httpx

        from .tls import tls_of

        with self._opening:
            if self._inquiry is None:
                authorization = authorization_header(self._address, self._api_key)
                self._client = httpx.Client(
                    verify=tls_of(self._address),
                    headers={"Authorization": authorization} if authorization else None,
                    trust_env=not self._address.is_loopback,
                )
                self._inquiry = Inquiry(self._client, self._address.root)
            return self._inquiry
