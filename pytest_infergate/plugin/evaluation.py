"""What one evaluation gathers while its test runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from time import monotonic  # by name: a test may put another clock into the module
from typing import TYPE_CHECKING

import pytest

from ..evidence import (
    PASSED,
    Evaluation,
    EvaluatorIdentity,
    Exchange,
    Record,
    Score,
    Verdict,
    canonical_json,
)
from ..traits import byproduct_scores
from .judgement import Judgement, PhaseEnd, judge_evaluation

if TYPE_CHECKING:
    from ..tasks import Sample
    from .task import Task


@dataclass(slots=True, kw_only=True)
class RunningEvaluation:
    """One evaluation under way: the plan it carries out and what it gathered so far.

    ``shown`` is the verdict that a report has shown already, so that a teardown which changes it
    can be shown too. ``is_placeholder``: the item stands for a data set without samples, so that the
    session is red; there is no evaluation to record. ``refusal``: why this kind of item cannot be
    evaluated.
    """

    evaluation: Evaluation
    task: Task
    sample: Sample
    is_placeholder: bool = False
    refusal: str | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)
    answer: str | None = None
    ends: list[PhaseEnd] = field(default_factory=list)
    shown: Verdict | None = None
    _started: datetime | None = None
    _clock: float = 0.0

    def begin(self) -> None:
        self._started = datetime.now(timezone.utc)
        self._clock = monotonic()

    def note_answer(self, value: object) -> None:
        """Keep what was read out of the reply, for the record and for votes between repeats."""
        try:
            self.answer = canonical_json(value)
        except (TypeError, ValueError, RecursionError):
            self.answer = repr(value)

    def judge(self) -> Judgement:
        return judge_evaluation(self.ends, self.exchanges, self.scores)

    def record(self) -> Record:
        """Return the line to keep; an evaluation without a score of its own gets ``passed``."""
        judgement = self.judge()
        scores = tuple(self.scores) or (passed_score(judgement, self.task.evaluator),)
        exchanges = tuple(exchange.as_json() for exchange in self.exchanges)
        started = self._started
        return Record(
            evaluation=self.evaluation,
            verdict=judgement.verdict,
            missing=judgement.missing,
            is_expected_failure=judgement.is_expected_failure,
            message=judgement.message,
            answer=self.answer,
            scores=(*scores, *byproduct_scores([one for one in exchanges if one["role"] == "model"])),
            exchanges=exchanges,
            started=started.isoformat(timespec="milliseconds") if started else None,
            duration_s=round(monotonic() - self._clock, 6) if started else None,
        )


def passed_score(judgement: Judgement, evaluator: EvaluatorIdentity) -> Score:
    """Return the score ``passed``: 1, 0, or missing with the evaluation's reason."""
    value = None if judgement.missing else float(judgement.verdict is Verdict.PASSED)
    return Score(
        name=PASSED,
        value=value,
        unit="ratio",
        higher_is_better=True,
        evaluator=evaluator,
        missing=judgement.missing,
    )


#: The evaluation that a pytest item is; absent on items that are none.
RUNNING = pytest.StashKey[RunningEvaluation]()
