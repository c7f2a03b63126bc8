"""A model's side of one exchange."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .artifact import Artifact
from .reasons import Missing, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call as the model wrote it.

    ``arguments`` is the raw text of the arguments; ``parsed`` reads it and is ``None`` where the
    text is not a JSON object.
    """

    name: str
    arguments: str
    id: str | None = None

    @property
    def parsed(self) -> dict[str, Any] | None:
        try:
            value = json.loads(self.arguments or "{}", parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "arguments": self.arguments, "id": self.id}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> ToolCall:
        return cls(**value)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Token counts as the server told them; ``None`` is unknown, never zero."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    def as_json(self) -> dict[str, int | None]:
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cached_tokens": self.cached_tokens,
            "reasoning_tokens": self.reasoning_tokens,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Usage:
        return cls(**value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """When each phase of an exchange happened, in monotonic seconds of one clock.

    ``None``: the phase was not reached or cannot be seen. ``scheduled`` is when the request was
    handed over, ``sent`` when its last attempt began to write, ``headers`` when the status line was
    read, ``first_token`` the first token of any channel, ``first_content`` the first that belongs to
    the answer, ``last_token`` the last of any channel, ``done`` the end of the reply.
    """

    scheduled: float | None = None
    sent: float | None = None
    headers: float | None = None
    first_token: float | None = None
    first_content: float | None = None
    last_token: float | None = None
    done: float | None = None

    def as_json(self) -> dict[str, float | None]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Timing:
        return cls(**value)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reply:
    """What the model said. Can be built by hand: ``Reply(text="42", finish_reason="stop")``.

    ``text`` is the answer with the reasoning taken out, ``finish_reason`` the server's word in the
    OpenAI spelling (``None``: it never said), ``messages`` the conversation up to and including this
    reply, ``allowed`` the reasons for missing evidence that the caller lifted for it. ``artifact`` is the
    sound or picture that the model made in place of text, ``content`` its bytes, ``None`` where only the
    record of it is at hand. ``revised_prompt`` is what a server that draws made of the prompt, ``None`` where
    it does not say so.
    """

    text: str
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = "stop"
    refusal: str | None = None
    usage: Usage | None = None
    timing: Timing | None = None
    messages: tuple[Mapping[str, Any], ...] = ()
    served_model: str | None = None
    fingerprint: str | None = None
    allowed: frozenset[Reason] = frozenset()
    artifact: Artifact | None = None
    content: bytes | None = None
    revised_prompt: str | None = None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """Return what a person compares in a failed assertion: what is there, long texts cut."""
        shown = {
            "text": self.text,
            "reasoning": self.reasoning,
            "tool_calls": self.tool_calls,
            "finish_reason": self.finish_reason,
            "refusal": self.refusal,
            "artifact": self.artifact,
            "revised_prompt": self.revised_prompt,
        }
        kept = [f"{name}={_cut(value)}" for name, value in shown.items() if value or name == "text"]
        if self.finish_reason is None:
            kept.append("finish_reason=None")
        return f"Reply({', '.join(kept)})"

    @property
    def is_truncated(self) -> bool:
        """Whether the token limit cut the reply."""
        return self.finish_reason in _CUT

    @property
    def missing(self) -> Missing | None:
        """Why this reply delivers nothing to judge, or ``None`` where it delivers.

        Never guessed from the text. Lifted reasons are not looked at here.
        """
        finish = self.finish_reason
        if finish in _REFUSED or self.refusal:
            return Missing(Reason.REFUSED, self.refusal or f"finish reason {finish!r}")
        if finish in _CUT:
            return Missing(Reason.TRUNCATED, f"finish reason {finish!r}")
        if not finish:
            return Missing(Reason.BROKEN_STREAM, "the reply ended without a finish reason")
        if finish not in _COMPLETE:
            return Missing(Reason.BROKEN_STREAM, f"finish reason {finish!r}")
        if not self.text.strip() and not self.tool_calls and self.artifact is None:
            what = "only reasoning" if self.reasoning.strip() else "no text"
            return Missing(Reason.EMPTY_REPLY, f"{what}, finish reason {finish!r}")
        return None

    def as_json(self) -> dict[str, Any]:
        revised = {} if self.revised_prompt is None else {"revised_prompt": self.revised_prompt}
        return {
            "text": self.text,
            "reasoning": self.reasoning,
            "tool_calls": [call.as_json() for call in self.tool_calls],
            "finish_reason": self.finish_reason,
            "refusal": self.refusal,
            "served_model": self.served_model,
            "fingerprint": self.fingerprint,
            "artifact": self.artifact.as_json() if self.artifact else None,
            **revised,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Reply:
        """Read what ``as_json`` wrote; usage, timing, messages and what was allowed are kept elsewhere."""
        artifact = value["artifact"]
        return cls(
            **{
                **value,
                "tool_calls": tuple(map(ToolCall.from_json, value["tool_calls"])),
                "artifact": Artifact.from_json(artifact) if artifact else None,
            }
        )


def _cut(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 2]} …"


_SHOWN = 120  # characters of one field in a repr
#: OpenAI's words, and TGI's and Anthropic-shaped gateways' for the same ends.
_COMPLETE = frozenset(
    {"stop", "tool_calls", "function_call", "eos", "eos_token", "stop_sequence", "end_turn", "tool_use"}
)
#: Cut by a limit; ``repetition`` is vLLM ending a loop.
_CUT = frozenset({"length", "max_tokens", "model_length", "repetition"})
_REFUSED = frozenset({"content_filter", "refusal", "safety"})
