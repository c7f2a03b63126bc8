"""What a reply delivers, by what the server said of it and never by its text."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import Reason, Reply, ToolCall


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"text": "42"}, None),
        ({"text": "42", "finish_reason": "eos_token"}, None),  # TGI
        ({"text": "42", "finish_reason": "end_turn"}, None),  # Anthropic-shaped gateways
        (
            {"text": "", "tool_calls": (ToolCall(name="f", arguments="{}"),), "finish_reason": "tool_calls"},
            None,
        ),
        ({"text": "I'm sorry, I can't help with that."}, None),  # a refusal is never guessed from text
        ({"text": ""}, Reason.EMPTY_REPLY),
        ({"text": " \n\t"}, Reason.EMPTY_REPLY),
        ({"text": "", "reasoning": "so it is 42"}, Reason.EMPTY_REPLY),  # thinking is not an answer
        ({"text": "The answer is", "finish_reason": "length"}, Reason.TRUNCATED),
        ({"text": "", "finish_reason": "length"}, Reason.TRUNCATED),  # the limit is why it is empty
        ({"text": "x", "finish_reason": "max_tokens"}, Reason.TRUNCATED),
        ({"text": "x", "finish_reason": "repetition"}, Reason.TRUNCATED),  # vLLM ended a loop
        ({"text": "", "finish_reason": "content_filter"}, Reason.REFUSED),
        ({"text": "", "refusal": "I will not."}, Reason.REFUSED),
        ({"text": "x", "finish_reason": None}, Reason.BROKEN_STREAM),
        ({"text": "x", "finish_reason": ""}, Reason.BROKEN_STREAM),
        ({"text": "x", "finish_reason": "error"}, Reason.BROKEN_STREAM),  # unknown words are not a proper end
        ({"text": "x", "finish_reason": "abort"}, Reason.BROKEN_STREAM),
    ],
)
def test_what_is_missing_of_a_reply(fields: dict[str, Any], reason: Reason | None) -> None:
    missing = Reply(**fields).missing
    assert (missing and missing.reason) == reason


@pytest.mark.parametrize(
    ("arguments", "parsed"),
    [
        ('{"city": "Rome"}', {"city": "Rome"}),
        ("", {}),  # some servers send nothing for a call without arguments
        ("[1]", None),
        ("{'city': 'Rome'}", None),
        ('{"city": "Ro', None),
        ('{"x": NaN}', None),
        ("[" * 100_000, None),
    ],
)
def test_arguments_of_a_tool_call_are_a_json_object_or_nothing(arguments: str, parsed: object) -> None:
    assert ToolCall(name="f", arguments=arguments).parsed == parsed


def test_a_reply_reads_as_its_text() -> None:
    assert f"{Reply(text='42')}" == "42"


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        (Reply(text="42"), "Reply(text='42', finish_reason='stop')"),
        (Reply(text="", finish_reason=None), "Reply(text='', finish_reason=None)"),
        (
            Reply(text="42", reasoning="6 * 7", messages=({"role": "user", "content": "?"},)),
            "Reply(text='42', reasoning='6 * 7', finish_reason='stop')",
        ),
        (Reply(text="x" * 10_000), f"Reply(text='{'x' * 117} …, finish_reason='stop')"),
    ],
)
def test_a_failed_assertion_shows_what_a_reply_holds_without_flooding_the_screen(
    reply: Reply, shown: str
) -> None:
    assert repr(reply) == shown
