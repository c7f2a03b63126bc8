"""What a check of a picture or a clip comes to: a verdict, the value that was measured, and how."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ..evidence import EvaluatorIdentity, Fallback, InfergateError, Missing, Reason, Score
from .check_fields import check_fields

if TYPE_CHECKING:
    from .clip import Clip
    from .picture import Picture


#: A file that shows why a check came out so: a name, the bytes, the suffix with its dot, such as ``.png``.
ShownFile = tuple[str, bytes, str]

_SHA256 = re.compile(r"[0-9a-f]{64}")


class CheckError(InfergateError):
    """A check cannot be made as it was written: a fault of the evaluation, not of the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The verdict of one check, with what was measured.

    ``passed`` is ``None`` where the check could not be made, and then ``missing`` says why. ``value`` is the
    measured number in ``unit``; ``None`` where there is none: with ``passed`` ``None``, or with ``False``
    where the pictures differ in a way that leaves nothing to measure, such as their sizes. ``limit`` is what
    the value was held against. ``settings`` decide the value, and are part of the evaluator's identity;
    ``backend`` is the libraries that decoded or measured, with their versions, ``None`` where none did.
    ``frames``: of a clip, which frames were looked at and what was seen on which. ``artifacts`` show why it
    came out so. ``fallback``: the evaluator
    is not the preferred one, and why. ``against`` is the sha256 (hex) of the picture or clip that it was held
    against, ``None`` where there is none or a model made it: runs whose references differ are not compared.
    ``seen`` is what the evaluator made of it, as JSON, for a person to
    look at, such as lines of text and where they are.

    Raises ``ValueError`` for a field of another kind, a verdict without a reason or a value, a value that is
    no finite number, and one that passed though its limit says otherwise: such a result could be taken for
    one that holds, or could not be recorded.
    """

    name: str
    version: str
    passed: bool | None
    value: float | None
    unit: str
    higher_is_better: bool
    limit: float | None
    detail: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    missing: Missing | None = None
    frames: Mapping[str, Any] | None = None
    artifacts: tuple[ShownFile, ...] = ()
    backend: str | None = None
    fallback: Fallback | None = None
    against: str | None = None
    seen: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if (self.passed is None) != (self.missing is not None):
            raise ValueError(f"check {self.name!r} needs a verdict or a reason why it is missing, not both")
        if self.passed and self.value is None:
            raise ValueError(
                f"check {self.name!r} passed without a value; a check that holds has measured something"
            )
        if self.passed and self.value is not None and self.limit is not None:
            holds = self.value >= self.limit if self.higher_is_better else self.value <= self.limit
            if not holds:
                raise ValueError(
                    f"check {self.name!r} passed with {self.value!r} and the limit {self.limit!r}, which it "
                    "does not hold"
                )
        if self.against is not None and not _SHA256.fullmatch(self.against):
            raise ValueError(
                f"check {self.name!r}: against is {self.against!r:.80}; accepted: a sha256, 64 hex digits"
            )

    @property
    def evaluator(self) -> EvaluatorIdentity:
        return EvaluatorIdentity(
            kind="visual", name=self.name, version=self.version, backend=self.backend, settings=self.settings
        )

    def score(self, name: str | None = None) -> Score:
        """Return the score to record, named after the check unless a name is given.

        Where the check did not hold and there is no value, the score is missing and does not gate: the
        evaluation has failed by then, and is not to become missing.
        """
        missing = self.missing
        if self.value is None and missing is None:
            missing = Missing(Reason.INVALID_CONDITIONS, self.detail)
        return Score(
            name=name or self.name,
            value=None if missing else self.value,
            unit=self.unit,
            higher_is_better=self.higher_is_better,
            evaluator=self.evaluator,
            fallback=self.fallback,
            missing=missing,
            gates=self.passed is not False or self.value is not None,
            details={
                "passed": self.passed,
                "limit": self.limit,
                "detail": self.detail,
                "frames": self.frames,
                "against": self.against,
                "seen": self.seen,
            },
        )


class Check(Protocol):
    """What a check is to those who call it, and to those who write one: a callable that returns its result.

    It raises ``CheckError`` for settings that it does not know, and returns a missing result for what it
    cannot judge; it never passes what it did not look at.
    """

    def __call__(self, media: Picture | Clip, /, **settings: Any) -> CheckResult: ...
