"""What decided a task, in one line."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from .comparison import FieldDifference, Flip, Outcome
from .deciding import LEVEL, Decision, Question, is_unchanged
from .pairing import Paired

#: A replay judges stored replies anew, so it mends what came of judging and not what was asked.
_ASKED = ("sample ids", "sample digest", "request", "number of requests", "repeats", "data set")


def way_out(refusals: Sequence[FieldDifference], confounded: Sequence[FieldDifference], base: str) -> str:
    """Return what to do about differences that keep two sides from being compared."""
    ways = []
    if confounded:
        names = ", ".join(one.field for one in confounded)
        ways.append(
            f"the servers differ beside the declared treatment, in {names}: change one thing at a time, or "
            "name these in the treatment too"
        )
    is_asked = [one.field.startswith(_ASKED) for one in refusals]
    if not all(is_asked):
        ways.append(_rescoring(shlex.quote(base), is_file=Path(base).is_file()))
    if any(is_asked):
        ways.append(
            "what was asked differs, and --infer-replay cannot answer what was never asked: run the baseline "
            "again with the same samples, requests and repeats"
        )
    return "; ".join(ways)


def _rescoring(base: str, *, is_file: bool) -> str:
    if is_file:  # which keeps no replies to be judged again
        return (
            "re-score the run that the baseline was saved from: pytest --infer-replay=RUN, and save what "
            f"comes of it: infergate baseline save NEW -o {base} --replace"
        )
    return f"re-score the baseline: pytest --infer-replay={base}, and compare with that run"


def detail_of(
    question: Question,
    decision: Decision,
    outcome: Outcome,
    flips: Sequence[Flip],
    *,
    margins: tuple[float | None, float | None],
) -> str:
    """Return what the outcome stands on; ``margins`` are the tasks' own, of base and candidate."""
    parts = [_reason(question, decision, outcome, flips)]
    paired = question.paired
    if paired.is_same_reply and not is_unchanged(paired) and not paired.table.unresolved:
        parts.append(_same_replies(paired))
    if paired.table.unresolved and outcome is not Outcome.MISSING:
        parts.append(f"{missing_of(paired)}, and the outcome is the same whichever way they would have gone")
    table = paired.table
    if outcome in (Outcome.UNCHANGED, Outcome.NO_WORSE) and not (
        table.both or table.lost or table.unresolved
    ):
        parts.append("the base passed none of them, so nothing could be lost")
    if margins[0] != margins[1] and question.is_statistical:
        parts.append(f"the task's own margin was {_margin(margins[0])} and is {_margin(margins[1])} now")
    return "; ".join(part for part in parts if part)


def _reason(question: Question, decision: Decision, outcome: Outcome, flips: Sequence[Flip]) -> str:
    paired, margin = question.paired, f"{100 * question.margin:g} %"
    if outcome is Outcome.UNCHANGED:
        return "every reply and every verdict is the same, which says something of these samples only"
    if outcome is Outcome.MISSING:
        worst, best = (one.value for one in decision.outcomes)
        between = f"it could be anything from {worst} to {best}" if worst != best else "nothing was compared"
        return f"{missing_of(paired)}: {between}"
    if outcome is Outcome.INCONCLUSIVE and decision.outcome is Outcome.REGRESSED:
        asked = [flip for flip in flips if flip.confirmed is not None]
        gone = sum(flip.confirmed is False for flip in asked)
        return (
            f"{gone} of {len(asked)} flips were not confirmed, and without them it is not regressed; only "
            "losses were asked again, so nothing better can be said"
        )
    if not question.is_statistical:
        lost, gained = paired.table.lost, paired.table.gained
        return f"lost {lost}, gained {gained}; no data set, so no statistical claim"
    if outcome is Outcome.IMPROVED:
        return "the interval of the difference lies above 0"
    if outcome is Outcome.NO_WORSE:
        return f"it loses less than its margin of {margin}, with 95 % confidence"
    if outcome is Outcome.REGRESSED:
        again = [flip for flip in flips if flip.confirmed is not None]
        if again:
            came = sum(flip.confirmed is True for flip in again)
            return f"the interval of the difference lies below 0; {came} of {len(again)} flips were confirmed"
        return "the interval of the difference lies below 0"
    return _inconclusive(decision, margin)


def _inconclusive(decision: Decision, margin: str) -> str:
    difference, adjusted = decision.difference, decision.adjusted_p
    reason = f"these samples show neither a loss nor that it is smaller than the margin of {margin}"
    if difference is not None and difference.high < 0 and adjusted is not None and adjusted > LEVEL:
        reason = f"the interval lies below 0, but the exact test over all tasks does not (p = {adjusted:.2g})"
    if decision.needed is not None:
        return f"{reason}; about {decision.needed} samples would decide"
    return reason


def _same_replies(paired: Paired) -> str:
    if paired.verdict_changes:
        return (
            f"every reply is the same, yet {paired.verdict_changes} verdicts differ: it is the evaluator "
            "that does not repeat itself"
        )
    return f"no reply differs, yet the scores of {paired.score_changes} evaluations do"


def missing_of(paired: Paired) -> str:
    """Return how many pairs are missing on a side, and why."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in paired.unresolved.items())
    return f"{paired.table.unresolved} of {paired.table.pairs} pairs are missing on a side ({reasons})"


def _margin(margin: float | None) -> str:
    return "not given" if margin is None else f"{100 * margin:g} %"
