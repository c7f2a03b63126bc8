"""Checking the further attempts of a run folder against their schema and against its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..evidence import InfergateError
from .artifacts import ArtifactStore, media_problem
from .attempts import Attempt
from .folder import ATTEMPTS_FILE
from .invariants import broken_invariant
from .schemas import AttemptCheck
from .sealed_file import sealed_file_problems
from .strict_json import parse_strict


def attempt_problems(
    folder: Path, records: Container[str], *, sealed: Mapping[str, Any] | None, is_finished: bool
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with ``attempts.jsonl``: the place, and what.

    ``records`` are the ids of the run's records; an attempt at anything else is of no use. ``sealed`` is
    what ``run.json`` says of the file, ``None`` where it says that there is none. A torn last line of an
    unfinished run is tolerated.
    """
    check, numbers, media = AttemptCheck(), Counter[tuple[str, str]](), ArtifactStore(folder)
    yield from sealed_file_problems(
        folder / ATTEMPTS_FILE,
        lambda raw: _problem(raw, check, records, numbers, media),
        sealed=sealed,
        unsealed="no evaluation was asked again",
        is_finished=is_finished,
    )


def _problem(
    raw: bytes,
    check: AttemptCheck,
    records: Container[str],
    numbers: Counter[tuple[str, str]],
    media: ArtifactStore,
) -> str | None:
    try:
        value = parse_strict(raw)
        problem = check.problem(value)
        if problem is not None:
            return problem
        attempt = Attempt.from_json(value)
    except (ValueError, TypeError, InfergateError) as error:
        return str(error)
    problem = broken_invariant(attempt.record, value["record"]["id"]) or media_problem(attempt.record, media)
    if problem is not None:
        return f"{attempt.id}: {problem}"
    if attempt.id not in records:
        return f"{attempt.id}: has no record; a further attempt needs a first"
    because = attempt.because.value
    numbers[attempt.id, because] += 1
    if numbers[attempt.id, because] != attempt.number:
        return (
            f"{attempt.id}: number {attempt.number} of its attempts to {because}; "
            f"{numbers[attempt.id, because]} comes here"
        )
    return None
