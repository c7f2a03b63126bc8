"""Bodies of replies, and what the pure part of the client makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pytest_infergate.evidence import Reply
from pytest_infergate.serving.assembly import AssembledReply, ReplyAssembly
from tests.scripted import chunk

STOP = chunk(finish="stop")

#: A reply that was not streamed.
WHOLE = {
    "object": "chat.completion",
    "model": "m",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "blue"}, "finish_reason": "stop"},
    ],
    "usage": {"prompt_tokens": 4, "completion_tokens": 1},
}


def choice(**fields: Any) -> dict[str, Any]:
    """Return a chunk with one choice of these fields."""
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, **fields}]}


def assemble(body: bytes, *, content_type: str = "text/event-stream") -> AssembledReply:
    """Return what comes of a body that arrives in one read at time 0 and ends at time 9."""
    return assemble_reads([body], content_type=content_type)


def assemble_reads(reads: Iterable[bytes], *, content_type: str = "text/event-stream") -> AssembledReply:
    """Return what comes of reads that arrive at times 0, 1, 2 …"""
    assembly = ReplyAssembly(content_type=content_type)
    at = 0
    for at, data in enumerate(reads):
        assembly.feed(data, float(at))
    return assembly.finish(at + 9.0)


def delivered(body: bytes) -> Reply:
    """Return the reply of a body that must deliver."""
    came = assemble(body)
    assert came.error is None, came.error
    assert came.reply is not None
    return came.reply
