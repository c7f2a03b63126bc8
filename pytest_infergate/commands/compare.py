"""``infergate compare BASE… CANDIDATE``: is the candidate as good as the base, or was that not answered?"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .answer import Answer, answer_with, terminal_width
from .option_types import add_comparison_options

if TYPE_CHECKING:
    from ..compare import ExitCode, RunSide
    from ..report import Line
    from ..runs import RunFolderError


def add_compare(commands: Any) -> None:
    parser = commands.add_parser(
        "compare",
        help="compare a run with one or more others, and say whether it is as good",
        description="Compare a run with one or more others, evaluation by evaluation, where that is valid; "
        "elsewhere say what differs. The last run named is the candidate.",
        epilog="exit status: 0 passed (improved, no worse, unchanged); 1 regressed; 2 wrong usage, or not a "
        "run of this tool, or of a newer version; 3 inconclusive; 4 incomparable; 5 missing evidence, or a "
        "run that is damaged, edited, torn, short or not finished; with several tasks or runs the first of "
        "1, 4, 5, 3",
    )
    parser.add_argument(
        "base", metavar="BASE", type=Path, nargs="+", help="a run folder or a baseline file; may be several"
    )
    parser.add_argument("candidate", metavar="CANDIDATE", type=Path, help="the run folder to judge")
    add_comparison_options(parser)
    answer_with(compare, parser)


def compare(arguments: argparse.Namespace) -> Answer:
    """Raises ``ForeignFolderError`` for what is no run, and ``TreatmentError`` for an unknown field."""
    from ..compare import first_code

    parts = _compare_all(arguments)
    code = first_code(part.code for part in parts)
    if arguments.json:
        values = [part.value for part in parts]
        several = {"exit_code": int(code), "comparisons": values}
        return Answer.of_json(values[0] if len(arguments.base) == 1 else several, int(code))
    lines: list[Line] = []
    for part in parts:
        lines += [*([()] if lines else []), *part.lines]
    return Answer(lines, int(code))


@dataclass(frozen=True, slots=True)
class _Part:
    """What is to be said of one base, to people and to programs."""

    lines: Sequence[Line]
    value: Mapping[str, Any]
    code: ExitCode


def _compare_all(arguments: argparse.Namespace) -> list[_Part]:
    from ..compare import RunSide, check_treatment, compare_runs
    from ..compare.confirmation import read_confirmed
    from ..compare.terms import terms_of
    from ..report import comparison_lines
    from ..runs import RunFolderError

    width = terminal_width()
    candidate = _read(arguments.candidate)
    parts = []
    for path in arguments.base:
        base = _read(path)
        if isinstance(base, RunSide) and isinstance(candidate, RunSide):
            check_treatment(arguments.treatment or (), base, candidate)
            try:
                confirmed = read_confirmed(path, arguments.candidate)
                terms = terms_of(arguments.candidate, margin=arguments.margin, treatment=arguments.treatment)
            except RunFolderError as error:
                parts.append(_untrusted(error))
                continue
            found = compare_runs(
                base, candidate, margin=terms.margin, treatment=terms.treatment, confirmed=confirmed
            )
            found = replace(found, notes=(*terms.notes, *found.notes))
            parts.append(_Part(comparison_lines(found, width), found.as_json(), found.exit_code))
        else:
            broken = candidate if isinstance(base, RunSide) else base
            assert not isinstance(broken, RunSide)
            parts.append(_untrusted(broken))
    return parts


def _read(path: Path) -> RunSide | RunFolderError:
    """Return a side, or why it cannot be trusted; raise ``ForeignFolderError`` for what is no run."""
    from ..compare import read_side
    from ..runs import ForeignFolderError, RunFolderError

    try:
        return read_side(path)
    except ForeignFolderError:
        raise
    except RunFolderError as error:
        return error


def _untrusted(error: RunFolderError) -> _Part:
    from ..compare import ExitCode
    from ..report import Segment, Style, line, visible_line

    code = ExitCode.MISSING
    shown = line(Segment("missing evidence", Style.MISSING), visible_line(f": {error}", 2000))
    return _Part([shown], {"exit_code": int(code), "verdict": "missing", "error": str(error)}, code)
