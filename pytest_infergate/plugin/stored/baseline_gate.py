"""What a session's run is compared with at its end, and gated on."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ...evidence import Gate, InfergateError
from ..evaluations.plan import Plan
from ..options.settings import Settings

if TYPE_CHECKING:
    from ...compare import RunComparison, RunSide
    from ...compare.power_of_task import TaskPower
    from ..servers.server import ModelServer
    from .replaying import Replay

#: What makes a run partial before everything there is was collected: a person named tests, or those of last
#: time. ``-k``, ``-m`` and their like choose among what was collected; to ignore a file is to not name it.
_NAMING = ("node id ", "--lf", "--stepwise")
#: The share of samples whose verdict flips that a warning goes by where none was measured.
_SUPPOSED = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineVerdict:
    """The gates over all baselines, and the comparisons that they are of."""

    gates: tuple[Gate, ...] = ()
    comparisons: tuple[RunComparison, ...] = ()


class Baselines:
    """The baselines of a session, read before anything is asked."""

    def __init__(
        self, settings: Settings, sides: Sequence[tuple[Path, RunSide]], unsaved: Sequence[str]
    ) -> None:
        """``sides``: by their paths; ``unsaved`` are the names of baselines that are not there yet."""
        self._settings = settings
        self._sides = tuple(sides)
        self._unsaved = tuple(unsaved)

    @classmethod
    def read(cls, settings: Settings, working: Path) -> Baselines:
        """Read every baseline that is there.

        Raises ``pytest.UsageError`` for one that is foreign, newer, damaged, edited by hand or not finished,
        and for the session's own run.
        """
        sides, unsaved = [], []
        for path in dict.fromkeys(settings.baseline):
            shown = _shown(path, working)
            if path == settings.run:
                raise pytest.UsageError(
                    f"--infer-baseline={shown} is where --infer-run keeps this run; a run is no baseline of "
                    "itself: name another one"
                )
            if _is_there(path, shown):
                sides.append((path, _read(path, shown)))
            else:
                unsaved.append(shown)
        return cls(settings, sides, unsaved)

    @property
    def sides(self) -> tuple[RunSide, ...]:
        """The baselines that are there."""
        return tuple(side for _, side in self._sides)

    def announce(self, run: str) -> Iterator[str]:
        """Yield what a person should know before the wait; ``run`` is the folder of this run."""
        for label in self._unsaved:
            yield (
                f"there is no baseline {label} yet, so this run cannot pass its gate; keep the run as the "
                f"baseline: infergate baseline save {run} -o {label}"
            )

    def check_treatment(self, source: ModelServer | Replay | None) -> None:
        """Refuse a treatment that no server knows, now that the source of replies is known.

        Raises ``pytest.UsageError``.
        """
        from ...compare import TreatmentError, check_treatment

        if self._settings.treatment is None or source is None or source.blocked is not None:
            return
        for _, base in self._sides:
            run = replace(base, label="this run", server=source.as_json())
            try:
                check_treatment(self._settings.treatment, base, run)
            except TreatmentError as error:
                raise pytest.UsageError(f"--infer-treatment: {error}") from None

    def forewarn(self, plan: Plan) -> Iterator[str]:
        """Yield a line for each task whose size cannot, or will hardly, reach its margin."""
        from ...report.power_text import power_warning

        if not (self._settings.baseline or self._settings.against):
            return
        for power in self._powers(plan):
            warning = power_warning(power)
            if warning is not None:
                yield warning

    def judge(
        self,
        candidate: Callable[[], RunSide],
        *,
        folder: Path,
        beside: Path | None,
        shown: Callable[[Path], str],
    ) -> BaselineVerdict:
        """Compare a run, all records of which are written, with every baseline.

        ``candidate`` reads it from its ``folder``. ``beside`` is the folder of the run of a second server,
        which is finished, ``None`` where there is one server. Raises ``RunFolderError`` where the run cannot
        be read.
        """
        if not self._sides and beside is None:
            return BaselineVerdict(gates=tuple(self._unsaved_gates(shown(folder))))
        from ...compare import read_side
        from ...compare.gating import uncompared_gate
        from ...runs import RunFolderError

        run = replace(candidate(), label=shown(folder))
        gates = list(self._unsaved_gates(shown(folder)))
        bases = list(self._sides)
        if beside is not None:
            try:
                bases.append((beside, replace(read_side(beside), label=shown(beside))))
            except RunFolderError as error:
                gates.append(uncompared_gate(shown(beside), str(error)))
        comparisons = []
        for path, base in bases:
            found, comparison = self._compare(path, base, run, folder)
            gates += found
            comparisons += [comparison] if comparison is not None else []
        return BaselineVerdict(gates=tuple(gates), comparisons=tuple(comparisons))

    def _unsaved_gates(self, run: str) -> Iterator[Gate]:
        from ...compare.gating import unsaved_gate

        for label in self._unsaved:
            yield unsaved_gate(label, run)

    def _compare(
        self, path: Path, base: RunSide, candidate: RunSide, folder: Path
    ) -> tuple[Sequence[Gate], RunComparison | None]:
        from ...compare import compare_runs
        from ...compare.confirmation import read_confirmed
        from ...compare.gating import comparison_gates, selected_part, uncompared_gate, with_note

        settings = self._settings
        try:
            left_out = _left_out(candidate.partial, folder)
            part = selected_part(base, candidate.tasks, left_out=left_out)
            comparison = compare_runs(
                part,
                candidate,
                margin=settings.margin,
                treatment=settings.treatment,
                confirmed=read_confirmed(path, folder) if settings.confirm else None,
            )
        except InfergateError as error:
            return [uncompared_gate(base.label, str(error))], None
        gates = comparison_gates(comparison, fails_inconclusive=settings.fails_inconclusive)
        return gates, with_note(comparison, base)

    def _powers(self, plan: Plan) -> Iterator[TaskPower]:
        """Yield what the sizes of those tasks can show that may be too small."""
        from ...compare.power_of_task import power_of_task

        samples: dict[str, set[str]] = {}
        for evaluation in plan.evaluations:
            samples.setdefault(evaluation.key.task, set()).add(evaluation.key.sample)
        for task in (planned.plan for planned in plan.tasks):
            if not task.has_dataset or task.name not in samples:
                continue
            sides = [side for _, side in self._sides if task.name in side.tasks]
            rates = [side.tasks[task.name].flip_rate for side in sides]
            power = power_of_task(
                task.name,
                samples=len(samples[task.name]),
                margin=self._settings.margin if task.margin is None else task.margin,
                flip_rate=next((rate for rate in rates if rate is not None), None),
                supposed=(),
            )
            # The rest takes NumPy, which most sessions do without until their end.
            if power.is_too_small and power.flip_rate is None:
                power = power_of_task(
                    task.name, samples=power.samples, margin=power.margin, supposed=(_SUPPOSED,)
                )
            yield power


def _left_out(partial: Sequence[str], folder: Path) -> Collection[str] | None:
    """Return the tasks that were collected and not selected, by what the run wrote down of them.

    A task that was renamed or taken away is none of them. ``None``: what was selected was named, so that not
    everything there is was collected. Raises ``RunFolderError`` where the run cannot be read.
    """
    from ...runs import read_run

    if any(by.startswith(_NAMING) for by in partial):
        return None
    return {task.plan.name for task in read_run(folder).collected()}


def _is_there(path: Path, shown: str) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise pytest.UsageError(
            f"--infer-baseline={shown}: {error.strerror}; name a run folder or a baseline file"
        ) from error
    return True


def _read(path: Path, shown: str) -> RunSide:
    from ...compare import read_side
    from ...runs import RunFolderError

    try:
        side = read_side(path)
    except RunFolderError as error:
        raise pytest.UsageError(f"--infer-baseline={shown}: {error}") from None
    if not side.is_finished:
        raise pytest.UsageError(
            f"--infer-baseline={shown}: run {side.run_id} is not finished, so it is no baseline; finish it "
            f"with --infer-resume={shown}, or name another"
        )
    return replace(side, label=shown)


def _shown(path: Path, working: Path) -> str:
    relative = os.path.relpath(path, working)
    return str(path) if relative.startswith("..") else relative
