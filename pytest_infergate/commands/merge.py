"""``infergate merge RUN… -o RUN``: shards of one suite, from several machines or jobs, as one run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .answer import Answer, answer_with, terminal_width

if TYPE_CHECKING:
    from ..report import Line
    from ..runs.merging import MergedRun, MergeRefused

#: The shards do not make one run.
_REFUSED = 2
#: So many reasons are told to people; the others are counted.
_MOST_TOLD = 20


def add_merge(commands: Any) -> None:
    parser = commands.add_parser(
        "merge",
        help="put shards of one suite together into one run",
        description="Put runs of parts of one suite, from several machines or jobs, together into the run "
        "that one session would have made. Overlaps, gaps and different conditions are refused by name.",
        epilog="exit status: 0 the run was written, whatever its verdict, which infergate validate tells; "
        "2 it was not",
    )
    parser.add_argument("runs", metavar="RUN", type=Path, nargs="+", help="the run folder of a shard")
    parser.add_argument(
        "-o",
        "--output",
        metavar="RUN",
        type=Path,
        required=True,
        help="the run folder to write; new or empty",
    )
    parser.add_argument(
        "--partial",
        action="store_true",
        help="accept that evaluations are in no shard; the run says that it is partial",
    )
    answer_with(merge, parser)


def merge(arguments: argparse.Namespace) -> Answer:
    """Raises ``RunFolderError`` where a shard cannot be trusted or the run cannot be written."""
    from ..runs.merging import MergeRefused, merge_runs

    folders: list[Path] = arguments.runs
    argv = ["infergate", "merge", *map(str, folders), "-o", str(arguments.output)]
    try:
        merged = merge_runs(folders, arguments.output, argv=argv, allow_gaps=arguments.partial)
    except MergeRefused as refused:
        return _refusal(refused, as_json=arguments.json)
    if arguments.json:
        return Answer.of_json(_as_json(merged))
    return Answer(_lines(merged))


def _refusal(refused: MergeRefused, *, as_json: bool) -> Answer:
    from ..report import Segment, Style, heading, line, visible_line

    if as_json:
        return Answer.of_json({"refusals": [one.as_json() for one in refused.refusals]}, _REFUSED)
    lines: list[Line] = [line(Segment("not merged", Style.MISSING), ": nothing was written")]
    kinds = dict.fromkeys(one.kind for one in refused.refusals)
    for kind in kinds:
        reasons = [one for one in refused.refusals if one.kind is kind]
        lines += [(), heading(_HEADINGS[kind.value])]
        lines += [line(f"  {visible_line(str(one), 2000)}") for one in reasons[:_MOST_TOLD]]
        if len(reasons) > _MOST_TOLD:
            lines.append(line(f"  and {len(reasons) - _MOST_TOLD} more"))
    lines += [(), heading("what to do next"), *(line(f"  {kind.remedy}") for kind in kinds)]
    return Answer(lines, _REFUSED)


_HEADINGS = {
    "different": "the shards differ in",
    "overlap": "in more than one shard",
    "gap": "collected, and in no shard",
}


def _lines(merged: MergedRun) -> list[Line]:
    from ..report import RunView, heading, line, run_lines, visible_line

    view = RunView(
        summary=merged.summary,
        findings=merged.findings,
        folder=str(merged.folder),
        partial=merged.partial,
        is_stored=True,
    )
    wide = max(len(label) for label, _ in merged.shards)
    count = len(merged.shards)
    return [
        heading(
            f"merged {count} {'shard' if count == 1 else 'shards'} into {visible_line(str(merged.folder))}"
        ),
        *(
            line(f"  {visible_line(label):<{wide}}  {records} {'record' if records == 1 else 'records'}")
            for label, records in merged.shards
        ),
        (),
        *run_lines(view, terminal_width()),
    ]


def _as_json(merged: MergedRun) -> dict[str, Any]:
    from ..runs import read_run_json

    shards = [{"shard": label, "records": records} for label, records in merged.shards]
    return {"folder": str(merged.folder), "shards": shards, **read_run_json(merged.folder)}
