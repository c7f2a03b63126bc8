"""Where the bytes of media are: in a file or in memory."""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from ..evidence import InfergateError, UndecodableMedia

_PIECE = 1 << 20
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(?://)?")


class MediaSourceError(InfergateError):
    """What was given is neither a file nor bytes: a fault of the evaluation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaSource:
    """A regular file (``path``) or bytes (``content``), with the size and digest of its bytes.

    ``kind`` is what messages call it (audio, media). ``modified_ns`` is when the file was last written, and 0
    for bytes.
    """

    path: Path | None
    content: bytes | None = field(repr=False)
    size: int
    sha256: str
    kind: str
    modified_ns: int = 0

    @property
    def name(self) -> str:
        """How messages call it."""
        return repr(str(self.path)) if self.path is not None else f"{self.kind} of {self.size:,} bytes"

    def open(self) -> BinaryIO:
        """Return the bytes as a file. Raises ``UndecodableMedia`` where the file is another by now."""
        if self.path is None:
            return io.BytesIO(self.content or b"")
        try:
            file = self.path.open("rb")
        except OSError as error:
            raise UndecodableMedia(f"{self.name} cannot be read: {error.strerror}") from error
        now = os.fstat(file.fileno())
        if (now.st_size, now.st_mtime_ns) != (self.size, self.modified_ns):
            file.close()
            raise UndecodableMedia(f"{self.name} was changed while it was being evaluated")
        return file


def find_source(given: object, kind: str) -> MediaSource:
    """Return the source that ``given``, a path or bytes, stands for. The network is never asked.

    Raises ``UndecodableMedia`` where there is no such file or nothing in it, ``MediaSourceError`` for what
    is neither a path nor bytes.
    """
    if isinstance(given, (bytes, bytearray, memoryview)):
        content = bytes(given)
        if not content:
            raise UndecodableMedia(f"{kind} of zero bytes")
        return MediaSource(
            path=None,
            content=content,
            size=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            kind=kind,
        )
    if not isinstance(given, (str, os.PathLike)) or not isinstance(os.fspath(given), str):
        raise MediaSourceError(
            f"{kind} is given as the path of a file or as the bytes of one; got {type(given).__name__} "
            "(an array carries no sample rate and no range: write it to a file)"
        )
    path = Path(given)
    try:
        with _open_regular(path) as file:
            found = os.fstat(file.fileno())
            digest = hashlib.sha256()
            while piece := file.read(_PIECE):
                digest.update(piece)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise UndecodableMedia(_not_readable(str(given), kind, error)) from error
    if not found.st_size:
        raise UndecodableMedia(f"{str(path)!r} has zero bytes")
    return MediaSource(
        path=path,
        content=None,
        size=found.st_size,
        sha256=digest.hexdigest(),
        kind=kind,
        modified_ns=found.st_mtime_ns,
    )


def _open_regular(path: Path) -> BinaryIO:
    # Looked at first: to open a pipe waits for who writes to it.
    if not stat.S_ISREG(path.stat().st_mode):
        raise UndecodableMedia(
            f"{str(path)!r} is no regular file but {'a directory' if path.is_dir() else 'a device or pipe'}"
        )
    return path.open("rb")


def _not_readable(given: str, kind: str, error: Exception) -> str:
    if _ADDRESS.match(given):
        shown = given if len(given) <= 60 else f"{given[:57]}..."
        told = f"{kind} is read from files and bytes only: fetch it and give the file"
        return f"{shown!r} is an address; {told}"
    if isinstance(error, FileNotFoundError):
        return f"there is no file {given!r}"
    return f"{given!r} cannot be read: {getattr(error, 'strerror', None) or error}"
