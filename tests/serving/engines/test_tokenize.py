"""The token ids of a prompt, where a server can tell them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.serving.probe import probe_server
from pytest_infergate.serving.prompt_tokens import PromptTokenizer
from pytest_infergate.serving.request import Request
from tests.scripted import ScriptedServer

from . import imitation as seen
from .imitation import Imitation, Page

MESSAGES = ({"role": "user", "content": "hi"},)
PICTURE = (
    {
        "role": "user",
        "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}],
    },
)
CHAT = Request(endpoint="chat", content=MESSAGES, sampling={"chat_template_kwargs": {"x": 1}, "seed": 1})
COMPLETION = Request(endpoint="completion", content="hello")

LLAMACPP = seen.LLAMACPP.with_page("POST /apply-template", Page(body={"prompt": "<user>hi"})).with_page(
    "POST /tokenize", Page(body={"tokens": [2, 10, 11]})
)
VLLM = seen.VLLM.with_page("POST /tokenize", Page(body={"count": 2, "tokens": [5, 6], "max_model_len": 9}))


def tokenize(server: ScriptedServer, request: Request) -> Any:
    tokenizer = PromptTokenizer(probe_server(server.url), server.url, api_key="k3y")
    try:
        return tokenizer(request)
    finally:
        tokenizer.close()


TOKENS = [
    pytest.param(LLAMACPP, CHAT, [2, 10, 11], id="llama.cpp, chat"),
    pytest.param(LLAMACPP, COMPLETION, [2, 10, 11], id="llama.cpp, completion"),
    pytest.param(
        LLAMACPP,
        Request(endpoint="chat", content=PICTURE),
        None,
        id="llama.cpp, a picture: its tokens are not in the rendered text",
    ),
    pytest.param(seen.LLAMACPP, CHAT, None, id="a llama.cpp that renders no template"),
    pytest.param(
        LLAMACPP.with_page("POST /tokenize", Page(body={"tokens": [{"id": 1, "piece": "a"}]})),
        COMPLETION,
        None,
        id="tokens of another shape",
    ),
    pytest.param(VLLM, CHAT, [5, 6], id="vLLM, chat"),
    pytest.param(VLLM, COMPLETION, [5, 6], id="vLLM, completion"),
    pytest.param(seen.OLLAMA, CHAT, None, id="Ollama does not tell"),
    pytest.param(seen.GENERIC, COMPLETION, None, id="an unknown engine does not tell"),
]


@pytest.mark.parametrize(("engine", "request_", "tokens"), TOKENS)
def test_token_ids(engine: Imitation, request_: Request, tokens: list[int] | None) -> None:
    with engine.serve() as server:
        assert tokenize(server, request_) == tokens


def test_llamacpp_tokenizes_as_its_own_endpoints_do() -> None:
    with LLAMACPP.serve() as server:
        tokenize(server, CHAT)
        rendered, tokenized = server.posts
    assert rendered.json["messages"] == list(MESSAGES)
    assert rendered.json["chat_template_kwargs"] == {"x": 1}
    assert tokenized.json == {"content": "<user>hi", "add_special": True, "parse_special": True}
    assert tokenized.headers["authorization"] == "Bearer k3y"


def test_vllm_is_asked_for_the_chat_as_it_will_render_it() -> None:
    with VLLM.serve() as server:
        tokenize(server, CHAT)
        tokenize(server, COMPLETION)
        chat, completion = server.posts
    assert chat.json == {
        "model": "qwen",
        "messages": list(MESSAGES),
        "chat_template_kwargs": {"x": 1},
        "add_generation_prompt": True,
        "add_special_tokens": False,
    }
    assert completion.json == {"model": "qwen", "prompt": "hello", "add_special_tokens": True}
