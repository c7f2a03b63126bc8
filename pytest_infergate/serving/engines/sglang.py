"""SGLang's HTTP server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..identity import JSON
from ..inquiry import Inquiry
from .engine import WITHOUT_THINKING, Engine
from .launch_command import without_secrets
from .reading import at, count_at, flag_at, listed_model, text_at

_SAMPLING = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "min_p": "min_p",
    "repeat_penalty": "repetition_penalty",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
    "max_tokens": "max_new_tokens",
    "stop": "stop",
}


class Sglang(Engine):
    """Proof: ``internal_states`` and ``version`` in ``/server_info``, once ``/get_server_info``.

    ``/health`` is never asked: it generates a token and takes a second. Its Ollama routes are an imitation.
    """

    name = "sglang"

    def recognise(self, inquiry: Inquiry) -> bool:
        return _server_info(inquiry) is not None

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        told = _server_info(inquiry)
        entry = listed_model(inquiry, model)
        method = text_at(told, "speculative_algorithm")
        without_cache = flag_at(told, "disable_radix_cache")
        tells_method = isinstance(told, dict) and "speculative_algorithm" in told
        return {
            "owned_by": text_at(entry, "owned_by"),
            "engine_version": text_at(told, "version"),
            "model_path": text_at(told, "model_path"),
            "weights_revision": text_at(told, "weight_version"),
            "quantization": text_at(told, "quantization"),
            "context_length": count_at(told, "context_length") or count_at(entry, "max_model_len"),
            "slots": count_at(told, "max_running_requests"),
            "kv_cache_type": text_at(told, "kv_cache_dtype"),
            "speculation": method or (False if tells_method else None),
            "draft_model": text_at(told, "speculative_draft_model_path"),
            "prefix_cache": None if without_cache is None else not without_cache,
            "launch_command": without_secrets(text_at(told, "launch_command")),
        }

    def sampling_defaults(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        preferred = at(_first(inquiry, "/model_info", "/get_model_info"), "preferred_sampling_params")
        if isinstance(preferred, str):  # given as JSON on the command line and handed through
            try:
                preferred = json.loads(preferred)
            except ValueError:
                return {}
        return {field: at(preferred, theirs) for field, theirs in _SAMPLING.items()}

    def constrain(self, endpoint: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        if endpoint == "chat":
            return Engine.constrain(self, endpoint, schema)
        return {"json_schema": json.dumps(schema)}

    def limit_reasoning(self, budget: int) -> Mapping[str, Any] | None:
        # A budget of tokens takes a logit processor that the server must have been started with.
        return None if budget else WITHOUT_THINKING


def _server_info(inquiry: Inquiry) -> JSON:
    for path in ("/server_info", "/get_server_info"):
        told = inquiry.get(path).body
        if isinstance(at(told, "internal_states"), list) and text_at(told, "version"):
            return told
    return None


def _first(inquiry: Inquiry, *paths: str) -> JSON:
    return next((body for path in paths if isinstance(body := inquiry.get(path).body, dict)), None)
