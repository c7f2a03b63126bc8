"""Reading a run folder back."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..evidence import EvaluationKey, Gate, GateRule, InfergateError, Record, Verdict
from .attempts import Attempt, Because
from .collected import CollectedTask
from .errors import ForeignFolderError, RunFolderError
from .folder import ATTEMPTS_FILE, COLLECTED_FILE, RECORDS_FILE, RUN_FILE
from .head import RUN_SCHEMA, RunHead
from .ledger import RunLedger
from .rescored import Rescored
from .schema_version import is_newer
from .strict_json import parse_strict
from .summary import TaskPlan

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """A run as its folder tells it; its numbers are counted anew, never read.

    ``finished`` and ``verdict`` are ``None`` where the run was interrupted or is going on; then ``plans``
    is empty. ``gates`` are the run's gates less those that every task has. ``path`` is of the folder.
    ``rescored`` sets a replayed run beside the run whose replies it judged.
    """

    path: Path
    head: RunHead
    finished: str | None
    plans: tuple[TaskPlan, ...]
    gates: tuple[Gate, ...]
    verdict: Verdict | None
    rescored: Rescored | None = None

    def records(self) -> Iterator[Record]:
        """Read the records one by one, in the order they were written.

        A torn last line of an unfinished run is left out. Raises ``RunFolderError``, with file and line,
        for any other line that is not a record.
        """
        return (record for _, record in self.placed_records())

    def placed_records(self) -> Iterator[tuple[int, Record]]:
        """Read the records as ``records`` does, each with the offset of its line in the file."""
        from .schemas import RecordCheck  # loads jsonschema

        return self._lines(RECORDS_FILE, _checked(RecordCheck().problem, Record.from_json), "a record")

    def attempts(self) -> Iterator[Attempt]:
        """Read the further attempts at evaluations, none where there are none; otherwise as ``records``."""
        if not (self.path / ATTEMPTS_FILE).exists():
            return iter(())
        from .schemas import AttemptCheck  # loads jsonschema

        parse = _checked(AttemptCheck().problem, Attempt.from_json)
        return (attempt for _, attempt in self._lines(ATTEMPTS_FILE, parse, "an attempt"))

    def collected(self) -> Iterator[CollectedTask]:
        """Read what there was before a part of it was selected, none where nothing was left out."""
        if not (self.path / COLLECTED_FILE).exists():
            return iter(())
        return (task for _, task in self._lines(COLLECTED_FILE, CollectedTask.from_json, "a task"))

    def _lines(self, name: str, parse: Callable[[Any], _T], what: str) -> Iterator[tuple[int, _T]]:
        path, offset = self.path / name, 0
        try:
            with open(path, "rb") as lines:
                for number, raw in enumerate(lines, 1):
                    try:
                        parsed = parse(parse_strict(raw))
                    except (ValueError, TypeError, LookupError, AttributeError, InfergateError) as error:
                        if self.finished is None and not raw.endswith(b"\n"):
                            return
                        raise RunFolderError(
                            f"{path}:{number}: not {what} ({error}); run infergate validate {self.path}"
                        ) from error
                    yield offset, parsed
                    offset += len(raw)
        except OSError as error:
            raise RunFolderError(f"cannot read {str(path)!r}: {error.strerror}; restore the file") from error

    def count(self) -> RunLedger:
        """Count all records. Tasks of an unfinished run are planned as their records come, without a rule.

        Raises ``RunFolderError`` for what is no record, and where an evaluation has two.
        """
        ledger = RunLedger(self.plans)
        reruns = defaultdict[str, list[Verdict]](list)
        for attempt in self.attempts():
            if attempt.because is Because.RERUN:
                reruns[attempt.id].append(attempt.record.verdict)
        seen, judged = {plan.name for plan in self.plans}, set[EvaluationKey]()
        for record in self.records():
            evaluation = record.evaluation
            if evaluation.key in judged:
                raise RunFolderError(
                    f"{self.path / RECORDS_FILE}: {evaluation.key} is there twice, and an evaluation counts "
                    f"once; run infergate validate {self.path}"
                )
            judged.add(evaluation.key)
            if evaluation.key.task not in seen:
                if self.finished is not None:
                    raise RunFolderError(
                        f"{self.path / RUN_FILE}: task {evaluation.key.task!r} has records and is not "
                        f"listed; run infergate validate {self.path}"
                    )
                seen.add(evaluation.key.task)
                ledger.plan(
                    TaskPlan(
                        name=evaluation.key.task,
                        version=evaluation.task_version,
                        digest=evaluation.task_digest,
                        rule=GateRule(),
                    )
                )
            ledger.count(record)
            if reruns:
                for verdict in reruns.get(str(evaluation.key), ()):
                    ledger.count_rerun(str(evaluation.key), first=record.verdict, again=verdict)
        return ledger


def _checked(problem_of: Callable[[Any], str | None], parse: Callable[[Any], _T]) -> Callable[[Any], _T]:
    """Return ``parse`` for values that nobody has held against their schema: readers rely on it."""

    def checked(value: Any) -> _T:
        problem = problem_of(value)
        if problem is not None:
            raise ValueError(problem)
        return parse(value)

    return checked


def read_run(folder: Path) -> StoredRun:
    """Read ``run.json`` of a run folder; the records wait to be asked for.

    Raises ``ForeignFolderError`` where the folder is no run of this tool or of a newer one, and
    ``RunFolderError`` where ``run.json`` is damaged.
    """
    return parse_checked(folder, read_run_json(folder))


def parse_checked(folder: Path, value: Mapping[str, Any]) -> StoredRun:
    """Turn the object of ``run.json`` into a run, whose values readers may rely on.

    Raises ``RunFolderError`` where it is not as its schema asks.
    """
    from .schemas import schema_problem_of_run  # loads jsonschema

    problem = schema_problem_of_run(value)
    try:
        if problem is not None:
            raise ValueError(problem)
        return parse_run(folder, value)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise RunFolderError(
            f"{folder / RUN_FILE}: not as a run is written ({error}); the run is damaged or was edited: "
            f"restore the folder, and see infergate validate {folder}"
        ) from error


def parse_run(folder: Path, value: Mapping[str, Any]) -> StoredRun:
    """Turn the object of ``run.json`` into a run; it must be as the schema asks."""
    plans = tuple(TaskPlan.from_json(task) for task in value["tasks"])
    own = {(name, plan.name) for plan in plans for name in plan.own_gates}
    gates = (Gate.from_json(gate) for gate in value["gates"])
    return StoredRun(
        path=folder,
        head=RunHead.from_json(value),
        finished=value["finished"],
        plans=plans,
        gates=tuple(gate for gate in gates if (gate.name, gate.task) not in own),
        verdict=Verdict(value["verdict"]) if value["verdict"] is not None else None,
        rescored=Rescored.from_json(value["rescored"]) if value["rescored"] is not None else None,
    )


def read_run_json(folder: Path) -> dict[str, Any]:
    """Return the object of ``run.json``, known to be of this schema and not known to be right.

    Raises as ``read_run`` does.
    """
    path = folder / RUN_FILE
    if not os.path.isdir(folder):  # no name is too odd for it, as for Path.is_dir
        raise ForeignFolderError(f"{str(folder)!r} is not a folder; name a run folder, one with a {RUN_FILE}")
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise ForeignFolderError(
            f"{str(folder)!r} has no {RUN_FILE}, so it is not a run; name a run folder"
        ) from error
    except OSError as error:
        raise ForeignFolderError(f"cannot read {str(path)!r}: {error.strerror}; name a run folder") from error
    try:
        value = parse_strict(raw)
    except ValueError as error:
        raise RunFolderError(f"{path}: {error}; the file is damaged: restore it or run again") from error
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema == RUN_SCHEMA:
        assert isinstance(value, dict)
        return value
    if is_newer(schema, RUN_SCHEMA):
        raise ForeignFolderError(
            f"{path}: schema {schema!r} is newer than {RUN_SCHEMA!r}, which this version reads; "
            "upgrade pytest-infergate"
        )
    raise ForeignFolderError(
        f"{path}: schema {schema!r} is not {RUN_SCHEMA!r}, so this is not a run; name a run folder"
    )
