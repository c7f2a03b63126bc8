"""Everything a person is told of a comparison: by the command, by the plugin and by a swap alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..compare import (
    ExitCode,
    FieldDifference,
    Flip,
    Outcome,
    RunComparison,
    ScoreComparison,
    TaskComparison,
)
from ..evidence.width import fit, fit_right, shorten_middle
from .comparison_table import OUTCOME_STYLES, comparison_table
from .lines import Line, Segment, Style, heading, line, wrapped
from .table import NARROWEST, percent
from .visible import visible_line

#: So many flips of each kind are named; the others are counted.
MOST_FLIPS = 10
_LONGEST_VALUE = 100
#: What tells two digests apart for a person.
_DIGEST = re.compile(r"(sha256:[0-9a-f]{12})[0-9a-f]{52}")

_ENDINGS = {
    ExitCode.PASSED: ("passed", Style.PASSED),
    ExitCode.FAILED: ("regressed", Style.FAILED),
    ExitCode.INCONCLUSIVE: ("inconclusive", Style.MISSING),
    ExitCode.INCOMPARABLE: ("incomparable", Style.MISSING),
    ExitCode.MISSING: ("missing evidence", Style.MISSING),
}


def comparison_lines(comparison: RunComparison, width: int) -> list[Line]:
    """Return a whole comparison: both runs, what was changed, the table, what decided, flips, scores, notes.

    ``width`` is in columns, of which 60 are the least.
    """
    width = max(width, NARROWEST)
    lines = [*_sides(comparison), *_treatment(comparison, width), ()]
    if comparison.tasks:
        lines += comparison_table(comparison.tasks, width)
    else:
        lines.append(line("no task to compare"))
    lines += _decided(comparison, width)
    for task in comparison.tasks:
        lines += _flips(task, width)
    lines += _scores(comparison.tasks, width)
    lines += _differences("for times only, which these do not let compare", comparison.timing, width)
    lines += _notes(comparison, width)
    word, style = _ENDINGS[comparison.exit_code]
    return [*lines, (), line("comparison: ", Segment(word, style))]


def _sides(comparison: RunComparison) -> list[Line]:
    return [
        line(Segment(f"{name:<11}", Style.FAINT), visible_line(f"{label} ({run_id})", 400))
        for name, label, run_id in (
            ("base", comparison.base, comparison.base_id),
            ("candidate", comparison.candidate, comparison.candidate_id),
        )
    ]


def _treatment(comparison: RunComparison, width: int) -> list[Line]:
    return [
        *_differences("what was changed in the server", comparison.treatment, width),
        *_differences("changed beside the declared treatment", comparison.confounded, width, Style.MISSING),
    ]


def _differences(
    title: str, differences: Sequence[FieldDifference], width: int, style: Style = Style.PLAIN
) -> list[Line]:
    if not differences:
        return []
    lines: list[Line] = [(), heading(title)]
    for one in differences:
        text = f"{one.field}: {_value(one.base, 'unknown')} → {_value(one.candidate, 'unknown')}"
        rows = wrapped(visible_line(text, 1000), width, first="  ", rest="    ")
        lines += [tuple(Segment(part.text, style) for part in row) for row in rows]
    return lines


def _value(value: str | None, absent: str = "none") -> str:
    if value is None:
        return absent
    return visible_line(_DIGEST.sub(r"\1…", value), _LONGEST_VALUE)


def _decided(comparison: RunComparison, width: int) -> list[Line]:
    """Return for each task what its outcome stands on, and what refused it."""
    confounded = set(comparison.confounded)
    groups: dict[tuple[Outcome, tuple[str, ...]], list[str]] = {}
    for task in comparison.tasks:
        refusals = (_refusal(one, task.task) for one in task.refusals if one not in confounded)
        groups.setdefault((task.outcome, (*refusals, *_about(task))), []).append(visible_line(task.task))
    lines: list[Line] = []
    for (outcome, told), names in groups.items():
        lines += _named(str(outcome), OUTCOME_STYLES[outcome], names, width)
        for text in told:
            lines += wrapped(visible_line(text, 2000), width, first="    ", rest="      ")
    if comparison.added:
        lines += _named("added", Style.PLAIN, [visible_line(name) for name in comparison.added], width)
    return [(), heading("what decided"), *lines] if lines else []


def _named(word: str, style: Style, names: Sequence[str], width: int) -> list[Line]:
    """Return a word and the tasks it is said of, below each other where they are many."""
    room = width - len(word) - 4
    short = [shorten_middle(name, room - 1) for name in names]
    first, *rest = wrapped(", ".join(short), room, first="", rest="    ")
    return [line("  ", Segment(word, style), "  ", *first), *rest]


def _refusal(refusal: FieldDifference, task: str) -> str:
    count = "1 evaluation" if refusal.count == 1 else f"{refusal.count:,} evaluations"
    example = refusal.where.removeprefix(task).removeprefix("/")
    such = f", {'such as ' if refusal.count > 1 else ''}{visible_line(example, 40)}" if example else ""
    return (
        f"{refusal.field}: base {_value(refusal.base)}, candidate {_value(refusal.candidate)} ({count}{such})"
    )


def _about(task: TaskComparison) -> Iterator[str]:
    if task.detail:
        yield task.detail
    if task.subset:
        yield f"on {task.subset[0]:,} of the base's {task.subset[1]:,} samples, those that the candidate has"
    if task.difference is not None and task.outcome is not Outcome.UNCHANGED:
        yield _test(task)
    if task.flip_rate is not None:
        rate = task.flip_rate
        told = f"{rate.flips:,} of {rate.pairs:,} pairs ({percent(rate.rate)})"
        yield f"asked again, the same server flipped {told}"


def _test(task: TaskComparison) -> str:
    assert task.difference is not None
    method, p = task.difference.method, task.adjusted_p
    value = "" if p is None else f", p {'< 0.0001' if p < 0.0001 else f'= {p:.2g}'} after Holm"
    return f"{method}{value}; lower 95 % bound {100 * task.difference.lower_bound:+.1f} points"


def _flips(task: TaskComparison, width: int) -> list[Line]:
    """Return the paired table of a task with flips, and the flips by name."""
    table = task.table
    if table is None or not task.flips:
        return []
    size = max(len("candidate passed"), *(len(f"{n:,}") for n in (table.both, table.neither)))
    head = f"{'':<18}{fit_right('candidate passed', size)}  candidate did not"
    lines: list[Line] = [(), heading(f"flips of {_name(task, width)}"), line(f"  {head}")]
    for name, passed, not_passed in (
        ("base passed", table.both, table.lost),
        ("base did not", table.gained, table.neither),
    ):
        lines.append(
            line(f"  {fit(name, 18)}{fit_right(f'{passed:,}', size)}  {fit_right(f'{not_passed:,}', 17)}")
        )
    if table.unresolved:
        lines.append(line(f"  missing on a side {fit_right(f'{table.unresolved:,}', size)}"))
    lost = [flip for flip in task.flips if flip.base == "passed"]
    gained = [flip for flip in task.flips if flip.base != "passed"]
    has_repeats = any(flip.repeat for flip in task.flips)
    for name, flips in (("lost", lost), ("gained", gained)):
        if flips:
            shown = [_flip(flip, has_repeats) for flip in flips[:MOST_FLIPS]]
            more = f" and {len(flips) - MOST_FLIPS:,} more" if len(flips) > MOST_FLIPS else ""
            lines += wrapped(f"{name}: {', '.join(shown)}{more}", width, first="  ", rest="    ")
    return lines


def _name(task: TaskComparison, width: int) -> str:
    return shorten_middle(visible_line(task.task), width - 10)


def _flip(flip: Flip, has_repeats: bool) -> str:
    name = visible_line(f"{flip.sample}#{flip.repeat}" if has_repeats else flip.sample, 60)
    other = flip.candidate if flip.base == "passed" else flip.base
    notes = [] if other == "failed" else [other.removeprefix("missing, ")]
    if flip.confirmed is not None:
        notes.append("confirmed" if flip.confirmed else "not confirmed")
    return f"{name} ({'; '.join(notes)})" if notes else name


def _scores(tasks: Sequence[TaskComparison], width: int) -> list[Line]:
    lines: list[Line] = []
    for task in tasks:
        lines += [line(f"  {_name(task, width)}")] if task.scores else []
        for score in task.scores:
            start, word = f"    {visible_line(score.name, width // 2)}  ", str(score.outcome)
            told = f"{start}{word}  {visible_line(_score(score), 2000)}"
            (first,), *rest = wrapped(told, width, first="", rest="      ")
            end = first.text[len(start) + len(word) :]
            lines += [line(start, Segment(word, OUTCOME_STYLES[score.outcome]), end), *rest]
    return [(), heading("scores, each for itself; none of them decides"), *lines] if lines else []


def _score(score: ScoreComparison) -> str:
    parts = []
    if score.base is not None and score.candidate is not None:
        parts.append(f"{score.base:.4g} → {score.candidate:.4g} {score.unit}")
    found = score.difference
    if found is not None and found.low < found.high:
        parts.append(
            f"difference {_signed(found.value)} (95 % {_signed(found.low)} to {_signed(found.high)})"
        )
    parts.append("higher is better" if score.higher_is_better else "lower is better")
    parts.append(f"{score.pairs:,} of {score.planned:,} pairs")
    parts += [
        f"{one.field}: base {_value(one.base)}, candidate {_value(one.candidate)}" for one in score.refusals
    ]
    return "; ".join([", ".join(parts), *([score.detail] if score.detail else [])])


def _signed(value: float) -> str:
    return f"{value:+.3g}" if value else "0"


def _notes(comparison: RunComparison, width: int) -> list[Line]:
    if not comparison.notes:
        return []
    lines: list[Line] = [(), heading("notes")]
    for note in comparison.notes:
        lines += wrapped(visible_line(note, 1000), width, first="  ", rest="    ")
    return lines
