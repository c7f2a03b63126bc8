"""Rows of a JSON file that holds one array."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import DatasetError, excerpt
from .json_row import as_row, decode_value
from .text_file import decode, read_raw

_SPACE = re.compile(r"[ \t\r\n]*")
_FORM = "a .json data set is one array of objects, [{…}, {…}]"


def read_json_array(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the line on which each row begins, and its fields. A blank file has no rows.

    Raises ``DatasetError``.
    """
    text = decode(read_raw(path), path)
    place = _skip_space(text, 0)
    line = 1 + text.count("\n", 0, place)
    if place == len(text):
        return
    if text[place] != "[":
        remedy = "; name it .jsonl if it holds one object a line" if text[place] == "{" else ""
        raise DatasetError(
            f"{path}:{line}: the file begins with {excerpt(text[place:], 40)}; {_FORM}{remedy}"
        )
    place = _skip_space(text, place + 1)
    if text[place : place + 1] == "]":
        _refuse_tail(text, place + 1, path)
        return
    counted = 0
    line = 1
    while True:
        line += text.count("\n", counted, place)
        counted = place
        value, end = decode_value(text, place, path, line)
        yield line, as_row(value, f"{path}:{line}")
        place = _skip_space(text, end)
        if text[place : place + 1] == "]":
            _refuse_tail(text, place + 1, path)
            return
        if text[place : place + 1] != ",":
            raise _torn(text, place, path, "',' or ']' expected after a row")
        place = _skip_space(text, place + 1)
        if text[place : place + 1] in ("", "]"):
            raise _torn(text, place, path, "a row expected after ','")


def _skip_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    assert match is not None
    return match.end()


def _refuse_tail(text: str, place: int, path: Path) -> None:
    place = _skip_space(text, place)
    if place != len(text):
        raise _torn(text, place, path, "more text after the array")


def _torn(text: str, place: int, path: Path, what: str) -> DatasetError:
    line = 1 + text.count("\n", 0, place)
    seen = excerpt(text[place:], 40) if place < len(text) else "the end of the file"
    return DatasetError(f"{path}:{line}: unreadable JSON: {what}, not {seen}; {_FORM}")
