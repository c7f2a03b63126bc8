"""What a reader wants to see an example of: missing evidence, wrong answers, flags."""

from __future__ import annotations

from dataclasses import dataclass

from ..evidence import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingFinding:
    """A reason, how many evaluations are missing for it, and the first of them."""

    reason: Reason
    count: int
    example: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongFinding:
    """A task, how many of its answers were wrong, and the first of them.

    ``expected`` of them were announced by an xfail mark. ``message`` is what the test said.
    """

    task: str
    count: int
    expected: int
    is_tolerated: bool
    example: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagFinding:
    """A flag on exchanges, how many evaluations carry it, and the first of them."""

    flag: str
    count: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RerunFinding:
    """How many evaluations another plugin ran again, how many came out another way, and an example."""

    count: int
    changed: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Reasons in their closed order, tasks in the run's order, flags by name.

    ``reruns`` is ``None`` where no evaluation was run again. ``kept`` is how many another
    run judged.
    """

    missing: tuple[MissingFinding, ...] = ()
    wrong: tuple[WrongFinding, ...] = ()
    flags: tuple[FlagFinding, ...] = ()
    reruns: RerunFinding | None = None
    kept: int = 0
