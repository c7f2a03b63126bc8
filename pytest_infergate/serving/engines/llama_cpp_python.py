"""The server of the llama-cpp-python bindings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..identity import JSON
from ..inquiry import Inquiry
from .engine import Engine
from .reading import listed_model, owners, text_at


class LlamaCppPython(Engine):
    """Proof: the owner ``llama-cpp-python``, or the owner ``me`` with the API's own title.

    Anybody may call himself ``me``; and its example server's metrics carry llama.cpp's names.
    """

    name = "llama_cpp_python"

    def recognise(self, inquiry: Inquiry) -> bool:
        names = owners(inquiry)
        if "llama-cpp-python" in names:
            return True
        title = text_at(inquiry.get("/openapi.json").body, "info", "title") if "me" in names else None
        return (title or "").endswith("llama.cpp Python API")  # a picture of a llama stands before it

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        return {"owned_by": text_at(listed_model(inquiry, model), "owned_by")}

    def constrain(self, endpoint: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"response_format": {"type": "json_object", "schema": schema}}
