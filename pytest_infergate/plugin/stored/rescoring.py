"""Judging again a part of a stored run: what is missing, or what a fallback scored; the rest is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest

from ...evidence import Reason, Record, Verdict
from ...runs import RunFolderError
from ...serving import Engine, engine_of
from ..evaluations.evaluation import RUNNING
from ..evaluations.origin import PROMPTED, own_fixtures
from ..evaluations.plan import Plan
from ..options.rescore_choice import RescoreChoice
from ..options.settings import Settings
from ..servers.endpoint import known_engines
from .keeping import KEEPING, as_shown
from .kept_changes import changes_since
from .replaying import Replay, replay_of

if TYPE_CHECKING:
    from ...runs.kept import KeptRecords
    from ..run.recorder import Recorder


def is_judged_again(record: Record, choices: frozenset[RescoreChoice]) -> bool:
    """Say whether an evaluation is among those to judge again."""
    if RescoreChoice.MISSING in choices and record.verdict is Verdict.MISSING:
        return True
    return RescoreChoice.FALLBACK in choices and any(
        score.fallback is not None
        or (score.missing is not None and score.missing.reason is Reason.FALLBACK_NOT_ALLOWED)
        for score in record.scores
    )


class Rescoring:
    """The run of ``--infer-replay`` in one process, of which ``--infer-rescore`` names what is judged again.

    What was judged by other code, on another sample or by another request than now is judged again too.
    """

    def __init__(self, kept: KeptRecords, replay: Replay, engine: Engine | None) -> None:
        self._kept = kept
        self._run_id = replay.run_id
        self._engine = engine

    @classmethod
    def open(cls, config: pytest.Config, settings: Settings, replay: Replay) -> Rescoring:
        """Find what is kept. Raises ``pytest.UsageError`` where a record cannot be read."""
        from ...runs.kept import KeptRecords  # loads jsonschema

        assert settings.rescore is not None
        choices, server = settings.rescore, replay.server
        try:
            kept = KeptRecords.of_replayed(
                replay.stored.run, lambda record: not is_judged_again(record, choices)
            )
        except RunFolderError as error:
            raise pytest.UsageError(f"--infer-rescore: {error}") from None
        return cls(kept, replay, engine_of(server, known_engines(config)) if server is not None else None)

    def decide(self, items: Sequence[pytest.Item], engine: Engine | None) -> tuple[str, ...]:
        """Mark the evaluations among ``items`` that are kept, and return their ids.

        Raises ``pytest.UsageError`` where a record cannot be read any more.
        """
        ids = []
        for item in items:
            running = item.stash.get(RUNNING, None)
            if running is None or running.is_placeholder or running.refusal:
                continue
            id = str(running.evaluation.key)
            try:
                record = self._kept.find(id)
            except RunFolderError as error:
                raise pytest.UsageError(f"--infer-rescore: {error}") from None
            is_prompted = bool(own_fixtures(item) & PROMPTED)
            if record is None or any(changes_since(record, running, self._engine, is_prompted=is_prompted)):
                continue
            running.kept = as_shown(record, self._run_id)
            ids.append(id)
        return tuple(ids)

    def keep(self, plan: Plan, recorder: Recorder) -> Iterator[str]:
        """Write down what is kept of the plan; yields what a person is told.

        Raises ``RunFolderError`` where the disk does not take it, or a record cannot be read any more.
        """
        for id in plan.kept:
            record = self._kept.find(id)
            if record is not None:
                recorder.take_kept(record, self._kept.attempts(id), self._kept.media)
        kept = recorder.judged
        yield (f"{kept} kept as run {self._run_id} judged them, {len(plan.evaluations) - kept} judged again")


def open_rescoring(config: pytest.Config, settings: Settings) -> None:
    """Find what of the replayed run is kept, the first time; nothing where all of it is judged again.

    Raises ``pytest.UsageError`` as ``Rescoring.open`` does.
    """
    replay = replay_of(config, settings)
    if replay is not None and settings.rescore is not None and KEEPING not in config.stash:
        config.stash[KEEPING] = Rescoring.open(config, settings, replay)
