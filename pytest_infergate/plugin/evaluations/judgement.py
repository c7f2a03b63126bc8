"""How the ends of an evaluation's phases become one verdict. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from ...evidence import Exchange, Missing, Reason, Role, Score, Verdict


class Ending(Enum):
    """How one phase (set-up, call, teardown) of a test ended."""

    FINE = "fine"
    WRONG = "wrong"
    EXPECTED_WRONG = "expected_wrong"
    SKIPPED = "skipped"
    NO_ANSWER = "no_answer"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEnd:
    """A phase's end; ``missing`` is given where the phase ended without judging."""

    phase: str
    ending: Ending
    missing: Missing | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict on one evaluation, with the reason where it is missing."""

    verdict: Verdict
    missing: Missing | None = None
    is_expected_failure: bool = False
    message: str | None = None


def judge_evaluation(
    ends: Sequence[PhaseEnd], exchanges: Iterable[Exchange], scores: Sequence[Score]
) -> Judgement:
    """Return the verdict that follows from everything an evaluation did so far.

    An exchange with the model that did not deliver comes first: what a test says about it is worth
    nothing. Then what kept the test from judging, a score that is not one, the test's own word, and last
    the question whether there is any evidence at all.
    """
    exchanges = tuple(exchanges)
    undelivered = next((e.missing for e in exchanges if e.missing and e.role is Role.MODEL), None)
    if undelivered:
        return Judgement(verdict=Verdict.MISSING, missing=undelivered)
    for ending in (Ending.ERROR, Ending.NO_ANSWER, Ending.SKIPPED):
        end = next((end for end in ends if end.ending is ending), None)
        if end:
            return Judgement(verdict=Verdict.MISSING, missing=end.missing, message=end.message)
    if not any(end.phase == "call" for end in ends):
        return Judgement(
            verdict=Verdict.MISSING, missing=Missing(Reason.NOT_RUN, "the test's body did not run")
        )
    unscored = next((score.missing for score in scores if score.missing and score.gates), None)
    if unscored:
        return Judgement(verdict=Verdict.MISSING, missing=unscored)
    wrong = next((end for end in ends if end.ending is Ending.WRONG), None)
    if wrong:
        return Judgement(verdict=Verdict.FAILED, message=wrong.message)
    expected = next((end for end in ends if end.ending is Ending.EXPECTED_WRONG), None)
    if expected:
        return Judgement(verdict=Verdict.FAILED, is_expected_failure=True, message=expected.message)
    # What is missing without gating is no evidence either.
    if not exchanges and all(score.missing for score in scores):
        return Judgement(
            verdict=Verdict.MISSING,
            missing=Missing(Reason.NOTHING_EVALUATED, "the test ended without a single score or exchange"),
        )
    return Judgement(verdict=Verdict.PASSED)
