"""LocalAI, a front for several backends."""

from __future__ import annotations

from collections.abc import Mapping

from ..identity import JSON
from ..inquiry import Inquiry
from .engine import Engine
from .reading import at, objects_at, text_at, texts_at


class LocalAi(Engine):
    """Proof: a version and endpoints in ``/.well-known/localai.json``. It also answers Ollama's paths."""

    name = "localai"

    def recognise(self, inquiry: Inquiry) -> bool:
        told = inquiry.get("/.well-known/localai.json").body
        return text_at(told, "version") is not None and isinstance(at(told, "endpoints"), dict | list)

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        system = inquiry.get("/system").body
        names = sorted(texts_at(system, "backends"))
        tells_loaded = isinstance(at(system, "loaded_models"), list)
        loaded = {text_at(entry, "id") for entry in objects_at(system, "loaded_models")}
        return {
            "engine_version": text_at(inquiry.get("/.well-known/localai.json").body, "version"),
            "runtime": ", ".join(names) or None,
            "loaded": model in loaded if tells_loaded else None,
        }
