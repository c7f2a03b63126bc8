"""Whether a baseline file is as it was written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..runs import ForeignFolderError, RunFolderError
from ..runs.exit_code import ExitCode
from .baseline_file import read_baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineCheck:
    """What was found; ``problem`` is ``None`` where the file is valid, and the counts 0 where it is not."""

    file: Path
    problem: str | None
    exit_code: ExitCode
    tasks: int = 0
    evaluations: int = 0

    @property
    def is_foreign(self) -> bool:
        """Whether the file is no baseline of this tool, or of a newer one."""
        return self.exit_code is ExitCode.UNUSABLE

    def as_json(self) -> dict[str, Any]:
        return {
            "file": str(self.file),
            "valid": self.problem is None,
            "problem": self.problem,
            "tasks": self.tasks,
            "evaluations": self.evaluations,
            "exit_code": int(self.exit_code),
        }


def check_baseline(path: Path) -> BaselineCheck:
    """Check a baseline file against its schema, its digest and a recount.

    Never raises for what is in the file: a foreign, empty or newer one is ``UNUSABLE``; one that is torn,
    damaged or was edited by hand is ``MISSING``, since its evidence cannot be trusted.
    """
    try:
        tasks = read_baseline(path).side.tasks
    except ForeignFolderError as error:
        return BaselineCheck(file=path, problem=str(error), exit_code=ExitCode.UNUSABLE)
    except RunFolderError as error:
        return BaselineCheck(file=path, problem=str(error), exit_code=ExitCode.MISSING)
    return BaselineCheck(
        file=path,
        problem=None,
        exit_code=ExitCode.PASSED,
        tasks=len(tasks),
        evaluations=sum(len(task.observations) for task in tasks.values()),
    )
