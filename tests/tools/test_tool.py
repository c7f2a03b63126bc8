"""Tools out of typed functions and out of descriptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

from pytest_infergate.evidence import InfergateError, ToolCall
from pytest_infergate.tools import Tool, ToolError, tool


class Unit(Enum):
    METRE = "m"
    FOOT = "ft"


class Place(TypedDict):
    city: str
    country: str


class Loose(TypedDict, total=False):
    note: str


@dataclass
class Guest:
    name: str
    age: int = 0
    tags: list[str] = field(default_factory=list)


@dataclass
class Node:
    children: list[Node]


GUEST = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def taking(annotation: Any) -> Callable[..., Any]:
    """A function with one parameter ``x`` of that type, which it returns."""

    def take(x):  # type: ignore[no-untyped-def]
        return x

    take.__annotations__ = {"x": annotation}
    return take


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (None, {"type": "null"}),
        (Any, {}),
        ("int", {"type": "integer"}),  # written as text
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (Unit, {"type": "string", "enum": ["m", "ft"]}),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),  # noqa: UP007
        (list, {"type": "array"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (Sequence[str], {"type": "array", "items": {"type": "string"}}),
        (dict, {"type": "object"}),
        (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (Mapping[str, Any], {"type": "object", "additionalProperties": {}}),
        (Annotated[str, "An ISO date."], {"type": "string", "description": "An ISO date."}),
        (
            Place,
            {
                "type": "object",
                "properties": {"city": {"type": "string"}, "country": {"type": "string"}},
                "required": ["city", "country"],
                "additionalProperties": False,
            },
        ),
        (
            Loose,
            {"type": "object", "properties": {"note": {"type": "string"}}, "additionalProperties": False},
        ),
        (Guest, GUEST),
        (list[Guest], {"type": "array", "items": GUEST}),
    ],
)
def test_annotations_become_schemas(annotation: Any, schema: dict[str, Any]) -> None:
    assert tool(taking(annotation)).parameters["properties"]["x"] == schema


def test_a_function_is_described_by_its_signature_and_docstring() -> None:
    @tool
    def book_table(guests: int, when: str, area: Literal["inside", "terrace"] = "inside") -> str:
        """Book a table.

        Confirms at once.

        Args:
            guests: How many come,
                children too.
            when (str): A time: as 19:30.

        Returns:
            when: the confirmation
        """
        return f"{guests} at {when}, {area}"

    assert book_table.as_json() == {
        "type": "function",
        "function": {
            "name": "book_table",
            "description": "Book a table.\n\nConfirms at once.",
            "parameters": {
                "type": "object",
                "properties": {
                    "guests": {"type": "integer", "description": "How many come, children too."},
                    "when": {"type": "string", "description": "A time: as 19:30."},
                    "area": {"type": "string", "enum": ["inside", "terrace"], "default": "inside"},
                },
                "required": ["guests", "when"],
                "additionalProperties": False,
            },
        },
    }
    assert book_table(2, when="8") == "2 at 8, inside", "it is still the function"


def test_sphinx_fields_are_read_too() -> None:
    def look(word: str, limit: int = 3) -> None:
        """Look a word up.

        :param word: the word, in
            lower case
        :param int limit: at most so many
        :returns: nothing
        """

    described = tool(look)
    assert described.description == "Look a word up."
    told = {name: part.get("description") for name, part in described.parameters["properties"].items()}
    assert told == {"word": "the word, in lower case", "limit": "at most so many"}


def test_a_function_without_parameters_or_docstring_is_a_tool() -> None:
    def now() -> str:
        return "12:00"

    assert tool(now).as_json()["function"] == {
        "name": "now",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    }
    assert tool(now).run(ToolCall(name="now", arguments="")) == "12:00"


@pytest.mark.parametrize(
    ("annotation", "json", "value"),
    [
        (int, "3.0", 3),
        (float, "3", 3.0),
        (Unit, '"ft"', Unit.FOOT),
        (Guest, '{"name": "Ada", "age": 3}', Guest("Ada", 3)),
        (list[Guest], '[{"name": "Ada"}]', [Guest("Ada")]),
        (dict[str, Unit], '{"a": "m"}', {"a": Unit.METRE}),
        (Guest | None, "null", None),
        (Guest | None, '{"name": "Ada"}', Guest("Ada")),
        (int | str, '"3"', "3"),
        (Place, '{"city": "Rome", "country": "IT"}', {"city": "Rome", "country": "IT"}),
        (Any, '{"a": [1]}', {"a": [1]}),
    ],
)
def test_a_function_gets_what_its_annotations_say(annotation: Any, json: str, value: Any) -> None:
    got = tool(taking(annotation)).run(ToolCall(name="take", arguments=f'{{"x": {json}}}'))
    assert (got, type(got)) == (value, type(value))


@pytest.mark.parametrize(
    ("annotation", "arguments", "fault"),
    [
        (int, '{"x": "3"}', "at $.x: '3' is not of type 'integer'"),
        (int, '{"x": true}', "at $.x: True is not of type 'integer'"),
        (int, "{}", "at $: 'x' is a required property"),
        (int, '{"x": 1, "y": 2}', "at $: Additional properties are not allowed ('y' was unexpected)"),
        (Unit, '{"x": "mile"}', "at $.x: 'mile' is not one of ['m', 'ft']"),
        (int, '{"x": 1', 'the arguments are not a JSON object: {"x": 1'),
        (int, "[1]", "the arguments are not a JSON object: [1]"),
        (float, '{"x": NaN}', 'the arguments are not a JSON object: {"x": NaN}'),
    ],
)
def test_arguments_that_do_not_fit_run_nothing(annotation: Any, arguments: str, fault: str) -> None:
    described = tool(taking(annotation))
    call = ToolCall(name="take", arguments=arguments)
    assert described.faults(call) == (fault,)
    with pytest.raises(InfergateError) as caught:
        described.run(call)
    assert str(caught.value) == fault


def test_a_description_is_a_tool_and_runs_with_a_function() -> None:
    described: dict[str, Any] = {
        "type": "function",
        "function": {
            "name": "add",
            "description": "Add.",
            "parameters": {"type": "object", "properties": {}},
        },
    }
    assert tool(described).as_json() == described
    assert tool(described["function"]).as_json() == described
    assert tool(described, run=lambda **kwargs: kwargs).run(ToolCall(name="add", arguments='{"a": 1}')) == {
        "a": 1
    }
    with pytest.raises(ToolError, match=r"'add' is described and cannot run; give tool\(…, run=function\)"):
        tool(described).run(ToolCall(name="add", arguments="{}"))


def untyped(x):  # type: ignore[no-untyped-def]
    return x


def spread(*words: str) -> None: ...


def positional(x: int, /) -> None: ...


async def waiting(x: int) -> None: ...


def foreign(x: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (untyped, "tool 'untyped', parameter 'x' has no type; annotate it, as in x: str"),
        (spread, "tool 'spread', parameter 'words' cannot be given by name"),
        (positional, "tool 'positional', parameter 'x' cannot be given by name"),
        (waiting, "tool 'waiting' is async; write a plain def"),
        (foreign, "tool 'foreign': an annotation names 'Nowhere'"),
        (
            taking(set[int]),
            "tool 'take', parameter 'x': no JSON Schema for the annotation set[int]; accepted",
        ),
        (taking(dict[int, str]), "parameter 'x': dict[int, str] has keys other than str"),
        (taking(bytes), "no JSON Schema for the annotation bytes; accepted: str, int"),
        (taking(Node), "Node holds itself; give the schema as a dict"),
        (taking(Literal[b"a"]), "is not JSON; use texts and numbers"),
        (lambda x: x, "tool '<lambda>'"),
        ({"parameters": {}}, "has no name"),
        ({"name": "get weather"}, "tool 'get weather': accepted as a name"),
        ({"name": "f", "parameters": {"type": "nonsense"}}, "tool 'f': the schema is not valid"),
        ({"name": "f", "parameters": {"type": "array"}}, "its parameters are no object"),
        (Guest, "accepted: a typed function"),
        ("add", "accepted: a typed function"),
        (3, "accepted: a typed function"),
    ],
)
def test_what_cannot_be_a_tool_is_refused_in_one_line(described: Any, message: str) -> None:
    with pytest.raises(ToolError) as caught:
        tool(described)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_tool_stays_itself() -> None:
    made = tool(taking(int))
    assert tool(made) is made
    assert isinstance(made, Tool)
