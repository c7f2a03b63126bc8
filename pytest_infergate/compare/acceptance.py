"""Accepting new figures for a baseline: the old ones and the reason stay beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..evidence import InfergateError
from ..runs import redact_text
from .baseline import Baseline, Replaced, tally_of
from .comparison import RunComparison
from .side import RunSide


class AcceptanceError(InfergateError):
    """New figures cannot be accepted as they were given."""


def accept_run(old: Baseline, new: Baseline, *, because: str, comparison: RunComparison) -> Baseline:
    """Return ``new`` with the history of ``old``, to which its figures and the reason are added.

    ``comparison`` is of the two. Raises ``AcceptanceError`` for a blank reason, for the run that the baseline
    is of, and for a partial run that would leave out what the baseline has.
    """
    refuse_blank(because)
    if new.side.run_id == old.side.run_id:
        raise AcceptanceError(
            f"{old.side.label!r} is of run {old.side.run_id} already; there is nothing to accept"
        )
    lost = _lost(old.side, new.side) if new.side.partial else None
    if lost is not None:
        raise AcceptanceError(
            f"{new.side.label!r} is a partial run ({', '.join(new.side.partial)}) without {lost}, which "
            f"{old.side.label!r} has; run everything and accept that"
        )
    replaced = Replaced(
        run_id=old.side.run_id,
        finished=old.finished,
        server=_summary(old.side.server),
        tallies={
            name: replace(tally_of(task), expected_failures=0, reasons={})
            for name, task in old.side.tasks.items()
        },
        by=new.side.run_id,
        because=redact_text(" ".join(because.split())),
        outcomes={task.task: task.outcome for task in comparison.tasks},
    )
    return replace(new, history=(*old.history, replaced))


def refuse_blank(because: str) -> None:
    """Raise ``AcceptanceError`` for a reason without a word."""
    if not because.strip():
        raise AcceptanceError(
            f"--because={because!r} is blank; say why the new figures are accepted, for whoever reads them"
        )


def _lost(old: RunSide, new: RunSide) -> str | None:
    for name, task in old.tasks.items():
        if name not in new.tasks:
            return f"task {name!r}"
        lost = task.observations.keys() - new.tasks[name].observations.keys()
        if lost:
            return f"{len(lost)} of the {len(task.observations)} evaluations of task {name!r}"
    return None


def _summary(server: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return what a person knows a server by, in the form of an identity."""
    if server is None:
        return None
    told = ("model", "engine_version", "quantization")
    fields = server.get("fields", {})
    return {
        "engine": server.get("engine"),
        "url": server.get("url"),
        "fields": {name: fields[name] for name in told if name in fields},
    }
