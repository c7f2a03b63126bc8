"""Hugging Face's Text Generation Inference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..identity import JSON
from ..inquiry import Inquiry
from .engine import Engine
from .reading import count_at, listed_models, text_at


class Tgi(Engine):
    """Proof: ``router`` and ``max_total_tokens`` in ``/info``."""

    name = "tgi"

    def recognise(self, inquiry: Inquiry) -> bool:
        told = inquiry.get("/info").body
        return text_at(told, "router") is not None and count_at(told, "max_total_tokens") is not None

    def models(self, inquiry: Inquiry) -> Mapping[str, tuple[str, ...]]:
        listed = [str(entry["id"]) for entry in listed_models(inquiry)]
        served = text_at(inquiry.get("/info").body, "model_id")
        # Older versions have no model list; they serve one model.
        return dict.fromkeys(listed or ([served] if served else []), ())

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        told = inquiry.get("/info").body
        build = [part for part in (text_at(told, "version"), text_at(told, "sha")) if part]
        return {
            "engine_version": "+".join(build) or None,
            "model_path": text_at(told, "model_id"),
            "weights_revision": text_at(told, "model_sha"),
            "context_length": count_at(told, "max_total_tokens"),
        }

    def constrain(self, endpoint: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"response_format": {"type": "json", "value": schema}}
