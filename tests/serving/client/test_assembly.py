"""Bodies to replies: what servers really send, and what must come of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_infergate.evidence import Reason, Usage
from tests.scripted import chunk, sse, usage_chunk

from .bodies import STOP, WHOLE, assemble, delivered


def choice(**fields: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, **fields}]}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(sse(chunk("bl"), chunk("ue"), STOP), id="two chunks"),
        pytest.param(
            sse(chunk("", role="assistant"), chunk("blue"), STOP), id="role-only first chunk, empty"
        ),
        pytest.param(
            sse(chunk(role="assistant"), chunk("blue"), STOP), id="role-only first chunk, content absent"
        ),
        pytest.param(
            sse(choice(delta={"role": "assistant", "content": None}), chunk("blue"), STOP),
            id="role-only first chunk, content null",
        ),
        pytest.param(
            sse({"choices": []}, chunk("bl"), {"choices": []}, chunk("ue"), STOP, {"choices": []}),
            id="empty choices first, in the middle and last",
        ),
        pytest.param(sse(chunk("blue"), STOP, done=False), id="no [DONE] after a finish reason"),
        pytest.param(sse(chunk("blue", finish="stop")), id="finish reason on the last text"),
        pytest.param(
            sse(chunk("blue"), choice(delta={}, finish_reason=""), STOP),
            id='finish reason "" before the true one',
        ),
        pytest.param(
            sse(chunk("blue"), STOP, choice(delta={}, finish_reason=None)), id="null after the finish reason"
        ),
        pytest.param(
            sse(chunk("bl"), {**chunk(""), "id": "keepalive"}, chunk("ue"), STOP), id="keep-alive as a chunk"
        ),
        pytest.param(b": ping\n\n" * 3 + sse(chunk("blue"), STOP), id="comments"),
        pytest.param(
            sse(chunk("blue"), STOP).replace(b"\n", b"\r\n").replace(b"data: ", b"data:"),
            id="CRLF, no space after the colon",
        ),
        pytest.param(
            sse(chunk("blue"), STOP).replace(b', "choices"', b',\ndata: "choices"'),
            id="one chunk on two data lines",
        ),
        pytest.param(sse(chunk("blue"), STOP).replace(b"\n\n", b"\n"), id="no empty line between the events"),
        pytest.param(sse(chunk("blue"), STOP)[:-2], id="no line end after [DONE]"),
        pytest.param(
            sse(chunk("blue"), choice(index=1, delta={"content": "red"}), STOP),
            id="of several choices the first",
        ),
        pytest.param(
            sse({"choices": [{"delta": {"content": "blue"}, "finish_reason": "stop"}]}),
            id="choice without index",
        ),
        pytest.param(
            sse({"error": None, **chunk("blue")}, {"error": "", **STOP}), id="an error that is none"
        ),
        pytest.param(
            sse(
                {"choices": [{"index": 0, "text": "bl"}]},
                {"choices": [{"index": 0, "text": "ue", "finish_reason": "stop"}]},
            ),
            id="completion",
        ),
        pytest.param(json.dumps(WHOLE).encode(), id="whole object, not streamed"),
        pytest.param(json.dumps(WHOLE, indent=1).encode(), id="whole object over several lines"),
        pytest.param(sse(WHOLE), id="whole object as one event"),
        pytest.param(
            "\n".join(json.dumps(event) for event in (chunk("bl"), chunk("ue"), STOP)).encode(),
            id="JSON lines",
        ),
        pytest.param(
            sse(choice(delta={"content": [{"type": "text", "text": "blue"}]}), STOP), id="content as parts"
        ),
        pytest.param(
            sse(chunk("blue"), STOP) + sse({"error": "late"}), id="[DONE] is the end, whatever follows"
        ),
        pytest.param(sse({"type": "ping"}, chunk("blue"), STOP), id="an object of another kind"),
        pytest.param(
            sse(chunk("blue"), STOP, done=False) + b'data: {"usage": {"prom', id="torn after the finish"
        ),
    ],
)
def test_a_complete_reply_is_delivered(body: bytes) -> None:
    reply = delivered(body)
    assert (reply.text, reply.reasoning, reply.tool_calls) == ("blue", "", ())
    assert reply.finish_reason == "stop"


@pytest.mark.parametrize(
    ("body", "reason", "detail"),
    [
        pytest.param(
            sse(
                chunk("4"), {"error": {"message": "engine timed out", "type": "GatewayTimeout", "code": 504}}
            ),
            Reason.SERVER_ERROR,
            "error inside HTTP 200 text/event-stream: GatewayTimeout 504: engine timed out",
            id="error object, then [DONE]: [DONE] is no success",
        ),
        pytest.param(
            sse(chunk("4"), STOP, {"error": {"message": "boom"}}),
            Reason.SERVER_ERROR,
            "boom",
            id="error after the finish reason",
        ),
        pytest.param(sse({"error": "boom"}), Reason.SERVER_ERROR, "boom", id="error is a string"),
        pytest.param(
            sse({"error": "boom", "error_type": "generation"}),
            Reason.SERVER_ERROR,
            "generation: boom",
            id="TGI",
        ),
        pytest.param(
            sse({"object": "error", "message": "boom", "type": "T", "code": 500}),
            Reason.SERVER_ERROR,
            "T 500: boom",
            id="flat error",
        ),
        pytest.param(sse({"detail": "boom"}), Reason.SERVER_ERROR, "boom", id="FastAPI's error"),
        pytest.param(
            sse(choice(delta={}, error={"message": "boom"}, finish_reason="error")),
            Reason.SERVER_ERROR,
            "boom",
            id="error inside a choice",
        ),
        pytest.param(
            b'error: {"code":400,"message":"boom","type":"invalid_request_error"}\n\n' + sse(),
            Reason.SERVER_ERROR,
            "invalid_request_error 400: boom",
            id="error field of the stream",
        ),
        pytest.param(b"error: boom\n\n", Reason.SERVER_ERROR, "boom", id="error field that is no JSON"),
        pytest.param(
            b'event: error\ndata: {"message": "boom"}\n\n', Reason.SERVER_ERROR, "boom", id="event: error"
        ),
        pytest.param(b"event: error\ndata: boom\n\n", Reason.SERVER_ERROR, "boom", id="event: error, plain"),
        pytest.param(b'{"error": {"message": "boom"}}', Reason.SERVER_ERROR, "boom", id="plain JSON"),
        pytest.param(
            b'{\n "error": "boom"\n}\n', Reason.SERVER_ERROR, "boom", id="plain JSON on several lines"
        ),
        pytest.param(
            sse(chunk("4"), done=False) + b'{"error": {"message": "boom"}}\n',
            Reason.SERVER_ERROR,
            "boom",
            id="plain JSON after events",
        ),
        pytest.param(
            b'{"error":"Unexpected endpoint or method. (POST /v1/chat/completions)"}',
            Reason.SERVER_ERROR,
            "Unexpected endpoint or method",
            id="200 for an unknown route",
        ),
        pytest.param(
            sse('{"error":"he said "no""}'),
            Reason.SERVER_ERROR,
            'he said "no"',
            id="error that is invalid JSON",
        ),
        pytest.param(
            sse(chunk("4"), '{"choices": [', STOP),
            Reason.SERVER_ERROR,
            "no JSON",
            id="invalid JSON in the middle",
        ),
        pytest.param(
            sse(
                chunk("4"), {"error": {"type": "exceed_context_size_error", "message": "prompt does not fit"}}
            ),
            Reason.CONTEXT_LIMIT,
            "prompt does not fit",
            id="context limit inside a stream",
        ),
        pytest.param(
            sse({"error": {"code": "content_filter", "message": "no"}}), Reason.REFUSED, "no", id="filtered"
        ),
        pytest.param(
            sse({"error": {"code": 429, "message": "slow down"}}),
            Reason.RATE_LIMITED,
            "slow down",
            id="429 inside",
        ),
        pytest.param(b'{"models": []}', Reason.SERVER_ERROR, '"models"', id="JSON that is no reply"),
        pytest.param(b"[1, 2]", Reason.SERVER_ERROR, "[1, 2]", id="JSON that is no object"),
        pytest.param(b"", Reason.BROKEN_STREAM, "before the first token", id="empty body"),
        pytest.param(b": ping\n\n", Reason.BROKEN_STREAM, "before the first token", id="only comments"),
        pytest.param(sse(), Reason.BROKEN_STREAM, "without a finish reason", id="bare [DONE]"),
        pytest.param(
            sse(chunk("4")),
            Reason.BROKEN_STREAM,
            "without a finish reason",
            id="[DONE] without a finish reason",
        ),
        pytest.param(
            sse(chunk("4"), choice(delta={}, finish_reason="")),
            Reason.BROKEN_STREAM,
            "without a finish reason",
            id='finish reason ""',
        ),
        pytest.param(sse(chunk("4"), done=False), Reason.BROKEN_STREAM, "without a finish reason", id="cut"),
        pytest.param(
            sse(chunk("4"), done=False) + b'data: {"choices": [{"delta": {"con',
            Reason.BROKEN_STREAM,
            "inside an event",
            id="cut within an event",
        ),
        pytest.param(
            json.dumps(WHOLE).encode()[:-9], Reason.BROKEN_STREAM, "inside an event", id="whole object, cut"
        ),
        pytest.param(sse(chunk("4"), chunk(finish="abort")), Reason.BROKEN_STREAM, "'abort'", id="aborted"),
        pytest.param(sse(chunk("4"), chunk(finish="length")), Reason.TRUNCATED, "'length'", id="limit"),
        pytest.param(sse(chunk(""), STOP), Reason.EMPTY_REPLY, "no text", id="empty text"),
        pytest.param(sse(chunk(" \n"), STOP), Reason.EMPTY_REPLY, "no text", id="only white space"),
        pytest.param(
            sse(chunk(reasoning="hm"), STOP), Reason.EMPTY_REPLY, "only reasoning", id="only reasoning"
        ),
        pytest.param(
            sse(chunk("<think>hm"), STOP),
            Reason.EMPTY_REPLY,
            "only reasoning",
            id="open reasoning in the text",
        ),
        pytest.param(
            sse(chunk("4"), chunk(finish="content_filter")),
            Reason.REFUSED,
            "content_filter",
            id="content filter",
        ),
        pytest.param(sse(chunk(refusal="I cannot"), STOP), Reason.REFUSED, "I cannot", id="refusal"),
    ],
)
def test_what_is_no_usable_reply_says_why(body: bytes, reason: Reason, detail: str) -> None:
    came = assemble(body)
    assert came.error is not None
    assert came.error.reason is reason
    assert detail in came.error.detail
    assert "\n" not in came.error.detail
    if came.reply is not None:
        assert "boom" not in came.reply.text


def test_a_page_of_a_gateway_is_named_with_its_status_and_type() -> None:
    page = b"<!doctype html>\n<h1>Sign in</h1>\n"
    came = assemble(page, content_type="text/html; charset=utf-8")
    assert came.reply is None
    assert came.error is not None
    assert came.error.reason is Reason.SERVER_ERROR
    assert came.error.detail == (
        "a body that is no reply in HTTP 200 text/html; charset=utf-8: <!doctype html>\\n<h1>Sign in</h1>"
    )


def test_a_partial_reply_is_kept_beside_its_error() -> None:
    came = assemble(sse(chunk("Answer: 1"), chunk("2"), done=False))
    assert came.error is not None
    assert came.reply is not None
    assert (came.reply.text, came.reply.finish_reason) == ("Answer: 12", None)


@pytest.mark.parametrize(
    ("deltas", "reasoning", "text"),
    [
        pytest.param([{"reasoning": "a"}, {"reasoning": "b"}, {"content": "7"}], "ab", "7", id="reasoning"),
        pytest.param([{"reasoning_content": "a"}, {"content": "7"}], "a", "7", id="reasoning_content"),
        pytest.param([{"thinking": "a"}, {"content": "7"}], "a", "7", id="thinking"),
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
