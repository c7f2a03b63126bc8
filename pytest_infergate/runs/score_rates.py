"""Rates over the clips of a task together, counted as records come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..evidence import ERROR_RATE, TRANSCRIBER, EvaluatorIdentity, Pooled, PooledRate, Record, Score
from ..speech.corpus import CorpusRate, CorpusTally

_KINDS = frozenset({TRANSCRIBER, ERROR_RATE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRate:
    """The rate of one score over a task, of one evaluator; those of a fallback are apart.

    ``measured`` clips of ``planned`` have a score; ``corpus`` are the figures. What was made up in clips
    where nothing is to be spoken is among its errors, also in those whose reference is empty by mistake: they
    have no score and are missing.
    """

    name: str
    evaluator: EvaluatorIdentity
    is_fallback: bool
    measured: int
    planned: int
    corpus: CorpusRate

    @property
    def pooled(self) -> PooledRate:
        return PooledRate(measured=self.measured, rate=self.corpus.rate)

    def as_json(self) -> dict[str, Any]:
        corpus = self.corpus.as_json()
        for name in ("expected", "scored", "missing"):  # told by ``measured`` and ``planned``
            del corpus[name]
        return {
            "name": self.name,
            "evaluator": self.evaluator.digest,
            "fallback": self.is_fallback,
            "measured": self.measured,
            "planned": self.planned,
            **corpus,
        }


@dataclass(slots=True)
class _Group:
    name: str
    evaluator: EvaluatorIdentity
    is_fallback: bool
    measured: int = 0
    tally: CorpusTally = field(default_factory=CorpusTally)


class RateTally:
    """Adds up the clips of one task; a few bytes for each."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str, bool], _Group] = {}
        self._missing = 0

    def count(self, record: Record) -> None:
        """Count the clips of a record. A wrong one that was announced (xfail) counts nowhere."""
        if record.is_expected_failure:
            return
        scores = [score for score in record.scores if score.evaluator.kind in _KINDS]
        for score in scores:
            self._count(score, record.evaluation.key.sample)
        self._missing += sum(score.missing is not None for score in scores) or not scores

    def _count(self, score: Score, sample: str) -> None:
        # The rate's name is its evaluator's: clips where nothing is to be spoken have a count of their own.
        key = (score.evaluator.name, score.evaluator.digest, score.fallback is not None)
        counts = score.pooled
        if counts is None and score.value is not None:
            counts = Pooled(part=score.value, whole=0)
        if counts is None:
            return
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(score.evaluator.name, score.evaluator, key[2])
        group.measured += score.value is not None
        group.tally.add(counts, block=sample)

    def rates(self) -> tuple[ScoreRate, ...]:
        """Return the rates in the order of their first clip."""
        planned = self.planned
        return tuple(
            ScoreRate(
                name=group.name,
                evaluator=group.evaluator,
                is_fallback=group.is_fallback,
                measured=group.measured,
                planned=planned,
                corpus=group.tally.rate(),
            )
            for group in self._groups.values()
        )

    @property
    def planned(self) -> int:
        """How many clips there should be; an evaluation without any stands for one."""
        return self._missing + sum(group.measured for group in self._groups.values())
