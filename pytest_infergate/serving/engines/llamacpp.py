"""llama.cpp's ``llama-server``, alone or as a router in front of several models."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from ..identity import JSON
from ..inquiry import Answer, Inquiry
from .engine import WITHOUT_THINKING, Engine
from .launch_command import without_secrets
from .reading import (
    as_written,
    at,
    count_at,
    flag_at,
    listed_model,
    listed_models,
    objects_at,
    text_at,
    text_digest,
    texts_at,
    token_ids_at,
)

#: The words of ``/props`` for the sampling fields of a request.
_SAMPLING = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "min_p": "min_p",
    "typical_p": "typical_p",
    "seed": "seed",
    "repeat_penalty": "repeat_penalty",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
    "max_tokens": "n_predict",
    "stop": "stop",
}
#: ``LLAMA_DEFAULT_SEED``: another seed for every request.
_RANDOM_SEED = 0xFFFFFFFF
#: What ``/props`` says where media markers are the same in every process.
_FIXED_MARKER = "<__media__>"
#: The build of a library that was compiled without its version.
_UNSTAMPED_BUILD = "b0-unknown"


class LlamaCpp(Engine):
    """Proof: the header ``Server: llama.cpp``, else ``build_info`` and ``total_slots`` in ``/props``.

    Its model list also has Ollama's keys, and TabbyAPI's ``/props`` has slots and no build.
    """

    name = "llamacpp"

    def recognise(self, inquiry: Inquiry) -> bool:
        if inquiry.models.server == "llama.cpp":
            return True
        props = inquiry.get("/props")
        if props.server == "llama.cpp":
            return True
        return text_at(props.body, "build_info") is not None and at(props.body, "total_slots") is not None

    def models(self, inquiry: Inquiry) -> Mapping[str, tuple[str, ...]]:
        return {str(entry["id"]): tuple(texts_at(entry, "aliases")) for entry in listed_models(inquiry)}

    def needs_key(self, inquiry: Inquiry) -> bool:
        # The model list is public in some builds; /props never is where a key is set.
        return inquiry.get("/props").status in (401, 403)

    def is_loading(self, inquiry: Inquiry, model: str) -> bool:
        return _router_state(inquiry, model) in ("loading", "downloading")

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        entry = listed_model(inquiry, model)
        props = _page(inquiry, "/props", model).body
        build = text_at(props, "build_info")
        arguments = texts_at(entry, "status", "args")
        state = _router_state(inquiry, model)
        return {
            "owned_by": text_at(entry, "owned_by"),
            "engine_version": None if build == _UNSTAMPED_BUILD else build,
            "model_path": text_at(props, "model_path") or text_at(entry, "path"),
            "quantization": text_at(props, "model_ftype") or text_at(entry, "meta", "ftype"),
            "n_params": count_at(entry, "meta", "n_params"),
            "size_bytes": count_at(entry, "meta", "size"),
            "context_length": count_at(props, "default_generation_settings", "n_ctx"),
            "slots": count_at(props, "total_slots"),
            "chat_template_digest": _template_digest(props),
            "kv_cache_type": _cache_type(arguments),
            "speculation": _speculation(_page(inquiry, "/slots", model)),
            "launch_command": without_secrets(shlex.join(arguments)) if arguments else None,
            "loaded": state or (None if (asleep := flag_at(props, "is_sleeping")) is None else not asleep),
            "started_at": _started_at(inquiry, props, model),
        }

    def sampling_defaults(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        params = at(_page(inquiry, "/props", model).body, "default_generation_settings", "params")
        defaults = {field: as_written(at(params, theirs)) for field, theirs in _SAMPLING.items()}
        if defaults["seed"] in (_RANDOM_SEED, -1):
            defaults["seed"] = "random"
        return defaults

    def tokenize(self, inquiry: Inquiry, endpoint: str, request: Mapping[str, Any]) -> list[int] | None:
        if endpoint == "chat":
            if not _is_text_only(request.get("messages")):
                return None  # a picture's tokens are not in the rendered text
            rendered = inquiry.post("/apply-template", request).body
            prompt = at(rendered, "prompt")
        else:
            prompt = request.get("prompt")
        if not isinstance(prompt, str):
            return None
        # Both endpoints of the server tokenize this way (`tokenize_input_prompts`).
        body = {"content": prompt, "add_special": True, "parse_special": True}
        return token_ids_at(inquiry.post("/tokenize", body).body, "tokens")

    def constrain(self, endpoint: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        # Its completions ignore response_format.
        return Engine.constrain(self, endpoint, schema) if endpoint == "chat" else {"json_schema": schema}

    def limit_reasoning(self, budget: int) -> Mapping[str, Any]:
        # Builds differ in which of the two names they read.
        fields = {"reasoning_budget_tokens": budget, "thinking_budget_tokens": budget}
        return fields if budget else {**fields, **WITHOUT_THINKING}


def _is_text_only(messages: object) -> bool:
    return isinstance(messages, list) and all(
        isinstance(message, dict)
        and (
            not isinstance(content := message.get("content"), list)
            or all(isinstance(part, dict) and part.get("type") == "text" for part in content)
        )
        for message in messages
    )


def _router_state(inquiry: Inquiry, model: str) -> str | None:
    return text_at(listed_model(inquiry, model), "status", "value")


def _page(inquiry: Inquiry, path: str, model: str) -> Answer:
    """A page about ``model``: a router wants to be told which, and would load one that is not in memory."""
    state = _router_state(inquiry, model)
    if state is None:
        return inquiry.get(path)
    if state != "loaded":
        return Answer(path=path, headers={}, trouble=f"the model is {state}")
    return inquiry.get(f"{path}?model={quote(model, safe='')}")


def _template_digest(props: JSON) -> str | None:
    template = text_at(props, "chat_template")
    for_tools = text_at(props, "chat_template_tool_use")
    if template is None or for_tools is None:
        return text_digest(template)
    return text_digest(f"{template}\0{for_tools}")


def _cache_type(arguments: list[str]) -> str | None:
    """The types of keys and values in a router's command line; nothing else tells them."""
    types = [
        value
        for names in (("--cache-type-k", "-ctk"), ("--cache-type-v", "-ctv"))
        for flag, value in pairwise(arguments)
        if flag in names
    ]
    return "/".join(dict.fromkeys(types)) or None


def _speculation(slots: Answer) -> bool | None:
    """Whether a speculative context exists in any slot; ``/props`` says "none" whatever is configured."""
    flags = [flag_at(slot, "speculative") for slot in objects_at(slots.body)]
    return None if not flags or None in flags else any(flags)


def _started_at(inquiry: Inquiry, props: JSON, model: str) -> str | None:
    # The marker costs nothing; a look at /metrics ends the averaging window of whoever else scrapes it.
    marker = text_at(props, "media_marker")
    if marker is not None and marker != _FIXED_MARKER:
        return marker
    if flag_at(props, "endpoint_metrics") is False:
        return None
    return _page(inquiry, "/metrics", model).headers.get("process-start-time-unix")
