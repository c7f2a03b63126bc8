"""LM Studio's local server."""

from __future__ import annotations

from collections.abc import Mapping

from ..identity import JSON
from ..inquiry import Inquiry
from .engine import Engine
from .reading import at, count_at, flag_at, listed_models, objects_at, text_at


class LmStudio(Engine):
    """Proof: ``loaded_instances`` in ``/api/v1/models``, else ``state`` in ``/api/v0/models``.

    It answers 200 on every path, so nothing but such a shape counts.
    """

    name = "lmstudio"

    def recognise(self, inquiry: Inquiry) -> bool:
        return any(isinstance(at(entry, "loaded_instances"), list) for entry in _v1(inquiry)) or any(
            text_at(entry, "state") for entry in _v0(inquiry)
        )

    def models(self, inquiry: Inquiry) -> Mapping[str, tuple[str, ...]]:
        # An embedding model comes with every installation and cannot be talked to.
        kinds = {text_at(e, "key"): text_at(e, "type") for e in _v1(inquiry)} | {
            text_at(e, "id"): text_at(e, "type") for e in _v0(inquiry)
        }
        ids = [str(entry["id"]) for entry in listed_models(inquiry)]
        return {name: () for name in ids if not (kinds.get(name) or "").startswith("embedding")}

    def is_loading(self, inquiry: Inquiry, model: str) -> bool:
        return text_at(_v0_entry(inquiry, model), "state") == "loading"

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        entry, instance = _v1_entry(inquiry, model)
        older = _v0_entry(inquiry, model)
        config = at(instance, "config")
        state = text_at(older, "state")
        by_state = None if state is None else state == "loaded"
        return {
            "model_variant": text_at(entry, "selected_variant"),
            "quantization": text_at(entry, "quantization", "name") or text_at(older, "quantization"),
            "size_bytes": count_at(entry, "size_bytes"),
            "context_length": count_at(config, "context_length") or count_at(older, "loaded_context_length"),
            "slots": count_at(config, "parallel"),
            "flash_attention": flag_at(config, "flash_attention"),
            "loaded": isinstance(instance, dict) if entry is not None else by_state,
        }


def _v1(inquiry: Inquiry) -> list[dict[str, JSON]]:
    return list(objects_at(inquiry.get("/api/v1/models").body, "models"))


def _v0(inquiry: Inquiry) -> list[dict[str, JSON]]:
    return list(objects_at(inquiry.get("/api/v0/models").body, "data"))


def _v0_entry(inquiry: Inquiry, model: str) -> JSON:
    return next((entry for entry in _v0(inquiry) if entry.get("id") == model), None)


def _v1_entry(inquiry: Inquiry, model: str) -> tuple[JSON, JSON]:
    """The model's entry and its loaded instance; ``model`` is the key, a variant or an instance's own id."""
    for entry in _v1(inquiry):
        instances = list(objects_at(entry, "loaded_instances"))
        for instance in instances:
            if instance.get("id") == model:
                return entry, instance
        if model in (entry.get("key"), entry.get("selected_variant")):
            return entry, instances[0] if instances else None
    return None, None
