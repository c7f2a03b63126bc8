"""Reasoning, usage and identity beside the text, wherever a server puts them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import Usage
from tests.scripted import chunk, sse, usage_chunk

from .bodies import STOP, choice, delivered


@pytest.mark.parametrize(
    ("deltas", "reasoning", "text"),
    [
        pytest.param([{"reasoning": "a"}, {"reasoning": "b"}, {"content": "7"}], "ab", "7", id="reasoning"),
        pytest.param([{"reasoning_content": "a"}, {"content": "7"}], "a", "7", id="reasoning_content"),
        pytest.param([{"thinking": "a"}, {"content": "7"}], "a", "7", id="thinking"),
        pytest.param([{"reasoning_text": "a"}, {"content": "7"}], "a", "7", id="reasoning_text"),
        pytest.param([{"reasoning": {"content": "a"}}, {"content": "7"}], "a", "7", id="an object"),
        pytest.param(
            [
                {"content": "", "reasoning_details": [{"type": "reasoning.text", "text": "a"}]},
                {"content": "7"},
            ],
            "a",
            "7",
            id="reasoning_details alone",
        ),
        pytest.param(
            [
                {"reasoning": "a", "reasoning_details": [{"type": "reasoning.text", "text": "a"}]},
                {"content": "7"},
            ],
            "a",
            "7",
            id="reasoning_details beside reasoning",
        ),
        pytest.param(
            [{"content": [{"type": "reasoning", "text": "a"}, {"type": "text", "text": "7"}]}],
            "a",
            "7",
            id="a part of the type reasoning",
        ),
        pytest.param(
            [{"reasoning": "a", "reasoning_content": "a"}, {"content": "7"}],
            "a",
            "7",
            id="two names, said once",
        ),
        pytest.param(
            [{"reasoning": None, "reasoning_content": "a"}, {"reasoning_content": None, "content": "7"}],
            "a",
            "7",
            id="null under the other name",
        ),
        pytest.param([{"reasoning": "a", "content": "7"}], "a", "7", id="both in one delta"),
        pytest.param([{"content": "<think>a</think>\n\n7"}], "a", "7", id="tags in the text"),
        pytest.param(
            [{"content": "<th"}, {"content": "ink>a</thi"}, {"content": "nk>7"}], "a", "7", id="tags cut"
        ),
        pytest.param([{"content": "a</think>7"}], "a", "7", id="opened by the template"),
        pytest.param([{"reasoning_content": "a"}, {"content": "</think>\n\n7"}], "a", "7", id="budget cut"),
        pytest.param([{"reasoning": "a"}, {"content": "<think>b</think>7"}], "a\n\nb", "7", id="both ways"),
        pytest.param(
            [
                {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "a"}]}]},
                {"content": "7"},
            ],
            "a",
            "7",
            id="thinking parts",
        ),
        pytest.param([{"content": "7 <think>a</think>"}], "", "7 <think>a</think>", id="a tag later is text"),
    ],
)
def test_reasoning_is_kept_apart_from_the_answer(
    deltas: list[dict[str, Any]], reasoning: str, text: str
) -> None:
    reply = delivered(sse(*(choice(delta=delta) for delta in deltas), STOP))
    assert (reply.reasoning, reply.text) == (reasoning, text)


@pytest.mark.parametrize(
    ("body", "usage"),
    [
        pytest.param(sse(chunk("a"), STOP), None, id="none is unknown"),
        pytest.param(sse(chunk("a"), STOP, usage_chunk(9, 2)), (9, 2), id="after the finish reason"),
        pytest.param(sse({**chunk("a"), "usage": None}, STOP, usage_chunk(9, 2)), (9, 2), id="null before"),
        pytest.param(
            sse(
                *({**chunk("a"), "usage": {"prompt_tokens": 9, "completion_tokens": n}} for n in (1, 2)), STOP
            ),
            (9, 2),
            id="running totals are not summed",
        ),
        pytest.param(
            sse(chunk("a"), {**STOP, "usage": {"prompt_tokens": 9, "completion_tokens": 2}}),
            (9, 2),
            id="on the chunk with the finish reason",
        ),
        pytest.param(
            sse(
                chunk("a"),
                STOP,
                {"object": "chat.completion", "usage": {"prompt_tokens": 9, "completion_tokens": 2}},
            ),
            (9, 2),
            id="on an object without choices",
        ),
        pytest.param(
            sse(
                chunk("a"),
                choice(delta={}, finish_reason="stop", usage={"prompt_tokens": 9, "completion_tokens": 2}),
            ),
            (9, 2),
            id="inside the choice",
        ),
        pytest.param(
            sse(chunk("a"), {**STOP, "usage": {"prompt_tokens": 9.0, "completion_tokens": 2.0}}),
            (9, 2),
            id="9.0 is the number 9",
        ),
        pytest.param(
            sse(usage_chunk(0, 0), chunk("a"), STOP, usage_chunk(9, 2), {"choices": [], "usage": {}}),
            (9, 2),
            id="zeros before, nothing after",
        ),
        pytest.param(
            sse(chunk("a"), {**STOP, "usage": {"prompt_tokens": -1, "completion_tokens": 2}}),
            (None, 2),
            id="a negative number is unknown",
        ),
        pytest.param(
            sse(chunk("a"), {**STOP, "usage": {"prompt_tokens": "9", "completion_tokens": 2}}),
            (None, 2),
            id="what is no number is unknown",
        ),
    ],
)
def test_usage_is_found_wherever_it_is(body: bytes, usage: tuple[int | None, int] | None) -> None:
    expected = usage and Usage(prompt_tokens=usage[0], completion_tokens=usage[1])
    assert delivered(body).usage == expected


def test_usage_details_are_unknown_unless_told() -> None:
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": None,
    }
    told = delivered(sse(chunk("a"), {**STOP, "usage": usage})).usage
    assert told == Usage(prompt_tokens=9, completion_tokens=4, cached_tokens=0, reasoning_tokens=None)


def test_model_and_fingerprint_are_those_of_what_carried_the_reply() -> None:
    keep_alive = {**chunk(""), "model": "keepalive"}
    reply = delivered(
        sse(keep_alive, {**chunk("a"), "model": "m-1"}, {**STOP, "model": "", "system_fingerprint": "fp"})
    )
    assert (reply.served_model, reply.fingerprint) == ("m-1", "fp")
