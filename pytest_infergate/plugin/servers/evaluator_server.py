"""A server that an evaluator asks, the judge's or the transcriber's: found first, confirmed at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from ...evidence import Gate, InfergateError, Missing, Verdict
from ...report import server_text
from ...serving import (
    Engine,
    IdentityChange,
    IdentityComparison,
    confirm_identity,
    probe_server,
)
from ..options.server_option import ServerOption
from ..options.settings import Settings
from ..run.run_head import asr_api_key, judge_api_key
from .endpoint import Endpoint
from .server import blocking_reason, endpoint_of, identity_gate, identity_json


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """What a server is there for; ``asks`` and ``fails`` begin what a person is told."""

    gate: str
    asks: str
    fails: str
    model: Callable[[Settings], str | None]
    api_key: Callable[[Settings], str | None]


_USES = {
    ServerOption.JUDGE: _Use(
        gate="judge",
        asks="replies are judged by",
        fails="the judge cannot be asked",
        model=lambda settings: settings.judge_model,
        api_key=judge_api_key,
    ),
    ServerOption.ASR: _Use(
        gate="asr",
        asks="clips are transcribed by",
        fails="the transcription server cannot be asked",
        model=lambda settings: settings.asr_served_model,
        api_key=asr_api_key,
    ),
}


class EvaluatorServer:
    """Who is asked by an evaluator, in every process, through ``endpoint``."""

    def __init__(
        self, settings: Settings, option: ServerOption, endpoint: Endpoint, engines: Sequence[Engine]
    ) -> None:
        self.endpoint = endpoint
        self._settings = settings
        self._use = _USES[option]
        self._engines = engines
        self._comparison: IdentityComparison | None = None

    @classmethod
    def open(
        cls, settings: Settings, option: ServerOption, url: str, engines: Sequence[Engine]
    ) -> EvaluatorServer:
        """Find out who it is; one that does not answer is there, and blocked.

        Raises ``pytest.UsageError`` for what a person has to mend: an address that is no model server, a
        model that is not there or has to be chosen.
        """
        use = _USES[option]
        identity, blocked = None, None
        try:
            identity = probe_server(
                url,
                api_key=use.api_key(settings),
                model=use.model(settings),
                wait=settings.wait,
                engines=engines,
            )
        except InfergateError as error:
            said = option.name_options(str(error))
            reason = blocking_reason(error)
            if reason is None:
                raise pytest.UsageError(f"{option.value}: {said}") from None
            blocked = Missing(reason, said)
        endpoint = endpoint_of(settings, url, model=use.model(settings), identity=identity, blocked=blocked)
        return cls(settings, option, endpoint, engines)

    def __str__(self) -> str:
        if self.endpoint.blocked is not None:
            return f"{self._use.fails}: {self.endpoint.blocked}"
        return f"{self._use.asks} {server_text(self.as_json())}"

    def confirm(self, *, may_be_gone: bool = False) -> tuple[Gate, ...]:
        """Probe again at the end of the run; the gate says whether it is still the same server.

        ``may_be_gone``: another one was allowed to stand in for it, so that its end proves nothing.
        """
        before = self.endpoint.identity
        if before is None:
            return ()
        self._comparison = comparison = confirm_identity(
            before, self.endpoint.url, api_key=self._use.api_key(self._settings), engines=self._engines
        )
        gate = identity_gate(self._use.gate, self._use.gate, comparison)
        if may_be_gone and comparison.change is IdentityChange.UNCONFIRMED:
            gate = replace(gate, verdict=Verdict.PASSED, rule=f"{gate.rule}, or gone: a fallback is allowed")
        return (gate,)

    def as_json(self) -> dict[str, Any]:
        """Return the identity for ``run.json``; of a server that never answered, its place."""
        return identity_json(self.endpoint.identity, self.endpoint.url, self._comparison)
