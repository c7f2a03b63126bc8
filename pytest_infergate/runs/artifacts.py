"""Media of a run, each a file named by the sha256 of its bytes."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from ..evidence import Artifact, Record
from ..whole_file import write_whole
from .errors import RunFolderError

ARTIFACTS_FOLDER = "artifacts"
#: Among the details of a score: the files that show what was seen, each with a ``name``.
SHOWN = "artifacts"
_BLOCK = 1 << 20


class ArtifactStore:
    """The media of the run in ``run``; processes of one machine share it. Made with its first file."""

    def __init__(self, run: Path) -> None:
        self.run = run
        self.folder = run / ARTIFACTS_FOLDER

    def path_of(self, artifact: Artifact) -> Path:
        """Return where its bytes are, or would be."""
        return self.folder / artifact.sha256

    def add(self, content: bytes, media_type: str) -> Artifact:
        """Keep ``content``, whole or not at all.

        Raises ``RunFolderError`` where the disk does not take it.
        """
        artifact = Artifact.of(content, media_type)
        path = self.path_of(artifact)
        if path.exists():
            return artifact
        try:
            self.folder.mkdir(exist_ok=True)
            write_whole(path, content)
        except OSError as error:
            raise RunFolderError(
                f"cannot write {str(path)!r}: {error.strerror or error}; make room and run again"
            ) from error
        return artifact

    def copy(self, artifacts: Iterable[Artifact], source: ArtifactStore) -> None:
        """Keep the same files as another run.

        Raises ``RunFolderError`` where one is not as that run left it.
        """
        for artifact in artifacts:
            if not self.path_of(artifact).exists():
                self.add(source.read(artifact), artifact.media_type)

    def read(self, artifact: Artifact) -> bytes:
        """Return the bytes. Raises ``RunFolderError`` where they are not there, or others."""
        problem = self.problem(artifact)
        if problem is not None:
            raise RunFolderError(f"{self.path_of(artifact)}: {problem}; restore the file")
        return self.path_of(artifact).read_bytes()

    def problem(self, artifact: Artifact) -> str | None:
        """Return what is wrong with a file, ``None`` where it is as the run left it."""
        found = sha256()
        try:
            with open(self.path_of(artifact), "rb") as file:
                while block := file.read(_BLOCK):
                    found.update(block)
        except FileNotFoundError:
            return "the file is not there"
        except OSError as error:
            return f"it cannot be read ({error.strerror})"
        return None if found.hexdigest() == artifact.sha256 else f"its sha256 is {found.hexdigest()}"

    def discard(self) -> None:
        """Remove all of them."""
        shutil.rmtree(self.folder, ignore_errors=True)


def artifacts_of(record: Record) -> Iterator[Artifact]:
    """Yield the media that a record refers to.

    Raises ``LookupError``, ``TypeError`` or ``ValueError`` where the details of a score name none.
    """
    for exchange in record.exchanges:
        reply = exchange["reply"]
        if reply is not None and reply["artifact"] is not None:
            yield Artifact.from_json(reply["artifact"])
    for score in record.scores:
        for shown in (score.details or {}).get(SHOWN, ()):
            yield Artifact.from_json(shown)


def media_problem(record: Record, media: ArtifactStore) -> str | None:
    """Return what is wrong with the media that a record refers to, ``None`` where nothing is."""
    try:
        artifacts = list(artifacts_of(record))
    except (LookupError, TypeError, ValueError) as error:
        return f"the {SHOWN} of a score's details are no list of artifacts ({type(error).__name__}: {error})"
    for artifact in artifacts:
        problem = media.problem(artifact)
        if problem is not None:
            return f"{ARTIFACTS_FOLDER}/{artifact.sha256}: {problem}"
    return None
