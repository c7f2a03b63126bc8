"""The server with the model that judges replies: found at the start, confirmed at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ..evidence import Gate, InfergateError, Missing
from ..report import server_text
from ..serving import (
    Engine,
    IdentityComparison,
    ProbeError,
    ServerAddress,
    ServerIdentity,
    confirm_identity,
    probe_server,
)
from .endpoint import Endpoint
from .run_head import judge_api_key
from .server import BLOCKING, identity_gate, slots_of
from .server_option import ServerOption
from .settings import Settings


class JudgeServer:
    """Who judges: asked by every process through ``endpoint``."""

    def __init__(self, settings: Settings, endpoint: Endpoint, engines: Sequence[Engine]) -> None:
        self.endpoint = endpoint
        self._settings = settings
        self._engines = engines
        self._comparison: IdentityComparison | None = None

    @classmethod
    def open(cls, settings: Settings, engines: Sequence[Engine]) -> JudgeServer:
        """Find out who the judge is; one that does not answer is there, and blocked.

        Raises ``pytest.UsageError`` for what a person has to mend: an address that is no model server, a
        model that is not there or has to be chosen.
        """
        assert settings.judge is not None
        identity, blocked = None, None
        try:
            identity = probe_server(
                settings.judge,
                api_key=judge_api_key(settings),
                model=settings.judge_model,
                wait=settings.wait,
                engines=engines,
            )
        except InfergateError as error:
            said = ServerOption.JUDGE.name_options(str(error))
            reason = next((reason for kind, reason in BLOCKING if isinstance(error, kind)), None)
            if reason is None or not isinstance(error, ProbeError):
                raise pytest.UsageError(f"{ServerOption.JUDGE.value}: {said}") from None
            blocked = Missing(reason, said)
        endpoint = Endpoint(
            url=settings.judge,
            model=identity.model if identity else settings.judge_model or "",
            timeout=settings.timeout,
            retries=settings.retries,
            concurrency=settings.in_flight(slots_of(identity)),
            identity=identity,
            blocked=blocked,
        )
        return cls(settings, endpoint, engines)

    def __str__(self) -> str:
        if self.endpoint.blocked is not None:
            return f"the judge cannot be asked: {self.endpoint.blocked}"
        return f"replies are judged by {server_text(self.as_json())}"

    def confirm(self) -> tuple[Gate, ...]:
        """Probe again at the end of the run; the gate says whether it is still the same judge."""
        before = self.endpoint.identity
        if before is None:
            return ()
        self._comparison = confirm_identity(
            before, self.endpoint.url, api_key=judge_api_key(self._settings), engines=self._engines
        )
        return (identity_gate("judge", "judge", self._comparison),)

    def as_json(self) -> dict[str, Any]:
        """Return the identity for ``run.json``; of a judge that never answered, its place."""
        url = ServerAddress.parse(self.endpoint.url).root
        identity = self.endpoint.identity or ServerIdentity(engine="unknown", url=url, fields={})
        return {**identity.as_json(), "changes": self._comparison.as_json() if self._comparison else None}
