"""Rows of a CSV or TSV file with a header."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from .errors import DatasetError, listed
from .text_file import decode, read_raw


def read_csv(path: Path, *, delimiter: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the line on which each row begins, and its fields, all strings (RFC 4180).

    The first row is the header. Blank lines are ignored; a newline inside quotes belongs to its
    field, as do U+2028, U+2029 and U+0085 anywhere. Raises ``DatasetError``.
    """
    rows = _read_rows(path, delimiter)
    line, header = next(rows, (1, []))
    _check_header(header, f"{path}:{line}")
    for line, row in rows:
        if len(row) != len(header):
            raise DatasetError(
                f"{path}:{line}: the row has {len(row)} fields, the header {len(header)} ({listed(header)}); "
                "quote a field that holds the separator or a newline"
            )
        yield line, dict(zip(header, row))  # noqa: B905 - the lengths were just compared


def _read_rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    text = decode(read_raw(path), path)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    width = 0
    while True:
        line = reader.line_num + 1
        try:
            with _any_field_size():
                row = next(reader, None)
        except csv.Error as error:
            raise DatasetError(f"{path}:{line}: unreadable row: {error}; quote as RFC 4180 has it") from error
        if row is None:
            return
        if any("\0" in field for field in row):  # what csv itself refuses before Python 3.11
            raise DatasetError(f"{path}:{line}: unreadable row: a NUL character; save the file as UTF-8 text")
        if not row or (len(row) == 1 < width and not row[0].strip()):
            continue
        width = width or len(row)
        yield line, row


@contextmanager
def _any_field_size() -> Iterator[None]:
    # The limit (131,072 characters) is the process's; a long prompt is more.
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _check_header(header: list[str], where: str) -> None:
    seen: set[str] = set()
    for column, name in enumerate(header, start=1):
        if not name.strip():
            raise DatasetError(f"{where}: column {column} of the header has no name; name every column")
        if name in seen:
            raise DatasetError(f"{where}: the header has {name!r} twice; rename one of the columns")
        seen.add(name)
