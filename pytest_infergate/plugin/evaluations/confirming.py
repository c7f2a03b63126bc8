"""What is expected to pass, and is asked again where it does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

import pytest

from ...compare import RunSide
from ...compare.side import has_delivered
from ...evidence import Evaluation, Role
from .evaluation import Gathered


class Expected:
    """The evaluations that passed in what a session is compared with."""

    def __init__(self, marks: Iterable[str]) -> None:
        self._marks = frozenset(marks)

    @classmethod
    def of(cls, sides: Iterable[RunSide]) -> Expected:
        """Return what passed in any of these runs."""
        return cls(mark for side in sides for mark in _passed(side))

    def holds(self, evaluation: Evaluation) -> bool:
        """Say whether this evaluation passed there, with the same code on the same sample."""
        key = evaluation.key
        return (
            _mark(key.task, evaluation.task_digest, key.sample, evaluation.sample_digest, key.repeat)
            in self._marks
        )

    def as_json(self) -> list[str]:
        return sorted(self._marks)


def may_be_noise(gathered: Gathered) -> bool:
    """Say whether an attempt did not deliver, and the model might do so when it is asked again.

    An evaluation that asked the model nothing would repeat its evaluator, not the model.
    """
    judgement = gathered.judge()
    has_asked = any(exchange.role is Role.MODEL for exchange in gathered.exchanges)
    reason = judgement.missing.reason if judgement.missing else None
    return has_asked and has_delivered(judgement.verdict, reason) is False


def _passed(side: RunSide) -> Iterator[str]:
    for name, task in side.tasks.items():
        for (sample, repeat), seen in task.observations.items():
            if seen.delivered:
                yield _mark(name, task.plan.digest, sample, seen.sample_digest, repeat)


def _mark(task: str, task_digest: str, sample: str, sample_digest: str, repeat: int) -> str:
    # Short, since every worker gets all of them; two alike would cost a request too many, no verdict.
    named = "\0".join((task, _core(task_digest), sample, _core(sample_digest), str(repeat)))
    return sha256(named.encode()).hexdigest()[:16]


def _core(digest: str) -> str:
    # As much of a digest as a comparison keeps of it.
    return digest.rpartition(":")[2][:16]


#: What is expected of the candidate; absent where nothing is asked again.
EXPECTED: pytest.StashKey[Expected] = pytest.StashKey()
