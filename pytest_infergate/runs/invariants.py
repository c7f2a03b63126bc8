"""What must hold in every record beyond its shape. Pure."""

from __future__ import annotations

from ..evidence import Record, Verdict


def broken_invariant(record: Record, id: str) -> str | None:
    """Return what cannot be true of ``record``, or ``None``. ``id`` is the one that it was stored under."""
    if id != str(record.evaluation.key):
        return f"id {id!r} is not its task/sample#repeat, {str(record.evaluation.key)!r}"
    if record.is_expected_failure and record.verdict is not Verdict.FAILED:
        return f"expected_failure with verdict {record.verdict.value!r}; only a wrong answer can be expected"
    if record.verdict is Verdict.MISSING:
        return None
    if record.verdict is Verdict.PASSED:
        if not record.scores and not record.exchanges:
            return "passed without a score or an exchange; nothing was evaluated"
        for score in record.scores:
            if score.missing is not None and score.gates:
                return f"passed though the score {score.name!r} is missing ({score.missing.reason.value})"
    for number, exchange in enumerate(record.exchanges):
        error = exchange["error"] if exchange["role"] == "model" else None  # a judge's is in its score
        if error is not None and error["reason"] not in exchange["allowed"]:
            return (
                f"{record.verdict.value} though exchange {number} did not deliver ({error['reason']}), "
                "which is not allowed"
            )
    return None
