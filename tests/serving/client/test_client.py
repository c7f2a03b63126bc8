"""The client against a server that does what a script says."""

from __future__ import annotations

import gzip
import json
import threading
import time
from typing import Any

import pytest

from pytest_infergate.evidence import InfergateError, Missing, Reason, digest
from pytest_infergate.serving import Client, Request
from tests.scripted import Script, ScriptedServer, chunk, json_script, reply_stream, sse, usage_chunk

from .asking import BLUE, HI, ask, ask_once


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
                "--infer-api-key-env names, or the option that this server has of its own, such as "
                "--infer-against-api-key-env",
                id="401 says where the key is",
            ),
            pytest.param(
                json_script({"detail": "Not Found"}, status=404),
                Reason.SERVER_ERROR,
                "HTTP 404 (application/json): Not Found; check that the option that gave this server, such "
                "as --infer-server, has its base URL, and its model, such as --infer-model, is an id that it "
                "lists",
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
