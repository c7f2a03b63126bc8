"""Why there is no evidence: a closed list of reasons, in four groups."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class ReasonGroup(Enum):
    """Who did not deliver."""

    NEVER_RAN = "never_ran"
    MODEL = "model"
    SERVER = "server"
    EVALUATOR = "evaluator"


class Reason(Enum):
    """One reason for missing evidence; ``group`` says who did not deliver."""

    NOT_RUN = "not_run"
    SKIPPED = "skipped"
    EMPTY_DATASET = "empty_dataset"
    NOTHING_EVALUATED = "nothing_evaluated"

    EMPTY_REPLY = "empty_reply"
    NO_ANSWER = "no_answer"
    TRUNCATED = "truncated"
    REFUSED = "refused"

    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    BROKEN_STREAM = "broken_stream"
    TIMEOUT = "timeout"
    CONTEXT_LIMIT = "context_limit"

    EVALUATOR_UNAVAILABLE = "evaluator_unavailable"
    EVALUATOR_ERROR = "evaluator_error"
    EMPTY_REFERENCE = "empty_reference"
    UNDECODABLE_MEDIA = "undecodable_media"
    INVALID_SCORE = "invalid_score"
    FALLBACK_NOT_ALLOWED = "fallback_not_allowed"
    NOT_EXERCISED = "not_exercised"
    INVALID_CONDITIONS = "invalid_conditions"

    @property
    def group(self) -> ReasonGroup:
        return _GROUPS[self]


_BY_GROUP = {
    ReasonGroup.NEVER_RAN: ("NOT_RUN", "SKIPPED", "EMPTY_DATASET", "NOTHING_EVALUATED"),
    ReasonGroup.MODEL: ("EMPTY_REPLY", "NO_ANSWER", "TRUNCATED", "REFUSED"),
    ReasonGroup.SERVER: (
        "UNREACHABLE",
        "RATE_LIMITED",
        "SERVER_ERROR",
        "BROKEN_STREAM",
        "TIMEOUT",
        "CONTEXT_LIMIT",
    ),
    ReasonGroup.EVALUATOR: (
        "EVALUATOR_UNAVAILABLE",
        "EVALUATOR_ERROR",
        "EMPTY_REFERENCE",
        "UNDECODABLE_MEDIA",
        "INVALID_SCORE",
        "FALLBACK_NOT_ALLOWED",
        "NOT_EXERCISED",
        "INVALID_CONDITIONS",
    ),
}
_GROUPS = {Reason[name]: group for group, names in _BY_GROUP.items() for name in names}

#: Reasons a user may lift with ``allow=[…]``: those of an exchange that did not deliver.
ALLOWABLE = frozenset(r for r in Reason if r.group in (ReasonGroup.MODEL, ReasonGroup.SERVER))


@dataclass(frozen=True, slots=True)
class Missing:
    """A reason why there is no evidence, with what was seen (``detail``, one line)."""

    reason: Reason
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"reason": self.reason.value, "detail": self.detail}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Missing:
        return cls(Reason(value["reason"]), value["detail"])

    def __str__(self) -> str:
        return f"{self.reason.value}: {self.detail}" if self.detail else self.reason.value
