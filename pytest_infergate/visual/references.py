"""Reference pictures: a PNG, and beside it who accepted it, from which run."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..evidence import Missing, Reason, UndecodableMedia
from ..whole_file import write_whole
from .picture import Picture, open_picture

SCHEMA = "infergate.reference/1"
OPTION = "--infer-update-references"
_UNSAFE = re.compile(r"[^\w.-]+")
_LONGEST = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a reference comes from: ``run``, the id of the run; ``server``, who made it there.

    ``sha256`` is of the reference, ``source`` of the picture as it was given; ``accepted`` is an ISO 8601
    time in UTC, ``server`` ``None`` where no server was asked.
    """

    sha256: str
    source: str
    evaluation: str
    run: str
    server: str | None
    accepted: str
    tool: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "sha256": self.sha256,
            "source": self.source,
            "evaluation": self.evaluation,
            "run": self.run,
            "server": self.server,
            "accepted": self.accepted,
            "tool": dict(self.tool),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference as it is on disk; ``provenance`` is ``None`` where nobody wrote down where it is from."""

    path: Path
    picture: Picture
    provenance: Mapping[str, str] | None


def sidecar_of(path: Path) -> Path:
    """Return where the provenance of a reference is."""
    return path.with_name(f"{path.name}.json")


def reference_name(*parts: str) -> str:
    """Return a file name for these parts; what file systems do not take is replaced, and told apart."""
    text = "-".join(parts)
    safe = _UNSAFE.sub("_", text)[:_LONGEST]
    if safe != text:
        safe = f"{safe}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return f"{safe}.png"


def read_reference(path: Path) -> Reference | Missing:
    """Return the reference at ``path``, or why there is none to compare with.

    A reference that is not the one that was accepted, by the sha256 beside it, is none.
    """
    if not path.exists():
        return Missing(
            Reason.EMPTY_REFERENCE,
            f"there is no reference {str(path)!r}: look at the actual picture, and accept it with {OPTION}",
        )
    try:
        picture = open_picture(path)
    except UndecodableMedia as error:
        return Missing(Reason.UNDECODABLE_MEDIA, f"the reference: {error.detail}")
    beside = sidecar_of(path)
    try:
        provenance = json.loads(beside.read_text(encoding="utf-8"))
        accepted = provenance["sha256"]
    except FileNotFoundError:
        return Reference(path=path, picture=picture, provenance=None)
    except (OSError, ValueError, LookupError, TypeError) as error:
        return Missing(
            Reason.INVALID_CONDITIONS,
            f"{str(beside)!r} does not say which reference was accepted ({type(error).__name__}): restore "
            f"it, or accept the picture anew with {OPTION}",
        )
    if accepted != picture.sha256:
        return Missing(
            Reason.INVALID_CONDITIONS,
            f"{str(path)!r} is not the reference that was accepted: its sha256 is {picture.sha256}, and "
            f"{beside.name} says {accepted}; restore it, or accept it anew with {OPTION}",
        )
    told = {name: value for name, value in provenance.items() if isinstance(value, str)}
    return Reference(path=path, picture=picture, provenance=told)


def write_reference(path: Path, png: bytes, provenance: Provenance) -> None:
    """Write a reference and its provenance, each whole or not at all. Raises ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(provenance.as_json(), indent=2) + "\n"
    # An interruption between the two leaves a sidecar that does not fit, which is missing evidence.
    write_whole(sidecar_of(path), text.encode())
    write_whole(path, png)
