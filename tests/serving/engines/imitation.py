"""Loopback servers that answer like the engines, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.scripted import Received, Script, ScriptedServer, json_script


@dataclass(frozen=True, kw_only=True)
class Page:
    """What one path answers: JSON, or text as it stands."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"

    def script(self, headers: Mapping[str, str]) -> Script:
        headers = {**headers, **self.headers}
        if not isinstance(self.body, str):
            return json_script(self.body, status=self.status, headers=headers)
        return Script(
            status=self.status,
            headers=headers,
            content_type=self.content_type,
            body=[self.body.encode()],
            framing="length",
        )


def text(body: str, *, status: int = 200, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(body=body, status=status, content_type="text/plain", headers=named)


def html(body: str, *, status: int = 200, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(body=body, status=status, content_type="text/html", headers=named)


@dataclass(frozen=True, kw_only=True)
class Imitation:
    """An engine: its pages by path, the headers of every answer, and what other paths answer."""

    pages: Mapping[str, Page]
    headers: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Page = field(default_factory=lambda: Page(body={"detail": "Not Found"}, status=404))

    def serve(self) -> ScriptedServer:
        return ScriptedServer(self.answer)

    def without(self, *paths: str) -> Imitation:
        pages = {path: page for path, page in self.pages.items() if path not in paths}
        return Imitation(pages=pages, headers=self.headers, elsewhere=self.elsewhere)

    def with_page(self, path: str, page: Page) -> Imitation:
        return Imitation(pages={**self.pages, path: page}, headers=self.headers, elsewhere=self.elsewhere)

    def with_headers(self, **headers: str) -> Imitation:
        return Imitation(pages=self.pages, headers=headers, elsewhere=self.elsewhere)

    def answer(self, received: Received) -> Script:
        path = received.path.partition("?")[0]
        page = self.pages.get(f"{received.method} {received.path}")
        page = page or self.pages.get(received.path) or self.pages.get(path)
        return (page or self.elsewhere).script(self.headers)


def model_list(*entries: Mapping[str, Any], **extra: Any) -> Page:
    data = [{"object": "model", "created": 1795966076, **entry} for entry in entries]
    return Page(body={"object": "list", "data": data, **extra})


UVICORN = {"server": "uvicorn"}

LLAMACPP_META = {
    "vocab_type": 2,
    "n_ctx": 8192,
    "n_ctx_train": 131072,
    "n_params": 3212749888,
    "size": 2013282304,
}
LLAMACPP_ENTRY = {
    "id": "llama-3.2-3b",
    "aliases": ["llama-3.2-3b", "small", "default"],
    "owned_by": "llamacpp",
    "meta": LLAMACPP_META,
}
LLAMACPP_PROPS = {
    "default_generation_settings": {
        "n_ctx": 8192,
        "params": {
            "seed": 4294967295,
            "temperature": 0.800000011920929,
            "top_k": 40,
            "top_p": 0.949999988079071,
            "min_p": 0.05000000074505806,
            "repeat_penalty": 1.0,
            "n_predict": -1,
            "speculative.types": "none",
        },
    },
    "total_slots": 4,
    "model_alias": "llama-3.2-3b",
    "model_path": "/models/llama-3.2-3b-q4_k_m.gguf",
    "model_ftype": "Q4_K - Medium",
    "chat_template": "{{ messages }}",
    "media_marker": "<__media_aaaa__>",
    "build_info": "b7063-0c1e57098",
    "endpoint_metrics": True,
    "is_sleeping": False,
}
LLAMACPP = Imitation(
    headers={"Server": "llama.cpp"},
    pages={
        # Ollama's keys, in the same body.
        "/v1/models": model_list(
            LLAMACPP_ENTRY, models=[{"name": "llama-3.2-3b", "model": "llama-3.2-3b", "digest": ""}]
        ),
        "/props": Page(body=LLAMACPP_PROPS),
        "/slots": Page(body=[{"id": 0, "speculative": True}, {"id": 1, "speculative": True}]),
        "/metrics": text("# TYPE x counter\nx 0\n", Process_Start_Time_Unix="1795960000"),
        "/health": Page(body={"status": "ok"}),
    },
    elsewhere=Page(body={"error": {"message": "File Not Found", "code": 404}}, status=404),
)

_ROUTER_COMMAND = (
    "llama-server -m /models/qwen.gguf -ctk q8_0 --cache-type-v q4_0 --api-key sk-router-secret --port 5001"
)
_ROUTER_ENTRY = {
    "id": "qwen",
    "owned_by": "llamacpp",
    "path": "/models/qwen.gguf",
    "status": {
        "value": "loaded",
        "args": _ROUTER_COMMAND.split(),
    },
}
_SLEEPING_ENTRY = {"id": "gemma", "owned_by": "llamacpp", "status": {"value": "unloaded", "args": []}}
LLAMACPP_ROUTER = Imitation(
    headers={"Server": "llama.cpp"},
    pages={
        "/v1/models": model_list(_ROUTER_ENTRY, _SLEEPING_ENTRY),
        "/props": Page(body={"error": {"message": "model is required"}}, status=400),
        "/props?model=qwen": Page(body=LLAMACPP_PROPS | {"model_path": "/models/qwen.gguf"}),
        "/slots?model=qwen": Page(body=[{"id": 0, "speculative": False}]),
    },
)

VLLM_METRICS = """\
# HELP vllm:num_requests_running Number of requests
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="qwen"} 0.0
# TYPE vllm:cache_config_info gauge
vllm:cache_config_info{block_size="16",cache_dtype="fp8",enable_prefix_caching="True",num_gpu_blocks="7"} 1.0
# TYPE vllm:prompt_tokens_total counter
vllm:prompt_tokens_total{engine="0"} 5.0
# TYPE vllm:prompt_tokens_created gauge
vllm:prompt_tokens_created{engine="0"} 1.7959e+09
"""
VLLM_SPECULATION = """\
# TYPE vllm:spec_decode_num_drafts_total counter
vllm:spec_decode_num_drafts_total{engine="0"} 0.0
"""
VLLM = Imitation(
    headers=UVICORN,
    pages={
        "/v1/models": model_list(
            {
                "id": "qwen",
                "owned_by": "vllm",
                "root": "/srv/qwen3-8b-fp8",
                "parent": None,
                "max_model_len": 32768,
            }
        ),
        "/version": Page(body={"version": "0.33.0"}),
        "/health": text(""),
        "/metrics": text(VLLM_METRICS + VLLM_SPECULATION),
    },
)

SGLANG_INFO = {
    "model_path": "/srv/qwen3",
    "weight_version": "default",
    "quantization": "fp8",
    "kv_cache_dtype": "fp8_e5m2",
    "context_length": None,
    "max_running_requests": 64,
    "disable_radix_cache": False,
    "speculative_algorithm": "EAGLE3",
    "speculative_draft_model_path": "/srv/draft",
    "launch_command": "python -m sglang.launch_server --model-path /srv/qwen3 --api-key sk-very-secret "
    "--tokenizer-path /srv/tok --max-total-tokens 4096 --admin-api-key='also secret'",
    "version": "0.5.23",
    "internal_states": [{"last_gen_throughput": 0.0}],
}
SGLANG = Imitation(
    headers=UVICORN,
    pages={
        "/v1/models": model_list({"id": "qwen3", "owned_by": "sglang", "max_model_len": 40960}),
        "/server_info": Page(body=SGLANG_INFO),
        "/model_info": Page(
            body={
                "model_path": "/srv/qwen3",
                "preferred_sampling_params": '{"temperature": 0.6, "top_k": 20}',
            }
        ),
        # The shim.
        "/": text("Ollama is running"),
        "/api/version": Page(body={"version": "0.5.23"}),
        "/api/tags": Page(body={"models": [{"name": "qwen3", "model": "qwen3"}]}),
        "/version": Page(body={"version": "0.5.23"}),
    },
)

OLLAMA_DIGEST = "a6990ed6be412c6a217614b0ec8e9cd6800a743d5dd7e1d7fbe9df09e61d5615"
OLLAMA = Imitation(
    pages={
        "/v1/models": model_list({"id": "llama3.1:latest", "owned_by": "library"}),
        "/": text("Ollama is running"),
        "/api/version": Page(body={"version": "0.12.6"}),
        "/api/tags": Page(
            body={
                "models": [
                    {
                        "name": "llama3.1:latest",
                        "model": "llama3.1:latest",
                        "size": 4920753328,
                        "digest": OLLAMA_DIGEST,
                        "details": {"format": "gguf", "family": "llama", "quantization_level": "Q4_K_M"},
                    }
                ]
            }
        ),
        "/api/ps": Page(
            body={"models": [{"name": "llama3.1:latest", "model": "llama3.1:latest", "context_length": 4096}]}
        ),
        "POST /api/show": Page(
            body={
                "template": "{{ .Prompt }}",
                "parameters": 'stop                           "<|eot_id|>"\n'
                'stop                           "<|end|>"\ntemperature                    0.6\n'
                "num_ctx                        4096\ntop_k                          20",
                "model_info": {"general.parameter_count": 8030261312, "llama.context_length": 131072},
            }
        ),
    },
    elsewhere=text("404 page not found", status=404),
)

LMSTUDIO = Imitation(
    headers={"X-Powered-By": "Express"},
    pages={
        "/v1/models": model_list(
            {"id": "qwen/qwen3-4b", "owned_by": "organization_owner"},
            {"id": "text-embedding-nomic-embed-text-v1.5", "owned_by": "organization_owner"},
        ),
        "/api/v1/models": Page(
            body={
                "models": [
                    {
                        "type": "llm",
                        "key": "qwen/qwen3-4b",
                        "quantization": {"name": "Q4_K_M", "bits_per_weight": 4},
                        "size_bytes": 2497281120,
                        "selected_variant": "qwen/qwen3-4b@q4_k_m",
                        "max_context_length": 40960,
                        "loaded_instances": [
                            {
                                "id": "qwen/qwen3-4b",
                                "config": {"context_length": 8192, "parallel": 4, "flash_attention": True},
                            }
                        ],
                    },
                    {
                        "type": "embedding",
                        "key": "text-embedding-nomic-embed-text-v1.5",
                        "loaded_instances": [],
                    },
                ]
            }
        ),
    },
    # Every unknown route is a 200.
    elsewhere=Page(body={"error": "Unexpected endpoint or method. (GET /anything)"}),
)
LMSTUDIO_V0 = LMSTUDIO.without("/api/v1/models").with_page(
    "/api/v0/models",
    Page(
        body={
            "object": "list",
            "data": [
                {
                    "id": "qwen/qwen3-4b",
                    "type": "llm",
                    "quantization": "Q4_K_M",
                    "state": "not-loaded",
                    "max_context_length": 40960,
                },
                {"id": "text-embedding-nomic-embed-text-v1.5", "type": "embeddings", "state": "not-loaded"},
            ],
        }
    ),
)

TGI = Imitation(
    pages={
        "/info": Page(
            body={
                "model_id": "bigscience/bloom-560m",
                "model_sha": "e985a63cdc139290c5f700ff1929f0b5942cced2",
                "version": "3.3.4",
                "sha": "db931fcf",
                "router": "text-generation-router",
                "max_total_tokens": 2048,
                "max_concurrent_requests": 128,
            }
        ),
        "/health": text(""),
        "/": text(""),
        "/v1/models": model_list({"id": "bigscience/bloom-560m", "owned_by": "bigscience/bloom-560m"}),
    },
)

MLX_LM = Imitation(
    headers={"Server": "BaseHTTP/0.6 Python/3.12.4"},
    pages={
        "/v1/models": model_list({"id": "mlx-community/Qwen3-4B-4bit"}),
        "/health": Page(body={"status": "ok"}),
    },
    elsewhere=text("Not Found", status=404),
)

TABBYAPI = Imitation(
    headers=UVICORN,
    pages={
        "/v1/models": model_list({"id": "qwen-exl3", "owned_by": "tabbyAPI"}),
        "/.well-known/serviceinfo": Page(
            body={"version": 0.1, "software": {"name": "TabbyAPI", "version": "0.2"}}
        ),
        "/v1/model": Page(
            body={
                "id": "qwen-exl3",
                "owned_by": "tabbyAPI",
                "parameters": {
                    "max_seq_len": 16384,
                    "cache_size": 16384,
                    "cache_mode": "Q8",
                    "max_batch_size": 8,
                    "prompt_template_content": "{{ m }}",
                    "draft": {"id": "qwen-draft"},
                },
            }
        ),
        # A page of llama.cpp's shape, without a build.
        "/props": Page(
            body={
                "total_slots": 1,
                "default_generation_settings": {"n_ctx": 16384},
                "chat_template": "{{ m }}",
            }
        ),
    },
)

LOCALAI = Imitation(
    pages={
        "/v1/models": model_list({"id": "phi-4"}),
        "/.well-known/localai.json": Page(
            body={"version": "v3.7.0", "endpoints": {"chat": "/v1/chat/completions"}}
        ),
        "/version": Page(body={"version": "v3.7.0"}),
        "/system": Page(body={"backends": ["llama-cpp", "whisper"], "loaded_models": [{"id": "phi-4"}]}),
        # Everything of Ollama's.
        "/": text("Ollama is running"),
        "/api/version": Page(body={"version": "0.9.0"}),
        "/api/tags": Page(body={"models": [{"name": "phi-4", "digest": OLLAMA_DIGEST}]}),
        "/api/ps": Page(body={"models": []}),
    },
)

LLAMA_CPP_PYTHON = Imitation(
    headers=UVICORN,
    pages={
        "/v1/models": model_list({"id": "/models/phi.gguf", "owned_by": "me", "permissions": []}),
        "/openapi.json": Page(body={"openapi": "3.1.0", "info": {"title": "🦙 llama.cpp Python API"}}),
    },
)
LLAMA_CPP_PYTHON_EXAMPLE = Imitation(
    headers=UVICORN,
    pages={
        "/v1/models": model_list({"id": "phi", "owned_by": "llama-cpp-python"}),
        "/healthz": Page(body={"status": "ok"}),
        "/metrics": text("llamacpp:prompt_tokens_total 0\nbatch_server:draft_tokens_total 0\n"),
    },
)

GENERIC = Imitation(
    pages={"/v1/models": model_list({"id": "gpt-oss", "owned_by": "somebody"})},
    elsewhere=Page(body={"error": {"message": "no such route", "code": 404}}, status=404),
)
