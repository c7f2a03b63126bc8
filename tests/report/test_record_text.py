"""One evaluation as a person reads it."""

from __future__ import annotations

from pytest_infergate.evidence import (
    Fallback,
    Missing,
    Reason,
    Reply,
    Score,
    Timing,
    ToolCall,
    Verdict,
)
from pytest_infergate.report import plain_text, record_lines
from tests.runs.made import LAST_LINE, exchange, missing, record
from tests.terminal import block


def test_a_wrong_answer() -> None:
    made = record(
        "peru",
        Verdict.FAILED,
        message="assert 'Cusco' == 'Lima'\n  - Lima",
        exchanges=[exchange("It is\n\x1b[1mCusco")],
    )
    assert plain_text(record_lines(made, 80)) == block(r"""
        capitals/peru#0
          evals/test_capitals.py::test_it[peru]
          verdict: failed
          message
            assert 'Cusco' == 'Lima'
              - Lima
          score passed: 0 ratio, higher is better, by task capitals v1

        exchange 1 of 1: chat, HTTP 200, 1 attempt, server
          asked, user
            Capital of France?
          max_tokens: 16
          reply, finish reason stop
            It is
            \x1b[1mCusco
          usage: 9 prompt tokens, 2 completion tokens
          timing: waited to be sent 0.250 s, headers 0.250 s, first token 0.500 s,
            last token 0.750 s, done 1.000 s
    """)


def test_an_exchange_that_did_not_deliver() -> None:
    made = missing(
        "peru",
        Reason.UNREACHABLE,
        "connection refused",
        exchanges=[
            exchange(
                endpoint="completion",
                request={"endpoint": "completion", "prompt": "Peru:", "stop": ["\n"]},
                reply=None,
                timing=Timing(),
                attempts=4,
                status=None,
                flags=("slow_server",),
                error=Missing(Reason.UNREACHABLE, "connection refused"),
            )
        ],
    )
    assert plain_text(record_lines(made, 80)) == block(r"""
        capitals/peru#0
          evals/test_capitals.py::test_it[peru]
          verdict: missing: unreachable: connection refused

        exchange 1 of 1: completion, no HTTP status, 4 attempts, server
          not delivered: unreachable: connection refused
          flags: slow_server
          asked
            Peru:
          stop: ["\n"]
          no reply began
          timing: unknown
    """)


def test_reasoning_tool_calls_a_refusal_what_was_allowed_and_a_fallback() -> None:
    reply = Reply(
        text="",
        reasoning="let me think",
        tool_calls=(ToolCall(name="add", arguments='{"a": 1}'),),
        finish_reason=None,
        refusal="I will not.",
    )
    error = Missing(Reason.REFUSED, "")
    made = record(
        "peru",
        Verdict.FAILED,
        is_expected_failure=True,
        scores=(
            Score.measured(
                "wer",
                0.25,
                evaluator=LAST_LINE,
                higher_is_better=False,
                fallback=Fallback(preferred="base", because="no weights"),
            ),
            Score.measured("speed", None, evaluator=LAST_LINE),
        ),
        exchanges=[
            exchange(
                request={"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]},
                reply=reply,
                error=error,
                allowed=frozenset({Reason.REFUSED}),
                timing=Timing(),
            )
        ],
    )
    assert plain_text(record_lines(made, 80)) == block(r"""
        capitals/peru#0
          evals/test_capitals.py::test_it[peru]
          verdict: failed (expected)
          score wer: 0.25 ratio, lower is better, by extractor last_line v1; a
            fallback from base: no weights
          score speed: missing (invalid_score: speed is None; a score is a finite
            number), higher is better, by extractor last_line v1

        exchange 1 of 1: chat, HTTP 200, 1 attempt, server
          not delivered: refused (allowed)
          asked, user
            [{"type": "text", "text": "hi"}]
          reasoning
            let me think
          reply, finish reason it never said why it ended
            (empty)
          tool call: add({"a": 1})
          refusal
            I will not.
          timing: unknown
    """)
