"""Whether a reply makes the calls that are due."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import NoAnswer, Reply, ToolCall
from pytest_infergate.tools import Call, ToolError, WrongCalls, check_calls, compare_calls


def get_weather(city: str, days: int = 1) -> str:
    return ""


def get_time(zone: str) -> str:
    return ""


PARIS = ToolCall(name="get_weather", arguments='{"city": "Paris"}')
ROME = ToolCall(name="get_weather", arguments='{"city": "Rome"}')
UTC = ToolCall(name="get_time", arguments='{"zone": "UTC"}')
DUE_PARIS = {"name": "get_weather", "arguments": {"city": "Paris"}}
DUE_ROME = {"name": "get_weather", "arguments": {"city": "Rome"}}


def calling(*calls: ToolCall, text: str = "") -> Reply:
    return Reply(text=text, tool_calls=calls, finish_reason="tool_calls" if calls else "stop")


@pytest.mark.parametrize(
    ("calls", "expected", "options"),
    [
        ([PARIS], [DUE_PARIS], {}),
        ([PARIS], ["get_weather"], {}),
        ([PARIS], [{"name": "get_weather"}], {}),
        ([PARIS], [Call("get_weather", {"city": "Paris"})], {}),
        ([PARIS, UTC], [DUE_PARIS, "get_time"], {}),
        ([UTC, PARIS], [DUE_PARIS, "get_time"], {"any_order": True}),
        ([PARIS, ROME], ["get_weather", DUE_PARIS], {"any_order": True}),  # the name alone takes what is left
        ([], [], {}),
        (
            [ToolCall(name="f", arguments='{"b": 1.0, "a": [1]}')],
            [{"name": "f", "arguments": {"a": [1], "b": 1}}],
            {},
        ),
        ([ToolCall(name="f", arguments="")], [{"name": "f", "arguments": {}}], {}),
        ([PARIS], [DUE_PARIS], {"tools": [get_weather, get_time]}),
    ],
)
def test_the_calls_that_are_due(calls: list[ToolCall], expected: list[Any], options: Any) -> None:
    check_calls(calling(*calls, text="said" if not calls else ""), expected, **options)


@pytest.mark.parametrize(
    ("calls", "expected", "options", "difference"),
    [
        (
            [ROME],
            [DUE_PARIS],
            {},
            'call 1 is get_weather({"city":"Rome"}), expected get_weather({"city":"Paris"})',
        ),
        ([UTC], ["get_weather"], {}, 'call 1 is get_time({"zone":"UTC"}), expected get_weather(…)'),
        ([UTC, PARIS], [DUE_PARIS, "get_time"], {}, 'call 1 is get_time({"zone":"UTC"})'),
        ([PARIS, PARIS], [DUE_PARIS], {}, '1 due (get_weather({"city":"Paris"})), 2 made:'),
        ([PARIS, PARIS], [DUE_PARIS], {"any_order": True}, "1 due"),
        ([PARIS], [DUE_PARIS, DUE_ROME], {"any_order": True}, 'no call is get_weather({"city":"Rome"})'),
        (
            [PARIS, UTC],
            [DUE_PARIS, DUE_ROME],
            {"any_order": True},
            'get_time({"zone":"UTC"}) is not expected',
        ),
        ([], [DUE_PARIS], {}, "1 due"),
        ([PARIS], [], {}, 'no call is due, made: get_weather({"city":"Paris"})'),
        (
            [ToolCall(name="f", arguments='{"a": true}')],
            [{"name": "f", "arguments": {"a": 1}}],
            {},
            "call 1 is",
        ),
        ([ToolCall(name="f", arguments="{")], ["f"], {}, "f({) has arguments that are no JSON object"),
        ([UTC], ["get_time"], {"tools": [get_weather]}, "names no tool; there are get_weather"),
        (
            [ToolCall(name="get_weather", arguments='{"town": "Paris"}')],
            ["get_weather"],
            {"tools": [get_weather]},
            "at $: 'city' is a required property",
        ),
        (
            [ToolCall(name="get_weather", arguments='{"city": "Paris", "days": "2"}')],
            ["get_weather"],
            {"tools": [get_weather]},
            "at $.days: '2' is not of type 'integer'",
        ),
    ],
)
def test_other_calls_are_a_wrong_answer_that_says_what_differs(
    calls: list[ToolCall], expected: list[Any], options: Any, difference: str
) -> None:
    reply = calling(*calls, text="said" if not calls else "")
    with pytest.raises(WrongCalls) as caught:
        check_calls(reply, expected, **options)
    assert difference in str(caught.value)
    assert isinstance(caught.value, AssertionError)
    assert "; ".join(compare_calls(reply, expected, **options)) == str(caught.value)


def test_a_leaked_call_is_told_and_is_no_call() -> None:
    leaked = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
    with pytest.raises(
        WrongCalls, match=r"leaked into the text, where it is no call: get_weather \(Hermes\)"
    ):
        check_calls(calling(text=leaked), [DUE_PARIS])
    check_calls(calling(text=leaked), [])  # the exchange is flagged; no call was made


def test_a_reply_that_did_not_deliver_is_missing_rather_than_wrong() -> None:
    with pytest.raises(NoAnswer, match="truncated"):
        check_calls(Reply(text="", tool_calls=(PARIS,), finish_reason="length"), [DUE_PARIS])
    with pytest.raises(NoAnswer, match="empty_reply"):
        check_calls(Reply(text=""), [])


@pytest.mark.parametrize("expected", [3, {"arguments": {}}, {"name": "f", "arguments": "{}"}, {"name": 1}])
def test_what_is_no_expected_call_is_refused(expected: Any) -> None:
    with pytest.raises(ToolError):
        check_calls(calling(PARIS), [expected])


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ToolError, match="two tools are named 'get_weather'"):
        check_calls(calling(PARIS), [DUE_PARIS], tools=[get_weather, {"name": "get_weather"}])
