"""How a run of model-written code ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class EndReason(Enum):
    """What ended a run. Only a run that is ``FINISHED`` is ok."""

    FINISHED = "finished"  #: it ran to its end with status 0, and its tests to theirs
    EXIT = "exit"  #: an exception, a check that did not hold, or a status other than 0
    LEFT_EARLY = "left_early"  #: status 0, and the tests did not run to their end
    FORGED = "forged"  #: a check that cannot hold was reported to hold: the checks were patched
    SIGNAL = "signal"
    TIMEOUT = "timeout"  #: the wall clock
    CPU = "cpu"
    MEMORY = "memory"
    FILE_SIZE = "file_size"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of one run.

    ``exit_code`` is minus the number of a signal that ended it, ``None`` where the sandbox ended it.
    ``stdout`` and ``stderr`` are what it printed up to the limit, undecodable bytes replaced.
    ``duration_s`` is wall time, the sandbox's own start included.
    """

    reason: EndReason
    exit_code: int | None
    stdout: str
    stderr: str
    duration_s: float

    @property
    def ok(self) -> bool:
        return self.reason is EndReason.FINISHED

    def __bool__(self) -> bool:
        # An object is true to Python: `assert sandbox.run(…)` would pass however the run ended.
        raise TypeError("an outcome is neither true nor false; write `assert outcome.ok`")
