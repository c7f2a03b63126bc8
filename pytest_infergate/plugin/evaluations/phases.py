"""Reading how pytest ended a phase, and writing our verdict back on its report."""

from __future__ import annotations

import traceback
from typing import Any

import pytest

from ...evidence import Missing, NoAnswer, Reason, Verdict
from .evaluation import RunningEvaluation
from .judgement import Ending, Judgement, PhaseEnd

#: A report's attribute that says how to show it: "missing" or "wrong"; a plain string, for xdist.
SHOWN_AS = "infergate_shown_as"

_MESSAGE_LIMIT = 2000
#: Modules whose ``pytest.fail`` is about the test and not what the test says of an answer.
_FAILING_FOR_OTHERS = frozenset({"_pytest.fixtures", "_pytest.python", "pytest_timeout"})


def read_end(report: pytest.TestReport, call: pytest.CallInfo[Any]) -> PhaseEnd:
    """Return how a phase ended, by its exception and not by what marks made of it."""
    phase = report.when or "call"
    if call.excinfo is None:
        # A strict xfail that passed is the only report of a phase without exception that failed.
        ending = Ending.WRONG if report.failed else Ending.FINE
        return PhaseEnd(phase=phase, ending=ending, message=str(report.longrepr) if report.failed else None)
    is_expected = report.skipped and hasattr(report, "wasxfail")
    return read_error(phase, call.excinfo.value, is_expected=is_expected)


def read_error(phase: str, error: BaseException, *, is_expected: bool = False) -> PhaseEnd:
    """Return what it means that a phase raised ``error``; ``is_expected``: a mark had announced it."""
    if isinstance(error, NoAnswer):
        return PhaseEnd(phase=phase, ending=Ending.NO_ANSWER, missing=error.missing, message=_text(error))
    # pytest.xfail() is a kind of pytest.fail() to Python; it judges nothing.
    if isinstance(error, (pytest.skip.Exception, pytest.xfail.Exception)):
        missing = Missing(Reason.SKIPPED, _text(error) or "skipped")
        return PhaseEnd(phase=phase, ending=Ending.SKIPPED, missing=missing)
    if isinstance(error, (AssertionError, pytest.fail.Exception)) and not _is_of_a_plugin(error):
        if phase == "setup":
            # A fixture that asserts has judged no reply yet.
            missing = Missing(Reason.NOT_RUN, _clip(f"the test's body did not run: {_text(error)}"))
            return PhaseEnd(phase=phase, ending=Ending.NO_ANSWER, missing=missing, message=_text(error))
        ending = Ending.EXPECTED_WRONG if is_expected else Ending.WRONG
        return PhaseEnd(phase=phase, ending=ending, message=_text(error))
    missing = Missing(Reason.EVALUATOR_ERROR, _describe(error))
    return PhaseEnd(phase=phase, ending=Ending.ERROR, missing=missing, message=_describe(error))


def show_verdict(report: pytest.TestReport, running: RunningEvaluation, judgement: Judgement) -> None:
    """Make a report say the evaluation's verdict so far.

    A wrong or missing sample fails the session by itself, unless the task leaves it to its gate.
    """
    running.shown = judgement.verdict
    is_tolerant = running.task.rule.is_tolerant
    if judgement.verdict is Verdict.PASSED or judgement.is_expected_failure:
        return
    if judgement.verdict is Verdict.FAILED:
        if report.passed:
            report.longrepr = judgement.message or "wrong"
        if is_tolerant:
            _tolerate(report, "wrong", "a wrong answer, left to the task's gate")
        elif not report.failed:
            report.outcome = "failed"
            vars(report).pop("wasxfail", None)
        return
    missing = judgement.missing
    assert missing is not None
    vars(report).pop("wasxfail", None)
    if missing.reason is not Reason.EVALUATOR_ERROR or report.longrepr is None or report.skipped:
        report.longrepr = f"missing evidence: {missing}"
    if is_tolerant:
        _tolerate(report, "missing", f"missing evidence, left to the task's gate: {missing}")
    else:
        report.outcome = "failed"
        setattr(report, SHOWN_AS, "missing")


def _tolerate(report: pytest.TestReport, shown_as: str, why: str) -> None:
    report.outcome = "skipped"
    report.wasxfail = why
    setattr(report, SHOWN_AS, shown_as)


def _is_of_a_plugin(error: BaseException) -> bool:
    """Whether pytest or a plugin called ``pytest.fail`` to say that a test is unusable, or too slow."""
    frames = [frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return isinstance(error, pytest.fail.Exception) and bool(_FAILING_FOR_OTHERS.intersection(frames[-2:]))


def _describe(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    text = " ".join(_text(error).split())
    return f"{type(error).__name__}: {text}{where}" if text else f"{type(error).__name__}{where}"


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception as broken:  # a test's own exception may be broken as well
        text = f"<{type(error).__name__} whose text raises {type(broken).__name__}>"
    return _clip(text)


def _clip(text: str) -> str:
    return text if len(text) <= _MESSAGE_LIMIT else f"{text[:_MESSAGE_LIMIT]} … ({len(text)} characters)"
