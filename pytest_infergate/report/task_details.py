"""What a task has beside its row: component scores, and what repeats say together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..evidence import Component, Repeats, Verdict
from ..runs import TaskSummary
from .lines import Line, heading, wrapped
from .table import percent
from .visible import visible_line


def task_details(tasks: Sequence[TaskSummary], width: int) -> list[Line]:
    """Return a section for component scores and one for repeats, each only where there are some.

    By-products have no row here: what deserves a look among them is told as such.
    """
    scores, repeats = [], []
    for task in tasks:
        name = visible_line(task.plan.name)
        # Rates over clips have a section of their own.
        rated = {rate.name for rate in task.rates}
        shown = [c for c in task.components if c.evaluator.kind != "byproduct" and c.name not in rated]
        # Evaluators that differ in their settings alone read alike: there the digest tells them apart.
        digests = {(c.name, str(c.evaluator), c.evaluator.digest) for c in shown}
        alike = Counter((name, told) for name, told, _ in digests)
        scores += [f"{name}: {_component(c, alike[c.name, str(c.evaluator)] > 1)}" for c in shown]
        if task.repeats is not None:
            repeats.append(f"{name}: {_repeats(task.repeats)}")
    return [*_section("scores, each for itself", scores, width), *_section("repeats", repeats, width)]


def _component(component: Component, has_digest: bool) -> str:
    interval = component.interval
    figure = (
        "not measured" if component.mean is None else f"mean {component.mean:.4g} {component.unit}".rstrip()
    )
    if interval is not None:
        figure += f" (95 % {interval[0]:.4g} to {interval[1]:.4g})"
    parts = [f"{component.name} {figure}", f"{component.measured} measured, {component.missing} missing"]
    parts.append("higher is better" if component.higher_is_better else "lower is better")
    if not component.gates:
        parts.append("does not gate")
    if component.is_fallback:
        parts.append("by a fallback")
    if component.evaluator.kind != "test":
        digest = f" {component.evaluator.digest.partition(':')[2][:8]}" if has_digest else ""
        parts.append(f"by {component.evaluator}{digest}")
    return visible_line("; ".join(parts), 400)


def _repeats(repeats: Repeats) -> str:
    n, (low, high) = repeats.repeats, repeats.interval
    voted = repeats.voted
    parts = [
        f"pass@1 {percent(repeats.pass_at_1)} (95 % {percent(low)} – {percent(high)}, clustered by sample)",
        f"pass@{n} {percent(repeats.pass_at[n])}",
        f"all {n} pass {percent(repeats.pass_all[n])}",
        f"agreement {percent(repeats.agreement)}",
        f"majority {voted.get(Verdict.PASSED, 0)} of {repeats.samples} samples",
    ]
    undecided = voted.get(Verdict.MISSING, 0)
    return ", ".join(parts) + (f", {undecided} undecided" if undecided else "")


def _section(title: str, rows: Sequence[str], width: int) -> list[Line]:
    if not rows:
        return []
    lines: list[Line] = [(), heading(title)]
    for row in rows:
        lines += wrapped(row, width, first="  ", rest="    ")
    return lines
