"""``infergate validate RUN``: whether a run is whole and says what its records say."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .answer import Answer, answer_with

if TYPE_CHECKING:
    from ..report import Line
    from ..runs.validate import Validation


def add_validate(commands: Any) -> None:
    parser = commands.add_parser(
        "validate",
        help="check that a run is whole and says what its records say",
        description="Check a run folder against its schemas and digests, and judge its records again.",
        epilog="exit status: 0 valid and passed; 1 valid and failed; 2 not a run of this tool, or of a newer "
        "version; 5 missing evidence, or a run that is damaged, edited, torn, short or not finished",
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="a run folder")
    answer_with(validate, parser)


def validate(arguments: argparse.Namespace) -> Answer:
    from ..runs.validate import validate_run

    found = validate_run(arguments.run)
    if arguments.json:
        return Answer.of_json(found.as_json(), int(found.exit_code))
    return Answer(_lines(found), int(found.exit_code))


def _lines(found: Validation) -> list[Line]:
    from ..report import VERDICT_STYLES, Segment, Style, line, visible_line

    folder = visible_line(str(found.folder), 4000)
    if found.verdict is not None:
        verdict = Segment(found.verdict.value, VERDICT_STYLES[found.verdict])
        return [line(f"{folder}: valid, records: {found.records}, verdict: ", verdict)]
    lines = [line(visible_line(f"{problem.where}: {problem.what}", 1000)) for problem in found.problems]
    if found.count > len(found.problems):
        lines.append(line(f"… and {found.count - len(found.problems)} more problems"))
    if found.is_foreign:
        return lines
    problems = "1 problem" if found.count == 1 else f"{found.count} problems"
    lines.append(line(f"{folder}: ", Segment("not valid", Style.FAILED), f", {problems}"))
    # One remedy serves many problems.
    return lines + [line(f"  {remedy}") for remedy in dict.fromkeys(p.remedy for p in found.problems)]
