"""What a run finished, for another one to keep."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..evidence import ReasonGroup, Record, ReplySource
from .artifacts import ArtifactStore
from .attempts import Attempt
from .errors import RunFolderError
from .folder import RECORDS_FILE
from .head import Derivation, DerivedBy
from .reader import StoredRun, read_run
from .record_index import RecordIndex


def is_kept(record: Record) -> bool:
    """Say whether asking again could tell nothing new: the model's part in this evaluation is over.

    What never ran, and what the server or the evaluator left without a verdict, is asked again.
    """
    return record.missing is None or record.missing.reason.group is ReasonGroup.MODEL


@dataclass(slots=True)
class KeptRecords:
    """The records of a run that another one keeps. Made by ``open``, or by ``of_replayed``.

    In memory there are places in the file only, and further attempts.
    """

    run: StoredRun
    _is_kept: Callable[[Record], bool] = is_kept
    _source: ReplySource = ReplySource.RESUME
    _index: RecordIndex = field(init=False)
    _attempts: defaultdict[str, list[Attempt]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self._index = RecordIndex(self.run.path)

    @classmethod
    def open(cls, folder: Path, *, is_checked: bool = False) -> KeptRecords:
        """Find what is to be kept of the run in ``folder``, finished or not; a torn last line is left out.

        ``is_checked``: somebody has found before that the folder is as its run left it. Raises
        ``ForeignFolderError`` for what is no run of this tool or of a newer one, and ``RunFolderError`` for a
        folder that was edited or damaged, and for a run that no server was asked in.
        """
        run = read_run(folder)
        if not is_checked:
            _check(run)
        kept = cls(run)
        kept._read()
        return kept

    @classmethod
    def of_replayed(cls, run: StoredRun, is_kept: Callable[[Record], bool]) -> KeptRecords:
        """Find what is kept of a run whose replies are replayed, known to be as it was left.

        Raises ``RunFolderError`` where a line is not a record.
        """
        kept = cls(run, is_kept, ReplySource.REPLAY)
        kept._read()
        return kept

    @property
    def derivation(self) -> Derivation:
        """The runs that records are kept from: this one, and those that it was resumed from itself."""
        earlier = self.run.head.derived_from
        chain = earlier.runs if earlier is not None and earlier.by is DerivedBy.RESUME else ()
        return Derivation(by=DerivedBy.RESUME, runs=(*chain, self.run.head.run_id))

    @property
    def media(self) -> ArtifactStore:
        """The media of what is kept."""
        return ArtifactStore(self.run.path)

    def __iter__(self) -> Iterator[str]:
        """Yield the ids of what is kept, in the order of the run."""
        return iter(self._index)

    def find(self, id: str) -> Record | None:
        """Return what is kept of an evaluation, its exchanges labelled; ``None``: nothing is.

        Raises ``RunFolderError`` where the record cannot be read any more.
        """
        try:
            record = self._index.find(id)
        except (ValueError, TypeError, LookupError) as error:
            raise RunFolderError(
                f"{self.run.path / RECORDS_FILE}: the record of {id} changed while it was read ({error}); "
                "let nothing write to a run that is resumed"
            ) from error
        return self._labelled(record) if record is not None else None

    def attempts(self, id: str) -> tuple[Attempt, ...]:
        """Return the further attempts at an evaluation that is kept."""
        return tuple(
            replace(attempt, record=self._labelled(attempt.record)) for attempt in self._attempts.get(id, ())
        )

    def _read(self) -> None:
        for line, (offset, record) in enumerate(self.run.placed_records(), 1):
            if self._is_kept(record):
                self._index.add(str(record.evaluation.key), offset=offset, line=line)
        for attempt in self.run.attempts():
            if attempt.id in self._index:
                self._attempts[attempt.id].append(attempt)

    def _labelled(self, record: Record) -> Record:
        source = self._source.value
        return replace(
            record,
            exchanges=tuple({**one, "source": source} for one in record.exchanges),
            kept_from=record.kept_from or self.run.head.run_id,
        )


def _check(run: StoredRun) -> None:
    from .validate import validate_run  # loads jsonschema

    derived = run.head.derived_from
    if derived is not None and derived.by is DerivedBy.REPLAY:
        raise RunFolderError(
            f"{str(run.path)!r} judged the replies of {', '.join(derived.runs)} and asked nobody, so there "
            "is nothing to resume; replay that run again with --infer-replay"
        )
    found = validate_run(run.path)
    # Of an unfinished run it is told, last, that it is not finished.
    faults = found.count - (run.finished is None)
    if faults:
        problem = found.problems[0]
        raise RunFolderError(
            f"{str(run.path)!r} is not as its run left it: {problem.where}: {problem.what}; restore the "
            f"folder (infergate validate {run.path} tells more)"
        )
