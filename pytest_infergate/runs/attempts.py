"""Further attempts at evaluations that have their verdict: kept and shown, never counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..evidence import Record

ATTEMPT_SCHEMA = "infergate.attempt/1"


class Because(Enum):
    """Why an evaluation was asked again.

    ``RERUN``: another plugin runs failing tests again. ``CONFIRM``: it turned from pass to fail.
    """

    RERUN = "rerun"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What came of asking again.

    ``number`` counts from 1 for each evaluation and each ``because``. The verdict of the evaluation is that
    of its record in the run; ``record`` is what this attempt would have been.
    """

    because: Because
    number: int
    record: Record

    @property
    def id(self) -> str:
        """The id of the evaluation."""
        return str(self.record.evaluation.key)

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": ATTEMPT_SCHEMA,
            "because": self.because.value,
            "number": self.number,
            "record": self.record.as_json(),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Attempt:
        return cls(
            because=Because(value["because"]),
            number=value["number"],
            record=Record.from_json(value["record"]),
        )
