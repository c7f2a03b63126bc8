"""The token ids of a prompt, from the server that will read it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import httpx

from .address import ServerAddress
from .authorization import authorization_header
from .engines import ENGINES, Engine
from .identity import ServerIdentity
from .inquiry import Inquiry
from .probe import engine_of
from .request import Request


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
        address = ServerAddress.parse(base_url)
        authorization = authorization_header(address, api_key)
        self._engine = engine_of(identity, engines)
        self._model = identity.model
        self._client = httpx.Client(
            headers={"Authorization": authorization} if authorization else None,
            trust_env=not address.is_loopback,
        )
        self._inquiry = Inquiry(self._client, address.root)

    def __call__(self, request: Request) -> Sequence[int] | None:
        body = json.loads(request.body(self._model))
        return self._engine.tokenize(self._inquiry, request.endpoint, body)

    def close(self) -> None:
        self._client.close()
