"""What a server says where it does not reply, and the reason that it means."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from ..evidence import Missing, Reason

_SHOWN = 200

#: Codes and types that say so in so many words: llama.cpp, OpenAI and llama-cpp-python, LiteLLM, TGI.
_CONTEXT_CODES = frozenset(
    {
        "exceed_context_size_error",
        "context_length_exceeded",
        "context_length_exceeded_error",
        "context_window_exceeded",
        "contextwindowexceedederror",
        "context_size_exceeded",
        "prompt_too_long",
        "model_context_window_exceeded",
    }
)
#: vLLM names the parameter that is too long.
_CONTEXT_PARAMS = frozenset({"input_tokens", "input_length"})
#: The last two are of servers that draw: OpenAI, Azure.
_REFUSAL_CODES = frozenset(
    {"content_filter", "responsibleaipolicyviolation", "content_policy_violation"}
    | {"moderation_blocked", "contentfilter"}
)
_NUMBER = r"\d[\d,._]*"
#: Sentences of servers that give no code for it. The server is beside each.
_CONTEXT_SENTENCES = re.compile(
    "|".join(
        (
            r"maximum context length",  # vLLM, OpenAI
            r"maximum (?:model|sequence|input|prompt|allowed) length",  # vLLM engine, TensorRT-LLM, SGLang
            r"max_(?:model|seq|input)_len",  # vLLM, TabbyAPI
            # llama.cpp, llama-cpp-python, Ollama, LocalAI; not Go's "context deadline exceeded"
            r"exceed(?:s|ed)?\b.{0,60}\bcontext\b(?! deadline| cancel)",
            r"context (?:length|window|size|limit)\b.{0,60}"
            r"\b(?:exceed|too (?:long|short|small)|overflow|full)",
            r"context_?(?:length|window|size)_?exceeded",  # a code within a sentence: LiteLLM
            r"(?:longer|greater|larger|more) than\b.{0,40}\bcontext",  # SGLang
            r"too (?:long|large) for\b.{0,40}\bcontext",
            r"context (?:the )?overflows?\b|overflows? the context",  # LM Studio
            r"context shift is disabled",  # llama.cpp
            r"loaded with context length of only",  # LM Studio
            r"`?inputs`? (?:must have less than|tokens \+)",  # TGI
            r"(?:prompt|input|request) (?:is )?too long",  # Anthropic-shaped gateways, mlx
            r"prompt (?:length|exceeds)\b.{0,60}\b(?:cache size|max)",  # exllama
            # MLC, Gemini-shaped gateways
            rf"(?:prompt|input|request)\b.{{0,40}}(?:\b{_NUMBER} tokens?|\btoken count)\b.{{0,60}}"
            r"(?:exceed|larger|limit|maximum)",
            r"tokens? in the prompt cannot exceed",  # Cohere
            r"reduce the length of the (?:messages|prompt|input)",  # Groq
        )
    ),
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFailure:
    """An error as a server wrote it, in any of the shapes that servers use. ``None``: it did not say."""

    message: str
    code: str | int | None = None
    type: str | None = None
    param: str | None = None

    @property
    def is_context_limit(self) -> bool:
        """Whether prompt and reply do not fit the context; structured fields first, then the sentence."""
        if self._words & _CONTEXT_CODES or (self.param or "").lower() in _CONTEXT_PARAMS:
            return True
        return bool(_CONTEXT_SENTENCES.search(self.message[:4000]))

    @property
    def is_refusal(self) -> bool:
        """Whether a content filter stopped the request."""
        return bool(self._words & _REFUSAL_CODES)

    @property
    def status(self) -> int | None:
        """The HTTP status that the error names, ``None`` where it names none."""
        try:
            number = int(self.code) if self.code is not None else 0
        except ValueError:
            return None
        return number if 400 <= number <= 599 else None

    @property
    def _words(self) -> frozenset[str]:
        return frozenset(str(word).lower() for word in (self.code, self.type) if word)

    def __str__(self) -> str:
        kind = " ".join(str(word) for word in (self.type, self.code) if word not in (None, ""))
        return f"{kind}: {show(self.message)}" if kind else show(self.message)

    def missing(self, where: str) -> Missing:
        """Return the reason for missing evidence; ``where`` says where the error stood."""
        detail = f"{where}: {self}"
        if self.is_refusal:
            return Missing(Reason.REFUSED, detail)
        if self.is_context_limit and self.status not in (401, 403, 404, 429):
            return Missing(Reason.CONTEXT_LIMIT, detail)
        return Missing(Reason.RATE_LIMITED if self.status == 429 else Reason.SERVER_ERROR, detail)


def parse_failure(value: Any) -> ServerFailure | None:
    """Read an error out of a JSON value: nested, flat, a string; ``None`` where it is no error."""
    if not isinstance(value, dict):
        return None
    error = value.get("error")
    if isinstance(error, dict) and any(error.values()):
        return _from_fields(error)
    if error is True:
        return _from_fields(value)
    if error and not isinstance(error, dict):
        message = error if isinstance(error, str) else _as_text(error)
        kind = value.get("error_type") or value.get("type")
        return ServerFailure(message=message, type=_word(kind), code=_code(value.get("code")))
    if "choices" in value:
        return None
    if value.get("object") == "error" or "message" in value or "detail" in value or "errors" in value:
        return _from_fields(value)
    return None


def _from_fields(fields: dict[str, Any]) -> ServerFailure:
    message = fields.get("message") or fields.get("detail") or fields.get("error") or fields
    inner = fields.get("innererror") or fields.get("inner_error")
    kind = fields.get("type")
    if isinstance(inner, dict) and isinstance(inner.get("code"), str):
        kind = inner["code"]  # Azure: the outer code is general
    return ServerFailure(
        message=message if isinstance(message, str) else _as_text(message),
        code=_code(fields.get("code")),
        type=_word(kind),
        param=_word(fields.get("param")),
    )


def _code(value: Any) -> str | int | None:
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def show(text: str) -> str:
    """Return the first 200 characters on one line, control and escape characters made visible."""
    cut = text[:_SHOWN]
    escaped = "".join(c if c.isprintable() else repr(c)[1:-1] for c in cut.strip())
    return f"{escaped} …" if len(text) > _SHOWN else escaped
