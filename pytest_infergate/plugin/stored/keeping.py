"""Evaluations that another run has judged, and whose records this one keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import pytest

from ...evidence import Record
from ...report import junit_properties
from ...serving import Engine
from ..evaluations.evaluation import Kept
from ..evaluations.judgement import Judgement
from ..evaluations.plan import Plan

if TYPE_CHECKING:
    from ..run.recorder import Recorder


class Keeping(Protocol):
    """What of another run is kept. Every process of xdist decides for itself, and comes to the same."""

    def decide(self, items: Sequence[pytest.Item], engine: Engine | None) -> tuple[str, ...]:
        """Mark the evaluations among ``items`` that are kept, and return their ids.

        ``engine`` says how the server is asked. Raises ``pytest.UsageError``.
        """
        ...

    def keep(self, plan: Plan, recorder: Recorder) -> Iterator[str]:
        """Write down what is kept of the plan, before anything is judged; yields what a person is told.

        Raises ``RunFolderError``.
        """
        ...


#: What this session keeps; absent where it judges everything itself.
KEEPING = pytest.StashKey[Keeping]()


def as_shown(record: Record, run_id: str) -> Kept:
    """Return what reports show of an evaluation that run ``run_id`` has judged."""
    label = f"kept from run {run_id}"
    missing = record.missing
    return Kept(
        run_id=run_id,
        judgement=Judgement(
            verdict=record.verdict,
            missing=missing and replace(missing, detail="; ".join(filter(None, (missing.detail, label)))),
            is_expected_failure=record.is_expected_failure,
            message=f"{record.message or 'wrong'}\n\n{label}",
        ),
        properties=(*junit_properties(record), ("infer.kept_from", run_id)),
    )
