"""Deadlines and aborting: what does not end by itself is ended."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

import pytest

from pytest_infergate.evidence import Exchange, Missing, Reason
from pytest_infergate.serving import Client
from tests.scripted import Script, ScriptedServer, chunk, json_script, sse

from .asking import BLUE, HI, ask, ask_once


def _drips_headers() -> Script:
    dripped: list[bytes | float] = [b"x-a: 1\r\n", 0.02]
    return Script(head=[b"HTTP/1.1 200 OK\r\n", *dripped * 500])


class TestDeadline:
    @pytest.mark.parametrize(
        ("script", "detail"),
        [
            pytest.param(
                lambda: Script(head=[], ending="hang"), "before the response headers", id="never answers"
            ),
            pytest.param(_drips_headers, "before the response headers", id="drips headers"),
            pytest.param(
                lambda: Script(ending="hang"), "before the first token", id="no body after the headers"
            ),
            pytest.param(
                lambda: Script(body=[b": ping\n\n", 0.02] * 500),
                "before the first token",
                id="keep-alives for ever",
            ),
            pytest.param(
                lambda: Script(body=[sse(chunk(""), done=False), 0.02] * 500),
                "before the first token",
                id="keep-alives as chunks for ever",
            ),
            pytest.param(
                lambda: Script(body=[sse(chunk("4"), done=False)], ending="hang"),
                "in the middle of the reply (1 characters of text so far)",
                id="stalls in the middle",
            ),
            pytest.param(
                lambda: Script(body=[sse(chunk("4"), done=False)], ending="hang", framing="close"),
                "in the middle of the reply (1 characters of text so far)",
                id="stalls where closing would be the end",
            ),
            pytest.param(
                lambda: Script(body=[b"x", 0.02] * 500), "before the first token", id="a line that never ends"
            ),
        ],
    )
    def test_it_ends_what_does_not_end(self, script: Callable[[], Script], detail: str) -> None:
        began = time.monotonic()
        exchange = ask_once(script(), timeout=0.4)
        assert exchange.error == Missing(Reason.TIMEOUT, f"the deadline of 0.4 s passed {detail}")
        assert time.monotonic() - began < 5, "the script alone would take 10 s or for ever"
        assert exchange.attempts == 1

    def test_an_error_body_that_never_ends_does_not_hide_the_status(self) -> None:
        exchange = ask_once(Script(status=500, body=[b"no", 0.02] * 500), timeout=0.3)
        assert exchange.error is not None
        assert exchange.error.reason is Reason.SERVER_ERROR
        assert exchange.error.detail.startswith("HTTP 500 (text/event-stream): nono")

    def test_it_covers_retries_and_waits(self) -> None:
        slow = json_script({"error": "slow down"}, status=429, headers={"Retry-After": "0.2"})
        began = time.monotonic()
        exchange = ask_once(slow, timeout=0.5, retries=50)
        assert exchange.error is not None
        assert exchange.error.reason is Reason.RATE_LIMITED
        assert exchange.attempts <= 3
        assert time.monotonic() - began < 5

    def test_a_connect_that_hangs_ends_too(self) -> None:
        listener = socket.create_server(("127.0.0.1", 0), backlog=0)
        fillers = []
        for _ in range(8):  # nobody accepts: once the queue is full, a connect gets no answer
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
            fillers.append(filler)
        client = Client(f"http://127.0.0.1:{listener.getsockname()[1]}", "m", timeout=0.3)
        exchange = client.exchange(HI)
        client.close()
        for sock in (*fillers, listener):
            sock.close()
        assert exchange.error is not None
        assert exchange.error.reason is Reason.TIMEOUT

    def test_the_next_exchange_of_the_thread_is_unharmed(self) -> None:
        stall = Script(body=[sse(chunk("4"), done=False)], ending="hang")
        (first, second), _ = ask([stall, BLUE], times=2, timeout=0.3)
        assert first.error is not None
        assert first.error.reason is Reason.TIMEOUT
        assert second.error is None

    def test_a_reply_that_was_complete_before_it_is_delivered(self) -> None:
        body = [sse(chunk("blue"), chunk(finish="stop"), done=False)]
        exchange = ask_once(Script(body=body, ending="hang"), timeout=0.3)
        assert exchange.error is None
        assert exchange.flags == ("no_done",)


class TestAbort:
    @pytest.mark.parametrize(
        "script",
        [
            pytest.param(Script(head=[], ending="hang"), id="before the headers"),
            pytest.param(Script(body=[sse(chunk("4"), done=False)], ending="hang"), id="in the middle"),
            pytest.param(
                json_script({"error": "later"}, status=429, headers={"Retry-After": "60"}),
                id="while it waits to retry",
            ),
        ],
    )
    def test_everything_in_flight_ends_and_nothing_more_is_sent(self, script: Script) -> None:
        exchanges: list[Exchange] = []
        with ScriptedServer(script) as server:
            client = Client(server.url, "scripted", concurrency=2)
            threads = [
                threading.Thread(target=lambda: exchanges.append(client.exchange(HI))) for _ in range(5)
            ]
            for thread in threads:
                thread.start()
            while len(server.requests) < 2:
                time.sleep(0.01)
            client.abort()
            for thread in threads:
                thread.join(10)
            later = client.exchange(HI)
            assert len(server.requests) == 2
            client.close()
        assert len(exchanges) == 5
        assert all(exchange.error and exchange.error.reason is not Reason.TIMEOUT for exchange in exchanges)
        assert sorted(exchange.attempts for exchange in exchanges) == [0, 0, 0, 1, 1]
        assert later.error == Missing(Reason.NOT_RUN, "not asked: the session ended first")
        assert later.attempts == 0

    def test_it_can_be_repeated_and_closed_after(self) -> None:
        client = Client("http://127.0.0.1:9", "m")
        for end in (client.abort, client.abort, client.close, client.close):
            end()
        assert client.exchange(HI).attempts == 0
