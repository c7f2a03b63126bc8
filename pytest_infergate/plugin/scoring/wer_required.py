"""What ``infer_wer`` requires: every evaluation has the rate of a clip, measured or missing."""

from __future__ import annotations

from ...evidence import ERROR_RATE, TRANSCRIBER, Missing, Reason
from ..evaluations.evaluation import Gathered, RunningEvaluation
from ..evaluations.judgement import Ending
from .clip_score import ClipScore


def require_rate(running: RunningEvaluation, gathered: Gathered) -> None:
    """Record as missing the rate of an attempt in which ``wer.check`` was not called.

    A test that failed before it came that far has failed, and is not to become missing by it. May be called
    again.
    """
    declared = running.task.wer
    if declared is None or any(one.evaluator.kind in (TRANSCRIBER, ERROR_RATE) for one in gathered.scores):
        return
    has_ended_early = any(end.ending is not Ending.FINE for end in gathered.ends)
    clip = ClipScore(
        declared=declared, is_heard=False, is_silent=False, extractors=None, gates=not gathered.has_failed
    )
    why = (
        "the test ended before it called wer.check"
        if has_ended_early
        else "infer_wer measures clips, and wer.check was not called: call it in the test, or take the "
        "marker off"
    )
    gathered.scores.append(clip.missing(Missing(Reason.NOT_EXERCISED, why)))
