"""A file of JSON lines that only grows, each line whole on disk or not there."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

from .errors import NotWrittenError, RunFolderError


class LinesFile:
    """A file that is open for appending; it must not be there before. One thread at a time.

    ``what`` is what a line holds, in the plural. Raises ``OSError`` where it is there, or cannot be made.
    """

    def __init__(self, path: Path, what: str) -> None:
        self.path = path
        self.count = 0
        #: Why nothing more is taken, once a line was lost.
        self.lost: NotWrittenError | None = None
        self._what = what
        self._hash = sha256()
        self._size = 0
        # O_EXCL: of two sessions that take the same folder at the same time one is refused.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        self._handle: int | None = os.open(path, flags, 0o666)

    def add(self, line: str) -> None:
        """Append one line of ASCII JSON and hand it to the system at once.

        Raises ``RunFolderError`` where the disk does not take it: that line is lost, whole lines before it
        are kept.
        """
        if self.lost is not None or self._handle is None:
            raise self.lost or RunFolderError(f"{str(self.path)!r} is closed; no line can be added")
        raw = line.encode("ascii") + b"\n"
        try:
            written = os.write(self._handle, raw)
            while written < len(raw):
                written += os.write(self._handle, raw[written:])
        except OSError as error:
            self._lose(error, self._handle)
        self._hash.update(raw)
        self._size += len(raw)
        self.count += 1

    def sync(self) -> None:
        """Make what was added last through a power cut. Raises ``OSError``."""
        if self._handle is not None:
            os.fsync(self._handle)

    def seal(self) -> dict[str, Any]:
        """Return the number of lines and the sha256 of the file's bytes, for ``run.json``."""
        return {"count": self.count, "sha256": self._hash.hexdigest()}

    def close(self) -> None:
        """Let go of the file. May be called again."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _lose(self, error: OSError, handle: int) -> NoReturn:
        with suppress(OSError):  # readers tolerate a torn last line of an unfinished run
            os.ftruncate(handle, self._size)
        self.lost = NotWrittenError(
            f"cannot write to {str(self.path)!r}: {error.strerror or error}",
            f"the {self.count} {self._what} before it are kept, this one and those after it are lost, and "
            f"the run stays unfinished: make room and go on with --infer-resume={self.path.parent}",
        )
        raise self.lost from error
