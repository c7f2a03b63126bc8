"""Media that an evaluation leaves behind: pictures that its scores name, and references to write."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ...evidence import Artifact, canonical_json
from ...runs import ArtifactStore

#: Attribute of a report, one ASCII JSON string: what is to be kept before its records are.
MEDIA = "infergate_media"
#: What a worker of xdist sends of one evaluation at most, in bytes: it may be on another host.
SENT_AT_MOST = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPicture:
    """A file for the run's artifacts."""

    content: bytes
    media_type: str

    @property
    def artifact(self) -> Artifact:
        return Artifact.of(self.content, self.media_type)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReference:
    """A picture that a person accepts with ``--infer-update-references``: a PNG, and of what it was made.

    ``source`` is the sha256 of the picture as it was given, ``evaluation`` the id of the one that gave it.
    """

    path: Path
    png: bytes
    source: str
    evaluation: str


def media_text(pictures: Iterable[KeptPicture], references: Iterable[NewReference]) -> str:
    """Return what a report carries."""
    return canonical_json(
        {
            "pictures": [[one.media_type, b64encode(one.content).decode()] for one in pictures],
            "references": [
                [str(one.path), b64encode(one.png).decode(), one.source, one.evaluation] for one in references
            ],
        }
    )


def keep_pictures(text: str, store: ArtifactStore) -> list[NewReference]:
    """Keep the pictures that a report carried, and return the references it brought.

    Raises ``RunFolderError`` where the disk does not take them.
    """
    carried = json.loads(text)
    for media_type, content in carried["pictures"]:
        store.add(b64decode(content), media_type)
    return [
        NewReference(path=Path(path), png=b64decode(png), source=source, evaluation=evaluation)
        for path, png, source, evaluation in carried["references"]
    ]
