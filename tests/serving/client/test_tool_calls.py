"""Tool calls put together from their pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_infergate.evidence import ToolCall
from tests.scripted import chunk, sse

from .bodies import delivered


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}],
                [{"index": 0, "function": {"arguments": '{"x": '}}],
                [{"index": 0, "function": {"arguments": "1}"}}],
            ],
            [("f", '{"x": 1}', "a")],
            id="arguments in pieces",
        ),
        pytest.param(
            [
                [
                    {"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}},
                    {"index": 0, "function": {"arguments": '{"x": '}},
                ],
                [{"index": 0, "function": {"arguments": "1}"}}],
            ],
            [("f", '{"x": 1}', "a")],
            id="one index twice in a chunk",
        ),
        pytest.param(
            [
                [{"id": "a", "function": {"name": "f", "arguments": '{"x": '}}],
                [{"function": {"arguments": "1}"}}],
                [{"id": "b", "function": {"name": "g", "arguments": "{}"}}],
            ],
            [("f", '{"x": 1}', "a"), ("g", "{}", "b")],
            id="no index",
        ),
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}],
                [{"index": 0, "id": "", "function": {"name": "", "arguments": "}"}}],
                [{"index": 0, "id": None, "function": {"name": None, "arguments": None}}],
            ],
            [("f", "{}", "a")],
            id='name "" and null, id "" and null',
        ),
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}],
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "}"}}],
            ],
            [("f", "{}", "a")],
            id="name and id on every piece",
        ),
        pytest.param(
            [
                [{"index": 0, "function": {"name": "f", "arguments": '{"x":'}}],
                [{"index": 0, "function": {"name": "f", "arguments": "1}"}}],
            ],
            [("f", '{"x":1}', None)],
            id="no id, the name on every piece",
        ),
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}],
                [{"index": 1, "id": "b", "function": {"name": "f", "arguments": "{"}}],
                [{"index": 0, "function": {"arguments": "}"}}, {"index": 1, "function": {"arguments": "}"}}],
            ],
            [("f", "{}", "a"), ("f", "{}", "b")],
            id="parallel, pieces interleaved",
        ),
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}],
                [{"index": 0, "id": "b", "function": {"name": "f", "arguments": '{"x": 1}'}}],
            ],
            [("f", "{}", "a"), ("f", '{"x": 1}', "b")],
            id="parallel, every index 0",
        ),
        pytest.param(
            [
                [{"index": 0, "function": {"name": "f", "arguments": '{"x": 1}'}}],
                [{"index": 0, "function": {"name": "f", "arguments": '{"x": 2}'}}],
            ],
            [("f", '{"x": 1}', None), ("f", '{"x": 2}', None)],
            id="parallel, every index 0, no id",
        ),
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}],
                [{"index": 1, "id": "a", "function": {"name": "g", "arguments": "{}"}}],
            ],
            [("f", "{}", "a"), ("g", "{}", "a")],
            id="parallel, one id for both",
        ),
        pytest.param(
            [[{"index": 0, "id": "a", "function": {"name": "f", "arguments": {"x": 1}}}]],
            [("f", '{"x": 1}', "a")],
            id="arguments as an object",
        ),
        pytest.param(
            [
                [{"index": 0, "function": {"name": "get_", "arguments": ""}}],
                [{"index": 0, "function": {"name": "tide"}}],
            ],
            [("get_tide", "", None)],
            id="the name in pieces",
        ),
        pytest.param(
            [
                [{"index": 0, "function": {"name": "f", "arguments": ""}}],
                [{"index": 0, "function": {"arguments": '{"x": 1}'}}],
                [{"index": 0, "function": {"name": "g", "arguments": ""}}],
                [{"index": 0, "function": {"arguments": "{}"}}],
            ],
            [("f", '{"x": 1}', None), ("g", "{}", None)],
            id="parallel, every index 0, no id, in pieces",
        ),
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}],
                [{"index": 0, "id": "b", "function": {"name": "", "arguments": '{"x": '}}],
                [{"index": 0, "id": "c", "function": {"arguments": "1}"}}],
            ],
            [("f", '{"x": 1}', "a")],
            id="another id on every piece",
        ),
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x": '}}],
                [{"index": 0, "function": {"arguments": "1}"}}],
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x": 1}'}}],
            ],
            [("f", '{"x": 1}', "a")],
            id="the whole call again at the end",
        ),
        pytest.param(
            [
                [{"index": "0", "id": "a", "function": {"name": "f", "arguments": "{"}}],
                [{"index": "1", "id": "b", "function": {"name": "g", "arguments": "{"}}],
                [
                    {"index": "0", "function": {"arguments": "}"}},
                    {"index": "1", "function": {"arguments": "}"}},
                ],
            ],
            [("f", "{}", "a"), ("g", "{}", "b")],
            id="indices as texts",
        ),
        pytest.param(
            [
                [{"index": 1, "id": "a", "function": {"name": "f", "arguments": ""}}],
                [{"index": 1, "function": {"arguments": "{}"}}],
            ],
            [("f", "{}", "a")],
            id="indices from 1",
        ),
        pytest.param(
            [[{"index": 0, "id": "a", "name": "f", "arguments": "{}"}]],
            [("f", "{}", "a")],
            id="name and arguments without their wrapping",
        ),
        pytest.param(
            [
                [{"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x": "\ud83d'}}],
                [{"index": 0, "function": {"arguments": '\ude00"}'}}],
            ],
            [("f", '{"x": "\U0001f600"}', "a")],
            id="a character cut between two pieces",
        ),
        pytest.param([[{"index": 0, "id": "a"}], "nonsense", [None, 3]], [], id="nothing of use"),
    ],
)
def test_tool_calls_are_put_together(deltas: list[Any], calls: list[tuple[str, str, str | None]]) -> None:
    body = sse(*(chunk(tool_calls=pieces) for pieces in deltas), chunk("text", finish="tool_calls"))
    expected = tuple(ToolCall(name=name, arguments=arguments, id=id_) for name, arguments, id_ in calls)
    assert delivered(body).tool_calls == expected


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param([(None, "f", ""), (None, "g", "")], id="no id, no arguments"),
        pytest.param([("a", "f", '{"x": 1}'), ("a", "g", "{}")], id="one id for both"),
        pytest.param([(None, "f", "{}"), (None, "f", "{}")], id="the same call twice"),
    ],
)
def test_each_entry_of_a_whole_message_is_a_call(calls: list[tuple[str | None, str, str]]) -> None:
    entries = [{"id": id_, "function": {"name": name, "arguments": text}} for id_, name, text in calls]
    message = {"content": None, "tool_calls": entries}
    reply = delivered(json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]}).encode())
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == calls


def test_the_function_call_of_old_servers_is_a_tool_call() -> None:
    body = sse(
        chunk(function_call={"name": "f", "arguments": "{"}),
        chunk(function_call={"arguments": "}"}),
        chunk(finish="function_call"),
    )
    assert delivered(body).tool_calls == (ToolCall(name="f", arguments="{}"),)


def test_a_reply_of_tool_calls_alone_delivers() -> None:
    call = {"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x": "東"}'}}
    reply = delivered(sse(chunk(tool_calls=[call]), chunk(finish="tool_calls")))
    assert (reply.text, reply.tool_calls[0].parsed) == ("", {"x": "東"})
