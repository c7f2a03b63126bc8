"""Reaching a server, choosing its model, and saying in one line why it could not be done."""

from __future__ import annotations

import base64
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from pytest_infergate.evidence import InfergateError
from pytest_infergate.serving.engines import ENGINES, Engine
from pytest_infergate.serving.identity import JSON, Known, Origin
from pytest_infergate.serving.identity_change import IdentityChange
from pytest_infergate.serving.inquiry import Inquiry
from pytest_infergate.serving.probe import confirm_identity, probe_server
from pytest_infergate.serving.probe_errors import (
    ModelNotChosen,
    ModelNotListed,
    NotAModelServer,
    ProbeError,
    ServerLoading,
    ServerNeedsKey,
    ServerUnreachable,
)
from tests.scripted import Received, Script, ScriptedServer, json_script

from . import imitation as seen
from .imitation import Imitation, Page, html, model_list, text

LOADING = {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}


def everywhere(page: Page, **headers: str) -> Imitation:
    return Imitation(pages={}, elsewhere=page, headers=headers)


REFUSALS = [
    pytest.param(
        everywhere(Page(body={"error": {"message": "Invalid API Key"}}, status=401), Server="llama.cpp"),
        ServerNeedsKey,
        "{url} needs an API key; put it into the environment variable INFER_API_KEY or name another with "
        "--infer-api-key-env=NAME",
        id="a key is wanted",
    ),
    pytest.param(
        everywhere(text("forbidden", status=403)),
        ServerNeedsKey,
        "{url} needs an API key; put it into the environment variable INFER_API_KEY or name another with "
        "--infer-api-key-env=NAME",
        id="a key is wanted, by 403",
    ),
    pytest.param(
        seen.LLAMACPP.with_page("/props", Page(body={"error": {"code": 401}}, status=401)),
        ServerNeedsKey,
        "{url} needs an API key; put it into the environment variable INFER_API_KEY or name another with "
        "--infer-api-key-env=NAME",
        id="the model list is public and the rest is not",
    ),
    pytest.param(
        everywhere(Page(body=LOADING, status=503), Server="llama.cpp"),
        ServerLoading,
        "{url} is still loading its model; wait for it with --infer-wait=SECONDS",
        id="llama.cpp is loading",
    ),
    pytest.param(
        everywhere(html("<h1>503 Service Unavailable</h1>", status=503)),
        ServerUnreachable,
        "no model server is ready at {url}: got /v1/models: HTTP 503, text/html, "
        "'<h1>503 Service Unavailable</h1>'; give it time with --infer-wait=SECONDS",
        id="a proxy with nothing behind it",
    ),
    pytest.param(
        everywhere(html("<html><title>Grafana</title></html>")),
        NotAModelServer,
        "{url} is not a model server: got /v1/models: HTTP 200, text/html, "
        "'<html><title>Grafana</title></html>'; correct the address",
        id="a web page on every path",
    ),
    pytest.param(
        everywhere(text("404 page not found\n", status=404)),
        NotAModelServer,
        "{url} is not a model server: got /v1/models: HTTP 404, text/plain, '404 page not found'; "
        "correct the address",
        id="nothing on any path",
    ),
    pytest.param(
        everywhere(html("", status=301, location="https://user:pw@models.example/v1/models")),
        NotAModelServer,
        "{url} is not a model server: got /v1/models: HTTP 301, text/html, ''; "
        "it redirects to 'https://models.example/v1/models'",
        id="a redirection, which is not followed with a key in hand",
    ),
    pytest.param(
        everywhere(Page(body={"error": "Unexpected endpoint"})),
        NotAModelServer,
        "{url} is not a model server: got /v1/models: HTTP 200, application/json, "
        '\'{{"error": "Unexpected endpoint"}}\'; correct the address',
        id="200 and JSON, and no list of models",
    ),
    pytest.param(
        Imitation(pages={"/v1/models": model_list({"id": "a"}, {"id": "b\n"})}),
        ModelNotChosen,
        "{url} lists 2 models; choose one with --infer-model=ID: 'a', 'b\\n'",
        id="several models and none asked for",
    ),
    pytest.param(
        Imitation(pages={"/v1/models": model_list(*({"id": f"m{i}"} for i in range(23)))}),
        ModelNotChosen,
        "{url} lists 23 models; choose one with --infer-model=ID: "
        + ", ".join(f"'m{i}'" for i in range(20))
        + " and 3 more",
        id="very many models",
    ),
    pytest.param(
        Imitation(pages={"/v1/models": model_list()}),
        ModelNotChosen,
        "{url} lists no model; load one there, or say which with --infer-model=ID",
        id="an empty list",
    ),
    pytest.param(
        everywhere(text("Method Not Allowed", status=405)),
        NotAModelServer,
        "{url} has no model list (got /v1/models: HTTP 405, text/plain, 'Method Not Allowed'); "
        "say which model with --infer-model=ID",
        id="a gateway without a model list",
    ),
]


@pytest.mark.parametrize(("server", "kind", "message"), REFUSALS)
def test_what_cannot_be_probed_is_told_in_one_line(
    server: Imitation, kind: type[ProbeError], message: str
) -> None:
    with server.serve() as running, pytest.raises(kind) as caught:
        probe_server(running.url)
    assert str(caught.value) == message.format(url=running.url)


def test_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(
        ServerUnreachable, match=rf"^no server answers at {url}: .*refused.*; start it, correct"
    ):
        probe_server(url)


def test_a_name_that_does_not_resolve() -> None:
    with pytest.raises(ServerUnreachable, match=r"^no server answers at http://nowhere\.invalid:1: "):
        probe_server("http://nowhere.invalid:1/v1")


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(head=[], ending="hang"), id="silence"),
        pytest.param(
            Script(
                content_type="application/json", body=[piece for _ in range(200) for piece in (b" ", 0.05)]
            ),
            id="an answer that drips for ever, no read of which takes long",
        ),
    ],
)
def test_an_answer_that_does_not_end(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_infergate.serving.inquiry.PATIENCE", 0.3)
    with ScriptedServer(script) as server, pytest.raises(ServerUnreachable) as caught:
        probe_server(server.url)
    assert "no complete answer within 0.3 s" in str(caught.value)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(content_type="application/json", body=[b"[" * 200_000]), id="deep nesting"),
        pytest.param(
            Script(content_type="application/json", body=[b'{"data": [{"id": NaN}]}']), id="not a number"
        ),
        pytest.param(Script(content_type="application/json", body=[b"\xff\xfe\x00"]), id="not UTF-8"),
        pytest.param(json_script({"data": [None, 1, {"id": 7}, {"id": ""}, {}]}), id="entries without an id"),
        pytest.param(json_script({"data": {"id": "m"}}), id="an object for a list"),
        pytest.param(json_script([{"id": "m"}]), id="a list without a name"),
    ],
)
def test_a_hostile_list_of_models_is_refused_and_breaks_nothing(script: Script) -> None:
    with ScriptedServer(script) as server, pytest.raises((NotAModelServer, ModelNotChosen)):
        probe_server(server.url)


ASKED = [
    pytest.param(seen.LLAMACPP, "small", "llama-3.2-3b", id="an alias of llama.cpp"),
    pytest.param(seen.LLAMACPP, "llama-3.2-3b", "llama-3.2-3b", id="the id itself"),
    pytest.param(seen.OLLAMA, "llama3.1", "llama3.1:latest", id="Ollama's latest without its tag"),
    pytest.param(seen.OLLAMA, "llama3.1:latest", "llama3.1:latest", id="and with it"),
    pytest.param(seen.LLAMACPP_ROUTER, "qwen", "qwen", id="one of several"),
]


@pytest.mark.parametrize(("server", "asked", "sent"), ASKED)
def test_the_model_to_send_is_the_listed_id(server: Imitation, asked: str, sent: str) -> None:
    with server.serve() as running:
        assert probe_server(running.url, model=asked).model == sent


def test_a_model_that_is_not_listed() -> None:
    with seen.OLLAMA.serve() as running, pytest.raises(ModelNotListed) as caught:
        probe_server(running.url, model="llama3.1:70b")
    assert str(caught.value) == (
        f"{running.url} does not list the model 'llama3.1:70b'; it has 'llama3.1:latest'"
    )


def test_a_gateway_without_a_model_list_takes_the_model_that_is_named() -> None:
    with everywhere(text("Method Not Allowed", status=405)).serve() as running:
        identity = probe_server(running.url, model="gpt-oss")
    assert identity.engine == "generic"
    assert identity.fields == {"model": Known("gpt-oss", Origin.DECLARED)}


def test_naming_a_model_does_not_make_a_model_server() -> None:
    with (
        everywhere(text("404 page not found", status=404)).serve() as running,
        pytest.raises(NotAModelServer),
    ):
        probe_server(running.url, model="gpt-oss")


ADDRESSES = [
    pytest.param("{url}", "", id="as it is"),
    pytest.param("{url}/", "", id="with a slash"),
    pytest.param("{url}/v1", "", id="with /v1"),
    pytest.param("{url}/v1/", "", id="with /v1/"),
    pytest.param("{url}/llm/a", "/llm/a", id="behind a path"),
    pytest.param("{url}/llm/a/v1", "/llm/a", id="behind a path, with /v1"),
]


@pytest.mark.parametrize(("address", "prefix"), ADDRESSES)
def test_the_address_is_with_or_without_v1(address: str, prefix: str) -> None:
    prefixed = replace(seen.VLLM, pages={prefix + path: page for path, page in seen.VLLM.pages.items()})
    with prefixed.serve() as running:
        identity = probe_server(address.format(url=running.url))
    assert (identity.engine, identity.url) == ("vllm", running.url + prefix)


def test_user_and_password_are_sent_and_kept_out_of_the_identity() -> None:
    with seen.VLLM.serve() as running:
        identity = probe_server(running.url.replace("http://", "http://ann:s3cret@"), api_key="k3y")
        sent = {received.headers["authorization"] for received in running.requests}
    assert sent == {f"Basic {base64.b64encode(b'ann:s3cret').decode()}"}
    assert "s3cret" not in f"{identity.as_json()}"


def test_the_key_is_sent_with_every_question() -> None:
    with seen.OLLAMA.serve() as running:
        probe_server(running.url, api_key=" k3y\n")
        assert {received.headers["authorization"] for received in running.requests} == {"Bearer k3y"}


def test_a_key_that_is_refused() -> None:
    with everywhere(text("no", status=401)).serve() as running, pytest.raises(ServerNeedsKey) as caught:
        probe_server(running.url, api_key="k3y")
    assert str(caught.value) == (
        f"{running.url} refuses the API key; set another, see --infer-api-key-env=NAME"
    )


@pytest.mark.parametrize("key", ["gehe\u00edm", "s3cret\nX-Admin: 1"])
def test_a_key_that_a_header_cannot_carry_is_not_repeated(key: str) -> None:
    with pytest.raises(InfergateError, match="character that an HTTP header cannot carry") as caught:
        probe_server("http://127.0.0.1:9", api_key=key)
    assert key not in str(caught.value)


@pytest.fixture
def becoming() -> Iterator[Callable[[Imitation, Imitation, int], ScriptedServer]]:
    """Make a server that is the first for so many requests and then the second."""
    running: list[ScriptedServer] = []

    def make(first: Imitation, then: Imitation, after: int) -> ScriptedServer:
        left, lock = [after], threading.Lock()

        def answer(received: Received) -> Script:
            with lock:
                left[0] -= 1
                now = first if left[0] >= 0 else then
            return now.answer(received)

        running.append(ScriptedServer(answer))
        return running[-1].__enter__()

    yield make
    for server in running:
        server.stop()


@pytest.mark.parametrize(
    "not_ready",
    [
        pytest.param(everywhere(Page(body=LOADING, status=503), Server="llama.cpp"), id="loading"),
        pytest.param(everywhere(html("<h1>Bad Gateway</h1>", status=502)), id="a proxy before its server"),
    ],
)
def test_a_server_that_is_loading_is_waited_for(
    becoming: Callable[[Imitation, Imitation, int], ScriptedServer],
    monkeypatch: pytest.MonkeyPatch,
    not_ready: Imitation,
) -> None:
    monkeypatch.setattr("pytest_infergate.serving.probe.PAUSE", 0.01)
    server = becoming(not_ready, seen.LLAMACPP, 3)
    assert probe_server(server.url, wait=30).engine == "llamacpp"


def test_a_server_that_does_not_listen_yet_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_infergate.serving.probe.PAUSE", 0.01)
    server = seen.VLLM.serve()  # its port is taken; it accepts once it is started
    threading.Timer(0.2, server.__enter__).start()
    try:
        assert probe_server(server.url, wait=30).engine == "vllm"
    finally:
        server.stop()


def test_waiting_ends_and_says_how_long_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_infergate.serving.probe.PAUSE", 0.01)
    loading = everywhere(Page(body=LOADING, status=503), Server="llama.cpp")
    with loading.serve() as running, pytest.raises(ServerLoading, match=r"\(waited 0\.05 s\)$"):
        probe_server(running.url, wait=0.05)


def test_what_waiting_cannot_mend_is_not_waited_for() -> None:
    with everywhere(text("no", status=401)).serve() as running:
        with pytest.raises(ServerNeedsKey):
            probe_server(running.url, wait=3600)
        assert len(running.requests) == 1


def test_a_router_that_loads_the_model_is_waited_for(
    becoming: Callable[[Imitation, Imitation, int], ScriptedServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_infergate.serving.probe.PAUSE", 0.01)
    entry = {"id": "qwen", "owned_by": "llamacpp", "status": {"value": "loading", "args": []}}
    loading = seen.LLAMACPP_ROUTER.with_page("/v1/models", model_list(entry))
    with loading.serve() as running, pytest.raises(ServerLoading, match="still loading 'qwen'"):
        probe_server(running.url)
    server = becoming(loading, seen.LLAMACPP_ROUTER, 2)
    assert probe_server(server.url, model="qwen", wait=30).fields["loaded"].value == "loaded"


class Mine(Engine):
    """An engine of a third party."""

    name = "mine"

    def recognise(self, inquiry: Inquiry) -> bool:
        return inquiry.models.headers.get("x-powered-by") == "mine"

    def identify(self, inquiry: Inquiry, model: str) -> dict[str, JSON]:
        return {"engine_version": "7", "kernel": "secret sauce", "slots": None}


def test_a_third_party_adds_an_engine() -> None:
    with seen.GENERIC.with_headers(**{"X-Powered-By": "mine"}).serve() as running:
        identity = probe_server(running.url, engines=(Mine(), *ENGINES))
    assert identity.engine == "mine"
    assert {name: known.value for name, known in identity.fields.items()} == {
        "model": "gpt-oss",
        "engine_version": "7",
    }


CONFIRMATIONS = [
    pytest.param(seen.VLLM, IdentityChange.SAME, id="the same"),
    pytest.param(
        seen.VLLM.with_page("/metrics", text(seen.VLLM_METRICS.replace("1.7959e+09", "1.7960e+09"))),
        IdentityChange.RESTARTED,
        id="another start",
    ),
    pytest.param(
        seen.VLLM.with_page("/version", Page(body={"version": "0.34.0"})),
        IdentityChange.CHANGED,
        id="another version",
    ),
    pytest.param(
        seen.VLLM.with_page("/v1/models", model_list({"id": "other", "owned_by": "vllm"})),
        IdentityChange.CHANGED,
        id="the model is gone",
    ),
    pytest.param(
        seen.VLLM.with_page("/version", text("busy", status=500)),
        IdentityChange.UNCONFIRMED,
        id="it no longer proves what it is, which is not proof of being another",
    ),
    pytest.param(
        everywhere(html("<h1>Bad Gateway</h1>", status=502)), IdentityChange.UNCONFIRMED, id="it is gone"
    ),
]


@pytest.mark.parametrize(("at_the_end", "change"), CONFIRMATIONS)
def test_the_end_of_a_run_confirms_the_identity(
    at_the_end: Imitation, change: IdentityChange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_infergate.serving.probe.RECOVERY", 0.0)
    at_the_start = seen.VLLM.with_page("/metrics", text(seen.VLLM_METRICS))
    if change is IdentityChange.SAME:
        at_the_end = at_the_start
    with at_the_start.serve() as running:
        before = probe_server(running.url)
    with at_the_end.serve() as running:
        comparison = confirm_identity(before, running.url)
    assert comparison.change is change
    assert bool(comparison.detail) is (change is not IdentityChange.SAME)


def test_a_server_that_is_out_of_breath_at_the_end_is_asked_again(
    becoming: Callable[[Imitation, Imitation, int], ScriptedServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_infergate.serving.probe.PAUSE", 0.01)
    monkeypatch.setattr("pytest_infergate.serving.probe.RECOVERY", 30.0)
    with seen.VLLM.serve() as running:
        before = probe_server(running.url)
    server = becoming(everywhere(text("busy", status=503)), seen.VLLM, 2)
    assert confirm_identity(before, server.url).change is IdentityChange.SAME
