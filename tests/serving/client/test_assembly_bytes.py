"""What must hold for any bytes: cuts change nothing, nothing raises, text survives."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_infergate.evidence import Reason
from pytest_infergate.serving.assembly import ReplyAssembly
from tests.scripted import chunk, reply_stream, sse, usage_chunk

from .bodies import STOP, WHOLE, assemble, assemble_reads, delivered


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        pytest.param([b'"\xe6\x9d"', b'"\xb1"'], "東", id="a UTF-8 character cut between two events"),
        pytest.param([b'"\xf0\x9f"', b'"\x9a"', b'"\xb2"'], "🚲", id="between three"),
        pytest.param([rb'"\ud83d"', rb'"\udeb2"'], "🚲", id="a surrogate pair cut between two events"),
        pytest.param(
            [rb'"\ud83d"', rb'"\udc80"'], "💀", id="a pair whose second half looks like a stray byte"
        ),
        pytest.param([rb'"a\ud83db"'], "a\ud83db", id="half a pair stays as it is"),
        pytest.param([b'"a\xe6"', b'"b"'], "a\ufffdb", id="a byte that stays alone is replaced"),
        pytest.param(
            ['"a\u2028b\u0085c\x0bd\x0ce\x1cf"'.encode()],
            "a\u2028b\u0085c\x0bd\x0ce\x1cf",
            id="line ends of Unicode",
        ),
        pytest.param([rb'"\u0000\u001b"'], "\x00\x1b", id="control characters"),
    ],
)
def test_text_survives_byte_for_byte(pieces: list[bytes], text: str) -> None:
    body = b"".join(b'data: {"choices":[{"index":0,"delta":{"content":%b}}]}\n\n' % piece for piece in pieces)
    assert delivered(body + sse(STOP)).text == text


TOOL_STREAM = sse(
    chunk(reasoning="hm 🚲"),
    chunk(tool_calls=[{"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x"'}}]),
    chunk(tool_calls=[{"index": 0, "function": {"arguments": ': "東"}'}}]),
    chunk(finish="tool_calls"),
    usage_chunk(3, 4),
)
BODIES = st.sampled_from(
    [
        reply_stream("ñandú 東京 🚲 blue\u2028 é"),
        reply_stream("ñandú 東京").replace(b"\n", b"\r\n"),
        reply_stream("red", is_chat=False).replace(b"\n", b"\r"),
        b"\xef\xbb\xbf: ping\n\n" + TOOL_STREAM,
        sse(chunk("4"), {"error": {"message": "engine timed out ñ", "code": 504}}),
        b'error: {"message": "no"}\n\n' + sse(),
        json.dumps(WHOLE, indent=2, ensure_ascii=False).encode(),
        b"<!doctype html>\r\n<h1>Sign in \xff</h1>",
        sse(chunk("4"), done=False) + b'data: {"choices',
        sse(chunk("<think>hm</think>"), chunk("4"), STOP),
    ]
)


@given(body=BODIES, data=st.data())
def test_any_cut_of_the_bytes_gives_the_same_reply(body: bytes, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(body)), max_size=10).map(sorted))
    edges = [0, *cuts, len(body)]
    whole = assemble(body)
    for reads in (
        [body[a:b] for a, b in pairwise(edges)],
        [body[i : i + 1] for i in range(len(body))],
    ):
        came = assemble_reads(reads)
        assert (came.reply, came.error, came.is_done) == (whole.reply, whole.error, whole.is_done)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "delta",
                    "message",
                    "content",
                    "text",
                    "error",
                    "usage",
                    "tool_calls",
                    "index",
                    "function",
                    "name",
                    "arguments",
                    "id",
                    "finish_reason",
                    "reasoning",
                    "code",
                    "type",
                    "function_call",
                    "refusal",
                    "model",
                    "prompt_tokens_details",
                    "thinking",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(events=st.lists(JSON, max_size=4))
@example(
    events=[{"choices": [{"delta": {"tool_calls": [{"index": [], "id": {}, "function": {"name": 3}}]}}]}]
)
@example(events=[{"choices": [{"index": {}, "delta": {"content": {}, "reasoning": []}}], "usage": [1]}])
def test_nothing_that_a_server_writes_raises(events: list[Any]) -> None:
    came = assemble(sse(*events, done=False))
    assert came.error is not None or came.reply is not None


@given(body=st.binary(max_size=200))
def test_no_bytes_raise_or_deliver(body: bytes) -> None:
    came = assemble(body)
    assert came.error is not None


def test_deep_nesting_is_an_error_and_no_recursion() -> None:
    came = assemble(b"data: " + b"[" * 100_000 + b"\n\n")
    assert came.error is not None
    assert came.error.reason is Reason.SERVER_ERROR


def test_the_work_grows_with_the_bytes() -> None:
    """A line of a million bytes in reads of one byte each must not be joined again at every read."""
    assembly = ReplyAssembly()
    body = sse(chunk("a" * 1_000_000), STOP)
    for i in range(0, len(body), 1):
        assembly.feed(body[i : i + 1], 0.0)
    came = assembly.finish(1.0)
    assert came.reply is not None
    assert len(came.reply.text) == 1_000_000
