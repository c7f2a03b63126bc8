"""Rows of a JSON Lines file."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from .errors import DatasetError, excerpt
from .json_row import as_row, decode_value
from .text_file import decode, read_raw


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and fields of each row. Blank lines are ignored.

    A line ends at LF alone (a CR before it is white space to JSON): U+2028, U+2029 and U+0085 may
    stand inside a string. Raises ``DatasetError``.
    """
    for number, raw in enumerate(BytesIO(read_raw(path)), start=1):
        line = decode(raw, path, first_line=number).strip(" \t\r\n")
        if not line:
            continue
        where = f"{path}:{number}"
        value, end = decode_value(line, 0, path, number)
        if end != len(line):
            raise DatasetError(
                f"{where}: more text after the row (column {end + 1}): {excerpt(line[end:])}; "
                "write one object a line"
            )
        yield number, as_row(value, where)
