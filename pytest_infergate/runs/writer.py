"""Writing a run folder so that a crash costs only what had not been judged."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..evidence import canonical_json, digest
from .artifacts import ArtifactStore
from .collected import CollectedTask
from .errors import NotWrittenError, RunFolderError
from .folder import ATTEMPTS_FILE, COLLECTED_FILE, RECORDS_FILE, RUN_FILE, VERDICT_FILE
from .head import RunHead
from .lines_file import LinesFile
from .redact import Secrets, redact_argv, redact_texts
from .rescored import Rescored
from .summary import RunSummary
from .verdict_file import verdict_json

#: The order of ``run.json`` for those who read it: who and when first, long lists late.
_ORDER = (
    *("schema", "run_id", "started", "finished", "tool", "argv", "python", "platform", "project", "server"),
    *("judge", "asr", "settings", "partial", "totals", "tasks", "gates", "verdict", "records", "attempts"),
    *("collected", "derived_from", "rescored", "digest"),
)


@dataclass(frozen=True, slots=True)
class _Outcome:
    finished: str
    summary: RunSummary
    records: dict[str, Any]
    attempts: dict[str, Any] | None
    collected: dict[str, Any] | None
    rescored: Rescored | None

    def as_json(self) -> dict[str, Any]:
        return {
            "finished": self.finished,
            **self.summary.as_json(),
            "records": self.records,
            "attempts": self.attempts,
            "collected": self.collected,
            "rescored": self.rescored.as_json() if self.rescored else None,
        }


_NOT_FINISHED: dict[str, Any] = {
    "finished": None,
    "totals": None,
    "tasks": [],
    "gates": [],
    "verdict": None,
    "records": None,
    "attempts": None,
    "collected": None,
    "rescored": None,
}


class RunWriter:
    """An open run folder. Made by ``create``; one thread at a time."""

    def __init__(self, folder: Path, head: RunHead, secrets: Secrets, records: LinesFile) -> None:
        self.folder = folder
        self._head = head
        self._secrets = secrets
        self._records = records
        self._attempts: LinesFile | None = None
        self._collected: LinesFile | None = None
        self._lost: NotWrittenError | None = None
        self._is_closed = False
        #: The media of the run.
        self.artifacts = ArtifactStore(folder)

    @classmethod
    def create(cls, folder: Path, head: RunHead, secrets: Secrets | None = None) -> RunWriter:
        """Make the folder and write ``run.json`` as not finished.

        ``secrets`` are taken out of everything that is written. Raises ``RunFolderError`` where the
        folder is not empty or cannot be written; nothing is overwritten.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise RunFolderError(
                    f"run folder {str(folder)!r} is not empty; a run never overwrites another: name an empty "
                    "or new folder"
                )
            records = LinesFile(folder / RECORDS_FILE, "records")
        except OSError as error:
            raise RunFolderError(
                f"cannot write the run folder {str(folder)!r}: {error.strerror or error}; name one that can "
                "be written"
            ) from error
        writer = cls(folder, head, secrets or Secrets(), records)
        try:
            writer._write_run(None)
        except NotWrittenError as error:
            writer.discard()
            raise RunFolderError(
                f"{error.cause}; nothing is kept: make room, or name another folder"
            ) from error
        return writer

    @property
    def count(self) -> int:
        """How many records are on disk."""
        return self._records.count

    def restate(self, head: RunHead) -> None:
        """Write ``run.json`` again with what is known by now: the server, the selection."""
        self._head = head
        self._write_run(None)

    def add(self, line: str) -> None:
        """Append one record, given as one line of ASCII JSON, and hand it to the system at once.

        Raises ``RunFolderError`` where the disk does not take it: that record is lost, whole records
        before it are kept, and the run stays unfinished.
        """
        self._records.add(self._secrets.redact_line(line))

    def add_attempt(self, line: str) -> None:
        """Append one further attempt at an evaluation, as ``add`` does a record.

        The file is made with its first line. Raises as ``add`` does.
        """
        if self._is_closed:
            raise RunFolderError(f"{str(self.folder)!r} is closed; no attempt can be added")
        if self._attempts is None:
            self._attempts = self._open(ATTEMPTS_FILE, "attempts")
        self._attempts.add(self._secrets.redact_line(line))

    def add_collected(self, tasks: Iterable[CollectedTask]) -> None:
        """Write what there was before a part of it was selected; once, and only where a part was left out.

        Raises ``RunFolderError`` where the disk does not take it.
        """
        self._collected = self._open(COLLECTED_FILE, "tasks")
        for task in tasks:
            self._collected.add(self._secrets.redact_line(canonical_json(task.as_json())))

    def finish(
        self,
        finished: str,
        summary: RunSummary,
        comparisons: Sequence[Mapping[str, Any]] = (),
        rescored: Rescored | None = None,
    ) -> None:
        """Write ``run.json`` for good, then ``verdict.json``. ``finished`` is an ISO 8601 time in UTC.

        ``comparisons`` are those with the run's baselines, as JSON; ``rescored`` is what judging the replies
        of another run changed.

        Raises ``RunFolderError`` where the disk does not take it, or had not taken a record.
        """
        files = self._files()
        for lost in (self._lost, *(file.lost for file in files)):
            if lost is not None:
                raise lost
        if self._is_closed:
            raise RunFolderError(f"{str(self.folder)!r} is closed; it cannot be finished")
        try:
            for file in files:
                file.sync()
        except OSError as error:
            raise self._unwritable(error) from error
        attempts = self._attempts.seal() if self._attempts else None
        collected = self._collected.seal() if self._collected else None
        run = self._write_run(
            _Outcome(finished, summary, self._records.seal(), attempts, collected, rescored)
        )
        self._write_json(VERDICT_FILE, verdict_json(run, self._secrets.redact(list(comparisons))))
        self.close()

    def close(self) -> None:
        """Let go of the files; a run that was not finished stays so. May be called again."""
        self._is_closed = True
        for file in self._files():
            file.close()

    def _files(self) -> list[LinesFile]:
        return [file for file in (self._records, self._attempts, self._collected) if file is not None]

    def _open(self, name: str, what: str) -> LinesFile:
        try:
            return LinesFile(self.folder / name, what)
        except OSError as error:
            unwritable = self._unwritable(error, name)
            self._lost = unwritable
            raise unwritable from error

    def discard(self) -> None:
        """Remove the files of a run that measured nothing, and its folder where nothing else is in it."""
        self.close()
        self.artifacts.discard()
        with suppress(OSError):
            for name in (RUN_FILE, RECORDS_FILE, ATTEMPTS_FILE, COLLECTED_FILE, VERDICT_FILE):
                (self.folder / name).unlink(missing_ok=True)
            self.folder.rmdir()

    def _write_run(self, outcome: _Outcome | None) -> dict[str, Any]:
        value = self._run_json(outcome)
        self._write_json(RUN_FILE, value)
        return value

    def _write_json(self, name: str, value: dict[str, Any]) -> None:
        """Write a file whole or not at all."""
        beside = self.folder / f".{name}.tmp"
        try:
            with open(beside, "w", encoding="ascii", newline="\n") as file:
                file.write(json.dumps(value, indent=2, allow_nan=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.folder / name)
            _sync_folder(self.folder)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise self._unwritable(error, name) from error

    def _run_json(self, outcome: _Outcome | None) -> dict[str, Any]:
        head = self._head.as_json()
        head["argv"] = redact_argv(head["argv"])
        head["server"] = redact_texts(head["server"])
        head["judge"] = redact_texts(head["judge"])
        head["asr"] = redact_texts(head["asr"])
        head["settings"] = redact_texts(head["settings"])
        value: dict[str, Any] = self._secrets.redact(head | (outcome.as_json() if outcome else _NOT_FINISHED))
        # Over all other fields, so that an edit by hand shows.
        value["digest"] = digest(value) if outcome else None
        return {name: value[name] for name in _ORDER}

    def _unwritable(self, error: OSError, name: str = RUN_FILE) -> NotWrittenError:
        return NotWrittenError(
            f"cannot write {str(self.folder / name)!r}: {error.strerror or error}",
            f"the {self.count} records so far are kept, and the run stays unfinished: make room and go on "
            f"with --infer-resume={self.folder}",
        )


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can do that."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # Windows does not open folders
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
