"""An exchange that did not deliver, and what was lifted."""

from __future__ import annotations

import pytest

from pytest_infergate.evidence import Exchange, Missing, Reason, Reply, Timing, Usage

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
