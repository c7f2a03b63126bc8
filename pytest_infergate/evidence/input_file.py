"""Files that an evaluation read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """A picture, clip or sound that was read: its whole ``path``, its bytes by their ``sha256`` in hex."""

    path: str
    sha256: str

    @classmethod
    def of(cls, path: str, content: bytes) -> InputFile:
        """Return what to know ``content``, which was read from ``path``, by."""
        return cls(path=path, sha256=sha256(content).hexdigest())

    def as_json(self) -> dict[str, Any]:
        return {"path": self.path, "sha256": self.sha256}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> InputFile:
        return cls(path=value["path"], sha256=value["sha256"])
