"""One request to a server and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from .reasons import Missing, Reason
from .reply import Reply, Timing, Usage


class ReplySource(Enum):
    """Where the reply of an exchange came from."""

    SERVER = "server"
    REPLAY = "replay"
    RESUME = "resume"


class Role(Enum):
    """Who was asked: the model under test, or a model that judges its replies."""

    MODEL = "model"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request as sent, the reply as far as it came, and what is to be said of it.

    ``reply`` is ``None`` where no reply began. ``error`` is why the exchange did not deliver,
    whether lifted or not; ``missing`` is the same less what the caller allowed. ``status`` is the
    HTTP status of the last attempt, ``None`` where none was read. ``token_digest`` is of the prompt's
    token ids as the server made them, ``None`` where the server cannot tell. ``flags`` name what a reader
    should look at though no verdict follows from it. ``role``: a judge that does not deliver leaves its score
    missing and says nothing about the model.
    """

    endpoint: str
    request: Mapping[str, Any]
    request_digest: str
    reply: Reply | None
    timing: Timing
    attempts: int
    role: Role = Role.MODEL
    source: ReplySource = ReplySource.SERVER
    status: int | None = None
    token_digest: str | None = None
    flags: tuple[str, ...] = ()
    error: Missing | None = None
    allowed: frozenset[Reason] = field(default_factory=frozenset)

    @property
    def missing(self) -> Missing | None:
        """Why this exchange did not deliver, unless the caller allowed that reason."""
        return None if self.error is None or self.error.reason in self.allowed else self.error

    def as_json(self) -> dict[str, Any]:
        usage = self.reply.usage if self.reply else None
        return {
            "role": self.role.value,
            "endpoint": self.endpoint,
            "request": dict(self.request),
            "request_digest": self.request_digest,
            "reply": self.reply.as_json() if self.reply else None,
            "usage": usage.as_json() if usage else None,
            "timing": self.timing.as_json(),
            "attempts": self.attempts,
            "source": self.source.value,
            "status": self.status,
            "token_digest": self.token_digest,
            "flags": list(self.flags),
            "error": self.error.as_json() if self.error else None,
            "allowed": sorted(reason.value for reason in self.allowed),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Exchange:
        """Read what ``as_json`` wrote; the reply comes without its conversation.

        Raises ``LookupError``, ``TypeError`` or ``ValueError`` for what is no exchange.
        """
        timing, allowed = Timing.from_json(value["timing"]), frozenset(map(Reason, value["allowed"]))
        reply = None
        if value["reply"] is not None:
            usage = Usage.from_json(value["usage"]) if value["usage"] else None
            reply = replace(Reply.from_json(value["reply"]), usage=usage, timing=timing, allowed=allowed)
        return cls(
            endpoint=value["endpoint"],
            request=value["request"],
            request_digest=value["request_digest"],
            reply=reply,
            timing=timing,
            attempts=value["attempts"],
            role=Role(value["role"]),
            source=ReplySource(value["source"]),
            status=value["status"],
            token_digest=value["token_digest"],
            flags=tuple(value["flags"]),
            error=Missing.from_json(value["error"]) if value["error"] else None,
            allowed=allowed,
        )
