"""A run that goes on where another one was interrupted: what that one finished is kept, the rest is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from ...evidence import Record
from ...report import visible_line
from ...runs import Derivation, RunFolderError, RunHead
from ...serving import Engine, ServerIdentity, differing_fields
from ..evaluations.evaluation import RUNNING, RunningEvaluation
from ..evaluations.origin import PROMPTED, own_fixtures
from ..evaluations.plan import Plan
from ..options.settings import Settings
from .keeping import KEEPING, as_shown
from .kept_changes import Change, changes_since

if TYPE_CHECKING:
    from ...runs.kept import KeptRecords
    from ..run.recorder import Recorder


class Resumption:
    """The run of ``--infer-resume`` in one process: what is kept of it, and whether it may be."""

    def __init__(self, kept: KeptRecords, settings: Settings) -> None:
        self._kept = kept
        self._settings = settings

    @classmethod
    def open(cls, settings: Settings, *, is_checked: bool) -> Resumption:
        """Open the run. Raises ``pytest.UsageError`` with one line where nothing can be kept of it."""
        from ...runs.kept import KeptRecords  # loads jsonschema

        assert settings.resume is not None
        try:
            return cls(KeptRecords.open(settings.resume, is_checked=is_checked), settings)
        except RunFolderError as error:
            raise pytest.UsageError(f"--infer-resume: {error}") from None

    @property
    def run_id(self) -> str:
        return self._kept.run.head.run_id

    @property
    def derivation(self) -> Derivation:
        return self._kept.derivation

    def check_servers(self, now: RunHead) -> None:
        """Hold the servers of this session, as its ``run.json`` has them by now, to those of the run.

        Raises ``pytest.UsageError`` where it is not known to be the same model server and the same judge.
        """
        there = self._kept.run.head
        self._check_server("server", there.server, now.server)
        # A judge that there was not can have judged nothing that is kept.
        if there.judge is not None:
            self._check_server("judge", there.judge, now.judge)
        if there.asr is not None:
            self._check_server("asr", there.asr, now.asr)

    def decide(self, items: Sequence[pytest.Item], engine: Engine | None) -> tuple[str, ...]:
        """Mark the evaluations among ``items`` that are kept, and return their ids; the others will be asked.

        ``engine`` says how the server is asked. Raises ``pytest.UsageError`` where one of them was another
        evaluation there: other code, another row, another request.
        """
        kept: list[tuple[RunningEvaluation, Record]] = []
        changed: list[Change] = []
        for item in items:
            running = item.stash.get(RUNNING, None)
            if running is None or running.is_placeholder or running.refusal:
                continue
            record = self._find(running)
            if record is not None:
                is_prompted = bool(own_fixtures(item) & PROMPTED)
                changed += islice(changes_since(record, running, engine, is_prompted=is_prompted), 1)
                kept.append((running, record))
        if changed:
            others = f" ({len(changed) - 1} more evaluations differ)" if len(changed) > 1 else ""
            raise self._refusal(f"{changed[0]}{others}", "put it back")
        for running, record in kept:
            running.kept = as_shown(record, self.run_id)
        return tuple(str(running.evaluation.key) for running, _ in kept)

    def keep(self, plan: Plan, recorder: Recorder) -> Iterator[str]:
        """Write down what is kept of what is planned, before anything is asked.

        Yields what a person is told: how much is kept, how much is asked, and what was finished and is
        nowhere now. Raises ``RunFolderError`` where the disk does not take it, or a record cannot be read any
        more.
        """
        for id in plan.kept:
            record = self._kept.find(id)
            if record is not None:
                recorder.take_kept(record, self._kept.attempts(id), self._kept.media)
        kept = recorder.judged
        yield f"{kept} kept from run {self.run_id}, {len(plan.evaluations) - kept} asked"
        if self._settings.limit is not None:
            return  # nobody knows what the data sets hold beyond it
        here = {str(evaluation.key) for evaluation in plan.evaluations}
        here |= {
            f"{task.plan.name}/{one.sample}#{one.repeat}"
            for task in plan.collected
            for one in task.evaluations
        }
        gone = [id for id in self._kept if id not in here]
        if gone:
            what = "evaluations that it finished are" if len(gone) > 1 else "evaluation that it finished is"
            yield f"{len(gone)} {what} not collected now, and in the new run neither: {_some(gone)}"

    def _check_server(self, what: str, there: Any, now: Any) -> None:
        run, remedy = f"run {self.run_id}", f"name that {what}"
        if there is None:
            raise self._refusal(f"{run} had no {what}, so nothing of it was asked of this one", remedy)
        if now is None:
            raise self._refusal(f"{run} had a {what}, and there is none now", f"add --infer-{what}=URL")
        identities = []
        for identity, whose in ((there, f"the {what} of {run}"), (now, f"the {what} at {now['url']}")):
            if "model" not in identity["fields"]:
                raise self._refusal(
                    f"{whose} never said who it is, so it is not known to be the same", remedy
                )
            identities.append(ServerIdentity.from_json(identity))
        if (there.get("changes") or {}).get("change") == "changed":
            changed = there["changes"]["detail"]
            raise self._refusal(f"the {what} of {run} changed while that run went on ({changed})", remedy)
        differences = differing_fields(*identities)
        if differences:
            shown = "; ".join(visible_line(str(one), 200) for one in differences)
            raise self._refusal(f"the {what} is not the one of {run}: {shown}", remedy)

    def _find(self, running: RunningEvaluation) -> Record | None:
        try:
            return self._kept.find(str(running.evaluation.key))
        except RunFolderError as error:
            raise pytest.UsageError(f"--infer-resume: {error}") from None

    def _refusal(self, why: str, remedy: str) -> pytest.UsageError:
        where = f"--infer-resume={self._settings.resume}"
        return pytest.UsageError(f"{where}: {why}; {remedy}, or start anew without --infer-resume")


#: What this session resumes; absent where it starts anew. ``KEEPING`` holds it as well.
RESUMPTION = pytest.StashKey[Resumption]()


def resumption_of(
    config: pytest.Config, settings: Settings, *, is_checked: bool = False
) -> Resumption | None:
    """Return what the session resumes, opened the first time; ``None`` where it starts anew.

    Raises ``pytest.UsageError`` as ``Resumption.open`` does.
    """
    if settings.resume is not None and RESUMPTION not in config.stash:
        resumption = Resumption.open(settings, is_checked=is_checked)
        config.stash[RESUMPTION] = config.stash[KEEPING] = resumption
    return config.stash.get(RESUMPTION, None)


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:3]) + (" …" if len(ids) > 3 else "")
