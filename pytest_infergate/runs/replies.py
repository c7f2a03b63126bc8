"""The replies that a run holds, found again by evaluation and by request."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..evidence import Exchange, Missing, Role, digest
from .errors import RunFolderError
from .folder import RECORDS_FILE, RUN_FILE
from .reader import StoredRun, parse_checked, read_run_json
from .record_index import RecordIndex

_JUDGES = f'"role":"{Role.JUDGE.value}"'.encode("ascii")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvaluation:
    """What a run holds of one evaluation: its exchanges in the order of asking, and why it is missing."""

    exchanges: tuple[Exchange, ...]
    missing: Missing | None

    def of_role(self, role: Role) -> tuple[Exchange, ...]:
        return tuple(exchange for exchange in self.exchanges if exchange.role is role)


@dataclass(slots=True)
class StoredReplies:
    """A run, open to be asked what came back. Made by ``open``; threads share it.

    In memory there are places in the file only: of each evaluation, and of each request to a judge.
    """

    run: StoredRun
    _index: RecordIndex = field(init=False)
    _judged: dict[str, str] = field(default_factory=dict)  # request digest → id of the first that asked

    def __post_init__(self) -> None:
        self._index = RecordIndex(self.run.path)

    @classmethod
    def open(cls, folder: Path) -> StoredReplies:
        """Find every record of the run in ``folder``, finished or not; a torn last line is left out.

        Raises ``ForeignFolderError`` for what is no run of this tool or of a newer one, and
        ``RunFolderError`` where a finished run is not as it was left, or a line is not a record.
        """
        value = read_run_json(folder)
        stored = cls(parse_checked(folder, value))
        stored._read(value)
        return stored

    @property
    def run_id(self) -> str:
        return self.run.head.run_id

    def find(self, id: str) -> StoredEvaluation | None:
        """Return what there is of an evaluation, ``None`` where the run has no record of it.

        Raises ``RunFolderError`` where its line is not a record.
        """
        try:
            record = self._index.find(id)
            if record is None:
                return None
            exchanges = tuple(map(Exchange.from_json, record.exchanges))
        except (ValueError, TypeError, LookupError) as error:
            raise self._unusable(self._index.line(id), str(error)) from error
        return StoredEvaluation(exchanges=exchanges, missing=record.missing)

    def find_judged(self, request_digest: str) -> Exchange | None:
        """Return the first answer of a judge to a request, of whichever evaluation it is; ``None``: none is.

        Raises as ``find`` does.
        """
        id = self._judged.get(request_digest)
        found = self.find(id) if id is not None else None
        if found is None:
            return None
        return next(one for one in found.of_role(Role.JUDGE) if one.request_digest == request_digest)

    def _read(self, value: dict[str, Any]) -> None:
        path = self.run.path / RECORDS_FILE
        hash_, offset, number = sha256(), 0, 0
        try:
            with open(path, "rb") as lines:
                for number, raw in enumerate(lines, 1):
                    hash_.update(raw)
                    self._add(raw, offset, number)
                    offset += len(raw)
        except OSError as error:
            raise RunFolderError(f"cannot read {str(path)!r}: {error.strerror}; restore the file") from error
        if self.run.finished is not None:
            self._hold(value, number, hash_.hexdigest())

    def _hold(self, value: dict[str, Any], lines: int, sha256: str) -> None:
        """Hold a finished run to its digests: replies that somebody wrote in afterwards are no evidence."""
        stated = value["records"]
        sealed = digest({name: item for name, item in value.items() if name != "digest"})
        for what, is_, says in (
            (f"the digest of {RUN_FILE}", sealed, value["digest"]),
            (f"the number of lines of {RECORDS_FILE}", lines, stated["count"]),
            (f"the sha256 of {RECORDS_FILE}", sha256, stated["sha256"]),
        ):
            if is_ != says:
                folder = self.run.path
                raise RunFolderError(
                    f"{str(folder)!r} is not as its run left it: {what} is {is_}, {RUN_FILE} says {says}; "
                    f"restore the folder (infergate validate {folder} tells more)"
                )

    def _add(self, raw: bytes, offset: int, number: int) -> None:
        try:
            # Not the strict reader, which takes five times as long: it reads a line when that is needed.
            value = json.loads(raw)
            id = str(value["id"])
            judged = [
                exchange["request_digest"]
                for exchange in (value["exchanges"] if _JUDGES in raw else ())
                if exchange["role"] == Role.JUDGE.value
            ]
            for request_digest in judged:
                self._judged.setdefault(request_digest, id)
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            if self.run.finished is None and not raw.endswith(b"\n"):
                return
            raise self._unusable(number, str(error)) from error
        if id in self._index:
            raise self._unusable(number, f"{id!r} was judged already on line {self._index.line(id)}")
        self._index.add(id, offset=offset, line=number)

    def _unusable(self, number: int, why: str) -> RunFolderError:
        folder = self.run.path
        return RunFolderError(
            f"{folder / RECORDS_FILE}:{number}: not a record to take replies from ({why}); run infergate "
            f"validate {folder}"
        )
