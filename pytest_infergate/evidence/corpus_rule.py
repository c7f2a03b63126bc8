"""What the clips of a task must reach together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusRule:
    """What the pooled rate of a score, such as ``wer``, may be at most; ``max`` is 0 or more."""

    score: str
    max: float

    def __str__(self) -> str:
        return f"{self.score} over all clips <= {self.max:g}"

    def as_json(self) -> dict[str, Any]:
        return {"score": self.score, "max": self.max}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> CorpusRule:
        return cls(score=value["score"], max=value["max"])
