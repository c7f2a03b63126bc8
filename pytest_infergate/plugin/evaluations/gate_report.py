"""Gates as reports of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from ...evidence import Gate, Verdict
from ...runs import TASK_GATE, RunSummary
from .phases import SHOWN_AS


def gate_reports(
    summary: RunSummary, compared: Iterable[Gate], nodeids: Mapping[str, str]
) -> list[pytest.TestReport]:
    """Return the reports of gates over single samples left to their task, over clips, and over baselines.

    ``nodeids`` are of the tasks' test functions.
    """
    tolerant = [task.gate for task in summary.tasks if task.plan.rule.is_tolerant]
    clips = [task.corpus_gate for task in summary.tasks if task.corpus_gate is not None]
    return [
        _report(nodeids.get(gate.task or "") or gate.task or "infergate", gate)
        for gate in (*tolerant, *clips, *compared)
    ]


def _report(nodeid: str, gate: Gate) -> pytest.TestReport:
    """Return the report of a gate of the test ``nodeid``: failed unless the gate passed."""
    name = f"{nodeid}[gate]" if gate.name == TASK_GATE else f"{nodeid}[{gate.name}]"
    path = nodeid.partition("::")[0]
    is_passed = gate.verdict is Verdict.PASSED
    detail = f"; {gate.detail}" if gate.detail else ""
    report = pytest.TestReport(
        nodeid=name,
        location=(path, None, name.rpartition("::")[2]),
        keywords={},
        outcome="passed" if is_passed else "failed",
        longrepr=None if is_passed else f"gate {gate.verdict.value}: {gate.rule}; {gate.observed}{detail}",
        when="call",
        user_properties=[("infer.task", gate.task or ""), ("infer.gate", gate.verdict.value)],
    )
    setattr(report, SHOWN_AS, f"gate {gate.verdict.value}")
    return report
