"""Whether a reply makes the calls that are due, and no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..evidence import Reply, ToolCall, canonical_json
from ..extract.extractor import require_delivered
from ..extract.strict_json import same_json
from .errors import ToolError
from .leaks import find_leaks
from .tool import Tool, parse_tools

_SHOWN = 200  # characters of one call


class WrongCalls(AssertionError):
    """The calls of a reply are not those that are due: a wrong answer, so a failed evaluation."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is due. ``arguments`` ``None``: any that fit the tool."""

    name: str
    arguments: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        return f"{self.name}({'…' if self.arguments is None else _shown(self.arguments)})"

    def is_made_by(self, made: ToolCall) -> bool:
        """Whether ``made`` is this call; arguments are compared as JSON, 1 and 1.0 are the same."""
        return self.name == made.name and (self.arguments is None or same_json(made.parsed, self.arguments))


def check_calls(
    reply: Reply,
    expected: Sequence[Call | Mapping[str, Any] | str],
    *,
    tools: Iterable[Tool | Mapping[str, Any] | Callable[..., Any]] = (),
    any_order: bool = False,
) -> None:
    """Raise ``WrongCalls``, an ``AssertionError`` that says what differs, unless ``reply`` makes these calls.

    What is compared, and what else is raised, is told at ``compare_calls``.
    """
    __tracebackhide__ = True
    differences = compare_calls(reply, expected, tools=tools, any_order=any_order)
    if differences:
        raise WrongCalls("; ".join(differences))


def compare_calls(
    reply: Reply,
    expected: Sequence[Call | Mapping[str, Any] | str],
    *,
    tools: Iterable[Tool | Mapping[str, Any] | Callable[..., Any]] = (),
    any_order: bool = False,
) -> tuple[str, ...]:
    """Return how the calls of ``reply`` differ from those ``expected``, a text for each; none: they do not.

    An expected call is a name, whose arguments are then any, a mapping with ``name`` and ``arguments`` as a
    data set has it, or a ``Call``. None expected: no call is due. With ``tools`` every call must name one of
    them, with arguments that fit its schema. The order counts unless ``any_order``. A call that leaked into
    the text is no call, and is told where the calls differ.

    Raises ``NoAnswer`` where the reply did not deliver, unless that was allowed, and ``ToolError`` for what
    is no call or no tool.
    """
    if not isinstance(reply, Reply):
        raise ToolError(f"the reply is {type(reply).__name__}; give a Reply, such as the fixture reply")
    require_delivered(reply)
    if isinstance(expected, (str, Mapping)) or not isinstance(expected, Iterable):
        raise ToolError(
            f"the calls expected are {expected!r:.80}; write a list of them, [] where none is due"
        )
    due = [_due(item) for item in expected]
    offered = {one.name: one for one in parse_tools(tools)}
    differences = [*_misfits(reply.tool_calls, offered)]
    differences += (_unordered if any_order else _ordered)(due, reply.tool_calls)
    if differences:
        leaks = find_leaks(reply.text, {*offered, *(call.name for call in due)})
        if leaks:
            told = ", ".join(map(str, leaks))
            differences.append(f"leaked into the text, where it is no call: {told}")
    return tuple(differences)


def _due(item: Call | Mapping[str, Any] | str) -> Call:
    if isinstance(item, Call):
        return item
    if isinstance(item, str):
        return Call(item)
    name = item.get("name") if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or not isinstance(name, str):
        raise ToolError(
            f"{item!r:.80} is no expected call; write a name, or {{'name': …, 'arguments': {{…}}}}"
        )
    unknown = [key for key in item if key not in ("name", "arguments")]
    if unknown:
        raise ToolError(
            f"the call expected of {name!r} has {unknown[0]!r:.40}, which nothing compares; accepted: name, "
            "arguments"
        )
    arguments = item.get("arguments")
    if not isinstance(arguments, (Mapping, type(None))):
        raise ToolError(f"the arguments expected of {name!r} are {arguments!r:.80}; write a dict")
    return Call(name, arguments)


def _misfits(made: Sequence[ToolCall], offered: Mapping[str, Tool]) -> list[str]:
    if not offered:
        return [
            f"{_told(call)} has arguments that are no JSON object" for call in made if call.parsed is None
        ]
    misfits = []
    for call in made:
        if call.name not in offered:
            misfits.append(f"{_told(call)} names no tool; there are {', '.join(offered)}")
        else:
            misfits += [f"{_told(call)}: {fault}" for fault in offered[call.name].faults(call)]
    return misfits


def _ordered(due: Sequence[Call], made: Sequence[ToolCall]) -> list[str]:
    if len(due) != len(made):
        return [_count(due, made)]
    return [
        f"call {number} is {_told(call)}, expected {wanted}"
        for number, (wanted, call) in enumerate(zip(due, made, strict=True), 1)
        if not wanted.is_made_by(call)
    ]


def _unordered(due: Sequence[Call], made: Sequence[ToolCall]) -> list[str]:
    left = list(made)
    absent = []
    # Those that say their arguments choose first; a name alone takes what is left of its name.
    for wanted in sorted(due, key=lambda call: call.arguments is None):
        found = next((call for call in left if wanted.is_made_by(call)), None)
        if found is None:
            absent.append(wanted)
        else:
            left.remove(found)
    counted = [] if len(due) == len(made) else [_count(due, made)]
    if counted and not absent and not left:
        return counted
    return [
        *counted,
        *(f"no call is {wanted}" for wanted in absent),
        *(f"{_told(call)} is not expected" for call in left if not counted or absent),
    ]


def _count(due: Sequence[Call], made: Sequence[ToolCall]) -> str:
    calls = ", ".join(map(_told, made)) or "none"
    if not due:
        return f"no call is due, made: {calls}"
    return f"{len(due)} due ({', '.join(map(str, due))}), {len(made)} made: {calls}"


def _told(call: ToolCall) -> str:
    arguments = call.parsed
    return f"{call.name}({call.arguments[:_SHOWN] if arguments is None else _shown(arguments)})"


def _shown(arguments: Mapping[str, Any]) -> str:
    try:
        text = canonical_json(dict(arguments))
    except (TypeError, ValueError):
        text = repr(dict(arguments))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
