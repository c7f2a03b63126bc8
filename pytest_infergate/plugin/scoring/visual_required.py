"""The checks that ``infer_visual`` requires: each has a row in the record, made or not."""

from __future__ import annotations

from ...evidence import Missing, Reason
from ..evaluations.evaluation import Gathered, RunningEvaluation
from ..evaluations.unmade_score import unmade_score


def require_checks(running: RunningEvaluation, gathered: Gathered) -> None:
    """Record as missing what is required and came to no verdict in this attempt.

    A test that failed before it came that far has failed, and is not to become missing by it. May be called
    again.
    """
    scores = {score.name: score for score in gathered.scores}
    for check in running.task.visual.require:
        taken = scores.get(check)
        if check in gathered.checked or (taken is not None and taken.missing is not None and taken.gates):
            continue
        # A score that the test gave the name of a check is no check.
        name = check if taken is None else f"{check}_required"
        while name in scores and scores[name].missing is None:
            name = f"{name}_required"
        if name in scores:
            continue
        missing = Missing(
            Reason.NOT_EXERCISED,
            f"the test ended before its check {check!r}"
            if gathered.has_failed
            else f"infer_visual requires {check!r}, and no such check came to a verdict: call "
            f"visual.{check}(…) in the test, or take it out of require",
        )
        gathered.scores.append(unmade_score(name, missing, running, gates=not gathered.has_failed))
