"""What a request binds its reply to, a schema or a choice of tools, and whether the server did."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..evidence import JsonSchema, Reply, SchemaError, canonical_json
from .request import Request

#: How a JSON value can begin.
_JSON_BEGINS = frozenset('{["-0123456789tfn')


def is_ignored(request: Request, reply: Reply) -> bool:
    """Whether a reply shows that the schema, or the ``tool_choice``, of its request did not bind the server.

    A reply that a limit cut cannot be judged whole: there only a text that begins no JSON shows it. A tool
    call is no text to hold to a schema.
    """
    if _is_choice_ignored(request, reply):
        return True
    schema = request.schema if request.schema is not None else written_schema(request.sampling)
    text = reply.text.strip()
    if schema is None or not text or reply.tool_calls:
        return False
    if reply.missing is not None:
        return text[0] not in _JSON_BEGINS
    checked = _checked(canonical_json(schema))
    return checked is not None and not checked.accepts_text(text)


def _is_choice_ignored(request: Request, reply: Reply) -> bool:
    """Whether no call came where one was required, another than the named one, or one where none may."""
    choice = request.sampling.get("tool_choice")
    if choice == "none":
        return bool(reply.tool_calls)
    if choice in ("required", "any"):
        return not reply.tool_calls
    function = choice.get("function") if isinstance(choice, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    return isinstance(name, str) and {call.name for call in reply.tool_calls} != {name}


def written_schema(sampling: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of a ``response_format`` that a test wrote itself, ``None`` without one."""
    form = sampling.get("response_format")
    if not isinstance(form, Mapping):
        return None
    wrapped = form.get("json_schema")
    schema = wrapped.get("schema") if isinstance(wrapped, Mapping) else form.get("schema")
    if isinstance(schema, Mapping):
        return schema
    return {"type": "object"} if form.get("type") == "json_object" else None


@lru_cache(maxsize=64)  # one schema for all samples of a task
def _checked(schema: str) -> JsonSchema | None:
    try:
        return JsonSchema(json.loads(schema))
    except SchemaError:
        return None  # the server's to refuse
