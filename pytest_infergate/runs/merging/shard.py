"""One of the runs to put together: validated, and read line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ...evidence import InfergateError, Record
from ..attempts import Attempt
from ..errors import ForeignFolderError, RunFolderError
from ..folder import ATTEMPTS_FILE, COLLECTED_FILE, RECORDS_FILE
from ..reader import StoredRun, read_run
from ..strict_json import parse_strict
from ..validate import validate_run

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A finished run that says what its records say. ``label`` is what a person calls it: its path."""

    label: str
    run: StoredRun

    @property
    def is_whole(self) -> bool:
        """Whether nothing of what it collected was left out."""
        return not (self.run.path / COLLECTED_FILE).exists()

    def records(self) -> Iterator[tuple[int, Record]]:
        """Yield the offset of each line of records, and its record."""
        offset = 0
        for raw, record in self._parsed(RECORDS_FILE, Record.from_json):
            yield offset, record
            offset += len(raw)

    def collected_lines(self) -> Iterator[bytes]:
        return self._lines(COLLECTED_FILE) if not self.is_whole else iter(())

    def attempts(self) -> Iterator[tuple[bytes, Attempt]]:
        """Yield each line of further attempts, and its attempt; none where nothing was asked again."""
        if not (self.run.path / ATTEMPTS_FILE).exists():
            return iter(())
        return self._parsed(ATTEMPTS_FILE, Attempt.from_json)

    def _parsed(self, name: str, from_json: Callable[[Any], _T]) -> Iterator[tuple[bytes, _T]]:
        for raw in self._lines(name):
            try:
                parsed = from_json(parse_strict(raw))
            except (ValueError, TypeError, LookupError, InfergateError) as error:
                raise RunFolderError(f"{self.label}: {name} changed while it was read") from error
            yield raw, parsed

    def _lines(self, name: str) -> Iterator[bytes]:
        path = self.run.path / name
        try:
            with open(path, "rb") as lines:
                yield from lines
        except OSError as error:
            raise RunFolderError(f"cannot read {str(path)!r}: {error.strerror}; restore the file") from error


def open_shard(folder: Path) -> Shard:
    """Validate a run folder and return it as a shard.

    Raises ``ForeignFolderError`` where it is no run of this tool or of a newer one, and ``RunFolderError``
    where it is unfinished, torn, short or edited.
    """
    validation = validate_run(folder)
    if not validation.is_valid:
        problem, more = validation.problems[0], validation.count - 1
        if validation.is_foreign:
            raise ForeignFolderError(problem.what)
        also = f" (and {more} more)" if more else ""
        raise RunFolderError(
            f"{folder} cannot be merged: {problem.where}: {problem.what}{also}; {problem.remedy}"
        )
    return Shard(label=str(folder), run=read_run(folder))
