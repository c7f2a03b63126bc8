"""Putting shards together: refuse what is not one suite, then write the run as if it was made at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ...evidence import Record, Verdict
from ..artifacts import ArtifactStore, artifacts_of
from ..attempts import Because
from ..errors import NotWrittenError, RunFolderError
from ..findings import Findings
from ..folder import RECORDS_FILE, new_run_id
from ..ledger import RunLedger
from ..served_models import Witnesses
from ..strict_json import parse_strict
from ..summary import RunSummary
from ..writer import RunWriter
from .conditions import differing_conditions
from .gates import carried_gates
from .inventory import Inventory
from .merged_head import merged_head
from .refusal import MergeRefused, Refusal, RefusalKind
from .shard import Shard, open_shard
from .task_order import order_tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedRun:
    """The run that was written. ``shards`` are labels with numbers of records, in the order of starting."""

    folder: Path
    summary: RunSummary
    findings: Findings
    partial: tuple[str, ...]
    shards: tuple[tuple[str, int], ...]


def merge_runs(
    folders: Sequence[Path], into: Path, *, argv: Iterable[str], allow_gaps: bool = False
) -> MergedRun:
    """Write the run that the shards in ``folders`` make together into the new folder ``into``.

    Records keep their bytes, their media are copied, and they come in the order of the collection; tasks,
    totals, gates and the verdict are counted anew. Memory grows by a few hundred bytes for each record.
    ``allow_gaps``: what was collected and is in no shard makes the run partial instead of being refused.

    Raises ``MergeRefused``, with every reason, where the shards do not make one run, and ``RunFolderError``
    where one cannot be trusted or the new one cannot be written.
    """
    shards = sorted(
        map(open_shard, folders), key=lambda shard: (shard.run.head.started, shard.run.head.run_id)
    )
    _refuse_twice(shards)
    refusals = list(differing_conditions(shards))
    inventory = Inventory(shards)
    refusals += inventory.refusals()
    # What is missing can be said only of shards that agree on what there is.
    if not refusals and not allow_gaps:
        refusals += inventory.gaps()
    if refusals:
        raise MergeRefused(refusals)
    left_out = _left_out(inventory)
    head = merged_head(shards, run_id=new_run_id(), argv=argv, left_out=left_out)
    writer = RunWriter.create(into, head)
    try:
        if left_out is not None:
            tasks = inventory.tasks
            names = order_tasks(inventory.orders, {name: task.nodeid for name, task in tasks.items()})
            writer.add_collected(tasks[name].collected() for name in names)
        witnesses = Witnesses()
        ledger = _write(writer, shards, inventory, witnesses)
        finished = max(shard.run.finished or "" for shard in shards)
        summary = ledger.summary((*carried_gates(shards), *witnesses.gates()))
        writer.finish(finished, summary)
    except BaseException as error:  # an interrupt, too, leaves no half of a run where the shards are whole
        writer.discard()
        if isinstance(error, NotWrittenError):
            raise RunFolderError(
                f"{error.cause}; nothing was merged, and the shards are as they were: make room, or name "
                "another folder with -o RUN"
            ) from error
        raise
    return MergedRun(
        folder=into,
        summary=summary,
        findings=ledger.findings(),
        partial=head.partial,
        shards=tuple(zip((shard.label for shard in shards), inventory.records, strict=True)),
    )


def _write(
    writer: RunWriter, shards: Sequence[Shard], inventory: Inventory, witnesses: Witnesses
) -> RunLedger:
    selected = {name: task for name, task in inventory.tasks.items() if task.is_selected}
    order = order_tasks(
        [[name for name in names if name in selected] for names in inventory.orders],
        {name: task.nodeid for name, task in selected.items()},
    )
    ledger = RunLedger(selected[name].plan for name in order)
    reruns = _copy_attempts(writer, shards)
    stores = [ArtifactStore(shard.run.path) for shard in shards]
    with ExitStack() as stack:
        files = [stack.enter_context(_open(shard.run.path / RECORDS_FILE)) for shard in shards]
        for name in order:
            task = selected[name]
            for key in task.told:
                place = task.places.get(key)
                if place is None:
                    continue  # a gap that was allowed
                files[place.shard].seek(place.offset)
                raw = files[place.shard].readline()
                record = Record.from_json(parse_strict(raw))
                writer.artifacts.copy(artifacts_of(record), stores[place.shard])
                writer.add(raw.decode("ascii").rstrip("\n"))
                ledger.count(record)
                witnesses.hear(record)
                id = str(record.evaluation.key)
                for again in reruns.get(id, ()):
                    ledger.count_rerun(id, first=record.verdict, again=again)
    return ledger


def _copy_attempts(writer: RunWriter, shards: Sequence[Shard]) -> dict[str, list[Verdict]]:
    """Copy further attempts; return the verdicts of those that another plugin made."""
    reruns: dict[str, list[Verdict]] = {}
    for shard in shards:
        store = ArtifactStore(shard.run.path)
        for raw, attempt in shard.attempts():
            writer.add_attempt(raw.decode("ascii").rstrip("\n"))
            writer.artifacts.copy(artifacts_of(attempt.record), store)
            if attempt.because is Because.RERUN:
                reruns.setdefault(attempt.id, []).append(attempt.record.verdict)
    return reruns


def _open(path: Path) -> IO[bytes]:
    try:
        return open(path, "rb")
    except OSError as error:
        raise RunFolderError(f"cannot read {str(path)!r}: {error.strerror}; restore the file") from error


def _left_out(inventory: Inventory) -> str | None:
    """Say how much is in no shard, ``None`` where nothing is."""
    if not any(inventory.gaps()):
        return None
    tasks = inventory.tasks.values()
    missing = sum(len(task.left_out) for task in tasks)
    if not missing:
        return f"{sum(not task.is_selected for task in tasks)} of the suite's {len(tasks)} tasks in no shard"
    return f"{missing} of the suite's {sum(len(task.told) for task in tasks)} evaluations in no shard"


def _refuse_twice(shards: Sequence[Shard]) -> None:
    known: dict[str, str] = {}
    for shard in shards:
        id = shard.run.head.run_id
        if id in known:
            values = ((known[id], "it is"), (shard.label, "it is"))
            what = f"the run {id} is given twice"
            raise MergeRefused([Refusal(kind=RefusalKind.OVERLAP, what=what, values=values)])
        known[id] = shard.label
