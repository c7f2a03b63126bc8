"""Where the records of a run lie in its file, found again by the ids of their evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..evidence import Record
from .errors import RunFolderError
from .folder import RECORDS_FILE
from .schemas import RecordCheck
from .strict_json import parse_strict


@dataclass(slots=True)
class RecordIndex:
    """Places in the file of records of the run in ``folder``; of the records themselves none is in memory."""

    folder: Path
    _places: dict[str, tuple[int, int]] = field(default_factory=dict)  # id → offset, line number
    _check: RecordCheck = field(default_factory=RecordCheck)

    def add(self, id: str, *, offset: int, line: int) -> None:
        """Note where the record of an evaluation begins. ``line`` counts from 1."""
        self._places[id] = offset, line

    def __contains__(self, id: str) -> bool:
        return id in self._places

    def __iter__(self) -> Iterator[str]:
        """Yield the ids in the order in which they were added."""
        return iter(self._places)

    def line(self, id: str) -> int:
        """Return the line of a record that is in the index."""
        return self._places[id][1]

    def find(self, id: str) -> Record | None:
        """Read the record of an evaluation, ``None`` where the index has none.

        Raises ``ValueError``, ``TypeError`` or ``LookupError`` where its line is not a record of that
        evaluation, and ``RunFolderError`` where the file cannot be read.
        """
        place = self._places.get(id)
        if place is None:
            return None
        path = self.folder / RECORDS_FILE
        try:
            with open(path, "rb") as file:
                file.seek(place[0])
                raw = file.readline()
        except OSError as error:
            raise RunFolderError(f"cannot read {str(path)!r}: {error.strerror}; restore the file") from error
        value = parse_strict(raw)
        problem = self._check.problem(value)
        if problem is not None:
            raise ValueError(problem)
        record = Record.from_json(value)
        if str(record.evaluation.key) != id:
            raise ValueError(f"it is of {str(record.evaluation.key)!r}, not of {id!r}")
        return record
