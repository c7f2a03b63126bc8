"""What a swap came to: the candidate against the base, and the base against itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..compare import (
    ExitCode,
    Outcome,
    RunComparison,
    RunSide,
    check_treatment,
    compare_runs,
    read_side,
)
from ..compare.terms import terms_of
from .swap_side import COMMAND, Measured

#: A fingerprint may be made anew by every process of one server.
_MAY_DIFFER = ("system_fingerprint",)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapResult:
    """``drift`` is the base compared with itself, ``None`` where it was not run again."""

    folder: Path
    measured: tuple[Measured, ...]
    comparison: RunComparison
    drift: RunComparison | None

    @property
    def drifted(self) -> tuple[str, ...]:
        """The tasks whose rate on the base changed by itself."""
        tasks = self.drift.tasks if self.drift else ()
        moved = (Outcome.REGRESSED, Outcome.IMPROVED)
        return tuple(task.task for task in tasks if task.outcome in moved)

    @property
    def exit_code(self) -> ExitCode:
        """That of the comparison; what would pass decides nothing where the base is not even like itself."""
        code = self.comparison.exit_code
        if self.drift is None or code is not ExitCode.PASSED:
            return code
        if self.drifted:
            return ExitCode.INCONCLUSIVE
        undecided = (ExitCode.PASSED, ExitCode.INCONCLUSIVE)
        return code if self.drift.exit_code in undecided else self.drift.exit_code


def compare_sides(
    folder: Path, measured: Sequence[Measured], *, margin: float | None, treatment: tuple[str, ...] | None
) -> SwapResult:
    """Compare base and candidate, with the flip rate of the base where it was run again.

    Raises ``RunFolderError`` where a run was not written, and ``TreatmentError`` for an unknown field.
    """
    base, candidate, *again = (read_side(one.run) for one in measured)
    check_treatment(treatment or (), base, candidate)
    terms = terms_of(measured[1].run, margin=margin, treatment=treatment)
    margin, treatment = terms.margin, terms.treatment
    if treatment is not None:
        treatment = (*treatment, COMMAND)  # by which anything is swapped at all
    drift = compare_runs(base, again[0], margin=margin, treatment=_MAY_DIFFER) if again else None
    comparison = compare_runs(_with_flip_rates(base, drift), candidate, margin=margin, treatment=treatment)
    return SwapResult(
        folder=folder,
        measured=tuple(measured),
        comparison=replace(comparison, notes=(*terms.notes, *comparison.notes)),
        drift=drift,
    )


def _with_flip_rates(base: RunSide, drift: RunComparison | None) -> RunSide:
    rates = {task.task: task.table.flip_rate for task in drift.tasks if task.table} if drift else {}
    tasks = {name: replace(side, flip_rate=rates.get(name)) for name, side in base.tasks.items()}
    return replace(base, tasks=tasks)
