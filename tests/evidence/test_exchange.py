"""An exchange that did not deliver, and what was lifted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_infergate.evidence import (
    Exchange,
    Missing,
    Reason,
    Reply,
    ReplySource,
    Role,
    Timing,
    ToolCall,
    Usage,
    canonical_json,
)

CUT = Missing(Reason.TRUNCATED, "finish reason 'length'")


def exchange(error: Missing | None, allowed: frozenset[Reason] = frozenset()) -> Exchange:
    reply = Reply(text="x", usage=Usage(prompt_tokens=3, completion_tokens=1))
    return Exchange(
        endpoint="chat",
        request={"max_tokens": 1},
        request_digest="sha256:0",
        reply=reply,
        timing=Timing(sent=1.0, done=2.0),
        attempts=1,
        error=error,
        allowed=allowed,
    )


@pytest.mark.parametrize(
    ("error", "allowed", "missing"),
    [
        (None, frozenset(), None),
        (CUT, frozenset(), CUT),
        (CUT, frozenset({Reason.TRUNCATED}), None),
        (CUT, frozenset({Reason.TIMEOUT}), CUT),  # another reason was lifted, not this one
    ],
)
def test_only_a_lifted_reason_is_let_go(
    error: Missing | None, allowed: frozenset[Reason], missing: Missing | None
) -> None:
    made = exchange(error, allowed)
    assert made.missing == missing
    # What was lifted is told all the same.
    assert made.as_json()["error"] == (error.as_json() if error else None)
    assert made.as_json()["allowed"] == sorted(reason.value for reason in allowed)


def test_what_the_server_did_not_tell_is_null_and_not_zero() -> None:
    value = exchange(None).as_json()
    assert value["usage"] == {
        "prompt_tokens": 3,
        "completion_tokens": 1,
        "cached_tokens": None,
        "reasoning_tokens": None,
    }
    assert value["timing"]["first_token"] is None
    assert value["status"] is None


WHOLE = Exchange(
    endpoint="completion",
    request={"prompt": "a", "sampling": {"max_tokens": 1}},
    request_digest="sha256:0",
    reply=Reply(
        text="x",
        reasoning="so",
        tool_calls=(ToolCall(name="f", arguments="{", id="c1"), ToolCall(name="g", arguments="{}")),
        finish_reason=None,
        refusal="no",
        usage=Usage(prompt_tokens=3, reasoning_tokens=0),
        timing=Timing(sent=1.0, first_token=1.5),
        served_model="m",
        fingerprint="fp",
        allowed=frozenset({Reason.TRUNCATED, Reason.TIMEOUT}),
    ),
    timing=Timing(sent=1.0, first_token=1.5),
    attempts=3,
    role=Role.JUDGE,
    source=ReplySource.REPLAY,
    status=200,
    token_digest="sha256:1",
    flags=("no_done", "served_model:m"),
    error=CUT,
    allowed=frozenset({Reason.TRUNCATED, Reason.TIMEOUT}),
)


@pytest.mark.parametrize(
    "made",
    [
        WHOLE,
        replace(WHOLE, error=None, role=Role.MODEL, source=ReplySource.SERVER, flags=()),
        # Nothing came: no reply, no usage, no status.
        replace(WHOLE, reply=None, timing=Timing(), status=None, token_digest=None, attempts=0),
        # A reply of which the server counted nothing.
        replace(WHOLE, reply=replace(WHOLE.reply, usage=None, tool_calls=()) if WHOLE.reply else None),
    ],
)
def test_an_exchange_comes_back_from_json_as_it_was(made: Exchange) -> None:
    assert Exchange.from_json(json.loads(canonical_json(made.as_json()))) == made


@pytest.mark.parametrize("name", sorted(WHOLE.as_json()))
def test_what_lacks_a_field_is_no_exchange(name: str) -> None:
    value = WHOLE.as_json()
    del value[name]
    with pytest.raises(LookupError, match=name):
        Exchange.from_json(value)
