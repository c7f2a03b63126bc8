"""Building requests out of prompts and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...evidence import JsonSchema, Reason, SchemaError
from ...serving import Engine, Request, steer
from ...tasks import DeclarationError
from ...tools import ToolError, tool
from .evaluation import RunningEvaluation


def chat_request(
    messages: Sequence[Mapping[str, Any]],
    *,
    sampling: Mapping[str, Any],
    allow: frozenset[Reason],
    engine: Engine | None = None,
) -> Request:
    """Return a chat request; tools are a field of ``sampling``, as in the marker.

    ``engine`` says how the server is asked for a schema or a bound on reasoning; ``None``: there is no server
    that could be asked. Raises ``NoAnswer`` (``invalid_conditions``) where it has no way to be asked.
    """
    fields = dict(sampling)
    tools = fields.pop("tools", None)
    return Request(
        endpoint="chat",
        content=tuple(messages),
        tools=tuple(tools) if tools is not None else None,
        allow=allow,
        **_steered(fields, "chat", engine),
    )


def completion_request(
    prompt: str, *, sampling: Mapping[str, Any], allow: frozenset[Reason], engine: Engine | None = None
) -> Request:
    """Return a completion request; ``engine`` as for ``chat_request``."""
    return Request(
        endpoint="completion", content=prompt, allow=allow, **_steered(dict(sampling), "completion", engine)
    )


def prompt_request(running: RunningEvaluation, engine: Engine | None) -> Request:
    """Return the request that the marker of an evaluation makes for its sample."""
    declaration = running.task.declaration
    assert declaration.prompt is not None  # checked when the test was collected
    content = declaration.prompt.render(running.sample, running.note_file)
    sampling = seeded(declaration.sampling, running)
    if isinstance(content, str):
        return completion_request(content, sampling=sampling, allow=declaration.allow, engine=engine)
    return chat_request(content, sampling=sampling, allow=declaration.allow, engine=engine)


def tools_as_sent(tools: object, where: str) -> object:
    """Return what a test gave as tools with functions described; dicts, and what is no list, as they are.

    Raises ``DeclarationError`` that begins with ``where`` for a function that cannot be described.
    """
    if not isinstance(tools, (list, tuple)):
        return tools
    try:
        return [one if isinstance(one, Mapping) else tool(one).as_json() for one in tools]
    except ToolError as error:
        raise DeclarationError(f"{where}: {error}") from error


def check_schema(sampling: Mapping[str, Any], where: str) -> None:
    """Raise ``DeclarationError`` that begins with ``where`` for a schema that is none."""
    if "schema" in sampling:
        try:
            JsonSchema(sampling["schema"])
        except SchemaError as error:
            raise DeclarationError(f"{where}: schema: {error}") from error


def _steered(fields: dict[str, Any], endpoint: str, engine: Engine | None) -> dict[str, Any]:
    """Return the arguments of a request in which the engine's own words stand for what was asked of it."""
    schema, budget = fields.pop("schema", None), fields.pop("reasoning_budget", None)
    if engine is not None:
        fields = dict(steer(fields, endpoint=endpoint, engine=engine, schema=schema, reasoning_budget=budget))
    return {"sampling": fields, "schema": schema, "reasoning_budget": budget}


def seeded(sampling: Mapping[str, Any], running: RunningEvaluation) -> Mapping[str, Any]:
    """Give every repeat of a sample a seed of its own: the given one, or 0, and its number added."""
    if running.task.declaration.repeat == 1:
        return sampling
    return {**sampling, "seed": sampling.get("seed", 0) + running.evaluation.key.repeat}
