"""Bodies to replies: what servers really send, and what must come of it."""

from __future__ import annotations

import json

import pytest

from tests.scripted import chunk, sse

from .bodies import STOP, WHOLE, assemble, choice, delivered


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
        pytest.param(b"data: \n\ndata:\n\n" + sse(chunk("blue"), STOP), id="events without data"),
        pytest.param(
            sse(chunk("bl"), "null", {}, [], chunk("ue"), STOP), id="null, {} and [] between the chunks"
        ),
        pytest.param(
            b"event: ping\ndata: ping\n\nevent: heartbeat\ndata: 12:00\n\n" + sse(chunk("blue"), STOP),
            id="keep-alives as events of their own",
        ),
        pytest.param(
            sse(chunk("blue"), STOP).replace(b"data: ", b"data: data: "), id="framed twice by a gateway"
        ),
        pytest.param(
            b"event: message\nid: 7\nretry: 3000\n" + sse(chunk("blue"), STOP), id="every field of an event"
        ),
        pytest.param(
            sse(chunk("bl"), done=False).replace(b"\n", b"\r\n") + sse(chunk("ue"), STOP),
            id="mixed line ends",
        ),
        pytest.param(sse(chunk("blue"), STOP, done=False) + b"[DONE]\n", id="[DONE] outside an event"),
        pytest.param(sse(chunk("blue"), STOP, "[done]", done=False), id="[done] in lower case"),
        pytest.param(sse(chunk("blue"), STOP, '"[DONE]"', done=False), id="[DONE] as a JSON text"),
        pytest.param(sse(chunk("blue"), STOP, done=False) + b"data: [DO", id="[DONE] torn"),
        pytest.param(
            sse(chunk("blue"), {"choices": [{"index": 0, "finish_reason": "stop"}]}),
            id="a finish without delta",
        ),
        pytest.param(
            sse(chunk("blue"), choice(delta=None, message=None, finish_reason="stop")), id="delta null"
        ),
        pytest.param(
            sse({"choices": [], "prompt_filter_results": []}, chunk("blue"), STOP), id="Azure's first chunk"
        ),
        pytest.param(
            sse({"choices": [{"index": "0", "delta": {"content": "blue"}, "finish_reason": "stop"}]}),
            id="an index as text",
        ),
        pytest.param(
            sse(chunk("bl"), chunk("ue"), choice(message={"content": "blue"}, finish_reason="stop")),
            id="the whole message again at the end",
        ),
        pytest.param(sse(chunk("blue"), chunk(finish="STOP")), id="a finish reason in capitals"),
        pytest.param(
            sse(chunk("bl", finish="stop"), chunk("ue", finish="stop")), id="a finish on every chunk"
        ),
        pytest.param(sse(choice(delta={"content": ["bl", "ue"]}), STOP), id="content as a list of texts"),
        pytest.param(
            sse(choice(delta={"content": {"type": "text", "text": "blue"}}), STOP), id="content as one part"
        ),
        pytest.param(
            sse(choice(delta={"content": [{"type": "text", "text": {"value": "blue"}}]}), STOP),
            id="content as a part with a value",
        ),
        pytest.param(
            sse({**chunk("blue"), "error": {"code": 0, "message": "", "type": None}}, STOP),
            id="an error with nothing in it",
        ),
        pytest.param(b"\n\n " + json.dumps(WHOLE).encode() + b"\n\n", id="whole object, space around it"),
        pytest.param(b"\xef\xbb\xbf" + json.dumps(WHOLE).encode(), id="whole object after a BOM"),
        pytest.param(
            sse('{"choices": [{"delta": {"content": "blue"}, "logprobs": NaN, "finish_reason": "stop"}]}'),
            id="NaN beside the text",
        ),
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
    ("reasons", "kept"),
    [
        (["length", "stop"], "length"),
        (["content_filter", "stop"], "content_filter"),
        (["stop", "length"], "length"),
        (["stop", "stop"], "stop"),
        (["stop", "tool_calls"], "tool_calls"),
    ],
)
def test_of_two_finish_reasons_the_one_that_says_more_is_kept(reasons: list[str], kept: str) -> None:
    came = assemble(sse(chunk("blue"), *(chunk(None, finish=reason) for reason in reasons)))
    assert came.reply is not None
    assert came.reply.finish_reason == kept
