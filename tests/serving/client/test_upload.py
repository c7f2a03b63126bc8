"""Files sent as a form: what arrives, what comes back, and what ends that does not end by itself."""

from __future__ import annotations

import io
import threading
import time
from typing import Any

import pytest

from pytest_infergate.evidence import Reason
from pytest_infergate.serving import Uploaded, Uploader
from tests.scripted import Script, ScriptedServer, json_script

HEARD = json_script({"text": "hello"})
FIELDS = {"model": "tiny", "language": "de"}


def upload(scripts: Any, *, content: bytes = b"RIFF", **options: Any) -> tuple[Uploaded, ScriptedServer]:
    with ScriptedServer(scripts) as server:
        uploader = Uploader(options.pop("url", server.url), **{"timeout": 20, **options})
        came = uploader.send(
            "transcription", FIELDS, io.BytesIO(content), name="clip.wav", media_type="audio/wav"
        )
        uploader.close()
    return came, server


def test_fields_and_file_arrive_as_a_form_on_the_route_of_transcriptions() -> None:
    came, server = upload(HEARD, content=b"\x00\xff\r\n--x", api_key="secret")
    (request,) = server.requests
    assert (came.status, came.body, came.error, came.attempts) == (200, b'{"text": "hello"}', None, 1)
    assert (request.method, request.path) == ("POST", "/v1/audio/transcriptions")
    assert request.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert request.headers["authorization"] == "Bearer secret"
    assert b'name="model"\r\n\r\ntiny\r\n' in request.body
    assert b'name="language"\r\n\r\nde\r\n' in request.body
    assert b'name="file"; filename="clip.wav"\r\nContent-Type: audio/wav\r\n\r\n\x00\xff\r\n--x\r\n' in (
        request.body
    )


@pytest.mark.parametrize("status", [400, 401, 404, 413, 422, 500])
def test_an_answer_is_an_answer_whatever_its_status_says(status: int) -> None:
    came, server = upload(json_script({"error": "no"}, status=status))
    assert (came.status, came.body, came.error) == (status, b'{"error": "no"}', None)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_server_that_says_not_now_is_asked_again_with_the_whole_file(status: int) -> None:
    busy = json_script({"error": "busy"}, status=status, headers={"retry-after": "0.01"})
    came, server = upload([busy, busy, HEARD])
    assert (came.status, came.attempts, came.error) == (200, 3, None)
    assert all(b"RIFF" in request.body for request in server.requests)


def test_one_that_says_so_for_ever_keeps_its_status() -> None:
    busy = json_script({"error": "busy"}, status=429, headers={"retry-after": "0.01"})
    came, server = upload(busy, retries=2)
    assert (came.status, came.attempts, len(server.requests)) == (429, 3, 3)


def test_nobody_there_is_unreachable() -> None:
    with ScriptedServer(HEARD) as server:
        gone = server.url
    came, _ = upload(HEARD, url=gone, retries=0)
    assert came.status is None
    assert came.is_unconnected
    assert came.error is not None
    assert came.error.reason is Reason.UNREACHABLE
    assert f"could not connect to {gone}" in came.error.detail


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        pytest.param(Script(head=[], ending="hang"), "before the response headers", id="never answers"),
        pytest.param(Script(ending="hang"), "before the first byte of the answer", id="no body"),
        pytest.param(
            Script(body=[b'{"te'], ending="hang"), "in the middle of the answer (4 bytes so far)", id="stalls"
        ),
        pytest.param(
            Script(body=[b'{"te'], ending="hang", framing="close"),
            "in the middle of the answer (4 bytes so far)",
            id="stalls where closing would be the end",
        ),
        pytest.param(Script(body=[b" ", 0.02] * 500), "in the middle of the answer", id="drips for ever"),
    ],
)
def test_a_deadline_ends_what_does_not_end(script: Script, detail: str) -> None:
    came, _ = upload(script, timeout=0.5)
    assert came.error is not None
    assert came.error.reason is Reason.TIMEOUT
    assert "the deadline of 0.5 s passed" in came.error.detail
    assert detail in came.error.detail


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(body=[b'{"text": "hel'], ending="close"), id="chunks without an end"),
        pytest.param(
            Script(body=[b'{"text": "hel'], framing="length", length=99, ending="close"), id="short"
        ),
        pytest.param(Script(body=[b'{"text": "hel', 0.05], ending="reset"), id="reset"),
    ],
)
def test_a_connection_that_breaks_in_an_answer_is_no_answer(script: Script) -> None:
    came, server = upload(script)
    assert came.error is not None
    assert came.error.reason is Reason.BROKEN_STREAM
    assert len(server.requests) == 1, "a reply that began is not asked for again"


def test_no_key_is_in_what_comes_back() -> None:
    echo = Script(status=401, content_type="text/plain", body=[b"bad key: hunter2"])
    came, _ = upload(echo, api_key="hunter2")
    assert came.body == b"bad key: ***"


def test_an_abort_ends_what_is_in_flight_and_asks_nothing_more() -> None:
    with ScriptedServer(Script(head=[], ending="hang")) as server:
        uploader = Uploader(server.url, timeout=60)
        came: list[Uploaded] = []

        def send() -> None:
            came.append(
                uploader.send("transcription", FIELDS, io.BytesIO(b"x"), name="x", media_type="audio/wav")
            )

        thread = threading.Thread(target=send)
        thread.start()
        while not server.requests:
            time.sleep(0.01)
        uploader.abort()
        thread.join(20)
        send()
    assert [(one.error.reason, one.attempts) for one in came if one.error] == [
        (Reason.NOT_RUN, 1),
        (Reason.NOT_RUN, 0),
    ]
    uploader.close()
