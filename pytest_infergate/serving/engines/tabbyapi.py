"""TabbyAPI."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..identity import JSON
from ..inquiry import Inquiry
from .engine import Engine
from .reading import at, count_at, listed_model, text_at, text_digest


class TabbyApi(Engine):
    """Proof: the software name in ``/.well-known/serviceinfo``. It serves ``/props`` too, without a build."""

    name = "tabbyapi"

    def recognise(self, inquiry: Inquiry) -> bool:
        name = text_at(inquiry.get("/.well-known/serviceinfo").body, "software", "name")
        return (name or "").lower() == "tabbyapi"

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        card = inquiry.get("/v1/model").body
        software = at(inquiry.get("/.well-known/serviceinfo").body, "software")
        told: dict[str, JSON] = {
            "owned_by": text_at(listed_model(inquiry, model), "owned_by"),
            "engine_version": text_at(software, "version"),
        }
        if text_at(card, "id") != model:
            return told  # the card is of the loaded model, which is not the one that will be asked
        parameters = at(card, "parameters")
        draft = text_at(parameters, "draft", "id")
        tells_draft = isinstance(parameters, dict) and "draft" in parameters
        return {
            **told,
            "context_length": count_at(parameters, "max_seq_len"),
            "slots": count_at(parameters, "max_batch_size"),
            "kv_cache_type": text_at(parameters, "cache_mode"),
            "chat_template_digest": text_digest(text_at(parameters, "prompt_template_content")),
            "speculation": draft is not None if tells_draft else None,
            "draft_model": draft,
            "loaded": True,
        }

    def constrain(self, endpoint: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"json_schema": schema}
