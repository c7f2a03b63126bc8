"""Reading a side of a comparison: only whole evidence is one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from sys import intern
from typing import Any

from ..evidence import RECORD_SCHEMA, InfergateError, seal_of
from ..runs import RECORDS_FILE, RUN_FILE, RunFolderError, StoredRun, read_run_json
from ..runs.reader import parse_checked
from .collector import paused_collector
from .conditions import conditions_of
from .observing import Observer
from .provenance import unproven_by
from .record_line import parse_record
from .side import Observation, RunSide, TaskSide


@paused_collector()
def read_side(path: Path) -> RunSide:
    """Read a run folder, or a baseline file, as one side of a comparison.

    A run that is not finished has no tasks. Raises ``ForeignFolderError`` for what is no run of this tool or
    of a newer one, and ``RunFolderError`` for a finished run that is not as it was written: edited, torn,
    short, or with records that cannot be.
    """
    if os.path.isfile(path):
        from .baseline_file import read_baseline

        return read_baseline(path).side
    value = read_run_json(path)
    run = parse_checked(path, value)
    try:
        if run.finished is None:
            return _side(run, {})
        _check_seal(path, value)
        tasks = _read_tasks(run, value)
        _check_totals(path, value, tasks)
        return _side(run, tasks)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise _damaged(f"{path / RUN_FILE}: not as a run is written ({error!r})", path) from error


def _side(run: StoredRun, tasks: Mapping[str, TaskSide]) -> RunSide:
    head = run.head
    return RunSide(
        label=str(run.path),
        run_id=head.run_id,
        schema=RECORD_SCHEMA,
        is_finished=run.finished is not None,
        tasks=tasks,
        server=head.server,
        judge=head.judge,
        partial=head.partial,
        conditions=conditions_of(head),
        unproven=unproven_by(run.gates),
    )


def _check_seal(path: Path, value: Mapping[str, Any]) -> None:
    sealed = seal_of(value)
    if sealed != value["digest"]:
        raise _damaged(f"{path / RUN_FILE}: its digest is {sealed}; it says {value['digest']!r}", path)


def _read_tasks(run: StoredRun, value: Mapping[str, Any]) -> dict[str, TaskSide]:
    seen: dict[str, dict[tuple[str, int], Observation]] = {plan.name: {} for plan in run.plans}
    if len(seen) != len(run.plans):
        raise _damaged(f"{run.path / RUN_FILE}: a task is listed twice", run.path)
    plans = {plan.name: plan for plan in run.plans}
    observer = Observer()
    for number, raw in _read_lines(run.path, value["records"]):
        try:
            record = parse_record(raw)
            task, sample, repeat = record.task, record.sample.id, record.repeat
            plan = plans.get(task.name)
            if plan is None:
                raise ValueError(f"{RUN_FILE} does not list its task {task.name!r}")
            if record.id != f"{task.name}/{sample}#{repeat}":
                raise ValueError(f"id {record.id!r} is not its task/sample#repeat")
            if task.digest != plan.digest or task.version != plan.version:
                raise ValueError(
                    f"of task version {task.version!r}, digest {task.digest}; {RUN_FILE} says "
                    f"{plan.version!r}, {plan.digest}"
                )
            key, observations = (intern(sample), repeat), seen[task.name]
            if key in observations:
                raise ValueError(f"{record.id} was judged already; an evaluation counts once")
            observations[key] = observer.observe(record)
        except (
            ValueError,
            TypeError,
            LookupError,
            AttributeError,
            ArithmeticError,
            RecursionError,
            InfergateError,
        ) as error:
            where = f"{run.path / RECORDS_FILE}:{number}"
            raise _damaged(f"{where}: not a record of this run ({error})", run.path) from error
    return {name: TaskSide(plan=plan, observations=seen[name]) for name, plan in plans.items()}


def _read_lines(folder: Path, stated: Mapping[str, Any]) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number; at the end their digest must be the stated one."""
    path, hash_, number = folder / RECORDS_FILE, sha256(), 0
    try:
        with open(path, "rb") as lines:
            for number, raw in enumerate(lines, 1):
                hash_.update(raw)
                if not raw.endswith(b"\n"):
                    raise _damaged(f"{path}:{number}: the line does not end; the file is torn", folder)
                yield number, raw
    except OSError as error:
        raise RunFolderError(f"cannot read {str(path)!r}: {error.strerror}; restore the file") from error
    if number != stated["count"]:
        raise _damaged(f"{path}: {number} records; {RUN_FILE} says {stated['count']!r}", folder)
    if hash_.hexdigest() != stated["sha256"]:
        raise _damaged(f"{path}: its sha256 is not the one that {RUN_FILE} states", folder)


def _check_totals(path: Path, value: Mapping[str, Any], tasks: Mapping[str, TaskSide]) -> None:
    """Hold what ``run.json`` says of each task against its records."""
    for task in value["tasks"]:
        counts = Counter(one.verdict.value for one in tasks[task["name"]].observations.values())
        counted = {name: counts[name] for name in ("passed", "failed", "missing")}
        counted["planned"] = counts.total()
        if task["totals"] != counted:
            raise _damaged(
                f"{path / RUN_FILE}: task {task['name']!r} has totals {task['totals']}; its records give "
                f"{counted}",
                path,
            )


def _damaged(what: str, folder: Path) -> RunFolderError:
    return RunFolderError(
        f"{what}; the run is damaged or was edited: restore the folder or run again, and see infergate "
        f"validate {folder}"
    )
