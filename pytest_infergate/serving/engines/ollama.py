"""Ollama."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..identity import JSON
from ..inquiry import Inquiry
from .engine import Engine
from .reading import at, count_at, listed_models, objects_at, owners, sha256_name, text_at, text_digest

#: Owners in the model lists of engines that also answer Ollama's paths.
_IMITATORS = frozenset({"llamacpp", "sglang", "vllm", "tabbyAPI"})
_SAMPLING = {
    "temperature": float,
    "top_p": float,
    "top_k": int,
    "min_p": float,
    "typical_p": float,
    "seed": int,
    "repeat_penalty": float,
    "presence_penalty": float,
    "frequency_penalty": float,
}


class Ollama(Engine):
    """Proof: a version under ``/api/version`` and the sentence of ``/``, after its imitators are excluded."""

    name = "ollama"

    def recognise(self, inquiry: Inquiry) -> bool:
        return (
            text_at(inquiry.get("/api/version").body, "version") is not None
            and inquiry.get("/").is_ok
            and inquiry.get("/").text.strip() == "Ollama is running"
            and not owners(inquiry) & _IMITATORS
        )

    def models(self, inquiry: Inquiry) -> Mapping[str, tuple[str, ...]]:
        ids = [str(entry["id"]) for entry in listed_models(inquiry)]
        return {name: (name.removesuffix(":latest"),) if name.endswith(":latest") else () for name in ids}

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        tag = _named(inquiry.get("/api/tags").body, model)
        running = _named(inquiry.get("/api/ps").body, model)
        told_running = isinstance(at(inquiry.get("/api/ps").body, "models"), list)
        shown = _show(inquiry, model)
        return {
            "engine_version": text_at(inquiry.get("/api/version").body, "version"),
            "weights_digest": sha256_name(text_at(tag, "digest")),
            "quantization": text_at(tag, "details", "quantization_level"),
            "n_params": count_at(shown, "model_info", "general.parameter_count"),
            "size_bytes": count_at(tag, "size"),
            "context_length": count_at(running, "context_length"),
            "chat_template_digest": text_digest(text_at(shown, "template")),
            "loaded": running is not None if told_running else None,
        }

    def sampling_defaults(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        """Read the model's own parameters, a line each; what it leaves out is Ollama's and is not told."""
        defaults: dict[str, JSON] = {}
        stops: list[JSON] = []
        for line in (text_at(_show(inquiry, model), "parameters") or "").splitlines():
            name, _, written = line.strip().partition(" ")
            written = written.strip()
            if name == "stop":
                stops.append(written.removeprefix('"').removesuffix('"'))
            elif name in _SAMPLING:
                try:
                    defaults[name] = _SAMPLING[name](written)
                except ValueError:
                    continue
        return {**defaults, "stop": stops or None}

    def limit_reasoning(self, budget: int) -> Mapping[str, Any] | None:
        # It knows levels and no numbers of tokens.
        return None if budget else {"reasoning_effort": "none"}


def _show(inquiry: Inquiry, model: str) -> JSON:
    return inquiry.post_once("/api/show", {"model": model}).body


def _named(body: JSON, model: str) -> JSON:
    """The entry about ``model`` under ``models``."""
    return next(
        (entry for entry in objects_at(body, "models") if model in (entry.get("name"), entry.get("model"))),
        None,
    )
