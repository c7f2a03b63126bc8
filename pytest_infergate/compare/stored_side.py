"""A run's records as a side, whether the run is finished or not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..evidence import RECORD_SCHEMA, GateRule
from ..runs import RECORDS_FILE, RunFolderError, RunHead, TaskPlan
from .conditions import conditions_of
from .observing import Observer
from .record_line import TaskLine, parse_record
from .side import Observation, RunSide, TaskSide


def side_of_records(
    folder: Path, head: RunHead, plans: Mapping[str, TaskPlan], *, is_finished: bool
) -> RunSide:
    """Read the records in ``folder`` as one side; they are known to be the run's.

    A task that ``plans`` lacks is planned as its records say, without a rule and without an evaluator, as of
    a run that was interrupted. A torn last line of such a run is left out. Raises ``RunFolderError`` for any
    other line that is not a record.
    """
    path, observer = folder / RECORDS_FILE, Observer()
    found: dict[str, dict[tuple[str, int], Observation]] = {name: {} for name in plans}
    known = dict(plans)
    try:
        with open(path, "rb") as lines:
            for number, raw in enumerate(lines, 1):
                try:
                    record = parse_record(raw)
                    plan = known.setdefault(record.task.name, _plan(record.task))
                    observations = found.setdefault(plan.name, {})
                    observations[record.sample.id, record.repeat] = observer.observe(record)
                except (ValueError, TypeError, LookupError, AttributeError) as error:
                    if not is_finished and not raw.endswith(b"\n"):
                        break
                    raise RunFolderError(
                        f"{path}:{number}: not a record ({error}); run infergate validate {folder}"
                    ) from error
    except OSError as error:
        raise RunFolderError(f"cannot read {str(path)!r}: {error.strerror}; restore the file") from error
    return RunSide(
        label=str(folder),
        run_id=head.run_id,
        schema=RECORD_SCHEMA,
        is_finished=is_finished,
        tasks={name: TaskSide(plan=known[name], observations=of) for name, of in found.items()},
        server=head.server,
        judge=head.judge,
        partial=head.partial,
        conditions=conditions_of(head),
    )


def _plan(task: TaskLine) -> TaskPlan:
    return TaskPlan(name=task.name, version=task.version, digest=task.digest, rule=GateRule())
