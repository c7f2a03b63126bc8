"""The tool calls of a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..evidence import NoAnswer, Reason, Reply, ToolCall
from .extractor import Extractor, GoldError, Sample, require_delivered
from .strict_json import NotJson, read_json, read_json_at, same_json

_CALL = re.compile(r"<tool_call>\s*(?:```(?:json)?\s*)?(?=[{\[])")


@dataclass(frozen=True, slots=True, repr=False)
class ToolCalls(Extractor[list[dict[str, Any]]]):
    """Read the tool calls of a reply as ``[{"name": …, "arguments": {…}}, …]``, in order; see ``rule``.

    ``arguments`` is the text as the model wrote it where that is not a JSON object. ``parse`` takes
    one such mapping, a list of them, or either as JSON text; ``same`` minds the order.
    """

    name = "tool_calls"
    version = "1"
    rule = (
        "The structured calls of the reply; where there are none, the calls that its text holds as "
        "Hermes has them: a JSON object with name and arguments (or parameters) after each <tool_call>, "
        "read as JSON, so that a closing tag inside a text is text. A missing closing tag does not "
        "matter; a call that is not JSON or has no name is no answer."
    )

    def __call__(self, reply: str | Reply, sample: Sample | None = None) -> list[dict[str, Any]]:
        if isinstance(reply, Reply) and reply.tool_calls:
            require_delivered(reply)
            return [_structured(call) for call in reply.tool_calls]
        return Extractor.__call__(self, reply, sample)

    def find(self, text: str, sample: Sample | None) -> list[dict[str, Any]]:
        calls: list[dict[str, Any]] = []
        position = 0
        while tag := _CALL.search(text, position):
            try:
                value, position = read_json_at(text, tag.end())
                calls += [_call(item) for item in (value if isinstance(value, list) else [value])]
            except NotJson as error:
                raise NoAnswer(
                    Reason.NO_ANSWER, f"extract.tool_calls: a call is not usable: {error}"
                ) from error
        return calls if calls else list(self.no_answer("tool call"))

    def parse(self, gold: object) -> list[dict[str, Any]]:
        try:
            value = read_json(gold) if isinstance(gold, str) else gold
            items = list(value) if isinstance(value, (list, tuple)) else [value]
            if not items:
                raise NotJson("there is no call in it")
            return [_structured(item) if isinstance(item, ToolCall) else _call(item) for item in items]
        except NotJson as error:
            raise GoldError(self.name, gold, f"calls with a name and arguments ({error})") from error

    def same(self, value: object, gold: object) -> bool:
        try:
            return same_json(self.parse(value), self.parse(gold))
        except (GoldError, RecursionError):
            return False


def _structured(call: ToolCall) -> dict[str, Any]:
    parsed = call.parsed
    return {"name": call.name, "arguments": call.arguments if parsed is None else parsed}


def _call(item: object) -> dict[str, Any]:
    if isinstance(item, Mapping) and isinstance(item.get("function"), Mapping):
        item = item["function"]  # as the OpenAI API wraps it
    if not isinstance(item, Mapping) or not isinstance(item.get("name"), str) or not item["name"]:
        raise NotJson("it has no name")
    arguments = item.get("arguments", item.get("parameters", {}))
    if arguments is None:
        arguments = {}
    if isinstance(arguments, str):
        return _structured(ToolCall(name=item["name"], arguments=arguments))
    if not isinstance(arguments, Mapping):
        raise NotJson("its arguments are not an object")
    return {"name": item["name"], "arguments": dict(arguments)}


tool_calls = ToolCalls()
