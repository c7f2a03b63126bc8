"""What there was to evaluate before a part of it was selected: how shards show that none of it is lost."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .folder import COLLECTED_FILE
from .sealed_file import sealed_file_problems
from .strict_json import parse_strict
from .summary import TaskPlan

COLLECTED_SCHEMA = "infergate.collected/1"


@dataclass(frozen=True, slots=True)
class CollectedEvaluation:
    """A sample, by its id and the digest of its content, and a repeat."""

    sample: str
    repeat: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedTask:
    """A task with all its evaluations in their order, selected or not.

    ``nodeid`` is of the test function. No evaluations: its data set has no rows.
    """

    plan: TaskPlan
    nodeid: str
    evaluations: tuple[CollectedEvaluation, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": COLLECTED_SCHEMA,
            "plan": self.plan.as_json(),
            "nodeid": self.nodeid,
            # Short, since there can be a hundred thousand of them.
            "evaluations": [[one.sample, one.repeat, one.digest] for one in self.evaluations],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> CollectedTask:
        """Raises ``ValueError``, ``TypeError`` or ``LookupError`` for what ``as_json`` does not write."""
        if value["schema"] != COLLECTED_SCHEMA:
            raise ValueError(f"schema {value['schema']!r} is not {COLLECTED_SCHEMA!r}")
        return cls(
            plan=TaskPlan.from_json(value["plan"]),
            nodeid=value["nodeid"],
            evaluations=tuple(CollectedEvaluation(*one) for one in value["evaluations"]),
        )


def collected_problems(
    folder: Path, records: Collection[str], *, sealed: Mapping[str, Any] | None, is_finished: bool
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with ``collected.jsonl``: the place, and what.

    ``records`` are the ids of the run's records. ``sealed`` is what ``run.json`` says of the file, ``None``
    where it says that there is none. A torn last line of an unfinished run is tolerated.
    """
    known = 0

    def problem_of(raw: bytes) -> str | None:
        nonlocal known
        try:
            task = CollectedTask.from_json(parse_strict(raw))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            return f"not a task ({error})"
        known += sum(f"{task.plan.name}/{one.sample}#{one.repeat}" in records for one in task.evaluations)
        return None

    is_held = yield from sealed_file_problems(
        folder / COLLECTED_FILE,
        problem_of,
        sealed=sealed,
        unsealed="nothing was left out",
        is_finished=is_finished,
    )
    if is_held and known != len(records):
        yield COLLECTED_FILE, f"{len(records) - known} of {len(records)} records are of evaluations not in it"
