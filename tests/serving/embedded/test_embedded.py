"""The embedded server, for real: it answers, says who it is, repeats itself, and dies with its session."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from pytest_infergate.evidence import JsonSchema
from pytest_infergate.serving import Client, engine_of, steer
from pytest_infergate.serving.embedded import CONTEXT_LENGTH, CacheType, EmbeddedServer, start_embedded
from pytest_infergate.serving.identity import Known, Origin, ServerIdentity
from pytest_infergate.serving.identity_change import IdentityChange
from pytest_infergate.serving.probe import confirm_identity, probe_server
from pytest_infergate.serving.prompt_tokens import PromptTokenizer
from pytest_infergate.serving.request import Request
from pytest_infergate.serving.weights import EmbeddedServerError, packaged_weights

ROOT = Path(__file__).resolve().parents[3]
SHOTS = "Q: Capital of Spain?\nA: Madrid\nQ: Capital of Poland?\nA: Warsaw\n"


def quiet(_: str) -> None: ...


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedServer]:
    with start_embedded(on_progress=quiet) as running:
        yield running


@pytest.fixture(scope="module")
def identity(server: EmbeddedServer) -> ServerIdentity:
    return probe_server(server.url)


def complete(server: EmbeddedServer, prompt: str, max_tokens: int = 5) -> str:
    body = {"prompt": prompt, "max_tokens": max_tokens, "temperature": 0}
    answer = httpx.post(f"{server.url}/v1/completions", json=body, timeout=120, trust_env=False)
    text: str = answer.raise_for_status().json()["choices"][0]["text"]
    return text


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    # A dead process that nobody has waited for still has its number.
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def ends(pid: int) -> bool:
    deadline = time.monotonic() + 30
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_running(pid)


def test_it_answers(server: EmbeddedServer) -> None:
    assert complete(server, f"{SHOTS}Q: Capital of France?\nA:").startswith(" Paris")


def test_the_probe_and_the_files_together_say_who_it_is(
    server: EmbeddedServer, identity: ServerIdentity
) -> None:
    assert identity.engine == "llamacpp"
    assert identity.model == "gemma-3-270m-q4_k_m"
    assert identity.fields["n_params"] == Known(268098176, Origin.PROBED)
    assert identity.fields["context_length"] == Known(CONTEXT_LENGTH, Origin.PROBED)
    assert "engine_version" in identity.unknown, "the library's build says b0-unknown"
    whole = identity.with_fields(server.identity_fields)
    version = whole.fields["engine_version"]
    assert (str(version.value).partition(" ")[0], version.origin) == ("xllamacpp", Origin.FILE)
    assert whole.fields["weights_digest"] == Known(packaged_weights(on_progress=quiet).digest, Origin.FILE)
    assert whole.fields["model_path"].value == packaged_weights(on_progress=quiet).path.name
    assert "kv_cache_type" in identity.unknown, "llama.cpp does not tell it"
    assert whole.fields["kv_cache_type"] == Known("f16", Origin.DECLARED)


def test_it_is_the_same_at_the_end(server: EmbeddedServer, identity: ServerIdentity) -> None:
    whole = identity.with_fields(server.identity_fields)
    assert confirm_identity(whole, server.url).change is IdentityChange.SAME


REQUESTS = [
    Request(endpoint="completion", content="Hello world, <eos> and more"),
    Request(endpoint="chat", content=({"role": "user", "content": "Say <bos> twice."},)),
    Request(
        endpoint="chat",
        content=({"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}),
    ),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=["completion", "chat", "chat with a system message"])
def test_the_prompts_tokens_are_those_the_server_counts(
    server: EmbeddedServer, identity: ServerIdentity, request_: Request
) -> None:
    tokenizer = PromptTokenizer(identity, server.url)
    tokens = tokenizer(request_)
    tokenizer.close()
    path = "/v1/chat/completions" if request_.endpoint == "chat" else "/v1/completions"
    body = {"max_tokens": 1, **request_.as_json()}
    counted = httpx.post(server.url + path, json=body, timeout=120, trust_env=False).json()["usage"]
    assert tokens is not None
    assert len(tokens) == counted["prompt_tokens"]


def test_replies_depend_on_the_prompt_alone(server: EmbeddedServer) -> None:
    """Not on what else is asked at the same time, nor on what was asked before."""
    countries = ["Italy", "Greece", "Egypt", "Kenya", "Peru", "Japan"]
    prompts = [f"{shots}Q: Capital of {c}?\nA:" for c in countries for shots in (SHOTS, f"Facts.\n{SHOTS}")]
    alone = {prompt: complete(server, prompt) for prompt in prompts}
    shuffled = random.Random(7).sample(prompts, len(prompts))
    with ThreadPoolExecutor(8) as pool:
        together = dict(zip(shuffled, pool.map(lambda p: complete(server, p), shuffled), strict=True))
    assert together == alone


def test_a_closed_server_is_gone() -> None:
    said: list[str] = []
    with start_embedded(on_progress=said.append) as running:
        pid, url = running.pid, running.url
        assert is_running(pid)
    assert not is_running(pid)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/health", trust_env=False)
    running.close()  # a second time does nothing
    assert said == ["loading gemma-3-270m-q4_k_m"]


def second_choice(server: EmbeddedServer) -> float:
    """The logarithm of how likely the second most likely next word was."""
    body = {"prompt": f"{SHOTS}Q: Capital of France?\nA:", "max_tokens": 1, "temperature": 0, "logprobs": 2}
    answer = httpx.post(f"{server.url}/v1/completions", json=body, timeout=120, trust_env=False)
    content = answer.raise_for_status().json()["choices"][0]["logprobs"]["content"]
    return float(content[0]["top_logprobs"][1]["logprob"])


def test_the_type_of_its_cache_is_in_force_and_in_its_identity(server: EmbeddedServer) -> None:
    with start_embedded(cache_type=CacheType.Q4_0, on_progress=quiet) as other:
        assert other.identity_fields["kv_cache_type"] == Known("q4_0", Origin.DECLARED)
        assert second_choice(other) != second_choice(server)
        assert second_choice(server) == second_choice(server)


def test_it_listens_where_it_is_told_to_and_says_so_where_it_cannot(server: EmbeddedServer) -> None:
    taken = httpx.URL(server.url).port
    assert taken is not None
    with pytest.raises(EmbeddedServerError, match=rf"couldn't bind .* port: {taken}"):
        start_embedded(port=taken, on_progress=quiet)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with start_embedded(port=port, on_progress=quiet) as running:
        assert running.url == f"http://127.0.0.1:{port}"


SESSION = """
import os, sys, time
from pytest_infergate.serving.embedded import start_embedded
server = start_embedded(on_progress=lambda _: None)
if "fork" in sys.argv and not (sleeper := os.fork()):
    time.sleep(600)
print(server.pid, sleeper if "fork" in sys.argv else 0, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param([], id="its input ends"),
        pytest.param(["fork"], id="a process that the session forked holds its input open"),
    ],
)
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "terminated"])
def test_it_does_not_outlive_its_session(arguments: list[str], sent: signal.Signals) -> None:
    session = subprocess.Popen(
        [sys.executable, "-c", SESSION, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert session.stdout is not None
    pid, sleeper = map(int, session.stdout.readline().split())
    try:
        assert is_running(pid)
        session.send_signal(sent)
        session.wait()
        assert ends(pid)
    finally:
        session.stdout.close()
        if sleeper:
            os.kill(sleeper, signal.SIGKILL)


def test_ctrl_c_is_for_the_session_alone(server: EmbeddedServer) -> None:
    assert os.getpgid(server.pid) != os.getpgid(0)


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def scrambled(content: bytes) -> bytes:
    return content[:8] + b"\xff" * 56 + content[64:]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (cut, "data is not within the file bounds, model is corrupted or incomplete"),
        (scrambled, "failed to read header"),
    ],
)
def test_a_damaged_gguf_is_told_in_one_line(
    damage: Callable[[bytes], bytes], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "damaged.gguf"
    path.write_bytes(damage(packaged_weights(on_progress=quiet).path.read_bytes()))
    with pytest.raises(EmbeddedServerError) as caught:
        start_embedded(path, on_progress=quiet)
    message = str(caught.value)
    assert message.startswith(f"the embedded server did not start with {str(path)!r} (exit code 1): ")
    assert words in message
    assert "\n" not in message


def test_a_real_server_that_ignores_a_required_tool_call_is_seen(
    server: EmbeddedServer, identity: ServerIdentity
) -> None:
    """The template of a base model has no tools: llama.cpp then drops them with a 200."""
    tool = {"type": "function", "function": {"name": "switch_on", "parameters": {"type": "object"}}}
    request = Request(
        endpoint="chat",
        content=({"role": "user", "content": "Light, please."},),
        tools=(tool,),
        sampling={"temperature": 0, "max_tokens": 8, "tool_choice": "required"},
    )
    client = Client(server.url, identity.model, timeout=120)
    exchange = client.exchange(request)
    client.close()
    assert (exchange.status, exchange.flags) == (200, ("constraint_ignored",))


def test_a_schema_binds_a_real_model_and_the_client_sees_where_it_did_not(
    server: EmbeddedServer, identity: ServerIdentity
) -> None:
    """The completions of llama.cpp ignore ``response_format`` with a 200; its own field binds them."""
    schema = {
        "type": "object",
        "properties": {"city": {"enum": ["Paris", "Rome"]}, "is_capital": {"type": "boolean"}},
        "required": ["city", "is_capital"],
        "additionalProperties": False,
    }
    greedy = {"temperature": 0, "max_tokens": 64}
    engine = engine_of(identity)
    asked = "Describe a city as JSON.\n"
    messages = ({"role": "user", "content": asked},)
    sampling = {
        endpoint: steer(greedy, endpoint=endpoint, engine=engine, schema=schema, reasoning_budget=None)
        for endpoint in ("chat", "completion")
    }
    foreign = engine.constrain("chat", schema)
    requests = (
        Request(endpoint="chat", content=messages, sampling=sampling["chat"], schema=schema),
        Request(endpoint="completion", content=asked, sampling=sampling["completion"], schema=schema),
        Request(endpoint="completion", content=asked, sampling={**greedy, **foreign}),
    )
    client = Client(server.url, identity.model, timeout=120)
    chat, completion, ignored = [client.exchange(request) for request in requests]
    client.close()
    for exchange in (chat, completion):
        assert exchange.reply is not None
        assert JsonSchema(schema).accepts_text(exchange.reply.text), exchange.reply
        assert exchange.flags == ()
    assert ignored.status == 200
    assert ignored.flags == ("constraint_ignored",)
