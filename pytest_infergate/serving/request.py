"""What is asked of a server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..evidence import InfergateError, Reason, canonical_json, digest_bytes
from .assembly import ReplyAssembly
from .attachments import mark_attachments
from .outgoing import JsonBody

#: Fields that the request says in its own terms.
_OWN_FIELDS = ("model", "messages", "prompt", "tools", "stream", "stream_options")
_ESCAPED_SURROGATE = re.compile(r"\\ud[89a-f]")


class RequestError(InfergateError):
    """A request cannot be sent as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request, the same for every model and server.

    ``content`` is a tuple of messages for ``chat``, the prompt for ``completion``. ``sampling`` holds only
    what is sent: temperature, max_tokens, seed, stop … and any further field of the body. ``allow`` are the
    reasons for missing evidence that the caller lifts. ``schema`` and ``reasoning_budget`` (in tokens) are
    what was asked for by fields of ``sampling`` that differ from engine to engine; ``None``: nothing was. The
    values must not be changed afterwards.

    Raises ``RequestError`` for what JSON or Unicode cannot hold: NaN, half of a surrogate pair.
    """

    endpoint: Literal["chat", "completion"]
    content: tuple[Mapping[str, Any], ...] | str
    tools: tuple[Mapping[str, Any], ...] | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    allow: frozenset[Reason] = frozenset()
    schema: Mapping[str, Any] | None = None
    reasoning_budget: int | None = None
    _recorded: dict[str, Any] = field(init=False, repr=False, compare=False)
    _digest: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.endpoint == "completion") != isinstance(self.content, str):
            raise RequestError(
                f"a {self.endpoint} request holds {type(self.content).__name__}; "
                "chat takes a tuple of messages, completion a prompt"
            )
        own = [name for name in _OWN_FIELDS if name in self.sampling]
        if own:
            raise RequestError(
                f"the sampling field {own[0]!r} is not a sampling field; the request sets it itself"
            )
        recorded: dict[str, Any] = {"endpoint": self.endpoint}
        if isinstance(self.content, str):
            recorded["prompt"] = self.content
        else:
            recorded["messages"] = [_recorded_message(message) for message in self.content]
        if self.tools is not None:
            recorded["tools"] = [dict(tool) for tool in self.tools]
        recorded["sampling"] = dict(self.sampling)
        if self.reasoning_budget is not None:  # the schema is in the field that was sent
            recorded["reasoning_budget"] = self.reasoning_budget
        text = _encode(recorded)
        object.__setattr__(self, "_recorded", recorded)
        object.__setattr__(self, "_digest", digest_bytes(text.encode("ascii")))

    @property
    def digest(self) -> str:
        """Digest of ``as_json()``: all that decides the reply except the treatment (no model id)."""
        return self._digest

    @property
    def messages(self) -> tuple[Mapping[str, Any], ...]:
        """The messages of a chat request; none for a completion."""
        return () if isinstance(self.content, str) else self.content

    @property
    def max_tokens(self) -> int | None:
        """The limit of the reply as sent, under whichever name; ``None`` where none was sent."""
        for name in ("max_completion_tokens", "max_tokens", "n_predict"):
            value = self.sampling.get(name)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        return None

    def as_json(self) -> dict[str, Any]:
        """Return the form for the record: inline media are digests, sizes and media types."""
        return self._recorded

    def outgoing(self, model: str) -> JsonBody:
        """Return what asks ``model``."""
        return JsonBody(endpoint=self.endpoint, body=self.body(model))

    def assembly(self, *, status: int, content_type: str) -> ReplyAssembly:
        """Return what takes the bytes of the answer."""
        return ReplyAssembly(status=status, content_type=content_type)

    def body(self, model: str) -> bytes:
        """Return the JSON body that asks ``model`` for a streamed reply with its usage; ASCII."""
        body: dict[str, Any] = {"model": model}
        if isinstance(self.content, str):
            body["prompt"] = self.content
        else:
            body["messages"] = self.content
        if self.tools is not None:
            body["tools"] = self.tools
        body.update(self.sampling)
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
        return json.dumps(body, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def _recorded_message(message: Mapping[str, Any]) -> dict[str, Any]:
    return (
        {**message, "content": mark_attachments(message["content"])} if "content" in message else {**message}
    )


def _encode(recorded: dict[str, Any]) -> str:
    try:
        text = canonical_json(recorded)
    except (TypeError, ValueError, RecursionError) as error:
        raise RequestError(f"the request is not JSON: {error}; send text, numbers, lists, objects") from error
    if _ESCAPED_SURROGATE.search(text):
        _refuse_half_pairs(recorded)
    return text


def _refuse_half_pairs(recorded: dict[str, Any]) -> None:
    text = json.dumps(recorded, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        around = text[max(0, error.start - 20) : error.end + 20]
        raise RequestError(
            f"the request holds half of a surrogate pair, U+{ord(text[error.start]):04X}, in {around!r}; "
            "a server takes whole Unicode characters only: remove it or replace it"
        ) from error
