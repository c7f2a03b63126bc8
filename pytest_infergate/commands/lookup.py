"""Evaluations of a run by the ids that people give."""

from __future__ import annotations

from difflib import get_close_matches

from ..evidence import Record
from ..report import visible_line
from ..runs import StoredRun
from .errors import EvaluationNotFound


def find_records(run: StoredRun, wanted: str) -> list[Record]:
    """Return the records of an evaluation (task/sample#repeat), or of a sample in all tasks and repeats.

    Raises ``EvaluationNotFound``, which names ids that are near.
    """
    found, ids = [], []
    for record in run.records():
        key = record.evaluation.key
        # As it is, or as the report spells it, to be copied.
        if wanted in (str(key), visible_line(str(key), 4000), key.sample, f"{key.task}/{key.sample}"):
            found.append(record)
        ids.append(str(key))
    if not found:
        near = get_close_matches(wanted, ids, n=3, cutoff=0.4) or ids[:3]
        such = f", such as {', '.join(map(repr, near))}" if near else ""
        raise EvaluationNotFound(f"no evaluation {wanted!r} in {str(run.path)!r}; it has {len(ids)}{such}")
    return found
