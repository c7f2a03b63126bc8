"""Servers that hear and speak: an answer counts whole, and everything else has a reason."""

from __future__ import annotations

import fnmatch
from typing import Any

import pytest

from pytest_infergate.evidence import Exchange, Reason
from pytest_infergate.serving import Client, RequestError, SpeechRequest, TranscriptionRequest
from tests.scripted import Script, ScriptedServer, json_script

SOUND = b"RIFF\x24\x00\x00\x00WAVEfmt "
WHOLE = Script(content_type="audio/wav", body=[SOUND[:8], 0.01, SOUND[8:]])


def hear(**options: Any) -> TranscriptionRequest:
    return TranscriptionRequest(audio=SOUND, media_type="audio/wav", name="clip.wav", options=options)


def speak(text: str = "hello", **options: Any) -> SpeechRequest:
    return SpeechRequest(text=text, options=options)


def ask(request: Any, script: Any, **options: Any) -> tuple[Exchange, ScriptedServer]:
    with ScriptedServer(script) as server:
        client = Client(server.url, "ears", **{"timeout": 20, "retries": 0, **options})
        exchange = client.exchange(request)
        client.close()
    return exchange, server


def test_a_clip_goes_as_a_form_and_its_words_come_back() -> None:
    exchange, server = ask(hear(language="de", temperature=0), json_script({"text": " hallo \n"}))
    (received,) = server.requests
    assert received.path == "/v1/audio/transcriptions"
    for field in (b'name="model"\r\n\r\nears', b'name="language"\r\n\r\nde', b'name="temperature"\r\n\r\n0'):
        assert field in received.body
    assert b'filename="clip.wav"\r\nContent-Type: audio/wav\r\n\r\n' + SOUND in received.body
    assert exchange.reply is not None
    assert (exchange.reply.text, exchange.reply.finish_reason, exchange.error) == ("hallo", "stop", None)
    assert exchange.endpoint == "transcription"
    assert exchange.request["audio"]["bytes"] == len(SOUND)
    assert exchange.timing.first_token is None


def test_a_text_goes_as_json_and_its_sound_comes_back_with_its_times() -> None:
    exchange, server = ask(speak("größer", voice="amy"), WHOLE)
    (received,) = server.requests
    assert (received.path, received.json) == (
        "/v1/audio/speech",
        {"model": "ears", "input": "größer", "voice": "amy"},
    )
    reply = exchange.reply
    assert reply is not None
    assert reply.artifact is not None
    assert (reply.content, reply.artifact.size, reply.artifact.media_type) == (SOUND, len(SOUND), "audio/wav")
    assert exchange.error is None
    first, last = exchange.timing.first_token, exchange.timing.last_token
    assert first is not None
    assert last is not None
    assert first < last
    assert Exchange.from_json(exchange.as_json()).as_json() == exchange.as_json()


def test_the_digest_is_of_the_bytes_and_the_options_and_not_of_the_name() -> None:
    one = hear(language="de")
    other = TranscriptionRequest(
        audio=SOUND, media_type="audio/wav", name="other.wav", options={"language": "de"}
    )
    assert one.digest == other.digest
    assert one.digest != hear(language="en").digest
    assert speak("a").digest != speak("b").digest
    assert speak("a", voice="x").digest != speak("a", voice="y").digest


SHORT = Script(body=[b'{"text": "he'], framing="length", length=99, ending="close")
FILTERED = json_script({"error": {"message": "no", "code": "content_filter"}}, status=400)
HTML = Script(content_type="text/html", body=[b"<!doctype html><html>Sign in</html>"])
TROUBLE = [
    ("a page", HTML, "server_error", "text/html"),
    ("a page without a type", Script(content_type="", body=[b"<html>no"]), "server_error", "<html>no"),
    ("an error", json_script({"error": {"message": "out of memory"}}), "server_error", "out of memory"),
    ("another object", json_script({"choices": []}), "server_error", "choices"),
    ("nothing", Script(content_type="audio/wav", body=[]), None, ""),
    ("a short body", SHORT, "broken_stream", "after 12 bytes"),
    ("an open chunk", Script(body=[b'{"text": "hello"}'], ending="close"), "broken_stream", "after 17 bytes"),
    ("a reset", Script(body=[b'{"text": "he', 0.05], ending="reset"), "broken_stream", "after 12 bytes"),
    ("a refusal", FILTERED, "refused", "no"),
    ("no route", json_script({"detail": "Not Found"}, status=404), "server_error", "HTTP 404"),
    ("too many", json_script({"error": "busy"}, status=429), "rate_limited", "HTTP 429"),
]  # fmt: skip


@pytest.mark.parametrize("request_of", [hear, speak])
@pytest.mark.parametrize(
    ("script", "reason", "said"), [case[1:] for case in TROUBLE], ids=[case[0] for case in TROUBLE]
)
def test_what_is_no_whole_answer_has_a_reason(
    request_of: Any, script: Script, reason: str | None, said: str
) -> None:
    exchange, _ = ask(request_of(), script)
    assert exchange.error is not None
    if reason is None:  # an empty clip is a reply with nothing in it, an empty transcript is none at all
        reason = "empty_reply" if request_of is speak else "server_error"
    assert exchange.error.reason is Reason(reason)
    assert said in exchange.error.detail
    assert exchange.reply is None


@pytest.mark.parametrize("request_of", [hear, speak])
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(content_type="audio/wav", head=[], ending="hang"), id="never answers"),
        pytest.param(Script(content_type="audio/wav", body=[SOUND], ending="hang"), id="stalls"),
        pytest.param(
            Script(content_type="audio/wav", body=[SOUND], ending="hang", framing="close"),
            id="stalls where the end of the connection is the end",
        ),
        pytest.param(Script(content_type="audio/wav", body=[b"R", 0.02] * 500), id="drips"),
    ],
)
def test_a_deadline_ends_it_and_what_came_by_then_is_no_answer(request_of: Any, script: Script) -> None:
    exchange, _ = ask(request_of(), script, timeout=0.5)
    assert exchange.error is not None
    assert exchange.error.reason is Reason.TIMEOUT
    assert exchange.reply is None


def test_hearing_nothing_is_an_empty_reply() -> None:
    exchange, _ = ask(hear(), json_script({"text": "  "}))
    assert exchange.error is not None
    assert exchange.error.reason is Reason.EMPTY_REPLY
    assert exchange.reply is not None


def test_a_server_that_is_busy_is_asked_again_with_the_whole_clip() -> None:
    busy = json_script({"error": "busy"}, status=503, headers={"retry-after": "0.01"})
    exchange, server = ask(hear(), [busy, json_script({"text": "hello"})], retries=2)
    assert (exchange.error, exchange.attempts) == (None, 2)
    assert all(SOUND in received.body for received in server.requests)


def test_another_model_that_answered_is_told() -> None:
    exchange, _ = ask(hear(), json_script({"text": "hello", "model": "other"}))
    assert exchange.flags == ("served_model:other",)


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: hear(model="x"), "the option 'model' of a transcription is set by the request itself"),
        (lambda: hear(file="x"), "the option 'file' of a transcription is set by the request itself"),
        (lambda: speak(input="x"), "the option 'input' of a speech is set by the request itself"),
        (lambda: hear(words=["a"]), "the option words=['a'] cannot be a form field; accepted: *"),
        (lambda: speak(speed=float("nan")), "the request is not JSON: *"),
        (lambda: speak(voice={1, 2}), "the request is not JSON: *"),
    ],
)
def test_options_that_cannot_be_sent_are_one_line(make: Any, line: str) -> None:
    with pytest.raises(RequestError) as raised:
        make()
    assert fnmatch.fnmatchcase(str(raised.value), line.replace("['a']", "[[]'a']"))
