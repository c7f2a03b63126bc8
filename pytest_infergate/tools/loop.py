"""The loop in which a model calls tools, gets their results, and goes on until it is done."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..evidence import NoAnswer, Reason, Reply, ToolCall
from .errors import ArgumentsError, ToolError
from .leaks import Leak, find_leaks
from .tool import Tool


class CallFault(Enum):
    """Why a call gave no result."""

    UNKNOWN_TOOL = "unknown_tool"
    INVALID_ARGUMENTS = "invalid_arguments"
    RAISED = "raised"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStep:
    """One call and the text that went back to the model; ``fault`` ``None``: it is the tool's result."""

    call: ToolCall
    result: str
    fault: CallFault | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRun:
    """A conversation with tools that came to its end.

    ``reply`` is the last one, which calls nothing; ``replies`` are all, ``steps`` every call, in order.
    ``leaks`` are calls that stand in the text of any reply, where they called nothing.
    """

    reply: Reply
    replies: tuple[Reply, ...]
    steps: tuple[ToolStep, ...]
    leaks: tuple[Leak, ...] = ()

    @property
    def text(self) -> str:
        return self.reply.text

    @property
    def messages(self) -> tuple[Mapping[str, Any], ...]:
        """The whole conversation."""
        return self.reply.messages

    @property
    def calls(self) -> tuple[str, ...]:
        """The names of the tools that were called, in order."""
        return tuple(step.call.name for step in self.steps)

    @property
    def faults(self) -> tuple[CallFault, ...]:
        """The faults of the calls, in order."""
        return tuple(step.fault for step in self.steps if step.fault is not None)


def run_loop(
    ask: Callable[[Sequence[Mapping[str, Any]]], Reply],
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Tool],
    max_steps: int,
) -> ToolRun:
    """Ask, run what is called, send the results back, until a reply calls nothing.

    ``ask`` gets the conversation and returns a reply whose ``messages`` end with it, each call with an id.
    Raises ``NoAnswer`` (``no_answer``) where the model still calls after ``max_steps`` replies.
    """
    for one in tools:
        if one.function is None:
            raise ToolError(f"tool {one.name!r} is described and cannot run; give tool(…, run=function)")
    offered = {one.name: one for one in tools}
    replies: list[Reply] = []
    steps: list[ToolStep] = []
    leaks: list[Leak] = []
    for _ in range(max_steps):
        reply = ask(messages)
        replies.append(reply)
        leaks += find_leaks(reply.text, offered)
        if not reply.tool_calls:
            return ToolRun(reply=reply, replies=tuple(replies), steps=tuple(steps), leaks=tuple(leaks))
        made = [_step(call, offered) for call in reply.tool_calls]
        steps += made
        said = reply.messages[-1]["tool_calls"]
        messages = [
            *reply.messages,
            *(
                {"role": "tool", "tool_call_id": one["id"], "name": step.call.name, "content": step.result}
                for one, step in zip(said, made, strict=True)
            ),
        ]
    called = ", ".join(step.call.name for step in steps[-3:])
    raise NoAnswer(Reason.NO_ANSWER, f"no end after {max_steps} steps; the last calls: {called}")


def _step(call: ToolCall, offered: Mapping[str, Tool]) -> ToolStep:
    if call.name not in offered:
        told = f"error: there is no tool {call.name!r}; there are {', '.join(offered)}"
        return ToolStep(call=call, result=told, fault=CallFault.UNKNOWN_TOOL)
    try:
        value = offered[call.name].run(call)
    except ArgumentsError as error:
        return ToolStep(call=call, result=f"error: {error}", fault=CallFault.INVALID_ARGUMENTS)
    except NoAnswer:
        raise  # of a model that the tool asked: evidence that is missing, not an answer to the call
    except Exception as error:  # the tool's own answer to a call; the model may do better
        told = f"error: {type(error).__name__}: {error}"
        return ToolStep(call=call, result=told, fault=CallFault.RAISED)
    return ToolStep(call=call, result=_as_text(call.name, value))


def _as_text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolError(
            f"tool {name!r} returned {value!r:.80}, which is not JSON; return text, numbers, lists, dicts"
        ) from error
