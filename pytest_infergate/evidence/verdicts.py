"""The three things that can be said of an evaluation, a gate, or a run."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """``missing`` is not a kind of ``failed``: the evidence is not there."""

    PASSED = "passed"
    FAILED = "failed"
    MISSING = "missing"


def combine_verdicts(verdicts: Iterable[Verdict]) -> Verdict:
    """Return failed if any failed, else missing if any is missing or there is none, else passed."""
    seen = set(verdicts)
    if Verdict.FAILED in seen:
        return Verdict.FAILED
    if Verdict.MISSING in seen or not seen:
        return Verdict.MISSING
    return Verdict.PASSED
