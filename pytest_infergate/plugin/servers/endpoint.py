"""What a process needs to ask the server: made once, handed to every xdist worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from ...evidence import Missing
from ...serving import ENGINES, Client, Engine, PromptTokenizer, ServerIdentity, engine_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The server under test as one process asks it.

    ``url`` is as given, with its password; it stays in memory. ``blocked``: nothing is sent, and this is
    why. ``identity`` is ``None`` where the server did not answer. ``concurrency`` is of this process.
    """

    url: str
    model: str
    timeout: float
    retries: int
    concurrency: int
    identity: ServerIdentity | None = None
    blocked: Missing | None = None

    def connect(self, api_key: str | None, engines: Sequence[Engine]) -> Client:
        """Return a client; a blocked one answers without sending."""
        tokenizer = None
        if self.identity is not None:
            tokenizer = PromptTokenizer(self.identity, self.url, api_key=api_key, engines=engines)
        client = Client(
            self.url,
            self.model,
            api_key=api_key,
            timeout=self.timeout,
            retries=self.retries,
            concurrency=self.concurrency,
            tokenize=tokenizer,
            on_close=tokenizer.close if tokenizer else lambda: None,
        )
        if self.blocked is not None:
            client.block(self.blocked)
        return client

    def share(self, workers: int) -> Endpoint:
        """Return the same for one of ``workers`` processes."""
        return replace(self, concurrency=max(1, self.concurrency // workers))

    def as_json(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "model": self.model,
            "timeout": self.timeout,
            "retries": self.retries,
            "concurrency": self.concurrency,
            "identity": self.identity.as_json() if self.identity else None,
            "blocked": self.blocked.as_json() if self.blocked else None,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Endpoint:
        identity, blocked = value["identity"], value["blocked"]
        return cls(
            **{
                **value,
                "identity": ServerIdentity.from_json(identity) if identity else None,
                "blocked": Missing.from_json(blocked) if blocked else None,
            }
        )


def known_engines(config: pytest.Config) -> tuple[Engine, ...]:
    """Return the engines that other packages add, then the built-in ones."""
    added = config.hook.pytest_infergate_engines(config=config)
    return (*(engine for engines in added for engine in engines), *ENGINES)


def engine_in_use(config: pytest.Config) -> Engine | None:
    """Return the engine of the server under test; ``None`` where there is none, or it did not answer."""
    endpoint = config.stash.get(ENDPOINT, None)
    if endpoint is None or endpoint.identity is None:
        return None
    return engine_of(endpoint.identity, known_engines(config))


#: How this process reaches the server; absent where there is no source of replies.
ENDPOINT = pytest.StashKey[Endpoint]()
#: How this process reaches the server of ``--infer-against``; absent where there is one server.
BASE_ENDPOINT = pytest.StashKey[Endpoint]()
#: How this process reaches the transcription server; absent where there is none.
ASR_ENDPOINT = pytest.StashKey[Endpoint]()
#: How this process reaches the judge; absent where there is none.
JUDGE_ENDPOINT = pytest.StashKey[Endpoint]()
