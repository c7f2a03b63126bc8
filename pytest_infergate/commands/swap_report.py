"""What people and programs are told of a swap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..compare import ExitCode, Outcome, TaskComparison
from ..report import (
    OUTCOME_STYLES,
    Line,
    Segment,
    Style,
    comparison_lines,
    heading,
    line,
    percent,
    visible_line,
)
from .answer import Answer, terminal_width
from .swap_result import SwapResult
from .swap_side import Measured


def swap_answer(result: SwapResult, *, as_json: bool) -> Answer:
    """Answer with both comparisons, and with what the second says of the first."""
    code = int(result.exit_code)
    if as_json:
        value = {
            "folder": str(result.folder),
            "exit_code": code,
            "sides": [_side_json(one) for one in result.measured],
            "comparison": result.comparison.as_json(),
            "base_again": result.drift.as_json() if result.drift else None,
            "drifted": list(result.drifted),
        }
        return Answer.of_json(value, code)
    width = terminal_width()
    lines = [*_sides(result.measured), *_drift(result), (), *comparison_lines(result.comparison, width)]
    if result.exit_code is not result.comparison.exit_code:
        word = Segment(_WORDS[result.exit_code], Style.MISSING)
        lines.append(line("swap: ", word, ": see what the base came to when it was run again"))
    return Answer(lines, code)


_WORDS = {
    ExitCode.INCONCLUSIVE: "inconclusive",
    ExitCode.INCOMPARABLE: "incomparable",
    ExitCode.MISSING: "missing evidence",
}


def gone_answer(folder: Path, measured: Sequence[Measured], why: str, *, as_json: bool) -> Answer:
    """Answer that a server was not there to be measured: no evidence, and no pass."""
    code = int(ExitCode.MISSING)
    if as_json:
        sides = [_side_json(one) for one in measured]
        return Answer.of_json({"folder": str(folder), "exit_code": code, "sides": sides, "error": why}, code)
    told = [line(Segment("missing evidence", Style.MISSING), f": {visible_line(why, 4000)}")]
    return Answer([*_sides(measured), *([()] if measured else []), *told], code)


def _side_json(one: Measured) -> dict[str, Any]:
    return {
        "name": one.side.name,
        "command": str(one.side),
        "run": str(one.run),
        "log": str(one.log),
        "pytest_exit_status": one.exit_status,
    }


def _sides(measured: Sequence[Measured]) -> list[Line]:
    if not measured:
        return []
    wide = max(len(one.side.name) for one in measured)
    rows = [line(f"  {one.side.name:<{wide}}  {visible_line(str(one.side), 400)}") for one in measured]
    return [heading("measured one after the other"), *rows]


def _drift(result: SwapResult) -> Iterator[Line]:
    if result.drift is None:
        return
    yield ()
    yield heading("the base, run again behind the candidate, against itself")
    for task in result.drift.tasks:
        word = Segment(str(task.outcome), OUTCOME_STYLES[task.outcome])
        yield line("  ", word, f"  {visible_line(task.task)}: {_flips(task)}")
    for one in result.drift.confounded:
        yield line(f"  {visible_line(f'{one.field}: {one.base} → {one.candidate}', 400)}")
    for text in _what_it_means(result):
        yield line(f"  {text}")


def _flips(task: TaskComparison) -> str:
    table = task.table
    if table is None:
        return visible_line(task.detail, 400) if task.detail else "not compared"
    rate = table.flip_rate
    missing = f"{table.unresolved:,} missing"
    if rate is None:
        return missing
    told = f"{rate.flips:,} of {rate.pairs:,} verdicts flipped ({percent(rate.rate)})"
    return f"{told}, {missing}" if table.unresolved else told


def _what_it_means(result: SwapResult) -> Iterator[str]:
    assert result.drift is not None
    outcomes = {task.outcome for task in result.drift.tasks}
    if result.drifted:
        yield "the base is not like itself: the machine drifted, and no difference can be laid to the swap"
    if result.drift.confounded or Outcome.INCOMPARABLE in outcomes:
        yield "the command of --base did not start the same server again: what changed may not be the swap"
    if Outcome.MISSING in outcomes or not outcomes:
        yield "the second run of the base lacks evidence: how much of the above is noise is not known"
