"""Media that belong to a run and are kept beside its records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A file of ``artifacts/``: its name is ``sha256``, in hex, of its bytes; ``size`` is in bytes.

    Raises ``ValueError`` for a name that is no sha256: it becomes a part of a path.
    """

    sha256: str
    size: int
    media_type: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[0-9a-f]{64}", self.sha256):
            raise ValueError(f"the sha256 of an artifact is {self.sha256!r}; accepted: 64 hexadecimal digits")

    @classmethod
    def of(cls, content: bytes, media_type: str) -> Artifact:
        """Return what to know ``content`` by."""
        return cls(sha256=sha256(content).hexdigest(), size=len(content), media_type=media_type)

    def as_json(self) -> dict[str, Any]:
        return {"sha256": self.sha256, "bytes": self.size, "media_type": self.media_type}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Artifact:
        return cls(sha256=value["sha256"], size=value["bytes"], media_type=value["media_type"])
