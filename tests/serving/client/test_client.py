"""The client against a server that does what a script says."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from pytest_infergate.evidence import Exchange, InfergateError, Missing, Reason, digest
from pytest_infergate.serving import Client, Request
from tests.scripted import Script, ScriptedServer, chunk, json_script, reply_stream, sse, usage_chunk

HI = Request(endpoint="chat", content=({"role": "user", "content": "hi"},), sampling={"max_tokens": 3})
BLUE = Script(body=[reply_stream("blue")])


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Own backoff is tested by itself; here it only has to be there."""
    monkeypatch.setattr("pytest_infergate.serving.client.backoff", lambda attempt: 0.01)


def ask(
    scripts: Any, *, request: Request = HI, times: int = 1, **options: Any
) -> tuple[list[Exchange], ScriptedServer]:
    """Return the exchanges of one client, one after another, and the server as it is afterwards."""
    with ScriptedServer(scripts) as server:
        client = Client(server.url, "scripted", **{"timeout": 20, **options})
        exchanges = [client.exchange(request) for _ in range(times)]
        client.close()
    return exchanges, server


def ask_once(scripts: Any, **options: Any) -> Exchange:
    return ask(scripts, **options)[0][0]


class TestDelivery:
    def test_a_chat_is_asked_and_answered(self) -> None:
        (exchange,), server = ask(BLUE)
        assert exchange.error is None
        assert exchange.reply is not None
        assert exchange.reply.text == "blue"
        assert exchange.reply.messages == (
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "blue"},
        )
        assert (exchange.status, exchange.attempts, exchange.flags) == (200, 1, ())
        assert exchange.request_digest == HI.digest
        (received,) = server.requests
        assert (received.method, received.path) == ("POST", "/v1/chat/completions")
        assert received.json == json.loads(HI.body("scripted"))
        assert received.headers["accept-encoding"] == "identity"

    def test_a_completion_is_asked_and_answered(self) -> None:
        request = Request(endpoint="completion", content="The sky is")
        (exchange,), server = ask(Script(body=[reply_stream(" blue", is_chat=False)]), request=request)
        assert exchange.reply is not None
        assert (exchange.reply.text, exchange.reply.messages) == (" blue", ())
        assert server.requests[0].path == "/v1/completions"

    def test_tool_calls_go_on_in_the_conversation(self) -> None:
        call = {"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}
        exchange = ask_once(Script(body=[sse(chunk(tool_calls=[call]), chunk(finish="tool_calls"))]))
        assert exchange.error is None
        assert exchange.reply is not None
        assert exchange.reply.messages[-1] == {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        }

    @pytest.mark.parametrize(
        "script",
        [
            pytest.param(Script(body=[reply_stream("blue")], framing="length"), id="with a length"),
            pytest.param(
                Script(body=[reply_stream("blue")], framing="close"), id="HTTP/1.0, ended by closing"
            ),
            pytest.param(Script(body=[reply_stream("blue")], ending="close"), id="chunked, end mark missing"),
            pytest.param(Script(body=[reply_stream("blue")], ending="reset"), id="reset after [DONE]"),
            pytest.param(Script(body=[reply_stream("blue")], ending="hang"), id="left open after [DONE]"),
            pytest.param(
                Script(body=[gzip.compress(reply_stream("blue"))], headers={"content-encoding": "gzip"}),
                id="compressed though identity was asked for",
            ),
            pytest.param(
                Script(body=[bytes([byte]) for byte in reply_stream("blue")]), id="one byte at a time"
            ),
            pytest.param(Script(body=[reply_stream("blue")], content_type=""), id="no content type"),
            pytest.param(Script(status=201, body=[reply_stream("blue")]), id="201"),
        ],
    )
    def test_a_reply_arrives_whatever_the_transport_does(self, script: Script) -> None:
        exchange = ask_once(script, timeout=5)
        assert exchange.error is None
        assert exchange.reply is not None
        assert exchange.reply.text == "blue"

    def test_one_thread_keeps_its_connection(self) -> None:
        _, server = ask(BLUE, times=3)
        assert (len(server.requests), server.connections) == (3, 1)

    def test_at_most_concurrency_requests_are_in_flight(self) -> None:
        lock = threading.Lock()
        counts = [0, 0]

        def handle(_: Any) -> Script:
            def body() -> Any:
                with lock:
                    counts[0] += 1
                    counts[1] = max(counts)
                yield 0.05
                with lock:
                    counts[0] -= 1
                yield reply_stream("blue")

            return Script(body=body())

        with ScriptedServer(handle) as server:
            client = Client(server.url, "scripted", concurrency=2)
            threads = [threading.Thread(target=client.exchange, args=(HI,)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            client.close()
        assert len(server.requests) == 8
        assert counts[1] == 2


class TestTiming:
    def test_the_phases_are_stamped_in_order(self) -> None:
        body: list[bytes | float] = [
            sse(chunk("", role="assistant"), done=False),
            0.1,
            sse(chunk(reasoning="hm"), done=False),
        ]
        body += [
            0.1,
            sse(chunk("4"), done=False),
            0.1,
            sse(chunk("2"), done=False),
            0.1,
            sse(chunk(finish="stop")),
        ]
        before = time.monotonic()
        timing = ask_once(Script(body=body)).timing
        stamps = list(timing.as_json().values())
        assert None not in stamps
        assert stamps == sorted(stamps)  # type: ignore[type-var]
        assert before <= stamps[0]  # type: ignore[operator]
        assert stamps[-1] <= time.monotonic()  # type: ignore[operator]
        assert timing.first_token - timing.headers > 0.05  # type: ignore[operator]
        assert timing.first_content - timing.first_token > 0.05  # type: ignore[operator]
        assert timing.done - timing.last_token > 0.05  # type: ignore[operator]

    def test_when_it_was_scheduled_is_the_callers_to_say(self) -> None:
        with ScriptedServer(BLUE) as server:
            client = Client(server.url, "scripted")
            exchange = client.exchange(HI, scheduled=12.5)
            client.close()
        assert exchange.timing.scheduled == 12.5
        assert exchange.reply is not None
        assert exchange.reply.timing == exchange.timing

    def test_what_was_not_reached_has_no_time(self) -> None:
        timing = ask_once(json_script({"error": "no"}, status=500)).timing
        assert (timing.first_token, timing.last_token, timing.done) == (None, None, None)
        assert timing.sent is not None


class TestStatuses:
    @pytest.mark.parametrize(
        ("script", "reason", "detail"),
        [
            pytest.param(
                json_script(
                    {
                        "error": {
                            "message": "prompt does not fit",
                            "type": "exceed_context_size_error",
                            "n_ctx": 1024,
                        }
                    },
                    status=400,
                ),
                Reason.CONTEXT_LIMIT,
                "HTTP 400 (application/json): exceed_context_size_error: prompt does not fit",
                id="context limit",
            ),
            pytest.param(
                json_script(
                    {
                        "error": "`inputs` must have less than 10 tokens. Given: 20",
                        "error_type": "validation",
                    },
                    status=422,
                ),
                Reason.CONTEXT_LIMIT,
                "HTTP 422 (application/json): validation: `inputs` must have less than 10 tokens. Given: 20",
                id="context limit, TGI",
            ),
            pytest.param(
                json_script({"error": {"code": "content_filter", "message": "no"}}, status=400),
                Reason.REFUSED,
                "HTTP 400 (application/json): content_filter: no",
                id="content filter",
            ),
            pytest.param(
                json_script({"error": {"message": "bad key"}}, status=401),
                Reason.SERVER_ERROR,
                "HTTP 401 (application/json): bad key; the key is read from the environment variable that "
                "--infer-api-key-env names",
                id="401 says where the key is",
            ),
            pytest.param(
                json_script({"detail": "Not Found"}, status=404),
                Reason.SERVER_ERROR,
                "HTTP 404 (application/json): Not Found; check that --infer-server is the base URL and "
                "--infer-model an id that it lists",
                id="404 says what to check",
            ),
            pytest.param(
                Script(
                    status=500, content_type="text/html; charset=utf-8", body=[b"<h1>\x1b[31mOops\n</h1>"]
                ),
                Reason.SERVER_ERROR,
                "HTTP 500 (text/html): <h1>\\x1b[31mOops\\n</h1>",
                id="HTML, escaped",
            ),
            pytest.param(
                Script(status=500, content_type="", framing="length"),
                Reason.SERVER_ERROR,
                "HTTP 500 (no content type)",
                id="nothing but a status",
            ),
            pytest.param(
                Script(status=307, headers={"location": "https://me:pw@b.test/v1"}, framing="length"),
                Reason.SERVER_ERROR,
                "HTTP 307 (text/event-stream); it redirects to 'b.test/v1': give the address it means",
                id="redirects are not followed",
            ),
            pytest.param(
                Script(status=501, body=[b"x" * 300]),
                Reason.SERVER_ERROR,
                "HTTP 501 (text/event-stream): " + "x" * 200 + " …",
                id="the first 200 characters",
            ),
            pytest.param(
                Script(content_type="text/html", body=[b"<!doctype html><h1>Sign in</h1>"], framing="length"),
                Reason.SERVER_ERROR,
                "a body that is no reply in HTTP 200 text/html: <!doctype html><h1>Sign in</h1>",
                id="a page of a gateway with 200",
            ),
            pytest.param(
                Script(status=204, framing="length"),
                Reason.BROKEN_STREAM,
                "the body ended before the first token",
                id="204",
            ),
        ],
    )
    def test_a_final_answer_is_asked_for_once(self, script: Script, reason: Reason, detail: str) -> None:
        (exchange,), server = ask(script)
        assert exchange.error == Missing(reason, detail)
        assert exchange.reply is None
        assert (exchange.status, exchange.attempts, len(server.requests)) == (script.status, 1, 1)

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 408, 409, 413, 422, 424, 500, 501, 505])
    def test_a_status_that_says_the_same_the_next_time_is_not_asked_again(self, status: int) -> None:
        (exchange,), server = ask(json_script({"error": "no"}, status=status))
        assert exchange.error is not None
        assert exchange.error.reason is Reason.SERVER_ERROR
        assert len(server.requests) == 1


class TestRetries:
    @pytest.mark.parametrize(
        "broken",
        [
            *(
                pytest.param(json_script({"error": "later"}, status=s), id=str(s))
                for s in (429, 502, 503, 504)
            ),
            pytest.param(Script(head=[], ending="close"), id="closed before a word"),
            pytest.param(Script(head=[], ending="reset"), id="reset before a word"),
            pytest.param(
                Script(head=[b"HTTP/1.1 200 O"], ending="close"), id="closed inside the status line"
            ),
            pytest.param(Script(ending="close"), id="closed before the first byte of the body"),
            pytest.param(Script(ending="reset"), id="reset before the first byte of the body"),
        ],
    )
    def test_what_may_pass_is_asked_again(self, broken: Script) -> None:
        (exchange,), server = ask([broken, broken, BLUE])
        assert exchange.error is None
        assert (exchange.status, exchange.attempts, len(server.requests)) == (200, 3, 3)

    @pytest.mark.parametrize(
        ("broken", "reason"),
        [
            (json_script({"error": "later"}, status=429), Reason.RATE_LIMITED),
            (json_script({"error": "Loading model"}, status=503), Reason.SERVER_ERROR),
            (Script(head=[], ending="close"), Reason.BROKEN_STREAM),
            (Script(ending="reset"), Reason.BROKEN_STREAM),
        ],
    )
    @pytest.mark.parametrize("retries", [0, 2])
    def test_after_the_last_retry_the_last_answer_stands(
        self, broken: Script, reason: Reason, retries: int
    ) -> None:
        (exchange,), server = ask(broken, retries=retries)
        assert exchange.error is not None
        assert exchange.error.reason is reason
        assert exchange.attempts == len(server.requests) == retries + 1
        assert exchange.error.detail.endswith(f"; {retries + 1} attempts") is (retries > 0)

    @pytest.mark.parametrize(
        "body",
        [
            pytest.param(b": ping\n\n", id="a comment"),
            pytest.param(sse(chunk("4"), done=False), id="a token"),
            pytest.param(
                sse({"error": {"code": 503, "message": "overloaded"}}), id="an error that would be retried"
            ),
        ],
    )
    @pytest.mark.parametrize("ending", ["close", "reset"])
    def test_nothing_is_asked_again_after_the_first_byte(self, body: bytes, ending: Any) -> None:
        (exchange,), server = ask([Script(body=[body, 0.02], ending=ending), BLUE])
        assert exchange.error is not None
        assert exchange.error.reason in (Reason.BROKEN_STREAM, Reason.SERVER_ERROR)
        assert (exchange.attempts, len(server.requests)) == (1, 1)

    def test_a_server_that_is_not_there_is_unreachable(self) -> None:
        with ScriptedServer(BLUE) as server:
            pass
        client = Client(server.url, "scripted", retries=2)
        exchange = client.exchange(HI)
        client.close()
        assert exchange.error is not None
        assert exchange.error.reason is Reason.UNREACHABLE
        assert exchange.error.detail.startswith("could not connect: ")
        assert (exchange.attempts, exchange.status, exchange.reply) == (3, None, None)

    def test_what_is_no_http_is_said_and_not_asked_again(self) -> None:
        (exchange,), server = ask(Script(head=[b"SSH-2.0-OpenSSH_9.6\r\n\r\n"], ending="hang"))
        assert exchange.error is not None
        assert exchange.error.reason is Reason.SERVER_ERROR
        assert "not HTTP" in exchange.error.detail
        assert len(server.requests) == 1

    @pytest.mark.parametrize(
        "value", ["-100", "nan", "inf", "1e30", "soon", "", "Wed, 21 Oct 2015 07:28:00 GMT"]
    )
    def test_an_unusable_retry_after_leaves_the_own_backoff(self, value: str) -> None:
        slow = json_script({"error": "slow down"}, status=429, headers={"Retry-After": value})
        (exchange,), server = ask([slow, BLUE])
        assert exchange.error is None
        assert len(server.requests) == 2

    def test_a_retry_after_is_waited_for(self) -> None:
        slow = json_script({"error": "slow down"}, status=429, headers={"Retry-After": "0.3"})
        _, server = ask([slow, BLUE])
        first, second = server.requests
        assert second.at - first.at >= 0.3

    @pytest.mark.parametrize(("status", "reason"), [(429, Reason.RATE_LIMITED), (503, Reason.SERVER_ERROR)])
    def test_a_retry_after_beyond_the_deadline_ends_at_once(self, status: int, reason: Reason) -> None:
        slow = json_script({"error": "slow down"}, status=status, headers={"Retry-After": "3600"})
        (exchange,), server = ask(slow, timeout=30)
        assert exchange.error is not None
        assert exchange.error.reason is reason
        assert "slow down; the server asks to wait 3.6e+03 s, the deadline leaves" in exchange.error.detail
        assert len(server.requests) == 1


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
        assert exchange.error == Missing(Reason.TIMEOUT, f"the deadline passed {detail}")
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
        import socket

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


class TestBreaker:
    def test_five_exchanges_in_a_row_that_cannot_connect_are_enough(self) -> None:
        with ScriptedServer(BLUE) as server:
            pass
        client = Client(server.url, "scripted", retries=1)
        exchanges = [client.exchange(HI) for _ in range(7)]
        client.close()
        assert {exchange.error.reason for exchange in exchanges if exchange.error} == {Reason.UNREACHABLE}
        assert [exchange.attempts for exchange in exchanges] == [2, 2, 2, 2, 2, 0, 0]
        last = exchanges[-1].error
        assert last is not None
        assert last.detail.startswith(
            "not asked: 5 exchanges in a row could not connect (could not connect: "
        )

    def test_any_answer_begins_the_count_anew(self) -> None:
        server = ScriptedServer([json_script({"error": "no"}, status=500)])
        with server:
            client = Client(server.url, "scripted", retries=0)
            good = client.exchange(HI)
        bad = [client.exchange(HI) for _ in range(4)]
        assert good.status == 500
        assert [exchange.attempts for exchange in bad] == [1, 1, 1, 1]
        client.close()

    def test_a_blocked_client_sends_nothing_and_says_why(self) -> None:
        with ScriptedServer(BLUE) as server:
            client = Client(server.url, "scripted")
            why = Missing(Reason.INVALID_CONDITIONS, "n_ctx is 4096, expected 8192")
            client.block(why)
            client.block(Missing(Reason.UNREACHABLE, "another reason"))
            exchange = client.exchange(HI)
            client.close()
        assert exchange.error == why
        assert (exchange.attempts, exchange.status, exchange.reply, server.requests) == (0, None, None, [])


class TestFlags:
    @pytest.mark.parametrize(
        ("body", "flags"),
        [
            (sse(chunk("a"), chunk(finish="stop"), usage_chunk(9, 3)), ("suspected_truncation",)),
            (sse(chunk("a"), chunk(finish="stop"), usage_chunk(9, 2)), ()),
            (sse(chunk("a"), chunk(finish="stop")), ()),
            (sse(chunk("a"), chunk(finish="length"), usage_chunk(9, 3)), ()),
            (sse(chunk("a"), chunk(finish="stop"), done=False), ("no_done",)),
            (
                sse({**chunk("a"), "model": "other"}, chunk(finish="stop")).replace(b'"scripted"', b'""'),
                ("served_model:other",),
            ),
        ],
    )
    def test_what_a_reader_should_look_at_is_flagged(self, body: bytes, flags: tuple[str, ...]) -> None:
        exchange = ask_once(Script(body=[body]))
        assert exchange.flags == flags

    @pytest.mark.parametrize(("ids", "flags"), [([1, 2], ()), ([1, 2, 3], ("prompt_shortened",))])
    def test_a_prompt_that_lost_tokens_is_flagged(self, ids: list[int], flags: tuple[str, ...]) -> None:
        asked: list[Request] = []

        def tokenize(request: Request) -> list[int]:
            asked.append(request)
            return ids

        body = sse(chunk("a"), chunk(finish="stop"), usage_chunk(2, 1))
        exchanges, _ = ask(Script(body=[body]), times=2, tokenize=tokenize)
        assert [exchange.flags for exchange in exchanges] == [flags, flags]
        assert [exchange.token_digest for exchange in exchanges] == [digest(ids), digest(ids)]
        assert asked == [HI], "a prompt is tokenized once"

    def test_a_server_that_cannot_tokenize_leaves_the_tokens_unknown(self) -> None:
        exchange = ask_once(BLUE, tokenize=lambda request: None)
        assert (exchange.token_digest, exchange.flags) == (None, ())


class TestAllowance:
    def test_what_is_allowed_is_recorded_and_lifted(self) -> None:
        request = Request(endpoint="completion", content="hi", allow=frozenset({Reason.TRUNCATED}))
        exchange = ask_once(Script(body=[sse(chunk("a"), chunk(finish="length"))]), request=request)
        assert exchange.error is not None
        assert exchange.error.reason is Reason.TRUNCATED
        assert exchange.missing is None
        assert exchange.reply is not None
        assert exchange.reply.allowed == exchange.allowed == request.allow


class TestSecrets:
    KEY = "sk-0123456789"

    def echo(self, received: Any) -> Script:
        """A server that writes the header it got into its error, as some do."""
        return json_script({"error": f"bad credentials: {received.headers.get('authorization')}"}, status=401)

    def test_the_key_is_sent_and_appears_nowhere(self) -> None:
        (exchange,), server = ask(self.echo, api_key=f" {self.KEY}\n")
        assert server.requests[0].headers["authorization"] == f"Bearer {self.KEY}"
        assert self.KEY not in repr(exchange) + json.dumps(exchange.as_json())
        assert exchange.error is not None
        assert "bad credentials: Bearer ***" in exchange.error.detail

    def test_user_and_password_of_the_url_are_sent_and_appear_nowhere(self) -> None:
        with ScriptedServer(self.echo) as server:
            client = Client(f"http://me:p%40ss@127.0.0.1:{server.port}/v1", "m", api_key=self.KEY)
            exchange = client.exchange(HI)
            client.close()
        assert server.requests[0].headers["authorization"] == "Basic bWU6cEBzcw=="
        shown = repr(exchange) + json.dumps(exchange.as_json()) + repr(client)
        for secret in ("p@ss", "p%40ss", "bWU6cEBzcw==", self.KEY):
            assert secret not in shown

    def test_without_a_key_no_authorization_is_sent(self) -> None:
        _, server = ask(BLUE, api_key=" ")
        assert "authorization" not in server.requests[0].headers

    def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(self) -> None:
        with pytest.raises(InfergateError, match="--infer-api-key-env") as caught:
            Client("http://127.0.0.1:9", "m", api_key="geheimnis-ü")
        assert "geheimnis" not in str(caught.value)


def test_a_prefix_before_the_api_is_kept() -> None:
    with ScriptedServer(BLUE) as server:
        client = Client(f"{server.url}/team/llm/", "scripted")
        client.exchange(HI)
        client.close()
    assert server.requests[0].path == "/team/llm/v1/chat/completions"


def test_ctrl_c_is_not_swallowed_and_leaves_the_client_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with ScriptedServer(BLUE) as server:
        client = Client(server.url, "scripted", concurrency=1)
        with monkeypatch.context() as patch:
            patch.setattr("pytest_infergate.serving.client.make_attempt", interrupt)
            with pytest.raises(KeyboardInterrupt):
                client.exchange(HI)
        assert client.exchange(HI).error is None
        client.close()
