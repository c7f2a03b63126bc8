"""vLLM's OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..identity import JSON
from ..inquiry import Answer, Inquiry
from .engine import WITHOUT_THINKING, Engine
from .metrics import metric_lines
from .reading import count_at, listed_model, owners, text_at, token_ids_at

_FLAGS = {"True": True, "False": False}


class Vllm(Engine):
    """Proof: ``owned_by: vllm`` in the model list and a version string under ``/version``."""

    name = "vllm"

    def recognise(self, inquiry: Inquiry) -> bool:
        return "vllm" in owners(inquiry) and text_at(inquiry.get("/version").body, "version") is not None

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        entry = listed_model(inquiry, model)
        return {
            "owned_by": text_at(entry, "owned_by"),
            "engine_version": text_at(inquiry.get("/version").body, "version"),
            "model_path": text_at(entry, "root"),
            "context_length": count_at(entry, "max_model_len"),
            **_read_metrics(inquiry.get("/metrics")),
        }

    def tokenize(self, inquiry: Inquiry, endpoint: str, request: Mapping[str, Any]) -> list[int] | None:
        names = ("model", "messages", "tools", "chat_template", "chat_template_kwargs", "mm_processor_kwargs")
        if endpoint == "chat":
            body = {name: request[name] for name in names if name in request}
            body["add_generation_prompt"] = request.get("add_generation_prompt", True)
            # A chat template writes its own special tokens.
            body["add_special_tokens"] = request.get("add_special_tokens", False)
        elif isinstance(request.get("prompt"), str):
            body = {name: request[name] for name in ("model", "prompt") if name in request}
            body["add_special_tokens"] = request.get("add_special_tokens", True)
        else:
            return None
        return token_ids_at(inquiry.post("/tokenize", body).body, "tokens")

    def limit_reasoning(self, budget: int) -> Mapping[str, Any]:
        return {"thinking_token_budget": budget} if budget else WITHOUT_THINKING


def _read_metrics(page: Answer) -> dict[str, JSON]:
    """What the metrics page tells: the cache's configuration, whether speculation exists, the start."""
    is_vllm = False
    speculation = False
    labels: dict[str, str] = {}
    process_start: float | None = None
    created: list[float] = []
    for name, its_labels, value in metric_lines(page):
        is_vllm = is_vllm or name.startswith("vllm:")
        if name == "vllm:cache_config_info":
            labels = its_labels
        elif name.startswith("vllm:spec_decode_"):
            # Registered only where a speculative configuration exists.
            speculation = True
        elif name == "process_start_time_seconds":
            process_start = value
        if name.startswith("vllm:") and name.endswith("_created"):
            created.append(value)
    if not is_vllm:
        return {}
    return {
        "kv_cache_type": labels.get("cache_dtype"),
        "prefix_cache": _FLAGS.get(labels.get("enable_prefix_caching", "")),
        "speculation": speculation,
        # Counters are created at the start; a labelled one may be created later, so the first counts.
        "started_at": process_start if process_start is not None else min(created, default=None),
    }
