"""Ids of samples: given by the rows, or derived from their content."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .errors import DatasetError, excerpt

#: What could forge a line of a terminal or reorder it: controls, separators, bidi controls, surrogates.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class SampleIds:
    """Hand out one id a row, in file order.

    Either every row has a field ``id`` (a string or an integer, not blank, without control
    characters, no two alike when written out) or none has. Derived ids are the first twelve
    hexadecimal digits of the row's digest; identical rows get an ordinal: ``3f9a0c1b2d4e-2``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: dict[str, int] = {}
        self._copies: dict[str, int] = {}
        self._first: tuple[int, bool] | None = None

    def id_of(self, line: int, fields: dict[str, Any], digest: str) -> str:
        """Return the id of the row at ``line``. Raises ``DatasetError``."""
        is_given = "id" in fields
        if self._first is None:
            self._first = line, is_given
        elif self._first[1] != is_given:
            with_id, without = (self._first[0], line) if self._first[1] else (line, self._first[0])
            raise DatasetError(
                f"{self._path}:{without}: the row has no 'id', the row of line {with_id} has one; "
                "give every row an id or none"
            )
        return self._given(line, fields["id"]) if is_given else self._derived(digest)

    def _given(self, line: int, value: object) -> str:
        where = f"{self._path}:{line}"
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise DatasetError(f"{where}: the id is {excerpt(value)}; accepted: a string or an integer")
        sample_id = str(value)
        if not sample_id.strip():
            raise DatasetError(
                f"{where}: the id is {value!r}; accepted: a string that is not blank, or an integer"
            )
        if UNSAFE.search(sample_id):
            raise DatasetError(
                f"{where}: the id {excerpt(sample_id)} holds a control character; accepted: printable text"
            )
        first = self._lines.setdefault(sample_id, line)
        if first != line:
            raise DatasetError(
                f"{where}: the id {excerpt(sample_id)} is that of line {first} too; give each row its own id"
            )
        return sample_id

    def _derived(self, digest: str) -> str:
        short = digest.removeprefix("sha256:")[:12]
        copy = self._copies[short] = self._copies.get(short, 0) + 1
        return short if copy == 1 else f"{short}-{copy}"
