"""The text of a data-set file, or one line that says why there is none."""

from __future__ import annotations

import gzip
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from .errors import DatasetError


def read_raw(path: Path) -> bytes:
    """Return the bytes of a UTF-8 file, unpacked where it ends in ``.gz``, without a byte order mark."""
    try:
        raw = path.read_bytes()
        if path.suffix.lower() == ".gz":
            raw = gzip.decompress(raw)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DatasetError(f"{path}: not a whole gzip file: {error}; pack it again") from error
    except OSError as error:
        raise DatasetError(
            f"{path}: cannot be read: {error.strerror or error}; a data set is a file"
        ) from error
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise DatasetError(f"{path}:1: the file is UTF-16; accepted: UTF-8; save it as UTF-8")
    return raw.removeprefix(BOM_UTF8)


def decode(raw: bytes, path: Path, *, first_line: int = 1) -> str:
    """Return the text of ``raw``, which begins at ``first_line`` of ``path``."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + raw.count(b"\n", 0, error.start)
        raise DatasetError(
            f"{path}:{line}: byte {raw[error.start : error.start + 1]!r} is not UTF-8 ({error.reason}); "
            "save the file as UTF-8"
        ) from error
