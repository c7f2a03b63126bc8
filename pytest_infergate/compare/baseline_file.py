"""A baseline file: one JSON file with a line for each evaluation, small and stable enough for git."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..evidence import EvaluatorIdentity, Tally, Verdict, digest, seal_of
from ..runs import ForeignFolderError, RunFolderError
from ..runs.schema_version import is_newer
from ..runs.schemas import schema_problem_of_baseline
from ..runs.strict_json import parse_strict
from ..whole_file import write_whole
from .baseline import Baseline, Replaced
from .baseline_task import EvaluatorTable, read_task, task_json, task_lines, with_commas
from .comparison import Outcome
from .side import RunSide

BASELINE_SCHEMA = "infergate.baseline/1"
_TOOL = "pytest-infergate"
#: How every baseline file begins: what is torn can be told from what is none.
_OPENING = '{\n"schema": "'


def baseline_text(baseline: Baseline) -> str:
    """Return the text of a baseline file: ASCII, tasks by name, evaluations by sample, one a line.

    The same baseline gives the same bytes.
    """
    side = baseline.side
    tasks = [side.tasks[name] for name in sorted(side.tasks)]
    evaluators = EvaluatorTable(tasks)
    replies = baseline.replies
    rows = [
        task_lines(task, evaluators, None if replies is None else replies.get(task.plan.name, {}))
        for task in tasks
    ]
    # A comma ends every task but the last.
    ended = [[*lines[:-1], f"{lines[-1]},"] for lines in rows[:-1]] + rows[-1:]
    sections = [
        *(f'"{name}": {_block(value)}' for name, value in _head(baseline).items()),
        _listed("history", with_commas([_block(_replaced_json(one)) for one in baseline.history])),
        _listed("evaluators", with_commas(evaluators.lines)),
        _listed("tasks", [line for lines in ended for line in lines]),
    ]
    body = ",\n".join(sections)
    schema = f'"schema": "{BASELINE_SCHEMA}"'
    sealed = digest(json.loads(f"{{{schema},{body}}}"))
    return f'{{\n{schema},\n"digest": "{sealed}",\n{body}\n}}\n'


def summary_json(baseline: Baseline) -> dict[str, Any]:
    """Return what a baseline file holds, less its evaluations, its evaluators and its digest."""
    return {
        **_head(baseline),
        "history": [_replaced_json(one) for one in baseline.history],
        "tasks": [task_json(task) for _, task in sorted(baseline.side.tasks.items())],
    }


def refuse_overwriting(path: Path) -> None:
    """Raise ``RunFolderError`` where there is something at ``path``."""
    if path.exists():
        raise RunFolderError(
            f"{str(path)!r} is there already and nothing is overwritten; accept new figures with infergate "
            f"baseline accept {path} RUN --because REASON, or begin anew with --replace"
        )


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline file, whole or not at all.

    Raises ``RunFolderError`` where it cannot be written.
    """
    if path.exists() and not path.is_file():  # a device would be replaced by a file
        what = "a folder" if path.is_dir() else "no file"
        raise RunFolderError(f"{str(path)!r} is {what}; name a file for the baseline, such as baseline.json")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, baseline_text(baseline).encode("ascii"))
    except OSError as error:
        raise RunFolderError(
            f"cannot write {str(path)!r}: {error.strerror}; name a file that can be written"
        ) from error


def read_baseline(path: Path) -> Baseline:
    """Read a baseline file.

    Raises ``ForeignFolderError`` where it is no baseline of this tool or of a newer one, and
    ``RunFolderError`` where it is torn, damaged or was edited by hand.
    """
    try:
        raw = path.read_bytes()
    except IsADirectoryError as error:
        raise ForeignFolderError(
            f"{str(path)!r} is a folder; name a baseline file, which infergate baseline save makes of a run"
        ) from error
    except OSError as error:
        raise ForeignFolderError(
            f"cannot read {str(path)!r}: {error.strerror}; name a run folder or a baseline file"
        ) from error
    value = read_baseline_json(raw, path)
    try:
        problem = schema_problem_of_baseline(value)
        if problem is not None:
            raise ValueError(problem)
        return _read(value, path)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise RunFolderError(f"{path}: not as {BASELINE_SCHEMA} asks ({what}); {_restore(path)}") from error


def read_baseline_json(raw: bytes, path: Path) -> dict[str, Any]:
    """Return the object of a baseline file, known to be as it was written.

    Raises as ``read_baseline`` does.
    """
    try:
        value = parse_strict(raw)
    except ValueError as error:
        opening = _OPENING.encode("ascii")
        start = raw.replace(b"\r\n", b"\n")[: len(opening)]
        if raw and (start == opening or opening.startswith(start)):
            raise RunFolderError(f"{path}: {error}; the file is damaged: {_restore(path)}") from error
        raise ForeignFolderError(f"{path}: {_NO_BASELINE}") from error
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema != BASELINE_SCHEMA:
        if is_newer(schema, BASELINE_SCHEMA):
            raise ForeignFolderError(
                f"{path}: schema {schema!r} is newer than {BASELINE_SCHEMA!r}, which this version reads; "
                "upgrade pytest-infergate"
            )
        raise ForeignFolderError(f"{path}: {_NO_BASELINE}")
    assert isinstance(value, dict)
    sealed = seal_of(value)
    if sealed != value.get("digest"):
        raise RunFolderError(
            f"{path}: its digest is {sealed}, it says {value.get('digest')}, so it was edited by hand or "
            f"merged; {_restore(path)}"
        )
    return value


_NO_BASELINE = (
    f"not a baseline file ({BASELINE_SCHEMA}); name a run folder, or a file that infergate baseline save "
    "wrote"
)


def _restore(path: Path) -> str:
    return f"restore it, or save it anew with infergate baseline save RUN -o {path} --replace"


def _head(baseline: Baseline) -> dict[str, Any]:
    side = baseline.side
    return {
        "run_id": side.run_id,
        "started": baseline.started,
        "finished": baseline.finished,
        "verdict": baseline.verdict.value,
        "tool": {"name": _TOOL, "version": baseline.tool_version},
        "record_schema": side.schema,
        "partial": list(side.partial),
        "server": side.server,
        "judge": side.judge,
        "conditions": side.conditions,
        "repeats": list(baseline.repeats),
        "with_replies": baseline.replies is not None,
    }


def _block(value: Any) -> str:
    """Return JSON over as many lines as it has members, the names of objects in order."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True, indent=1)


def _listed(name: str, lines: list[str]) -> str:
    inner = "\n".join(lines)
    return f'"{name}": [\n{inner}\n]' if lines else f'"{name}": []'


def _replaced_json(one: Replaced) -> dict[str, Any]:
    return {
        "run_id": one.run_id,
        "finished": one.finished,
        "server": one.server,
        "tasks": {name: tally.as_json() for name, tally in one.tallies.items()},
        "replaced_by": one.by,
        "because": one.because,
        "outcomes": {name: outcome.value for name, outcome in one.outcomes.items()},
    }


def _read(value: Mapping[str, Any], path: Path) -> Baseline:
    evaluators = [EvaluatorIdentity.from_json(who) for who in value["evaluators"]]
    tasks, replies = {}, {}
    for item in value["tasks"]:
        task, said = read_task(item, evaluators)
        if task.plan.name in tasks:
            raise ValueError(f"task {task.plan.name!r} is there twice")
        tasks[task.plan.name], replies[task.plan.name] = task, said
    return Baseline(
        side=RunSide(
            label=str(path),
            run_id=value["run_id"],
            schema=value["record_schema"],
            is_finished=True,
            tasks=tasks,
            server=value["server"],
            judge=value["judge"],
            partial=tuple(value["partial"]),
            conditions=value["conditions"],
        ),
        started=value["started"],
        finished=value["finished"],
        verdict=Verdict(value["verdict"]),
        tool_version=value["tool"]["version"],
        repeats=tuple(value["repeats"]),
        history=tuple(map(_read_replaced, value["history"])),
        replies=replies if value["with_replies"] else None,
    )


def _read_replaced(value: Mapping[str, Any]) -> Replaced:
    return Replaced(
        run_id=value["run_id"],
        finished=value["finished"],
        server=value["server"],
        tallies={name: Tally.from_json(totals) for name, totals in value["tasks"].items()},
        by=value["replaced_by"],
        because=value["because"],
        outcomes={name: Outcome(outcome) for name, outcome in value["outcomes"].items()},
    )
