# ruff: noqa: E501  (a case is one line)
from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import Reason, Reply, ToolCall
from pytest_infergate.extract import GoldError, number, tool_calls

from .outcome import NONE, outcome

TEXTS = [
    (
        '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>',
        [{"name": "f", "arguments": {"a": 1}}],
        "one call",
    ),
    (
        '<tool_call>{"name": "f", "arguments": {}}</tool_call>\n<tool_call>{"name": "g", "arguments": {"b": []}}</tool_call>',
        [{"name": "f", "arguments": {}}, {"name": "g", "arguments": {"b": []}}],
        "two calls",
    ),
    (
        '<tool_call>{"name": "f", "arguments": {"s": "</tool_call> <tool_call>{"}}</tool_call>',
        [{"name": "f", "arguments": {"s": "</tool_call> <tool_call>{"}}],
        "tags inside a text",
    ),
    (
        '<tool_call>{"name": "f", "arguments": {"a": 1}}',
        [{"name": "f", "arguments": {"a": 1}}],
        "no closing tag",
    ),
    (
        '<tool_call>{"name": "f", "parameters": {"a": 1}}</tool_call>',
        [{"name": "f", "arguments": {"a": 1}}],
        "parameters",
    ),
    (
        '<tool_call>{"name": "f", "arguments": "{\\"a\\": 1}"}</tool_call>',
        [{"name": "f", "arguments": {"a": 1}}],
        "JSON in a text",
    ),
    ('<tool_call>{"name": "f"}</tool_call>', [{"name": "f", "arguments": {}}], "no arguments"),
    (
        'Let me call it. <tool_call>{"name": "f"}</tool_call> Done.',
        [{"name": "f", "arguments": {}}],
        "prose around it",
    ),
    (
        '<think>I could <tool_call>{"name": "no"}</tool_call></think>Sure.',
        NONE,
        "a call that was only thought of",
    ),
    (
        '<tool_call>\n```json\n{"name": "f"}\n```\n</tool_call>',
        [{"name": "f", "arguments": {}}],
        "a fence within the tag",
    ),
    (
        '<tool_call>{"name": "f", "arguments": null}</tool_call>',
        [{"name": "f", "arguments": {}}],
        "arguments null",
    ),
    (
        '<tool_call>{"name": "f"}</tool_call><tool_call>{"name": "g", "arguments": {"a": ',
        NONE,
        "the second one cut",
    ),
    ("I would write a <tool_call> tag.", NONE, "the tag in prose"),
    ("<tool_call>{'name': 'f'}</tool_call>", NONE, "no JSON"),
    ('<tool_call>{"name": "f", "arguments": {"n": NaN}}</tool_call>', NONE, "no strict JSON"),
    ('<tool_call>{"arguments": {}}</tool_call>', NONE, "no name"),
    ('<tool_call>{"name": "f", "arguments": [1]}</tool_call>', NONE, "arguments that are no object"),
    ("nothing", NONE, "none"),
]


@pytest.mark.parametrize(("text", "calls"), [pytest.param(t, c, id=why) for t, c, why in TEXTS])
def test_calls_in_a_text(text: str, calls: Any) -> None:
    assert outcome(tool_calls, text) == calls


def test_structured_calls_come_first_and_broken_arguments_stay_visible() -> None:
    reply = Reply(
        text='<tool_call>{"name": "other"}</tool_call>',
        tool_calls=(ToolCall(name="f", arguments='{"a": 1}'), ToolCall(name="g", arguments='{"a": ')),
        finish_reason="tool_calls",
    )
    assert tool_calls(reply) == [{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": '{"a": '}]


def test_a_reply_of_tool_calls_holds_no_other_answer_and_is_not_empty() -> None:
    reply = Reply(text="", tool_calls=(ToolCall(name="f", arguments="{}"),), finish_reason="tool_calls")
    assert outcome(number, reply) is Reason.NO_ANSWER


def test_a_call_that_the_limit_cut_is_no_call() -> None:
    reply = Reply(text="", tool_calls=(ToolCall(name="f", arguments='{"a'),), finish_reason="length")
    assert outcome(tool_calls, reply) is Reason.TRUNCATED


@pytest.mark.parametrize(
    ("gold", "is_same"),
    [
        ([{"name": "f", "arguments": {"a": 1}}], True),
        ('{"name": "f", "arguments": {"a": 1.0}}', True),
        ({"function": {"name": "f", "arguments": '{"a": 1}'}}, True),
        ([ToolCall(name="f", arguments='{"a":1}')], True),
        ([{"name": "f", "arguments": {"a": 2}}], False),
        ([{"name": "f", "arguments": {"a": 1}}, {"name": "g"}], False),
    ],
)
def test_calls_are_compared_by_meaning(gold: object, is_same: bool) -> None:
    assert tool_calls.same([{"name": "f", "arguments": {"a": 1}}], gold) is is_same


@pytest.mark.parametrize("gold", [None, [], "", "{", [{"arguments": {}}], 3])
def test_a_gold_answer_that_is_no_call_is_a_fault_of_the_data(gold: object) -> None:
    with pytest.raises(GoldError):
        tool_calls.parse(gold)
