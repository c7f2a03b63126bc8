"""The gate of a task as a report of its own."""

from __future__ import annotations

import pytest

from ..evidence import Verdict
from ..runs import TaskSummary
from .phases import SHOWN_AS

_SUFFIX = "[gate]"


def gate_report(nodeid: str, task: TaskSummary) -> pytest.TestReport:
    """Return the report of a task's gate: failed unless the gate passed."""
    gate = task.gate
    name = f"{nodeid}{_SUFFIX}"
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
        user_properties=[("infer.task", task.plan.name), ("infer.gate", gate.verdict.value)],
    )
    setattr(report, SHOWN_AS, f"gate {gate.verdict.value}")
    return report
