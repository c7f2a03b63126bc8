"""The score of a check that was not made."""

from __future__ import annotations

from ...evidence import Missing, Score
from .evaluation import RunningEvaluation


def unmade_score(name: str, missing: Missing, running: RunningEvaluation, *, gates: bool = True) -> Score:
    """Return the score of a check that was not made: no evaluator, so the task's stands for it."""
    return Score(
        name=name,
        value=None,
        unit="ratio",
        higher_is_better=True,
        evaluator=running.task.evaluator,
        missing=missing,
        gates=gates,
    )
