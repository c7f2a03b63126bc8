"""What each engine tells of itself, and what it leaves unknown."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import digest_bytes
from pytest_infergate.serving.identity import VOCABULARY, Known, Origin, ServerIdentity
from pytest_infergate.serving.probe import probe_server

from . import imitation as seen
from .imitation import Imitation, Page, text


def probe(server: Imitation, **options: Any) -> ServerIdentity:
    with server.serve() as running:
        return probe_server(running.url, **options)


def values(identity: ServerIdentity) -> dict[str, Any]:
    assert all(known.origin is Origin.PROBED for known in identity.fields.values())
    return {name: known.value for name, known in identity.fields.items()}


TOLD = [
    pytest.param(
        seen.LLAMACPP,
        None,
        {
            "model": "llama-3.2-3b",
            "owned_by": "llamacpp",
            "engine_version": "b7063-0c1e57098",
            "model_path": "/models/llama-3.2-3b-q4_k_m.gguf",
            "quantization": "Q4_K - Medium",
            "n_params": 3212749888,
            "size_bytes": 2013282304,
            "context_length": 8192,
            "slots": 4,
            "chat_template_digest": digest_bytes(b"{{ messages }}"),
            "speculation": True,
            "loaded": True,
            "started_at": "<__media_aaaa__>",
        },
        id="llama.cpp: speculation from the slots, since /props says none whatever is configured",
    ),
    pytest.param(
        seen.LLAMACPP_ROUTER,
        "qwen",
        {
            "model": "qwen",
            "owned_by": "llamacpp",
            "engine_version": "b7063-0c1e57098",
            "model_path": "/models/qwen.gguf",
            "quantization": "Q4_K - Medium",
            "context_length": 8192,
            "slots": 4,
            "chat_template_digest": digest_bytes(b"{{ messages }}"),
            "kv_cache_type": "q8_0/q4_0",
            "speculation": False,
            "launch_command": "llama-server -m /models/qwen.gguf -ctk q8_0 --cache-type-v q4_0 --api-key *** "
            "--port 5001",
            "loaded": "loaded",
            "started_at": "<__media_aaaa__>",
        },
        id="a llama.cpp router: pages of the model's own, the command line without its key",
    ),
    pytest.param(
        seen.LLAMACPP_ROUTER,
        "gemma",
        {"model": "gemma", "owned_by": "llamacpp", "loaded": "unloaded"},
        id="a llama.cpp router: a model that is not in memory is not loaded by the probe",
    ),
    pytest.param(
        seen.VLLM,
        None,
        {
            "model": "qwen",
            "owned_by": "vllm",
            "engine_version": "0.33.0",
            "model_path": "/srv/qwen3-8b-fp8",
            "context_length": 32768,
            "kv_cache_type": "fp8",
            "prefix_cache": True,
            "speculation": True,
            "started_at": 1.7959e09,
        },
        id="vLLM: speculation is configured where its counters are registered, at zero too",
    ),
    pytest.param(
        seen.SGLANG,
        None,
        {
            "model": "qwen3",
            "owned_by": "sglang",
            "engine_version": "0.5.23",
            "model_path": "/srv/qwen3",
            "weights_revision": "default",
            "quantization": "fp8",
            "context_length": 40960,
            "slots": 64,
            "kv_cache_type": "fp8_e5m2",
            "speculation": "EAGLE3",
            "draft_model": "/srv/draft",
            "prefix_cache": True,
            "launch_command": "python -m sglang.launch_server --model-path /srv/qwen3 --api-key *** "
            "--tokenizer-path /srv/tok --max-total-tokens 4096 --admin-api-key=***",
        },
        id="SGLang: the command line without its keys, tokenizer and token limits left in",
    ),
    pytest.param(
        seen.OLLAMA,
        None,
        {
            "model": "llama3.1:latest",
            "engine_version": "0.12.6",
            "weights_digest": f"sha256:{seen.OLLAMA_DIGEST}",
            "quantization": "Q4_K_M",
            "n_params": 8030261312,
            "size_bytes": 4920753328,
            "context_length": 4096,
            "chat_template_digest": digest_bytes(b"{{ .Prompt }}"),
            "loaded": True,
        },
        id="Ollama: the context in force, not the one the model was trained for",
    ),
    pytest.param(
        seen.LMSTUDIO,
        None,
        {
            "model": "qwen/qwen3-4b",
            "model_variant": "qwen/qwen3-4b@q4_k_m",
            "quantization": "Q4_K_M",
            "size_bytes": 2497281120,
            "context_length": 8192,
            "slots": 4,
            "flash_attention": True,
            "loaded": True,
        },
        id="LM Studio: the embedding model that comes with it is no model to ask",
    ),
    pytest.param(
        seen.LMSTUDIO_V0,
        None,
        {"model": "qwen/qwen3-4b", "quantization": "Q4_K_M", "loaded": False},
        id="LM Studio's older API: the largest possible context is not the one in force",
    ),
    pytest.param(
        seen.TGI,
        None,
        {
            "model": "bigscience/bloom-560m",
            "engine_version": "3.3.4+db931fcf",
            "model_path": "bigscience/bloom-560m",
            "weights_revision": "e985a63cdc139290c5f700ff1929f0b5942cced2",
            "context_length": 2048,
        },
        id="TGI",
    ),
    pytest.param(
        seen.MLX_LM, None, {"model": "mlx-community/Qwen3-4B-4bit"}, id="mlx-lm tells its model alone"
    ),
    pytest.param(
        seen.TABBYAPI,
        None,
        {
            "model": "qwen-exl3",
            "owned_by": "tabbyAPI",
            "engine_version": "0.2",
            "context_length": 16384,
            "slots": 8,
            "kv_cache_type": "Q8",
            "chat_template_digest": digest_bytes(b"{{ m }}"),
            "speculation": True,
            "draft_model": "qwen-draft",
            "loaded": True,
        },
        id="TabbyAPI",
    ),
    pytest.param(
        seen.LOCALAI,
        None,
        {"model": "phi-4", "engine_version": "v3.7.0", "runtime": "llama-cpp, whisper", "loaded": True},
        id="LocalAI",
    ),
    pytest.param(
        seen.LLAMA_CPP_PYTHON, None, {"model": "/models/phi.gguf", "owned_by": "me"}, id="llama-cpp-python"
    ),
    pytest.param(seen.GENERIC, None, {"model": "gpt-oss", "owned_by": "somebody"}, id="generic"),
]


@pytest.mark.parametrize(("server", "model", "told"), TOLD)
def test_an_engine_tells(server: Imitation, model: str | None, told: dict[str, Any]) -> None:
    identity = probe(server, model=model)
    assert values(identity) == told
    assert set(identity.unknown) == set(VOCABULARY) - set(identity.fields)


UNKNOWN = [
    pytest.param(
        seen.LLAMACPP.with_page("/slots", Page(body={"error": {"code": 501}}, status=501)),
        ["speculation"],
        id="llama.cpp with --no-slots: no slots is not no speculation",
    ),
    pytest.param(
        seen.LLAMACPP.with_page("/slots", Page(body=[])),
        ["speculation"],
        id="llama.cpp with an empty list of slots",
    ),
    pytest.param(
        seen.LLAMACPP.with_page("/props", Page(body=seen.LLAMACPP_PROPS | {"build_info": "b0-unknown"})),
        ["engine_version"],
        id="a llama.cpp library without its version stamped in",
    ),
    pytest.param(
        seen.LLAMACPP.with_page("/props", Page(body={"error": "busy"}, status=500)),
        ["engine_version", "model_path", "context_length", "slots", "chat_template_digest"],
        id="llama.cpp whose /props is out of order",
    ),
    pytest.param(
        seen.LLAMACPP.with_page(
            "/props",
            Page(
                body=seen.LLAMACPP_PROPS
                | {
                    "default_generation_settings": {"n_ctx": 0},
                    "total_slots": "4",
                    "model_path": "",
                    "chat_template": ["x"],
                }
            ),
        ),
        ["context_length", "slots", "model_path", "chat_template_digest"],
        id="values of the wrong type, empty, or zero for a size",
    ),
    pytest.param(
        seen.VLLM.without("/metrics"),
        ["speculation", "prefix_cache", "kv_cache_type", "started_at"],
        id="vLLM without metrics: no counters is not no speculation",
    ),
    pytest.param(
        seen.VLLM.with_page("/metrics", text("<html>not a metrics page</html>")),
        ["speculation", "prefix_cache", "kv_cache_type", "started_at"],
        id="vLLM behind a proxy with another page there",
    ),
    pytest.param(
        seen.SGLANG.with_page(
            "/server_info", Page(body={"version": "0.5.23", "internal_states": [], "quantization": None})
        ),
        ["speculation", "prefix_cache", "quantization", "launch_command"],
        id="SGLang that tells little",
    ),
    pytest.param(
        seen.OLLAMA.with_page("/api/ps", Page(body={"models": []})),
        ["context_length"],
        id="Ollama with the model not loaded: no context is in force",
    ),
    pytest.param(
        seen.TABBYAPI.with_page("/v1/model", Page(body={"id": "another", "parameters": {"max_seq_len": 1}})),
        ["context_length", "speculation", "loaded"],
        id="TabbyAPI's card is of another model",
    ),
    pytest.param(
        seen.LOCALAI.with_page("/system", Page(body={"error": "admin only"}, status=403)),
        ["runtime", "loaded"],
        id="LocalAI whose /system is for administrators",
    ),
]


@pytest.mark.parametrize(("server", "unknown"), UNKNOWN)
def test_what_is_not_told_is_unknown(server: Imitation, unknown: list[str]) -> None:
    identity = probe(server)
    assert set(unknown) <= set(identity.unknown)
    assert not set(unknown) & set(identity.fields)


def test_vllm_without_speculation_says_so() -> None:
    server = seen.VLLM.with_page("/metrics", text(seen.VLLM_METRICS))
    assert probe(server).fields["speculation"] == Known(False, Origin.PROBED)


RESTART_WITNESSES = [
    pytest.param(
        {"media_marker": "<__media__>"}, "1795960000", id="a fixed marker: the header of the metrics"
    ),
    pytest.param(
        {"media_marker": "<__media__>", "endpoint_metrics": False},
        None,
        id="no witness where metrics are off",
    ),
    pytest.param({"media_marker": "<__media_b__>"}, "<__media_b__>", id="a random marker"),
]


@pytest.mark.parametrize(("props", "witness"), RESTART_WITNESSES)
def test_llamacpp_restart_witness(props: dict[str, Any], witness: str | None) -> None:
    identity = probe(seen.LLAMACPP.with_page("/props", Page(body=seen.LLAMACPP_PROPS | props)))
    known = identity.known("started_at")
    assert (known and known.value) == witness


def test_vllm_process_start_goes_before_the_creation_of_counters() -> None:
    page = f"{seen.VLLM_METRICS}# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 17.5\n"
    assert probe(seen.VLLM.with_page("/metrics", text(page))).fields["started_at"].value == 17.5


DEFAULTS = [
    pytest.param(
        seen.LLAMACPP,
        {
            "temperature": 0.8,
            "top_p": 0.95,
            "top_k": 40,
            "min_p": 0.05,
            "seed": "random",
            "repeat_penalty": 1.0,
            "max_tokens": -1,
        },
        id="llama.cpp: 32-bit floats as they were written, the default seed is no seed",
    ),
    pytest.param(seen.SGLANG, {"temperature": 0.6, "top_k": 20}, id="SGLang: the model's preferred ones"),
    pytest.param(
        seen.OLLAMA,
        {"temperature": 0.6, "top_k": 20, "stop": ["<|eot_id|>", "<|end|>"]},
        id="Ollama: the parameters of the model file",
    ),
    pytest.param(seen.VLLM, {}, id="vLLM does not tell"),
]


@pytest.mark.parametrize(("server", "defaults"), DEFAULTS)
def test_sampling_defaults(server: Imitation, defaults: dict[str, Any]) -> None:
    assert {name: known.value for name, known in probe(server).sampling_defaults.items()} == defaults


def test_the_key_in_use_is_in_no_field() -> None:
    told = {**seen.SGLANG_INFO, "launch_command": "serve s3cr3t-k3y", "model_path": "/x/s3cr3t-k3y"}
    identity = probe(seen.SGLANG.with_page("/server_info", Page(body=told)), api_key="s3cr3t-k3y")
    assert "s3cr3t" not in str(identity.as_json())
    assert identity.fields["model_path"].value == "/x/***"


def test_a_router_is_asked_nothing_that_would_load_a_model() -> None:
    with seen.LLAMACPP_ROUTER.serve() as running:
        probe_server(running.url, model="gemma")
        asked = [received.path for received in running.requests]
    assert not [path for path in asked if "gemma" in path]
