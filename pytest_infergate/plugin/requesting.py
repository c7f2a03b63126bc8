"""Building requests out of prompts and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..evidence import Reason
from ..serving import Request
from .evaluation import RunningEvaluation


def chat_request(
    messages: Sequence[Mapping[str, Any]], *, sampling: Mapping[str, Any], allow: frozenset[Reason]
) -> Request:
    """Return a chat request; tools are a field of ``sampling``, as in the marker."""
    fields = dict(sampling)
    tools = fields.pop("tools", None)
    return Request(
        endpoint="chat",
        content=tuple(messages),
        tools=tuple(tools) if tools is not None else None,
        sampling=fields,
        allow=allow,
    )


def completion_request(prompt: str, *, sampling: Mapping[str, Any], allow: frozenset[Reason]) -> Request:
    """Return a completion request."""
    return Request(endpoint="completion", content=prompt, sampling=sampling, allow=allow)


def prompt_request(running: RunningEvaluation) -> Request:
    """Return the request that the marker of an evaluation makes for its sample."""
    declaration = running.task.declaration
    assert declaration.prompt is not None  # checked when the test was collected
    content = declaration.prompt.render(running.sample)
    sampling = seeded(declaration.sampling, running)
    if isinstance(content, str):
        return completion_request(content, sampling=sampling, allow=declaration.allow)
    return chat_request(content, sampling=sampling, allow=declaration.allow)


def seeded(sampling: Mapping[str, Any], running: RunningEvaluation) -> Mapping[str, Any]:
    """Give every repeat of a sample a seed of its own: the given one, or 0, and its number added."""
    if running.task.declaration.repeat == 1:
        return sampling
    return {**sampling, "seed": sampling.get("seed", 0) + running.evaluation.key.repeat}
