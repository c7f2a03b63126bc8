"""A tool that a model may call: a name, a description, a JSON Schema, and what runs it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..evidence import JsonSchema, SchemaError, ToolCall, canonical_json
from .annotation import hints_of, schema_of, value_of
from .docstring import read_docstring
from .errors import ArgumentsError, ToolError

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_KINDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool; make one with ``tool``. ``function`` is ``None`` for one that is only described.

    Calling it calls the function. ``parameters`` is a JSON Schema of an object. ``hints`` are the types that
    arguments are made of before the function gets them; those without one stay JSON. Raises ``ToolError``.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    function: Callable[..., Any] | None = None
    hints: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _schema: JsonSchema = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        where = f"tool {self.name!r}"
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise ToolError(f"{where}: accepted as a name: 1 to 64 letters, digits, _ and -")
        try:
            schema = JsonSchema(self.parameters)
        except SchemaError as error:
            raise ToolError(f"{where}: {error}") from error
        if self.parameters.get("type", "object") != "object":
            raise ToolError(f"{where}: its parameters are no object; write {{'type': 'object', …}}")
        object.__setattr__(self, "_schema", schema)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._runs()(*args, **kwargs)

    def as_json(self) -> dict[str, Any]:
        """Return the tool as a request carries it."""
        told = {"description": self.description} if self.description else {}
        return {
            "type": "function",
            "function": {"name": self.name, **told, "parameters": self.parameters},
        }

    def faults(self, call: ToolCall) -> tuple[str, ...]:
        """Return what is wrong with the arguments of a call, each with its place; none: they fit."""
        arguments = call.parsed
        if arguments is None:
            return (f"the arguments are not a JSON object: {call.arguments[:200]}",)
        return tuple(f"at {fault.path}: {fault.message}" for fault in self._schema.faults(arguments))

    def run(self, call: ToolCall) -> Any:
        """Return what the function makes of a call, as JSON has it.

        Raises ``ArgumentsError`` for arguments that do not fit, and whatever the function raises.
        """
        faults = self.faults(call)
        if faults:
            raise ArgumentsError("; ".join(faults))
        arguments = call.parsed or {}
        return self._runs()(
            **{name: value_of(self.hints.get(name, Any), value) for name, value in arguments.items()}
        )

    def _runs(self) -> Callable[..., Any]:
        if self.function is None:
            raise ToolError(
                f"tool {self.name!r} is described and cannot run; give tool(…, run=function), or a function"
            )
        return self.function


def tool(
    described: Callable[..., Any] | Mapping[str, Any] | Tool, *, run: Callable[..., Any] | None = None
) -> Tool:
    """Return a tool, from a typed function or from its description as a request carries it.

    A function's schema comes from its annotations, its description from its docstring; also a decorator. With
    a description ``run`` is what it does, called with the arguments by name. Raises ``ToolError``.
    """
    if isinstance(described, Tool):
        return described
    if isinstance(described, Mapping):
        return _from_description(described, run)
    if not callable(described) or isinstance(described, type) or run is not None:
        raise ToolError(
            f"tool({described!r:.80}): accepted: a typed function, or a dict with name and parameters, with "
            "run=function where it is to run"
        )
    return _from_function(described)


def parse_tools(given: Iterable[Callable[..., Any] | Mapping[str, Any] | Tool]) -> tuple[Tool, ...]:
    """Return every one of ``given`` as a tool. Raises ``ToolError``, also for a name given twice."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise ToolError(f"tools={given!r:.80}: accepted: a list of functions, dicts or tools")
    tools = tuple(tool(one) for one in given)
    names = [one.name for one in tools]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ToolError(f"two tools are named {twice!r}; a call could mean either, rename one")
    return tools


def _from_description(described: Mapping[str, Any], run: Callable[..., Any] | None) -> Tool:
    function = described.get("function", described)
    if not isinstance(function, Mapping) or "name" not in function:
        raise ToolError(f"tool {dict(described)!r:.80} has no name; write {{'name': …, 'parameters': …}}")
    return Tool(
        name=function["name"],
        description=str(function.get("description") or ""),
        parameters=function.get("parameters") or {"type": "object", "properties": {}},
        function=run,
    )


def _from_function(function: Callable[..., Any]) -> Tool:
    name = getattr(function, "__name__", type(function).__name__)
    where = f"tool {name!r}"
    if inspect.iscoroutinefunction(function):
        raise ToolError(f"{where} is async; write a plain def")
    description, told = read_docstring(function)
    hints = hints_of(function, where)
    properties: dict[str, Any] = {}
    required = []
    for parameter in inspect.signature(function).parameters.values():
        place = f"{where}, parameter {parameter.name!r}"
        if parameter.kind not in _KINDS:
            raise ToolError(f"{place} cannot be given by name; write each parameter as name: type")
        if parameter.name not in hints:
            raise ToolError(f"{place} has no type; annotate it, as in {parameter.name}: str")
        schema = schema_of(hints[parameter.name], place)
        if parameter.name in told:
            schema.setdefault("description", told[parameter.name])
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
        elif parameter.default is not None and _is_json(parameter.default):
            schema["default"] = parameter.default
        properties[parameter.name] = schema
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        parameters["required"] = required
    parameters["additionalProperties"] = False
    return Tool(name=name, description=description, parameters=parameters, function=function, hints=hints)


def _is_json(value: object) -> bool:
    try:
        canonical_json(value)
    except (TypeError, ValueError):
        return False
    return True
