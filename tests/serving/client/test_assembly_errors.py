"""Bodies that are no usable reply: the reason says why, and error text is never a reply."""

from __future__ import annotations

import json

import pytest

from pytest_infergate.evidence import Reason
from tests.scripted import chunk, sse

from .bodies import STOP, WHOLE, assemble, choice


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
            sse({"error": True, "message": "boom"}),
            Reason.SERVER_ERROR,
            "boom",
            id="error true, text beside it",
        ),
        pytest.param(
            sse({"errors": [{"message": "boom"}]}), Reason.SERVER_ERROR, "boom", id="a list of errors"
        ),
        pytest.param(
            b'{"choices": null, "base_resp": {"status_code": 1004, "status_msg": "boom"}}',
            Reason.SERVER_ERROR,
            "boom",
            id="an error of a kind of its own, choices null",
        ),
        pytest.param(
            sse(
                chunk("4"),
                {
                    **choice(delta={"content": ""}, finish_reason="error"),
                    "error": {"code": 502, "message": "boom"},
                },
            ),
            Reason.SERVER_ERROR,
            "502: boom",
            id="error beside a choice",
        ),
        pytest.param(
            b'event: response.failed\ndata: {"message": "boom"}\n\n',
            Reason.SERVER_ERROR,
            "boom",
            id="an error event of another name",
        ),
        pytest.param(
            sse(chunk("4"), done=False) + b"<html>boom</html>",
            Reason.SERVER_ERROR,
            "<html>",
            id="a page after events",
        ),
        pytest.param(b'"boom"', Reason.SERVER_ERROR, "boom", id="JSON that is a text"),
        pytest.param(
            b'{"choices": []}', Reason.BROKEN_STREAM, "before the first token", id="no choice at all"
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
        pytest.param(
            sse(chunk("4"), chunk(finish="MAX_TOKENS")), Reason.TRUNCATED, "'max_tokens'", id="limit, shouted"
        ),
        pytest.param(
            sse(chunk("4"), STOP, chunk(finish="length")),
            Reason.TRUNCATED,
            "'length'",
            id="the last finish reason counts",
        ),
        pytest.param(
            sse(chunk(reasoning="4"), chunk(finish="length")),
            Reason.TRUNCATED,
            "'length'",
            id="limit within the reasoning",
        ),
        pytest.param(
            sse(chunk("4"), chunk(finish="insufficient_system_resource")),
            Reason.BROKEN_STREAM,
            "'insufficient_system_resource'",
            id="a finish reason of the server's trouble",
        ),
        pytest.param(
            sse(chunk("4"), choice(delta={}, finish_reason={"type": "stop"})),
            Reason.BROKEN_STREAM,
            "without a finish reason",
            id="a finish reason that is no text",
        ),
        pytest.param(
            json.dumps({"choices": [{"message": {"content": None}, "finish_reason": "stop"}]}).encode(),
            Reason.EMPTY_REPLY,
            "no text",
            id="whole object, content null",
        ),
        pytest.param(
            json.dumps({"choices": [{"message": None, "finish_reason": "stop"}]}).encode(),
            Reason.EMPTY_REPLY,
            "no text",
            id="whole object, message null",
        ),
        pytest.param(
            json.dumps({"choices": [{"message": {"content": "4"}, "finish_reason": None}]}).encode(),
            Reason.BROKEN_STREAM,
            "without a finish reason",
            id="whole object, no finish reason",
        ),
        pytest.param(
            sse(chunk(""), chunk(finish="tool_calls")),
            Reason.EMPTY_REPLY,
            "no text",
            id="tool calls, but none",
        ),
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
