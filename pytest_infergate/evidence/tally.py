"""Counts of one task, always against what was planned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .interval import wilson_interval
from .reasons import Reason, ReasonGroup
from .record import Record
from .verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """planned = passed + failed + missing.

    ``expected_failures`` are the failed ones that an xfail mark announced; they are in ``failed``
    and no gate counts them. ``reasons`` counts every missing evaluation by its reason; a data set
    without a row has a reason and nothing planned.
    """

    passed: int = 0
    failed: int = 0
    missing: int = 0
    expected_failures: int = 0
    reasons: Mapping[Reason, int] = field(default_factory=dict)

    @property
    def planned(self) -> int:
        return self.passed + self.failed + self.missing

    @property
    def delivered(self) -> float | None:
        """passed / planned; ``None`` where nothing was planned."""
        return self.passed / self.planned if self.planned else None

    @property
    def accuracy(self) -> float | None:
        """passed / (passed + failed): of what was measured; ``None`` where nothing was."""
        measured = self.passed + self.failed
        return self.passed / measured if measured else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """lo = passed / planned, hi = (passed + missing) / planned: the true rate lies between."""
        if not self.planned:
            return None
        return self.passed / self.planned, (self.passed + self.missing) / self.planned

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % score interval of ``delivered``."""
        return wilson_interval(self.passed, self.planned) if self.planned else None

    @property
    def missing_beyond_model(self) -> int:
        """Missing for reasons that say nothing about the model."""
        return sum(n for reason, n in self.reasons.items() if reason.group is not ReasonGroup.MODEL)

    def __add__(self, other: Tally) -> Tally:
        reasons = Counter(self.reasons)
        reasons.update(other.reasons)
        return Tally(
            passed=self.passed + other.passed,
            failed=self.failed + other.failed,
            missing=self.missing + other.missing,
            expected_failures=self.expected_failures + other.expected_failures,
            reasons=dict(reasons),
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "planned": self.planned,
            "passed": self.passed,
            "failed": self.failed,
            "missing": self.missing,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, int]) -> Tally:
        """Read ``as_json``, which tells neither reasons nor expected failures."""
        return cls(passed=value["passed"], failed=value["failed"], missing=value["missing"])


def tally(records: Iterable[Record]) -> Tally:
    """Count ``records``, each evaluation once."""
    verdicts: Counter[Verdict] = Counter()
    reasons: Counter[Reason] = Counter()
    expected = 0
    for record in records:
        verdicts[record.verdict] += 1
        expected += record.is_expected_failure
        if record.missing:
            reasons[record.missing.reason] += 1
    return Tally(
        passed=verdicts[Verdict.PASSED],
        failed=verdicts[Verdict.FAILED],
        missing=verdicts[Verdict.MISSING],
        expected_failures=expected,
        reasons=dict(reasons),
    )
