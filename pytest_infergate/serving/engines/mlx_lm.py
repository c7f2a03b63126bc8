"""mlx-lm's server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..identity import JSON
from ..inquiry import Inquiry
from .engine import WITHOUT_THINKING, Engine
from .reading import listed_models, owners, text_at


class MlxLm(Engine):
    """Proof: Python's ``BaseHTTP`` server, ``{"status": "ok"}`` under ``/health``, models without an owner.

    Its list is what lies in the cache of downloads, not what is loaded, and nothing else is told; the
    fingerprint of its replies names its versions.
    """

    name = "mlx_lm"

    def recognise(self, inquiry: Inquiry) -> bool:
        return (
            inquiry.models.server.startswith("BaseHTTP/")
            and any(listed_models(inquiry))
            and not owners(inquiry)
            and text_at(inquiry.get("/health").body, "status") == "ok"
        )

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        return {}

    def limit_reasoning(self, budget: int) -> Mapping[str, Any] | None:
        return None if budget else WITHOUT_THINKING
