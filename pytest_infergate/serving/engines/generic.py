"""Any server with OpenAI's model list."""

from __future__ import annotations

from collections.abc import Mapping

from ..identity import GENERIC, JSON
from ..inquiry import Inquiry
from .engine import Engine
from .reading import at, listed_model, text_at


class Generic(Engine):
    """Proof: a list of models under ``/v1/models``, and none of the other engines' proofs."""

    name = GENERIC

    def recognise(self, inquiry: Inquiry) -> bool:
        return isinstance(at(inquiry.models.body, "data"), list)

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        return {"owned_by": text_at(listed_model(inquiry, model), "owned_by")}
