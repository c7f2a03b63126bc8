"""Who made a score: the identity that travels with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .canonical import digest

#: The kind of an evaluator that hears a clip and measures its words.
TRANSCRIBER = "transcriber"
#: The kind of one that measures a text which it was given against another.
ERROR_RATE = "error_rate"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatorIdentity:
    """Kind, name, adapter version, backend, settings, digest of what turned a reply into a score.

    ``backend`` is a string with the backend's own version and weights, ``None`` where the adapter
    needs none. ``settings`` must be JSON. ``digest`` is of the evaluator's code where that is known
    (a task digest), else of the other fields.
    """

    kind: str
    name: str
    version: str
    backend: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""

    def __post_init__(self) -> None:
        for name in ("kind", "name", "version"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value:
                raise ValueError(f"an evaluator identity needs a {name}; got {value!r}")
        for name, kind in (("backend", (str, type(None))), ("settings", Mapping), ("digest", str)):
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise ValueError(f"an evaluator identity cannot have {value!r} for its {name}")
        if not self.digest:
            object.__setattr__(
                self,
                "digest",
                digest([self.kind, self.name, self.version, self.backend, dict(self.settings)]),
            )

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "name": self.name,
            "version": self.version,
            "backend": self.backend,
            "settings": dict(self.settings),
            "digest": self.digest,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> EvaluatorIdentity:
        return cls(**value)

    def __str__(self) -> str:
        backend = f" on {self.backend}" if self.backend else ""
        return f"{self.kind} {self.name} v{self.version}{backend}"
