"""The bytes of a streamed reply, as servers write them and networks cut them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from ..evidence import Reply, Usage

_KEEP_ALIVES = (": keep-alive", ":", "event: ping\ndata: {}", "")


@st.composite
def streams(
    draw: st.DrawFn, reply: Reply | st.SearchStrategy[Reply], *, is_chat: bool = True
) -> tuple[bytes, ...]:
    """Return a strategy of the reads in which the body of ``reply`` comes; joined they are the body.

    Server-sent events of ``/v1/chat/completions`` (``is_chat``) or ``/v1/completions``, which has no
    reasoning and no tool calls. A chunk holds a part of a token or several; lines end in LF, CRLF or CR;
    keep-alives stand between events; reads end anywhere, also inside a character. A reply without a
    finish reason ends without one.
    """
    said = reply if isinstance(reply, Reply) else draw(reply)
    deltas = list(_chat_deltas(draw, said) if is_chat else _completion_deltas(draw, said))
    common = {"id": "chunk-1", "created": 1, "model": said.served_model or "model"}
    if said.fingerprint:
        common["system_fingerprint"] = said.fingerprint
    chunks: list[dict[str, Any]] = [{**common, "choices": [{"index": 0, **delta}]} for delta in deltas]
    if said.usage is not None:
        chunks.append({**common, "choices": [], "usage": _usage(said.usage)})
    is_ascii, space = draw(st.booleans()), draw(st.sampled_from(["data: ", "data:"]))
    events = [space + json.dumps(chunk, ensure_ascii=is_ascii) for chunk in chunks]
    if said.finish_reason is not None:
        events.append(f"{space}[DONE]")
    body = _framed(draw, events)
    return _cut(draw, body)


def _chat_deltas(draw: st.DrawFn, reply: Reply) -> Iterator[dict[str, Any]]:
    yield {"delta": {"role": "assistant", "content": ""}, "finish_reason": None}
    name = draw(st.sampled_from(["reasoning_content", "reasoning"]))
    fields: list[dict[str, Any]] = [{name: piece} for piece in _pieces(draw, reply.reasoning)]
    fields += [{"content": piece} for piece in _pieces(draw, reply.text)]
    fields += [{"refusal": piece} for piece in _pieces(draw, reply.refusal or "")]
    for index, call in enumerate(reply.tool_calls):
        begin = {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        fields.append({"tool_calls": [{"index": index, **begin}]})
        for piece in _pieces(draw, call.arguments):
            fields.append({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield from ({"delta": field, "finish_reason": None} for field in fields)
    if reply.finish_reason is not None:
        yield {"delta": {}, "finish_reason": reply.finish_reason}


def _completion_deltas(draw: st.DrawFn, reply: Reply) -> Iterator[dict[str, Any]]:
    yield from ({"text": piece, "finish_reason": None} for piece in _pieces(draw, reply.text))
    if reply.finish_reason is not None:
        yield {"text": "", "finish_reason": reply.finish_reason}


def _pieces(draw: st.DrawFn, text: str) -> list[str]:
    return list(_parts(text, draw(_cuts(len(text), 8))))


def _framed(draw: st.DrawFn, events: list[str]) -> bytes:
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    alive = draw(st.lists(st.integers(0, len(events)), max_size=3))
    lines: list[str] = []
    for number, event in enumerate(events):
        for _ in range(alive.count(number)):
            lines += [*draw(st.sampled_from(_KEEP_ALIVES)).split("\n"), ""]
        lines += [event, ""]
    return "".join(line + end for line in lines).encode("utf-8")


def _cut(draw: st.DrawFn, body: bytes) -> tuple[bytes, ...]:
    if draw(st.integers(0, 9)) == 0:
        return tuple(body[at : at + 1] for at in range(len(body)))
    return tuple(_parts(body, draw(_cuts(len(body), 12))))


def _cuts(length: int, most: int) -> st.SearchStrategy[list[int]]:
    if length < 2:
        return st.just([])
    return st.lists(st.integers(1, length - 1), unique=True, max_size=most).map(sorted)


def _parts(whole: Any, cuts: list[int]) -> Iterator[Any]:
    ends = [*cuts, len(whole)]
    yield from (whole[start:end] for start, end in zip([0, *cuts], ends, strict=True) if end > start)


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }
