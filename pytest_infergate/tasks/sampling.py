"""Sampling fields: their names, what each accepts, and what is sent without a word about them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ..evidence import canonical_json
from .endpoint import Endpoint
from .errors import DeclarationError, did_you_mean, excerpt, listed

#: Sent and recorded where a task says nothing else.
DEFAULT_SAMPLING: Mapping[str, Any] = MappingProxyType({"temperature": 0, "max_tokens": 1024})


def is_number(value: object) -> bool:
    """Whether ``value`` is a finite integer or float; a boolean is neither."""
    return is_integer(value) or (isinstance(value, float) and math.isfinite(value))


def is_integer(value: object) -> bool:
    """Whether ``value`` is an integer and not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def _number(low: float, high: float = math.inf, *, above: bool = False) -> Callable[[Any], bool]:
    return lambda value: is_number(value) and (low < value if above else low <= value) and value <= high


def _integer(low: float = -math.inf, high: float = math.inf) -> Callable[[Any], bool]:
    return lambda value: is_integer(value) and low <= value <= high


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_stop(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, (list, tuple)) and bool(value) and all(map(_is_text, value)))


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_mapping(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_mappings(value: object) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(map(_is_mapping, value))


#: Field → check and accepted form. OpenAI's ranges, widened to what the engines document: vLLM and
#: SGLang (top_k, min_p, repetition_penalty, min_tokens), llama.cpp and Ollama (repeat_penalty, grammar).
_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "temperature": (_number(0), "a number >= 0"),
    "max_tokens": (_integer(1), "an integer >= 1"),
    "min_tokens": (_integer(0), "an integer >= 0"),
    "top_p": (_number(0, 1), "a number from 0 to 1"),
    "top_k": (_integer(-1), "an integer >= -1 (-1 and 0 switch it off)"),
    "min_p": (_number(0, 1), "a number from 0 to 1"),
    "typical_p": (_number(0, 1), "a number from 0 to 1"),
    "seed": (_integer(), "an integer"),
    "stop": (_is_stop, "a string or a list of strings, none of them empty"),
    "presence_penalty": (_number(-2, 2), "a number from -2 to 2"),
    "frequency_penalty": (_number(-2, 2), "a number from -2 to 2"),
    "repetition_penalty": (_number(0, above=True), "a number > 0"),
    "repeat_penalty": (_number(0, above=True), "a number > 0"),
    "logit_bias": (_is_mapping, "a dict of token id to bias"),
    "logprobs": (lambda value: _is_bool(value) or _integer(0)(value), "a boolean or an integer >= 0"),
    "top_logprobs": (_integer(0), "an integer >= 0"),
    "response_format": (lambda value: _is_mapping(value) and "type" in value, "a dict with a 'type'"),
    "grammar": (_is_text, "a grammar as a string"),
    "tools": (_is_mappings, "a list of dicts, one for each tool"),
    "tool_choice": (lambda value: _is_text(value) or _is_mapping(value), "a string or a dict"),
    "parallel_tool_calls": (_is_bool, "a boolean"),
    "chat_template_kwargs": (_is_mapping, "a dict"),
    "reasoning_effort": (
        lambda value: _is_text(value) or is_number(value),
        "a string such as 'low', or a number",
    ),
    "schema": (_is_mapping, "a JSON Schema as a dict"),
    "reasoning_budget": (_integer(0), "an integer >= 0, in tokens (0: no reasoning)"),
    "extra_body": (_is_mapping, "a dict of request fields that have no name here"),
}
SAMPLING_NAMES = tuple(_FIELDS)
_CHAT_ONLY = (
    *("tools", "tool_choice", "parallel_tool_calls"),
    *("chat_template_kwargs", "reasoning_effort", "reasoning_budget"),
)
#: What a request is made of; extra_body must not reach round its owners.
_OWNED = ("model", "messages", "prompt", "stream", "stream_options", "n", *_FIELDS)


def parse_sampling(
    given: Mapping[str, Any], *, defaults: Mapping[str, Any], endpoint: Endpoint, where: str
) -> Mapping[str, Any]:
    """Return the request fields that ``given`` over ``defaults`` makes, detached and read-only.

    ``None`` leaves a field to the server. ``extra_body`` is taken apart: its fields stand beside the
    others. Raises ``DeclarationError`` that begins with ``where``.
    """
    fields = dict(defaults)
    for name, value in given.items():
        if name not in _FIELDS:
            raise DeclarationError(
                f"{where}: unknown argument {name!r}{did_you_mean(name, SAMPLING_NAMES)}; "
                f"sampling fields: {', '.join(SAMPLING_NAMES)}"
            )
        if value is None:
            fields.pop(name, None)
            continue
        accepts, form = _FIELDS[name]
        if not accepts(value):
            raise DeclarationError(
                f"{where}: {name}={excerpt(value)}; accepted: {form}, or None to send none"
            )
        if name in _CHAT_ONLY and endpoint is Endpoint.COMPLETION:
            raise DeclarationError(f'{where}: {name} with endpoint="completion"; only endpoint="chat" has it')
        fields.update(_detached(name, value, where))
    rival = next((name for name in ("response_format", "grammar") if name in fields), None)
    if "schema" in fields and rival:
        raise DeclarationError(f"{where}: schema beside {rival}; both say what a reply may be, give one")
    return MappingProxyType(fields)


def _detached(name: str, value: Any, where: str) -> dict[str, Any]:
    try:
        canonical_json(value)
        copy = json.loads(json.dumps(value))  # the order of keys is kept: a schema's may steer the model
    except (TypeError, ValueError, RecursionError) as error:
        raise DeclarationError(
            f"{where}: {name}={excerpt(value)} is not JSON: {error}; use plain JSON"
        ) from error
    if name != "extra_body":
        return {name: copy}
    owned = [key for key in copy if key in _OWNED]
    if owned:
        raise DeclarationError(
            f"{where}: extra_body holds {listed(owned)}; it takes only request fields that have no name here"
        )
    return dict(copy)
