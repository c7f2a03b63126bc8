"""Each engine is told from the others by proof, and its imitators are not taken for it."""

from __future__ import annotations

import pytest

from pytest_infergate.serving.probe import probe_server

from . import imitation as seen
from .imitation import Imitation, Page, html, model_list, text

_OWNED_BY_VLLM = model_list({"id": "m", "owned_by": "vllm"})

ENGINES = [
    pytest.param(seen.LLAMACPP, None, "llamacpp", id="llama.cpp"),
    pytest.param(seen.LLAMACPP_ROUTER, "qwen", "llamacpp", id="llama.cpp as a router"),
    pytest.param(seen.VLLM, None, "vllm", id="vLLM"),
    pytest.param(seen.SGLANG, None, "sglang", id="SGLang, with its Ollama shim"),
    pytest.param(seen.OLLAMA, None, "ollama", id="Ollama"),
    pytest.param(seen.LMSTUDIO, None, "lmstudio", id="LM Studio, 200 on every path"),
    pytest.param(seen.LMSTUDIO_V0, None, "lmstudio", id="LM Studio before its v1 API"),
    pytest.param(seen.TGI, None, "tgi", id="TGI"),
    pytest.param(seen.TGI.without("/v1/models"), None, "tgi", id="TGI before it had a model list"),
    pytest.param(seen.MLX_LM, None, "mlx_lm", id="mlx-lm"),
    pytest.param(seen.TABBYAPI, None, "tabbyapi", id="TabbyAPI, with a /props"),
    pytest.param(seen.LOCALAI, None, "localai", id="LocalAI, with Ollama's paths"),
    pytest.param(seen.LLAMA_CPP_PYTHON, None, "llama_cpp_python", id="llama-cpp-python"),
    pytest.param(seen.LLAMA_CPP_PYTHON_EXAMPLE, None, "llama_cpp_python", id="its example server"),
    pytest.param(seen.GENERIC, None, "generic", id="OpenAI's protocol and no proof"),
]

IMITATORS = [
    pytest.param(
        seen.LLAMACPP.with_headers(),
        "llamacpp",
        id="llama.cpp behind a proxy that drops its header: /props has a build and slots",
    ),
    pytest.param(
        seen.LLAMACPP.with_headers().without("/props"),
        "generic",
        id="llama.cpp with nothing left to prove it: Ollama's keys are no proof of Ollama",
    ),
    pytest.param(
        seen.TABBYAPI.without("/.well-known/serviceinfo"),
        "generic",
        id="a /props with slots and no build is not llama.cpp",
    ),
    pytest.param(
        seen.SGLANG.without("/server_info").with_page("/get_server_info", Page(body=seen.SGLANG_INFO)),
        "sglang",
        id="SGLang by its older name",
    ),
    pytest.param(
        seen.SGLANG.without("/server_info"),
        "generic",
        id="SGLang that keeps its server info to itself is still not Ollama",
    ),
    pytest.param(
        Imitation(pages={"/v1/models": _OWNED_BY_VLLM}),
        "generic",
        id="the owner vllm without a version",
    ),
    pytest.param(
        Imitation(pages={"/v1/models": _OWNED_BY_VLLM, "/version": html("<html>v1</html>")}),
        "generic",
        id="the owner vllm and a web page for a version",
    ),
    pytest.param(
        seen.GENERIC.with_page("/version", Page(body={"version": "0.33.0"})),
        "generic",
        id="a version without the owner vllm",
    ),
    pytest.param(
        Imitation(
            pages={"/v1/models": model_list({"id": "m", "owned_by": "me"})}, elsewhere=Page(body={"ok": True})
        ),
        "generic",
        id="200 and JSON on every path prove nothing",
    ),
    pytest.param(
        Imitation(
            pages={"/v1/models": model_list({"id": "m"})},
            elsewhere=html("<html><body>Ollama is running</body></html>"),
        ),
        "generic",
        id="a web page on every path proves nothing, whatever it says",
    ),
    pytest.param(
        seen.OLLAMA.without("/"), "generic", id="Ollama's version without its sentence: a partial imitation"
    ),
    pytest.param(
        seen.OLLAMA.with_page("/", text("Ollama is running", status=404)),
        "generic",
        id="Ollama's sentence under a 404",
    ),
    pytest.param(
        seen.GENERIC.with_page("/api/v1/models", model_list({"id": "gpt-oss"})),
        "generic",
        id="OpenAI's list under /api/v1/models, as Lemonade has it",
    ),
    pytest.param(
        seen.LLAMA_CPP_PYTHON.with_page("/openapi.json", Page(body={"info": {"title": "my server"}})),
        "generic",
        id="anybody may call himself me",
    ),
    pytest.param(
        seen.MLX_LM.without("/health"), "generic", id="a server of Python's own without mlx-lm's health"
    ),
    pytest.param(
        seen.MLX_LM.with_page("/v1/models", model_list({"id": "m", "owned_by": "scripted"})),
        "generic",
        id="a server of Python's own whose models have an owner",
    ),
    pytest.param(
        seen.LOCALAI.with_page("/.well-known/localai.json", Page(body={"version": "v3"})),
        "ollama",
        id="LocalAI's document without endpoints is no proof, and all of Ollama's is there",
    ),
    pytest.param(
        seen.TGI.with_page("/info", Page(body={"version": "3.3.4", "model_id": "m"})),
        "generic",
        id="an /info without a router and limits",
    ),
    pytest.param(
        seen.TGI.with_page("/info", Page(body={"max_total_tokens": 2048, "model_id": "m"})),
        "generic",
        id="an /info with limits and no router",
    ),
    pytest.param(
        seen.GENERIC.with_page(
            "/api/v1/models", Page(body={"models": [{"key": "gpt-oss", "state": "ready"}]})
        ),
        "generic",
        id="models under /api/v1/models without their loaded instances",
    ),
    pytest.param(
        Imitation(pages={"/v1/models": model_list({"id": "m"}), "/server_info": Page(body={"version": "1"})}),
        "generic",
        id="a /server_info without internal states, as vLLM's development mode has it",
    ),
]


@pytest.mark.parametrize(("server", "model", "engine"), ENGINES)
def test_an_engine_is_recognised(server: Imitation, model: str | None, engine: str) -> None:
    with server.serve() as running:
        assert probe_server(running.url, model=model).engine == engine


@pytest.mark.parametrize(("server", "engine"), IMITATORS)
def test_an_imitator_is_not_taken_for_the_imitated(server: Imitation, engine: str) -> None:
    with server.serve() as running:
        assert probe_server(running.url).engine == engine


@pytest.mark.parametrize(("server", "model", "engine"), ENGINES)
def test_a_probe_generates_nothing(server: Imitation, model: str | None, engine: str) -> None:
    """No request for a reply, and /health only where SGLang, which generates a token there, is excluded."""
    with server.serve() as running:
        probe_server(running.url, model=model)
        asked = [(received.method, received.path) for received in running.requests]
    assert [path for method, path in asked if method != "GET"] == (
        ["/api/show"] if engine == "ollama" else []
    )
    assert ("GET", "/health") not in asked or engine == "mlx_lm"
    assert len(asked) == len(set(asked)), "nothing is asked twice"
