"""The run as it is written: records in, gates and a verdict out. Knows nothing of pytest."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...evidence import (
    Evaluation,
    Gate,
    Missing,
    Reason,
    Record,
    Verdict,
    canonical_json,
)
from ...runs import (
    ArtifactStore,
    Attempt,
    Because,
    Findings,
    Rescored,
    RunHead,
    RunLedger,
    RunSummary,
    RunWriter,
    Secrets,
    ServedModels,
    Witnesses,
    artifacts_of,
    read_run,
    utc_now,
)
from ..evaluations.plan import Plan, PlannedTask

if TYPE_CHECKING:
    from ...compare import RunComparison, RunSide


class Recorder:
    """Writes what is judged, at once, and sums the run up at its end."""

    def __init__(self, folder: Path, head: RunHead, secrets: Secrets) -> None:
        """Open the run folder. Raises ``RunFolderError`` where it is not empty or cannot be written."""
        self._head = head
        self._writer = RunWriter.create(folder, head, secrets)
        self._ledger = RunLedger()
        self._waiting: dict[str, Evaluation] = {}
        self._judged: dict[str, Verdict] = {}
        self._attempts: Counter[tuple[str, Because]] = Counter()
        self._crashed: dict[str, str] = {}
        self.tasks: dict[str, PlannedTask] = {}
        self._witnesses = Witnesses()
        #: This run beside the one whose replies it judged, at its end; ``None`` where a server is asked.
        self.rescored: Rescored | None = None

    @property
    def folder(self) -> Path:
        return self._writer.folder

    @property
    def partial(self) -> tuple[str, ...]:
        return self._head.partial

    @property
    def planned(self) -> int:
        return len(self._waiting) + self._writer.count

    @property
    def judged(self) -> int:
        return self._writer.count

    @property
    def served(self) -> ServedModels:
        return self._witnesses.model

    @property
    def asked_judge(self) -> bool:
        return self._witnesses.asked_judge

    @property
    def asked_transcriber(self) -> bool:
        return self._witnesses.asked_transcriber

    def stored_head(self) -> RunHead:
        """Return what ``run.json`` says by now, secrets taken out."""
        return read_run(self.folder).head

    def name_server(self, identity: Mapping[str, Any] | None) -> None:
        """Write down which server is asked, before the first request; ``None``: nobody knows."""
        self._head = replace(self._head, server=identity)
        self._writer.restate(self._head)

    def name_judge(self, identity: Mapping[str, Any]) -> None:
        """Write down who judges replies, before the first of them."""
        self._head = replace(self._head, judge=identity)
        self._writer.restate(self._head)

    def name_asr(self, identity: Mapping[str, Any]) -> None:
        """Write down which server transcribes clips, before the first of them."""
        self._head = replace(self._head, asr=identity)
        self._writer.restate(self._head)

    def take_plan(self, plan: Plan) -> None:
        """Expect these evaluations. Every xdist worker brings the same plan; the first one counts."""
        if self.tasks:
            return
        self.tasks = {task.plan.name: task for task in plan.tasks}
        for task in plan.tasks:
            self._ledger.plan(task.plan)
        self._waiting = {str(evaluation.key): evaluation for evaluation in plan.evaluations}
        self._head = replace(self._head, partial=plan.partial)
        self._writer.restate(self._head)
        if plan.collected:
            self._writer.add_collected(plan.collected)

    def take_record(self, line: str) -> None:
        """Keep the record of an evaluation.

        The first verdict counts: asking again until an answer is right is no measurement, and what comes
        after it is a further attempt. Raises ``RunFolderError`` where the disk does not take it.
        """
        record = Record.from_json(json.loads(line))
        id = str(record.evaluation.key)
        if id in self._judged:
            self.take_attempt(Because.RERUN, record)
        elif (planned := self._waiting.pop(id, None)) is not None:
            if _content(planned) != _content(record.evaluation):
                record = _of_other_content(planned)
                line = canonical_json(record.as_json())
            self._writer.add(line)
            self._count(record)

    @property
    def artifacts(self) -> ArtifactStore:
        """The media of the run."""
        return self._writer.artifacts

    def take_kept(self, record: Record, attempts: Iterable[Attempt], media: ArtifactStore) -> None:
        """Keep what another run says of an evaluation, with further attempts and with its ``media``.

        Raises ``RunFolderError`` where the disk does not take it.
        """
        attempts = tuple(attempts)
        for one in (record, *(attempt.record for attempt in attempts)):
            self.artifacts.copy(artifacts_of(one), media)
        self.take_record(canonical_json(record.as_json()))
        for attempt in attempts:
            self.take_attempt(attempt.because, attempt.record)

    def discard(self) -> None:
        """Take the run back, for which nothing was asked yet."""
        self._writer.discard()

    def take_attempt(self, because: Because, record: Record) -> None:
        """Keep a further attempt at an evaluation that has its verdict; it counts nowhere.

        Raises ``RunFolderError`` where the disk does not take it.
        """
        id = str(record.evaluation.key)
        if id not in self._judged:
            return  # no evaluation of this run
        self._attempts[id, because] += 1
        attempt = Attempt(because=because, number=self._attempts[id, because], record=record)
        if because is Because.RERUN:
            self._ledger.count_rerun(id, first=self._judged[id], again=record.verdict)
        self._writer.add_attempt(canonical_json(attempt.as_json()))

    def note_crash(self, nodeid: str, what: str) -> None:
        """Write down that the worker died which ran this item; run again or not, it did not run.

        Raises ``RunFolderError`` where the disk does not take it.
        """
        self._crashed[nodeid] = what
        for id, evaluation in list(self._waiting.items()):
            if evaluation.nodeid == nodeid:
                del self._waiting[id]
                self._not_run(evaluation, what)

    def finish(
        self,
        gates: Iterable[Gate],
        *,
        why_not_run: str,
        why_no_plan: str | None = None,
        rescore: Callable[[RunSide], Rescored] | None = None,
        comparisons: Sequence[RunComparison] = (),
    ) -> RunSummary:
        """Write down what never ran, judge, and close the run.

        ``why_no_plan`` is what kept the tests from being collected, ``None`` where nothing did. ``rescore``
        sets what was judged beside the run whose replies it judged. ``comparisons`` are those of which some
        ``gates`` are.

        Raises ``RunFolderError`` where the disk does not take it.
        """
        self.settle(why_not_run)
        summary = self._ledger.summary((*gates, *self._own_gates(why_no_plan)))
        if rescore is not None:
            from ...compare import side_of_records

            plans = {name: task.plan for name, task in self.tasks.items()}
            self.rescored = rescore(side_of_records(self.folder, self._head, plans, is_finished=False))
        self._writer.finish(
            utc_now(), summary, [one.as_json() for one in comparisons], rescored=self.rescored
        )
        return summary

    def settle(self, why_not_run: str) -> None:
        """Write down what never ran, so that every evaluation has its record. May be called again.

        Raises ``RunFolderError`` where the disk does not take it.
        """
        for evaluation in list(self._waiting.values()):
            self._not_run(evaluation, self._crashed.get(evaluation.nodeid, why_not_run))
        self._waiting.clear()

    def side(self, gates: Iterable[Gate] = ()) -> RunSide:
        """Return what is on disk as a side of a comparison, secrets taken out as the run is stored.

        ``gates`` are those over the whole run that are judged already. Raises ``RunFolderError`` where it
        cannot be read.
        """
        from ...compare import side_of_records
        from ...compare.provenance import unproven_by

        plans = {name: task.plan for name, task in self.tasks.items()}
        side = side_of_records(self.folder, self.stored_head(), plans, is_finished=True)
        return replace(side, unproven=unproven_by((*gates, *self._witnesses.gates())))

    def findings(self) -> Findings:
        return self._ledger.findings()

    def close(self) -> None:
        """Let go of the folder; a run that was not finished stays so."""
        self._writer.close()

    def _not_run(self, evaluation: Evaluation, why: str) -> None:
        record = Record(evaluation=evaluation, verdict=Verdict.MISSING, missing=Missing(Reason.NOT_RUN, why))
        self._writer.add(canonical_json(record.as_json()))
        self._count(record)

    def _count(self, record: Record) -> None:
        self._judged[str(record.evaluation.key)] = record.verdict
        self._ledger.count(record)
        self._witnesses.hear(record)

    def _own_gates(self, why_no_plan: str | None) -> Iterator[Gate]:
        why_no_plan = why_no_plan or next(iter(self._crashed.values()), None)
        if not self.tasks:
            yield Gate(
                name="nothing_evaluated",
                task=None,
                rule="a source of replies is given, so at least one evaluation runs",
                observed=why_no_plan or "no evaluation was selected",
                verdict=Verdict.MISSING,
                detail=""
                if why_no_plan
                else "name a file with evaluations, or leave the source of replies out",
            )
        yield from self._witnesses.gates()


def _content(evaluation: Evaluation) -> tuple[str, str, str]:
    """Return what is judged and by what; where it lies may differ between hosts."""
    return evaluation.task_version, evaluation.task_digest, evaluation.sample_digest


def _of_other_content(planned: Evaluation) -> Record:
    """Return the record of an evaluation that another host judged with other code, or on another sample."""
    why = "judged on a host with other code or another sample than was planned"
    return Record(
        evaluation=planned, verdict=Verdict.MISSING, missing=Missing(Reason.INVALID_CONDITIONS, why)
    )
