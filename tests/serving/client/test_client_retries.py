"""What is asked again, what is not, and when the client gives up on a server."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import Missing, Reason
from pytest_infergate.serving import Client
from tests.scripted import Script, ScriptedServer, chunk, json_script, sse

from .asking import BLUE, HI, ask


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
        assert exchange.error.detail.startswith(f"could not connect to {server.url}: ")
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
            f"not asked, after 5 exchanges in a row like this: could not connect to {server.url}: "
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
