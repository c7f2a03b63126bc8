"""Requests: what is sent, what is recorded, what decides the digest."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import InfergateError, Reason, digest
from pytest_infergate.serving import Request

PNG = b"\x89PNG" + bytes(range(200))
B64 = base64.b64encode(PNG).decode()


def chat(*content: Any, **fields: Any) -> Request:
    return Request(
        endpoint="chat", content=tuple({"role": "user", "content": part} for part in content), **fields
    )


def picture(url: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": "what is it?"}, {"type": "image_url", "image_url": url}]


def test_the_body_asks_for_a_stream_with_usage_and_sends_only_what_was_given() -> None:
    request = chat("hi", sampling={"max_tokens": 5, "top_k": 3}, tools=({"type": "function"},))
    assert json.loads(request.body("m")) == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [{"type": "function"}],
        "max_tokens": 5,
        "top_k": 3,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert json.loads(Request(endpoint="completion", content="hi").body("m")) == {
        "model": "m",
        "prompt": "hi",
        "stream": True,
        "stream_options": {"include_usage": True},
    }


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_arrives_as_it_is_in_a_body_of_ascii(text: str) -> None:
    body = chat(text).body("m")
    assert body.isascii()
    assert json.loads(body)["messages"][0]["content"] == text


def test_the_digest_is_that_of_the_recorded_form() -> None:
    request = chat(picture({"url": f"data:image/png;base64,{B64}"}), sampling={"seed": 1})
    assert request.digest == digest(request.as_json())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(chat("hi"), chat("ho"), id="text"),
        pytest.param(chat("hi"), chat("hi", sampling={"seed": 1}), id="sampling"),
        pytest.param(
            chat("hi", sampling={"seed": 1}), chat("hi", sampling={"seed": 2}), id="a sampling value"
        ),
        pytest.param(chat("hi"), chat("hi", tools=()), id="tools"),
        pytest.param(chat("hi"), Request(endpoint="completion", content="hi"), id="endpoint"),
        pytest.param(
            chat(picture({"url": "data:image/png;base64,AAAA"})),
            chat(picture({"url": "data:image/png;base64,AAAB"})),
            id="bytes of a picture",
        ),
        pytest.param(
            chat(picture({"url": "https://a.test/1.png"})),
            chat(picture({"url": "https://a.test/2.png"})),
            id="a link",
        ),
    ],
)
def test_what_decides_the_reply_changes_the_digest(one: Request, other: Request) -> None:
    assert one.digest != other.digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            chat("hi"), chat("hi", allow=frozenset({Reason.TRUNCATED})), id="what the caller allows"
        ),
        pytest.param(
            chat("hi", sampling={"a": 1, "b": 2}),
            chat("hi", sampling={"b": 2, "a": 1}),
            id="order of the fields",
        ),
        pytest.param(
            chat(picture({"url": f"data:image/png;base64,{B64}"})),
            chat(picture({"url": f"DATA:image/PNG;charset=x;Base64,{B64[:40]}\n{B64[40:]}"})),
            id="the same bytes spelt otherwise",
        ),
    ],
)
def test_what_does_not_decide_the_reply_leaves_the_digest(one: Request, other: Request) -> None:
    assert one.digest == other.digest


@pytest.mark.parametrize(
    ("part", "where", "media_type"),
    [
        pytest.param(
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{B64}", "detail": "low"}},
            ("image_url", "url"),
            "image/png",
            id="picture",
        ),
        pytest.param(
            {"type": "image_url", "image_url": f"data:image/png;base64,{B64}"},
            ("image_url",),
            "image/png",
            id="bare",
        ),
        pytest.param(
            {"type": "input_audio", "input_audio": {"data": B64, "format": "wav"}},
            ("input_audio", "data"),
            "audio/wav",
            id="audio",
        ),
        pytest.param(
            {"type": "video_url", "video_url": {"url": f"data:video/mp4;base64,{B64}"}},
            ("video_url", "url"),
            "video/mp4",
            id="video",
        ),
        pytest.param(
            {"type": "input_video", "input_video": {"data": B64}},
            ("input_video", "data"),
            "video/*",
            id="video data",
        ),
    ],
)
def test_media_are_recorded_by_digest_size_and_type(
    part: Any, where: tuple[str, ...], media_type: str
) -> None:
    request = chat([part])
    recorded = request.as_json()["messages"][0]["content"][0]
    for key in where:
        recorded = recorded[key]
    assert recorded == {
        "sha256": hashlib.sha256(PNG).hexdigest(),
        "bytes": len(PNG),
        "media_type": media_type,
    }
    assert B64 not in json.dumps(request.as_json())
    assert B64 in request.body("m").decode(), "the server gets the bytes themselves"


def test_text_is_recorded_as_text_also_where_it_looks_like_media() -> None:
    url = f"data:image/png;base64,{B64}"
    request = chat(url, [{"type": "text", "text": url}])
    assert [message["content"] for message in request.as_json()["messages"]] == [
        url,
        [{"type": "text", "text": url}],
    ]


@pytest.mark.parametrize("text", ["a\ud83d", "\ude00b", "\udcff"])
@pytest.mark.parametrize("endpoint", ["chat", "completion"])
def test_half_of_a_surrogate_pair_is_refused_before_anything_is_sent(endpoint: Any, text: str) -> None:
    with pytest.raises(InfergateError) as caught:
        Request(endpoint=endpoint, content=text if endpoint == "completion" else ({"content": text},))
    code = next(f"U+{ord(c):04X}" for c in text if 0xD800 <= ord(c) <= 0xDFFF)
    assert f"the request holds half of a surrogate pair, {code}" in str(caught.value)
    assert str(caught.value).isascii()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sampling": {"temperature": float("nan")}}, "the request is not JSON"),
        ({"sampling": {"stop": {"a"}}}, "the request is not JSON"),
        ({"sampling": {"stream": False}}, "'stream' is not a sampling field"),
        ({"sampling": {"model": "other"}}, "'model' is not a sampling field"),
    ],
)
def test_what_cannot_be_sent_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InfergateError, match=message):
        chat("hi", **fields)


def test_content_and_endpoint_belong_together() -> None:
    with pytest.raises(InfergateError, match="a completion request holds tuple; chat takes"):
        Request(endpoint="completion", content=({"role": "user", "content": "hi"},))
    with pytest.raises(InfergateError, match="a chat request holds str; chat takes"):
        Request(endpoint="chat", content="hi")


@pytest.mark.parametrize(
    ("sampling", "limit"),
    [({}, None), ({"max_tokens": 4}, 4), ({"max_completion_tokens": 3}, 3), ({"max_tokens": None}, None)],
)
def test_the_limit_is_known_under_its_names(sampling: dict[str, Any], limit: int | None) -> None:
    assert chat("hi", sampling=sampling).max_tokens == limit
