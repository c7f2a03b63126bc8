"""``infergate show RUN``: the report of a run, or one evaluation of it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .answer import Answer, answer_with, terminal_width
from .option_types import share

if TYPE_CHECKING:
    from ..report import Line
    from ..runs import StoredRun


def add_show(commands: Any) -> None:
    parser = commands.add_parser(
        "show",
        help="tell what a run came to",
        description="Tell what a run came to, finished or not: the table that pytest printed, counted anew "
        "from the records. With --sample, show one evaluation: what was asked, what came back, its scores. "
        "With --power, tell how many samples a comparison with the run takes.",
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="a run folder")
    parser.add_argument(
        "--sample",
        metavar="ID",
        help="an evaluation (task/sample#repeat), or a sample in all tasks and repeats",
    )
    parser.add_argument(
        "--power",
        action="store_true",
        help="tell how many samples comparisons with it take; also for a baseline file",
    )
    parser.add_argument(
        "--margin",
        metavar="X",
        type=share,
        help="with --power: what a task's pass rate may lose (default: 0.05)",
    )
    answer_with(show, parser)


def show(arguments: argparse.Namespace) -> Answer:
    """Tell what a run came to.

    Raises ``RunFolderError`` where the folder cannot be read, ``EvaluationNotFound`` for an unknown ID, and
    ``OptionError`` for options that do not go together.
    """
    from ..runs import read_run
    from .errors import OptionError

    if arguments.margin is not None and not arguments.power:
        raise OptionError("--margin is for --power; add it, or compare runs with infergate compare --margin")
    if arguments.power and arguments.sample is not None:
        raise OptionError("--power is about tasks and --sample about evaluations; leave one of them out")
    if arguments.power:
        return _power(arguments.run, arguments.margin, as_json=arguments.json)
    run = read_run(arguments.run)
    width = terminal_width()
    if arguments.sample is not None:
        return _sample(run, arguments.sample, width, as_json=arguments.json)
    return _report(run, width, as_json=arguments.json)


def _report(run: StoredRun, width: int, *, as_json: bool) -> Answer:
    from ..report import RunView, identity_lines, line, run_lines
    from ..runs import read_run_json

    ledger = run.count()
    summary = ledger.summary(run.gates)
    if as_json:
        value = read_run_json(run.path)
        if run.finished is None:
            counted = summary.as_json()
            value |= {"totals": counted["totals"], "tasks": counted["tasks"], "verdict": "missing"}
        return Answer.of_json({"folder": str(run.path), **value})
    view = RunView(
        summary=summary,
        findings=ledger.findings(),
        folder=str(run.path),
        partial=run.head.partial,
        is_finished=run.finished is not None,
        is_stored=True,
        rescored=run.rescored,
    )
    lines = [*identity_lines(run.head, run.finished), (), *run_lines(view, width)]
    if run.verdict is not None and run.verdict is not summary.verdict:
        told = f"run.json says {run.verdict.value}, which its records do not give; see infergate validate"
        lines.append(line(f"  {told}"))
    return Answer(lines)


def _sample(run: StoredRun, wanted: str, width: int, *, as_json: bool) -> Answer:
    from ..report import record_lines
    from .lookup import find_records

    found = find_records(run, wanted)
    if as_json:
        return Answer.of_json([record.as_json() for record in found])
    lines: list[Line] = []
    for record in found:
        lines += [*([()] if lines else []), *record_lines(record, width)]
    return Answer(lines)


def _power(path: Path, margin: float | None, *, as_json: bool) -> Answer:
    from ..compare import MARGIN, read_side
    from ..compare.power_of_task import power_of_task
    from ..report.power_text import power_lines
    from ..runs import RunFolderError

    side = read_side(path)
    if not side.is_finished:
        raise RunFolderError(
            f"{str(path)!r} is not finished, and what was planned in it is unknown; finish it with "
            f"--infer-resume={path}"
        )
    margin = MARGIN if margin is None else margin
    powers = [
        power_of_task(
            name,
            samples=len({sample for sample, _ in task.observations}),
            margin=margin if task.plan.margin is None else task.plan.margin,
            flip_rate=task.flip_rate,
        )
        for name, task in side.tasks.items()
        if task.plan.has_dataset
    ]
    flips = [name for name, task in side.tasks.items() if not task.plan.has_dataset]
    if as_json:
        return Answer.of_json({"tasks": [one.as_json() for one in powers], "without_dataset": flips})
    return Answer(power_lines(powers, flips, terminal_width()))
