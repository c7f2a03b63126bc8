"""What must hold in every record beyond its shape. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..evidence import PASSED, Artifact, Record, Reply, ToolCall, Verdict


def broken_invariant(record: Record, id: str) -> str | None:
    """Return what cannot be true of ``record``, or ``None``. ``id`` is the one that it was stored under."""
    if id != str(record.evaluation.key):
        return f"id {id!r} is not its task/sample#repeat, {str(record.evaluation.key)!r}"
    if record.is_expected_failure and record.verdict is not Verdict.FAILED:
        return f"expected_failure with verdict {record.verdict.value!r}; only a wrong answer can be expected"
    if record.verdict is Verdict.MISSING:
        return None
    if record.verdict is Verdict.PASSED and not record.scores and not record.exchanges:
        return "passed without a score or an exchange; nothing was evaluated"
    verdict = record.verdict.value
    if record.started is None:
        return f"{verdict} though it never started"
    for score in record.scores:
        if score.missing is not None and score.gates:
            return f"{verdict} though the score {score.name!r} is missing ({score.missing.reason.value})"
        if score.name == PASSED and score.value != float(record.verdict is Verdict.PASSED):
            return f"{verdict} though the score {PASSED!r} is {score.value}"
    for number, exchange in enumerate(record.exchanges):
        reason = _undelivered(exchange) if exchange["role"] == "model" else None  # a judge's is in its score
        if reason is not None and reason not in exchange["allowed"]:
            return f"{verdict} though exchange {number} did not deliver ({reason}), which is not allowed"
    return None


def _undelivered(exchange: Mapping[str, Any]) -> str | None:
    """Return why an exchange did not deliver: what it says itself, else what its reply shows."""
    if exchange["error"] is not None:
        return str(exchange["error"]["reason"])
    said = exchange["reply"]
    if said is None:
        return "no reply"
    calls = tuple(ToolCall(**call) for call in said["tool_calls"])
    fields = {name: said[name] for name in ("text", "reasoning", "finish_reason", "refusal")}
    artifact = Artifact.from_json(said["artifact"]) if said["artifact"] else None
    missing = Reply(**fields, tool_calls=calls, artifact=artifact).missing
    return missing.reason.value if missing else None
