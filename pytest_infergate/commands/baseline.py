"""``infergate baseline save|show|check|accept``: a run kept in a repository."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .answer import Answer, answer_with, terminal_width

if TYPE_CHECKING:
    from ..compare.baseline import Baseline


def add_baseline(commands: Any) -> None:
    parser = commands.add_parser(
        "baseline",
        help="keep a run in a repository, to compare others with",
        description="Keep a run as one small file that fits in git, and compare others with it: "
        "pytest --infer-baseline=FILE, or infergate compare FILE RUN.",
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    _add_save(actions)
    _add_show(actions)
    _add_check(actions)
    _add_accept(actions)


def _add_save(actions: Any) -> None:
    parser = actions.add_parser(
        "save",
        help="write a baseline file of a run",
        description="Write the first RUN as a baseline: verdicts, scores and digests, no replies. Further "
        "runs of the same server and suite measure its flip rate, which is shown beside every comparison.",
    )
    _add_runs(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the baseline file")
    parser.add_argument("--with-replies", action="store_true", help="keep what the model said as well")
    parser.add_argument(
        "--replace", action="store_true", help="begin anew where FILE is there, history and all"
    )
    answer_with(save, parser)


def _add_show(actions: Any) -> None:
    parser = actions.add_parser(
        "show",
        help="tell what a baseline holds",
        description="Tell what a baseline holds: its run, its tasks, and what it replaced and why.",
    )
    _add_file(parser)
    answer_with(show, parser)


def _add_check(actions: Any) -> None:
    parser = actions.add_parser(
        "check",
        help="check that a baseline is as it was written",
        description="Check a baseline file against its schema, its digest and a recount of its evaluations.",
        epilog="exit status: 0 valid; 2 not a baseline of this tool, or of a newer version; 5 torn, damaged "
        "or edited by hand",
    )
    _add_file(parser)
    answer_with(check, parser)


def _add_accept(actions: Any) -> None:
    parser = actions.add_parser(
        "accept",
        help="put a run in the place of a baseline, with the reason",
        description="Put the figures of RUN in the place of those of FILE. The old ones stay in the file, "
        "with the reason beside them.",
    )
    _add_file(parser)
    _add_runs(parser)
    parser.add_argument(
        "--because", metavar="REASON", required=True, help="why the new figures are accepted; not blank"
    )
    answer_with(accept, parser)


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a baseline file")


def _add_runs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        metavar="RUN",
        type=Path,
        nargs="+",
        help="a run folder; further runs of the same server measure how often verdicts flip by themselves",
    )


def save(arguments: argparse.Namespace) -> Answer:
    """Raises ``RunFolderError`` for a run that is no baseline, and where the file cannot be written."""
    from ..compare.baseline_file import refuse_overwriting, write_baseline
    from ..compare.baseline_saving import make_baseline

    file = arguments.output
    if not arguments.replace:
        refuse_overwriting(file)
    baseline = make_baseline(arguments.runs, with_replies=arguments.with_replies)
    write_baseline(file, baseline)
    return _written(file, baseline, arguments.json)


def show(arguments: argparse.Namespace) -> Answer:
    """Raises ``RunFolderError`` where the file is no baseline or was edited."""
    from ..compare.baseline_file import read_baseline
    from ..report.baseline_text import baseline_lines

    baseline = read_baseline(arguments.file)
    if arguments.json:
        return Answer.of_json(_summary(arguments.file, baseline))
    return Answer(baseline_lines(baseline, terminal_width()))


def check(arguments: argparse.Namespace) -> Answer:
    from ..compare.baseline_check import check_baseline
    from ..report import Segment, Style, line, visible_line

    found = check_baseline(arguments.file)
    if arguments.json:
        return Answer.of_json(found.as_json(), int(found.exit_code))
    file = visible_line(str(found.file), 4000)
    if found.problem is None:
        text = f", tasks: {found.tasks}, evaluations: {found.evaluations}"
        return Answer([line(f"{file}: ", Segment("valid", Style.PASSED), text)])
    lines = [line(visible_line(found.problem, 2000))]
    if not found.is_foreign:
        lines.append(line(f"{file}: ", Segment("not valid", Style.FAILED)))
    return Answer(lines, int(found.exit_code))


def accept(arguments: argparse.Namespace) -> Answer:
    """Raises ``AcceptanceError`` and ``RunFolderError``; the file is then as it was."""
    from ..compare import compare_runs
    from ..compare.acceptance import accept_run, refuse_blank
    from ..compare.baseline_file import read_baseline, write_baseline
    from ..compare.baseline_saving import make_baseline

    refuse_blank(arguments.because)
    file = arguments.file
    old = read_baseline(file)
    new = make_baseline(arguments.runs, with_replies=old.replies is not None)
    comparison = compare_runs(old.side, new.side)
    accepted = accept_run(old, new, because=arguments.because, comparison=comparison)
    write_baseline(file, accepted)
    answer = _written(file, accepted, arguments.json)
    if arguments.json or new.repeats or not old.repeats:
        return answer
    from ..report import line

    told = "  how often its verdicts flip by themselves is not known; name further runs to measure it"
    return Answer([*answer.lines, line(told)])


def _written(file: Path, baseline: Baseline, as_json: bool) -> Answer:
    from ..report import line
    from ..report.baseline_text import notes_on, replaced_lines

    if as_json:
        return Answer.of_json(_summary(file, baseline))
    lines = [line(f"wrote {file}, of run {baseline.side.run_id}"), *notes_on(baseline)]
    if baseline.history and baseline.history[-1].by == baseline.side.run_id:
        last = len(baseline.history) - 1
        lines += [line("in the place of"), *replaced_lines(baseline, last, terminal_width())]
    return Answer(lines)


def _summary(file: Path, baseline: Baseline) -> dict[str, Any]:
    """Return what a baseline file holds, less its evaluations."""
    from ..compare.baseline_file import summary_json

    return {"file": str(file), **summary_json(baseline)}
