"""Everything a person is told at the end of a run, by the plugin and by ``infergate show`` alike."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from ..compare import RunComparison
from ..evidence import Gate, Reason, Verdict
from ..evidence.width import fit, fit_right, shorten_end, shorten_middle, text_width
from ..runs import Findings, RerunFinding, Rescored, RunSummary
from .comparison_text import comparison_lines
from .lines import VERDICT_STYLES, Line, Segment, Style, heading, line, wrapped
from .rates_text import rate_lines
from .remedies import REMEDIES, REPLAY_REMEDIES
from .rescoring_text import rescoring_lines
from .table import NARROWEST, task_table
from .task_details import task_details
from .visible import visible_line

#: With more gates than this, those that passed are counted instead of listed.
_MOST_GATES = 12
#: Under the name of a gate.
_BELOW = " " * 11


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """What there is to tell. ``folder`` as a person would type it; ``None``: no run was written.

    ``is_stored``: it was read back by ``infergate show``, which need not be recommended then.
    ``partial`` names what chose a part of what there is, empty where everything was selected. ``rescored``
    sets a replayed run beside the run whose replies it judged. ``comparisons`` are those with its baselines.
    """

    summary: RunSummary
    findings: Findings
    folder: str | None
    partial: tuple[str, ...] = ()
    is_finished: bool = True
    is_stored: bool = False
    rescored: Rescored | None = None
    comparisons: tuple[RunComparison, ...] = ()


def run_lines(view: RunView, width: int) -> list[Line]:
    """Return the whole report of a run: table, examples, gates, what to do next.

    ``width`` is in columns, of which 60 are the least; only commands to copy may exceed it.
    """
    width = max(width, NARROWEST)
    lines: list[Line] = []
    if not view.is_finished:
        lines += [
            line(
                Segment("not finished", Style.MISSING),
                f"; records on disk: {view.summary.totals.planned}; what was planned beyond them is unknown",
            ),
            (),
        ]
    if view.partial:
        lines += [_partial(view.partial, width), ()]
    lines += task_table(view.summary, width, is_finished=view.is_finished)
    if view.is_finished:
        lines += rate_lines(view.summary.tasks, width)
        lines += task_details(view.summary.tasks, width)
    if view.rescored is not None:
        lines += rescoring_lines(view.rescored, width)
    lines += _missing(view.findings, width)
    lines += _wrong(view.findings, width)
    lines += _flags(view.findings, width)
    lines += _reruns(view.findings.reruns, width)
    lines += _kept(view, width)
    for comparison in view.comparisons:
        told = visible_line(f"compared with {comparison.base}", width)
        lines += [(), heading(told), *comparison_lines(comparison, width)]
    if view.is_finished:
        lines += _gates(view.summary.gates, width)
    lines += [(), verdict_line(view)]
    return lines + _next(view, width)


def verdict_line(view: RunView) -> Line:
    """Return the run's verdict in one line, with what a reader must know beside it."""
    verdict = view.summary.verdict if view.is_finished else Verdict.MISSING
    notes = [] if view.is_finished else ["the run is not finished"]
    if view.partial:
        notes.append("partial run")
    end = f" ({', '.join(notes)})" if notes else ""
    return line("verdict: ", Segment(verdict.value, VERDICT_STYLES[verdict]), end)


def _partial(partial: Sequence[str], width: int) -> Line:
    by = visible_line(", ".join(partial), max(width - 16, 20))
    return line(Segment("partial run", Style.MISSING), f", by {by}")


def _missing(findings: Findings, width: int) -> list[Line]:
    rows = [_Row(str(item.count), item.reason.value, item.example, item.detail) for item in findings.missing]
    return _section("missing evidence, one example for each reason", rows, width, Style.MISSING)


def _wrong(findings: Findings, width: int) -> list[Line]:
    rows = []
    for item in findings.wrong:
        notes = [f"{item.expected} expected"] if item.expected else []
        notes += ["tolerated up to its gate"] if item.is_tolerated else []
        note = f" ({', '.join(notes)})" if notes else ""
        room = max(width - len(note) - len(str(item.count)) - 4, 12)
        name = f"{shorten_middle(visible_line(item.task), room)}{note}"
        rows.append(_Row(str(item.count), name, item.example, item.message))
    return _section("wrong answers, one example for each task", rows, width, Style.FAILED)


def _flags(findings: Findings, width: int) -> list[Line]:
    rows = [_Row(str(item.count), visible_line(item.flag), item.example, "") for item in findings.flags]
    return _section("worth a look, though no verdict follows from it", rows, width, Style.PLAIN)


def _kept(view: RunView, width: int) -> list[Line]:
    kept, planned = view.findings.kept, view.summary.totals.planned
    if not kept:
        return []
    were = "was" if kept == 1 else "were"
    source = "as that run judged them" if view.rescored is not None else "from the run that this one resumes"
    text = f"{kept} of {planned} evaluations {were} kept {source}: no measure of speed"
    return [(), *wrapped(text, width, first="", rest="  ")]


def _reruns(reruns: RerunFinding | None, width: int) -> list[Line]:
    if reruns is None:
        return []
    were = "evaluation was" if reruns.count == 1 else "evaluations were"
    text = (
        f"{reruns.count} {were} run again by another plugin: the first verdict counts; "
        f"{reruns.changed or 'none'} came out another way"
    )
    more = f", such as {reruns.example}" if reruns.changed else ""
    return [(), *wrapped(visible_line(f"{text}{more}", 1000), width, first="", rest="  ")]


@dataclass(frozen=True, slots=True)
class _Row:
    count: str
    name: str
    example: str
    said: str

    def full(self) -> str:
        """Return the example and the first line of what was said of it; the rest is for ``--sample``."""
        first, _, more = self.said.strip().partition("\n")
        said = f": {first}{' …' if more else ''}" if first else ""
        return visible_line(f"{self.example}{said}", 1000)

    def shown(self, width: int) -> str:
        """Return the same in ``width`` columns: an id too long is cut in its middle, a saying at its end."""
        full = self.full()
        example = visible_line(self.example, 1000)
        if text_width(full) <= width or text_width(example) <= width // 2:
            return shorten_end(full, width)
        short = shorten_middle(example, width if full == example else width // 2)
        return shorten_end(f"{short}{full.removeprefix(example)}", width)


def _section(title: str, rows: list[_Row], width: int, style: Style) -> list[Line]:
    """Return count, name and example in columns; where one has too little room, all are below."""
    if not rows:
        return []
    counts = max(len(row.count) for row in rows)
    names = max(text_width(row.name) for row in rows)
    room = width - counts - names - 6
    is_beside = all(text_width(row.full()) <= room for row in rows)
    lines: list[Line] = [(), heading(title)]
    for row in rows:
        start = line(f"  {fit_right(row.count, counts)}  ", Segment(fit(row.name, names), style))
        if is_beside:
            lines.append((*start, Segment(f"  {row.full()}")))
        else:
            lines += [start, line(f"  {' ' * counts}  {row.shown(width - counts - 4)}")]
    return lines


def _gates(gates: Sequence[Gate], width: int) -> list[Line]:
    """Return a line for each gate; what is asked, and why it is not reached, below those not passed."""
    is_long = len(gates) > _MOST_GATES
    lines: list[Line] = [(), heading("gates")]
    hidden = 0
    for gate in gates:
        if gate.verdict is Verdict.PASSED and is_long:
            hidden += 1
            continue
        name = visible_line(gate.name if gate.task is None else f"{gate.name} {gate.task}")
        observed = visible_line(gate.observed, max(width // 2, 30))
        name = shorten_middle(name, max(width - 13 - text_width(observed), 12))
        verdict = Segment(fit(gate.verdict.value, 7), VERDICT_STYLES[gate.verdict])
        lines.append(line("  ", verdict, f"  {name}: {observed}"))
        if gate.verdict is not Verdict.PASSED:
            for text in (f"asked: {gate.rule}", gate.detail):
                lines += wrapped(visible_line(text, 1000), width, first=_BELOW, rest=_BELOW) if text else []
    if hidden:
        lines.append(line("  ", Segment("passed ", Style.PASSED), f"  {hidden} more"))
    return lines if gates else []


def _next(view: RunView, width: int) -> list[Line]:
    findings = view.findings
    remedies = REMEDIES if view.rescored is None else REPLAY_REMEDIES
    rows = [f"{item.reason.value}: {remedies[item.reason]}" for item in findings.missing]
    if not view.is_finished:
        rows.append("not finished: go on with --infer-resume=RUN; a verdict needs a finished run")
    elif not view.summary.tasks:
        rows.append("nothing evaluated: select at least one evaluation, a test with infer_task")
    lines: list[Line] = []
    for row in rows:
        lines += wrapped(row, width, first="  ", rest="    ")
    if view.folder is not None:
        # Commands stay whole, to be copied.
        show = f"infergate show {shlex.quote(visible_line(view.folder, 4000))}"
        if not view.is_stored:
            lines.append(line(f"  {show}"))
        examples = [item.example for item in findings.missing if item.reason is not Reason.EMPTY_DATASET]
        examples += [item.example for item in findings.wrong]
        if examples:
            lines.append(line(f"  {show} --sample {shlex.quote(visible_line(examples[0], 4000))}"))
    return [(), heading("what to do next"), *lines] if lines else []
