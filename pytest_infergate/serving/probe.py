"""Find out who a model server is, without making it generate anything."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .address import ServerAddress
from .authorization import authorization_header, secrets_of
from .engines import ENGINES, Engine
from .engines.generic import Generic
from .identity import GENERIC, JSON, SAMPLING_FIELDS, VOCABULARY, Known, Origin, ServerIdentity
from .identity_change import Difference, IdentityChange, IdentityComparison, compare_identities
from .inquiry import Answer, Inquiry
from .probe_errors import (
    ModelNotChosen,
    ModelNotListed,
    NotAModelServer,
    ProbeError,
    ServerLoading,
    ServerNeedsKey,
    ServerUnreachable,
)

if TYPE_CHECKING:
    import httpx

#: Seconds between two looks at a server that is waited for.
PAUSE = 0.5
#: Seconds that a server may take to come to itself at the end of a run.
RECOVERY = 2.0
#: Models that a message names before it says how many more there are.
_SHOWN = 20
#: What a gateway says while what is behind it is not there yet.
_GATEWAY_TROUBLE = (502, 503, 504)


def probe_server(
    base_url: str,
    *,
    api_key: str | None = None,
    model: str | None = None,
    wait: float = 0.0,
    engines: Sequence[Engine] = ENGINES,
) -> ServerIdentity:
    """Ask the server at ``base_url`` who it is; its identity holds the model id to send.

    ``base_url`` is as ``ServerAddress.parse`` takes it; a user and password in it go before ``api_key`` and
    are never shown. ``model`` is needed only where the server lists several. ``wait`` is the seconds to wait
    for a server that does not listen yet or is still loading. ``engines`` are asked for proof in their order.
    Every question is a short GET (one POST for Ollama) that generates nothing. Raises a subclass of
    ``ProbeError``, and ``ServerAddressError`` for what is not an address.
    """
    address = ServerAddress.parse(base_url)
    give_up = time.monotonic() + wait
    with open_client(address, api_key) as client:
        while True:
            try:
                return _identify(Inquiry(client, address.root), address, api_key, model, engines)
            except (ServerUnreachable, ServerLoading) as error:
                left = give_up - time.monotonic()
                if left <= 0:
                    if wait:
                        raise type(error)(f"{error} (waited {wait:g} s)") from error
                    raise
            time.sleep(min(PAUSE, left))


def confirm_identity(
    before: ServerIdentity,
    base_url: str,
    *,
    api_key: str | None = None,
    engines: Sequence[Engine] = ENGINES,
) -> IdentityComparison:
    """Probe again at the end of a run and say what became of the server. Raises nothing for its answers."""
    try:
        after = probe_server(base_url, api_key=api_key, model=before.model, wait=RECOVERY, engines=engines)
    except ModelNotListed as error:
        gone = Difference("model", before.model, None)
        return IdentityComparison(change=IdentityChange.CHANGED, differences=(gone,), detail=str(error))
    except ProbeError as error:
        return IdentityComparison(change=IdentityChange.UNCONFIRMED, detail=str(error))
    return compare_identities(before, after)


@contextmanager
def open_client(address: ServerAddress, api_key: str | None) -> Iterator[httpx.Client]:
    """A client for questions to one server; proxies of the environment are not used for loopback."""
    import httpx

    from .tls import tls_of

    authorization = authorization_header(address, api_key)
    with httpx.Client(
        verify=tls_of(address),
        headers={"Authorization": authorization} if authorization else None,
        trust_env=not address.is_loopback,
    ) as client:
        yield client


def engine_of(identity: ServerIdentity, engines: Sequence[Engine] = ENGINES) -> Engine:
    """The engine that made ``identity``; the generic one where it is not among ``engines``."""
    return next((engine for engine in engines if engine.name == identity.engine), Generic())


def _identify(
    inquiry: Inquiry,
    address: ServerAddress,
    api_key: str | None,
    model: str | None,
    engines: Sequence[Engine],
) -> ServerIdentity:
    where = address.root
    _check_reachable(inquiry.models, where, api_key)
    engine = next((engine for engine in engines if engine.recognise(inquiry)), None)
    if engine is None:
        if model is None or not _has_known_route(inquiry):
            raise _not_a_model_server(inquiry, where)
        return ServerIdentity(engine=GENERIC, url=where, fields={"model": Known(model, Origin.DECLARED)})
    if engine.needs_key(inquiry):
        raise _needs_key(where, api_key)
    chosen = _choose_model(engine.models(inquiry), model, where)
    if engine.is_loading(inquiry, chosen):
        raise ServerLoading(f"{where} is still loading {chosen!r}; wait for it with --infer-wait=SECONDS")
    secrets = secrets_of(address, api_key)
    told = {"model": chosen, **engine.identify(inquiry, chosen)}
    defaults = engine.sampling_defaults(inquiry, chosen)
    return ServerIdentity(
        engine=engine.name,
        url=where,
        fields=_probed(told, tuple(VOCABULARY), secrets),
        sampling_defaults=_probed(defaults, SAMPLING_FIELDS, secrets),
    )


def _check_reachable(answer: Answer, where: str, api_key: str | None) -> None:
    if answer.status is None:
        raise ServerUnreachable(
            f"no server answers at {where}: {answer.trouble}; start it, correct the address, "
            "or give it time with --infer-wait=SECONDS"
        )
    if answer.status in (401, 403):
        raise _needs_key(where, api_key)
    if answer.status in _GATEWAY_TROUBLE:
        if answer.status == 503 and (answer.server == "llama.cpp" or "loading" in answer.text.lower()):
            raise ServerLoading(f"{where} is still loading its model; wait for it with --infer-wait=SECONDS")
        raise ServerUnreachable(
            f"no model server is ready at {where}: got {answer}; give it time with --infer-wait=SECONDS"
        )


def _needs_key(where: str, api_key: str | None) -> ServerNeedsKey:
    if api_key:
        return ServerNeedsKey(f"{where} refuses the API key; set another, see --infer-api-key-env=NAME")
    return ServerNeedsKey(
        f"{where} needs an API key; put it into the environment variable INFER_API_KEY "
        "or name another with --infer-api-key-env=NAME"
    )


def _has_known_route(inquiry: Inquiry) -> bool:
    """Whether a server without a model list has a route of ours: it minds the method, not the path.

    whisper.cpp answers 404 for a method that it does not mind, and says its name.
    """
    if inquiry.models.status not in (404, 405, 501):
        return False
    if inquiry.models.server == "whisper.cpp":
        return True
    answers = map(inquiry.get, ("/v1/chat/completions", "/v1/audio/transcriptions"))
    return any(answer.status in (400, 405, 415, 422) for answer in answers)


def _not_a_model_server(inquiry: Inquiry, where: str) -> NotAModelServer:
    answer = inquiry.models
    if _has_known_route(inquiry):
        return NotAModelServer(
            f"{where} has no model list (got {answer}); say which model with --infer-model=ID"
        )
    location = answer.headers.get("location")
    remedy = f"it redirects to {_without_credentials(location)!r}" if location else "correct the address"
    return NotAModelServer(f"{where} is not a model server: got {answer}; {remedy}")


def _without_credentials(location: str) -> str:
    head, at, tail = location.partition("@")
    return f"{head.partition('//')[0]}//{tail}" if at else location


def _choose_model(listed: Mapping[str, tuple[str, ...]], asked: str | None, where: str) -> str:
    """The listed id that is meant: the one asked for under any of its names, else the only one."""
    if asked is not None:
        if asked in listed:
            return asked
        for name, others in listed.items():
            if asked in others:
                return name
        raise ModelNotListed(f"{where} does not list the model {asked!r}; it has {_enumerate(listed)}")
    if len(listed) == 1:
        return next(iter(listed))
    if not listed:
        raise ModelNotChosen(f"{where} lists no model; load one there, or say which with --infer-model=ID")
    raise ModelNotChosen(
        f"{where} lists {len(listed)} models; choose one with --infer-model=ID: {_enumerate(listed)}"
    )


def _enumerate(listed: Mapping[str, tuple[str, ...]]) -> str:
    names = [repr(name) for name in listed]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return (", ".join(names[:_SHOWN]) or "none") + more


def _probed(told: Mapping[str, JSON], names: tuple[str, ...], secrets: tuple[str, ...]) -> dict[str, Known]:
    return {
        name: Known(_without(secrets, value), Origin.PROBED)
        for name in names
        if (value := told.get(name)) is not None
    }


def _without(secrets: tuple[str, ...], value: JSON) -> JSON:
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, "***")
    return value
