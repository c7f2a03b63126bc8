"""Passing over an item whose evaluation was kept: neither its fixtures nor its body run."""

from __future__ import annotations

import pytest
from _pytest.runner import runtestprotocol

from ...evidence import Verdict
from .evaluation import Kept, RunningEvaluation
from .phases import show_verdict


def pass_over(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Run an item's phases with nothing in them: neither its fixtures nor its body.

    The phases are needed: pytest ends the fixtures of modules and classes between items.
    """
    hook, names = item.ihook, ("setup", "runtest")
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for name in names:
        setattr(item, name, lambda: None)
    try:
        runtestprotocol(item, nextitem=nextitem)
    finally:
        for name in names:
            delattr(item, name)
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def show_kept(report: pytest.TestReport, running: RunningEvaluation, kept: Kept) -> None:
    """Make a report of an item that was passed over say what was kept of its evaluation."""
    judgement = kept.judgement
    if report.when == "teardown":
        report.user_properties.extend(kept.properties)
        return
    if not report.passed or judgement.verdict is not Verdict.PASSED:
        # Marks and hooks of today have no say in what was judged before.
        report.outcome, report.longrepr = "passed", None
        vars(report).pop("wasxfail", None)
    if report.when == "call":
        if judgement.is_expected_failure:
            report.outcome, report.wasxfail = "skipped", f"kept from run {kept.run_id}"
        show_verdict(report, running, judgement)
