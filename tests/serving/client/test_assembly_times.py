"""When each phase of a reply happened, by the times that its bytes came."""

from __future__ import annotations

import json

from tests.scripted import chunk, sse, usage_chunk

from .bodies import STOP, WHOLE, assemble, assemble_reads


def test_the_first_token_is_of_any_channel_the_first_content_of_the_answer() -> None:
    reads = [sse(chunk("", role="assistant"), done=False), sse(chunk(reasoning="hm"), done=False)]
    reads += [sse(chunk("4"), done=False), sse(chunk("2"), done=False), sse(STOP, usage_chunk(1, 3))]
    came = assemble_reads(reads)
    assert (came.first_token, came.first_content, came.last_token) == (1.0, 2.0, 3.0)


def test_content_begins_after_reasoning_that_is_written_into_the_text() -> None:
    pieces = ["<think>", "4", "</think>", "\n\n", "4", "2"]
    came = assemble_reads([*(sse(chunk(piece), done=False) for piece in pieces), sse(STOP)])
    assert (came.first_token, came.first_content, came.last_token) == (0.0, 4.0, 5.0)


def test_a_tool_call_belongs_to_the_answer() -> None:
    call = chunk(tool_calls=[{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}])
    came = assemble_reads([sse(chunk(reasoning="hm"), done=False), sse(call, chunk(finish="tool_calls"))])
    assert (came.first_token, came.first_content) == (0.0, 1.0)


def test_a_reply_that_was_not_streamed_has_no_first_token_to_be_seen() -> None:
    came = assemble(json.dumps(WHOLE).encode())
    assert came.reply is not None
    assert (came.first_token, came.first_content, came.last_token) == (None, None, None)
