"""What an engine is to the probe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ..identity import JSON
from ..inquiry import Inquiry
from .reading import listed_models


class Engine(Protocol):
    """One kind of model server: how to tell it from the others, and what it says of itself.

    Write one by subclassing and giving ``name``, ``recognise`` and ``identify``; the rest has defaults that
    say "unknown". Every question goes through ``inquiry`` and must be a GET that generates no token and fills
    no cache. Nothing here raises for what a server answers: a value of the wrong type is unknown.
    """

    name: str

    def recognise(self, inquiry: Inquiry) -> bool:
        """Whether the answers prove this engine, by their shape and never by a status alone."""
        ...

    def identify(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        """Return what the server tells of ``VOCABULARY``; ``None`` and absent both mean unknown."""
        ...

    def models(self, inquiry: Inquiry) -> Mapping[str, tuple[str, ...]]:
        """Return the ids that can be asked for, in the server's order, each with its other names."""
        return {str(entry["id"]): () for entry in listed_models(inquiry)}

    def needs_key(self, inquiry: Inquiry) -> bool:
        """Whether what the engine answers shows that generating would need a key it was not given."""
        return False

    def is_loading(self, inquiry: Inquiry, model: str) -> bool:
        """Whether the model is being loaded right now."""
        return False

    def sampling_defaults(self, inquiry: Inquiry, model: str) -> Mapping[str, JSON]:
        """Return what the server does for ``SAMPLING_FIELDS`` that a request leaves out."""
        return {}

    def tokenize(self, inquiry: Inquiry, endpoint: str, request: Mapping[str, Any]) -> list[int] | None:
        """Return the token ids of a request's prompt as this server makes them, ``None`` if it cannot tell.

        ``endpoint`` is ``chat`` or ``completion``, ``request`` the body as sent.
        """
        return None

    def constrain(self, endpoint: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the request fields that ask the server to hold its reply to a JSON Schema.

        Servers ignore fields that they do not know, so what comes back is checked all the same.
        """
        return {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": schema},
            }
        }

    def limit_reasoning(self, budget: int) -> Mapping[str, Any] | None:
        """Return the request fields that bound reasoning to ``budget`` tokens; 0 switches it off.

        ``None``: the engine has no way to ask for that.
        """
        return None


#: What chat templates read; honoured by engines that hand it through.
WITHOUT_THINKING: Mapping[str, Any] = {"chat_template_kwargs": {"enable_thinking": False}}
