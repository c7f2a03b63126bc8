"""Whether a run folder is whole, and says what its records say."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..evidence import Record, Verdict, seal_of
from .artifacts import ArtifactStore, media_problem
from .attempts_check import attempt_problems
from .collected import collected_problems
from .errors import ForeignFolderError, RunFolderError
from .exit_code import ExitCode
from .folder import RECORDS_FILE, RUN_FILE, VERDICT_FILE
from .invariants import broken_invariant
from .ledger import RunLedger
from .reader import StoredRun, parse_run, read_run_json
from .schemas import RecordCheck, schema_problem_of_run, schema_problem_of_verdict
from .strict_json import parse_strict
from .summary import TaskPlan
from .verdict_file import verdict_json

#: So many problems are told; the others are counted.
MOST_TOLD = 20

_EDITED = "records and run.json must be as the run left them: restore the folder or run again"
_UNFINISHED = "see what it holds with infergate show, go on with --infer-resume for a verdict"


_EXITS = {
    Verdict.PASSED: ExitCode.PASSED,
    Verdict.FAILED: ExitCode.FAILED,
    Verdict.MISSING: ExitCode.MISSING,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Where something is wrong (file, or file:line), what, and what to do."""

    where: str
    what: str
    remedy: str

    def as_json(self) -> dict[str, str]:
        return {"where": self.where, "what": self.what, "remedy": self.remedy}

    def __str__(self) -> str:
        return f"{self.where}: {self.what}; {self.remedy}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """What was found. ``verdict`` is the run's, ``None`` where the folder cannot be trusted.

    ``problems`` are the first ones of ``count``; ``records`` is how many lines were read.
    """

    folder: Path
    verdict: Verdict | None
    records: int
    problems: tuple[Problem, ...]
    count: int
    exit_code: ExitCode

    @property
    def is_valid(self) -> bool:
        return not self.count

    @property
    def is_foreign(self) -> bool:
        """Whether the folder is no run of this tool, or of a newer one."""
        return self.exit_code is ExitCode.UNUSABLE

    def as_json(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "valid": self.is_valid,
            "verdict": self.verdict.value if self.verdict else None,
            "records": self.records,
            "problems": [problem.as_json() for problem in self.problems],
            "problem_count": self.count,
            "exit_code": int(self.exit_code),
        }


def validate_run(folder: Path) -> Validation:
    """Check a run folder against its schemas, its digests and a recount of its records.

    Never raises for what is in the folder: a foreign, empty or newer folder is ``UNUSABLE``; a run that is
    damaged, edited, torn, short or not finished is ``MISSING``, since its evidence cannot be trusted.
    """
    check = _Check(folder)
    try:
        value = read_run_json(folder)
    except ForeignFolderError as error:
        return check.unusable(str(error))
    except RunFolderError as error:
        check.report(RUN_FILE, str(error), "nothing else was checked")
        return check.result(None)
    problem = schema_problem_of_run(value)
    if problem is not None:
        check.report(RUN_FILE, problem, _EDITED)
        return check.result(None)
    try:
        run = parse_run(folder, value)
        ledger = RunLedger(run.plans)
    except (ValueError, TypeError, RunFolderError) as error:
        check.report(RUN_FILE, str(error), _EDITED)
        return check.result(None)
    check.records_of(run, ledger)
    check.beside_records(value, run)
    if run.finished is None:
        check.report(RUN_FILE, f"the run is not finished; records on disk: {check.lines}", _UNFINISHED)
    else:
        check.seal(value, run, ledger)
    check.verdict_of(value)
    return check.result(run.verdict)


class _Check:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = 0
        self._problems: list[Problem] = []
        self._count = 0
        self._sha256 = ""
        self._seen: dict[str, int] = {}
        self._media = ArtifactStore(folder)

    def report(self, where: str, what: str, remedy: str) -> None:
        self._count += 1
        if len(self._problems) < MOST_TOLD:
            self._problems.append(Problem(where=where, what=what, remedy=remedy))

    def result(self, verdict: Verdict | None) -> Validation:
        trusted = None if self._count else verdict
        return Validation(
            folder=self.folder,
            verdict=trusted,
            records=self.lines,
            problems=tuple(self._problems),
            count=self._count,
            exit_code=_EXITS[trusted] if trusted else ExitCode.MISSING,
        )

    def unusable(self, what: str) -> Validation:
        problem = Problem(where=str(self.folder), what=what, remedy="nothing was checked")
        return Validation(
            folder=self.folder,
            verdict=None,
            records=0,
            problems=(problem,),
            count=1,
            exit_code=ExitCode.UNUSABLE,
        )

    def records_of(self, run: StoredRun, ledger: RunLedger) -> None:
        """Read every line, and count the records of a finished run that are whole."""
        schema, hash_ = RecordCheck(), sha256()
        plans = {plan.name: plan for plan in run.plans}
        try:
            with open(self.folder / RECORDS_FILE, "rb") as lines:
                for number, raw in enumerate(lines, 1):
                    hash_.update(raw)
                    if not raw.endswith(b"\n"):
                        if run.finished is None:
                            break
                        self.report(
                            f"{RECORDS_FILE}:{number}", "the line does not end; the file is torn", _EDITED
                        )
                    self.lines += 1
                    problem = self._line(raw, number, schema, plans if run.finished else None, ledger)
                    if problem:
                        self.report(f"{RECORDS_FILE}:{number}", problem, _EDITED)
        except OSError as error:
            self.report(RECORDS_FILE, f"cannot be read: {error.strerror}", "restore the file")
        self._sha256 = hash_.hexdigest()

    def beside_records(self, value: dict[str, Any], run: StoredRun) -> None:
        """Check the further attempts and what was collected, which nothing is counted from."""
        is_finished = run.finished is not None
        for name, check in (("attempts", attempt_problems), ("collected", collected_problems)):
            for where, what in check(self.folder, self._seen, sealed=value[name], is_finished=is_finished):
                self.report(where, what, _EDITED)

    def _line(
        self,
        raw: bytes,
        number: int,
        schema: RecordCheck,
        plans: dict[str, TaskPlan] | None,
        ledger: RunLedger,
    ) -> str | None:
        try:
            value = parse_strict(raw)
            problem = schema.problem(value)
            if problem is not None:
                return problem
            record = Record.from_json(value)
        except (ValueError, TypeError) as error:
            return str(error)
        id = value["id"]
        problem = broken_invariant(record, id) or media_problem(record, self._media)
        if problem is not None:
            return f"{id}: {problem}"
        if self._seen.setdefault(id, number) != number:
            return f"{id}: judged already at {RECORDS_FILE}:{self._seen[id]}; an evaluation counts once"
        if plans is None:
            return None
        plan = plans.get(record.evaluation.key.task)
        if plan is None:
            return f"{id}: run.json does not list its task"
        evaluation = record.evaluation
        if (evaluation.task_version, evaluation.task_digest) != (plan.version, plan.digest):
            return (
                f"{id}: of task version {evaluation.task_version!r}, digest {evaluation.task_digest}; "
                f"run.json says {plan.version!r}, {plan.digest}"
            )
        ledger.count(record)
        return None

    def seal(self, value: dict[str, Any], run: StoredRun, ledger: RunLedger) -> None:
        """Compare what ``run.json`` says with the records."""
        stated = value["records"]
        if stated["count"] != self.lines:
            self.report(RECORDS_FILE, f"lines: {self.lines}; run.json says {stated['count']}", _EDITED)
        if stated["sha256"] != self._sha256:
            self.report(RECORDS_FILE, f"sha256 is {self._sha256}; run.json says {stated['sha256']}", _EDITED)
        sealed = seal_of(value)
        if sealed != value["digest"]:
            self.report(RUN_FILE, f"its digest is {sealed}; it says {value['digest']}", _EDITED)
        if self._count and any(problem.where.startswith(f"{RECORDS_FILE}:") for problem in self._problems):
            return  # a recount without some of the records would only repeat that they are wrong
        counted = ledger.summary(run.gates).as_json()
        for name in ("totals", "verdict"):
            if value[name] != counted[name]:
                self._recount(f"$.{name}", value[name], counted[name])
        for name in ("tasks", "gates"):
            for number, (says, is_) in enumerate(zip(value[name], counted[name], strict=False)):
                for key in is_:
                    if says[key] != is_[key]:
                        self._recount(f"$.{name}[{number}].{key}", says[key], is_[key])
            if len(value[name]) != len(counted[name]):
                self._recount(f"$.{name}", f"{len(value[name])} entries", f"{len(counted[name])} entries")

    def verdict_of(self, run: dict[str, Any]) -> None:
        """Hold ``verdict.json``, where it is there, against a ``run.json`` in which nothing is wrong."""
        path = self.folder / VERDICT_FILE
        if self._count or not path.exists():
            return
        try:
            value = parse_strict(path.read_bytes())
        except (OSError, ValueError) as error:
            self.report(VERDICT_FILE, str(error), _EDITED)
            return
        problem = schema_problem_of_verdict(value)
        if problem is None:
            made = verdict_json(run, value["baselines"])
            wrong = next((name for name in made if value[name] != made[name]), None)
            problem = f"$.{wrong} is not what run.json gives" if wrong else None
        if problem is not None:
            self.report(VERDICT_FILE, problem, _EDITED)

    def _recount(self, path: str, says: object, counted: object) -> None:
        self.report(RUN_FILE, f"{path} is {says!r}; its records give {counted!r}", _EDITED)
