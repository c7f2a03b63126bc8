"""The server under test over one session: found or started, held to expectations, confirmed at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ...evidence import Gate, InfergateError, Missing, Reason, Verdict
from ...runs import ServedModels
from ...serving import (
    EmbeddedServer,
    Engine,
    IdentityChange,
    IdentityComparison,
    Known,
    Origin,
    ProbeError,
    ServerAddress,
    ServerIdentity,
    ServerLoading,
    ServerNeedsKey,
    ServerUnreachable,
    check_expectations,
    confirm_identity,
    declare_fields,
    parse_field_value,
    probe_server,
    start_embedded,
)
from ..options.server_option import ServerOption
from ..options.settings import Settings
from ..run.run_head import api_key
from .endpoint import Endpoint

#: What happens to the evaluations where the server cannot be asked; any other trouble is a wrong setting.
_BLOCKING: Sequence[tuple[type[ProbeError], Reason]] = (
    (ServerUnreachable, Reason.UNREACHABLE),
    (ServerLoading, Reason.UNREACHABLE),
    (ServerNeedsKey, Reason.SERVER_ERROR),
)


class ModelServer:
    """A model server that is asked, and stopped at the end where this session started it."""

    def __init__(self, settings: Settings, url: str, engines: Sequence[Engine], option: ServerOption) -> None:
        self._settings = settings
        self._option = option
        self._url = url
        self._engines = engines
        self._embedded: EmbeddedServer | None = None
        self._probed: ServerIdentity | None = None
        self.identity: ServerIdentity | None = None
        self.blocked: Missing | None = None
        self.mismatches: tuple[str, ...] = ()
        self.comparison: IdentityComparison | None = None

    @classmethod
    def open(
        cls,
        settings: Settings,
        announce: Callable[[str], None],
        engines: Sequence[Engine],
        option: ServerOption = ServerOption.SERVER,
    ) -> ModelServer:
        """Find the server, or start the embedded one, and hold it to what was expected of it.

        ``option`` is the one that gave it, for what a person is told. Raises ``pytest.UsageError`` for what a
        person has to mend: an address that is no model server, a model that is not there, a missing extra.
        """
        assert settings.server is not None
        embedded = None
        try:
            if settings.is_embedded:
                embedded = start_embedded(settings.embedded_gguf, on_progress=announce)
            server = cls(settings, embedded.url if embedded else settings.server, engines, option)
            server._embedded = embedded
            server._identify()
        except BaseException as error:
            if embedded is not None:
                embedded.close()
            if isinstance(error, InfergateError):
                raise pytest.UsageError(f"{option.value}: {option.name_options(str(error))}") from None
            raise
        return server

    def endpoint(self) -> Endpoint:
        """Return how the session's requests reach the server."""
        return endpoint_of(
            self._settings,
            self._url,
            model=self._settings.model,
            identity=self.identity,
            blocked=self.blocked,
        )

    def learn(self, served: ServedModels) -> None:
        """Add to the identity what only replies tell."""
        fingerprint = served.fingerprint
        if self.identity is not None and fingerprint is not None:
            told = Known(fingerprint, Origin.REPLY)
            if self.identity.known("system_fingerprint") is None:
                self.identity = self.identity.with_fields({"system_fingerprint": told})

    def confirm(self) -> tuple[Gate, ...]:
        """Probe again at the end of the run; the gate says whether it is still the same server."""
        if self._probed is None:
            return ()
        if self.mismatches:
            return (conditions_gate(self.mismatches, "nothing was sent"),)
        self.comparison = confirm_identity(
            self._probed, self._url, api_key=api_key(self._settings), engines=self._engines
        )
        return (identity_gate("identity", "server", self.comparison),)

    def as_json(self) -> dict[str, Any]:
        """Return the identity for ``run.json``; of a server that never answered, its place and why."""
        return identity_json(self.identity, self._url, self.comparison)

    def close(self) -> None:
        """Stop the server if this session started it. May be called again."""
        if self._embedded is not None:
            self._embedded.close()
            self._embedded = None

    def _identify(self) -> None:
        settings = self._settings
        expected = [parse_field_value(text) for text in settings.expect]
        declared = [parse_field_value(text) for text in settings.declare]
        try:
            self._probed = probe_server(
                self._url,
                api_key=api_key(settings),
                model=settings.model,
                wait=settings.wait,
                engines=self._engines,
            )
        except ProbeError as error:
            reason = blocking_reason(error)
            if reason is None:
                raise
            self.blocked = Missing(reason, self._option.name_options(str(error)))
            return
        identity = self._probed
        if self._embedded is not None:
            identity = identity.with_fields(self._embedded.identity_fields)
        self.identity, contradicted = declare_fields(identity, declared)
        unmet = check_expectations(self.identity, expected)
        self.mismatches = tuple(map(str, (*contradicted, *unmet)))
        if self.mismatches:
            self.blocked = Missing(Reason.INVALID_CONDITIONS, "; ".join(self.mismatches))


def blocking_reason(error: Exception) -> Reason | None:
    """Return why nothing can be asked of a server; ``None`` for what a person has to mend."""
    return next((reason for kind, reason in _BLOCKING if isinstance(error, kind)), None)


def endpoint_of(
    settings: Settings,
    url: str,
    *,
    model: str | None,
    identity: ServerIdentity | None,
    blocked: Missing | None,
) -> Endpoint:
    """Return how a server is asked; ``model`` is its name where it did not answer who it is."""
    slots = identity.known("slots") if identity else None
    return Endpoint(
        url=url,
        model=(identity.model if identity else model) or "",
        timeout=settings.timeout,
        retries=settings.retries,
        concurrency=settings.in_flight(slots.value if slots else None),
        identity=identity,
        blocked=blocked,
    )


def identity_json(
    identity: ServerIdentity | None, url: str, comparison: IdentityComparison | None
) -> dict[str, Any]:
    """Return an identity for ``run.json``; of a server that never answered, its place."""
    if identity is None:
        identity = ServerIdentity(engine="unknown", url=ServerAddress.parse(url).root, fields={})
    return {**identity.as_json(), "changes": comparison.as_json() if comparison else None}


def conditions_gate(mismatches: Sequence[str], detail: str) -> Gate:
    """What was expected and declared does not hold: the run is missing."""
    return Gate(
        name="conditions",
        task=None,
        rule="the server is what was expected and declared",
        observed="; ".join(mismatches),
        verdict=Verdict.MISSING,
        detail=detail,
    )


_OBSERVED = {
    IdentityChange.SAME: "the same server at the end",
    IdentityChange.RESTARTED: "the same server at the end, restarted in between",
    IdentityChange.CHANGED: "another server at the end",
    IdentityChange.UNCONFIRMED: "not confirmed at the end",
}


def identity_gate(name: str, what: str, comparison: IdentityComparison) -> Gate:
    """Changed or unconfirmed: the run proves nothing. Restarted: recorded, and voids timings only."""
    is_same = comparison.change in (IdentityChange.SAME, IdentityChange.RESTARTED)
    return Gate(
        name=name,
        task=None,
        rule=f"the {what} is the same at the end as at the start",
        observed=_OBSERVED[comparison.change],
        verdict=Verdict.PASSED if is_same else Verdict.MISSING,
        detail=comparison.detail,
    )
