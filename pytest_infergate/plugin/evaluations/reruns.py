"""Tests that another plugin runs again: the first verdict counts, what follows is a further attempt."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import pytest

from ...evidence import Verdict, canonical_json
from ...report import junit_properties
from ...runs import Because
from .evaluation import RUNNING, Gathered, RunningEvaluation
from .judgement import Ending, Judgement, PhaseEnd
from .kept_media import MEDIA, media_text
from .phases import read_error

#: Attributes of a report; each is one ASCII JSON string, since xdist carries nothing richer safely.
RECORD = "infergate_record"
#: A list of {"because", "record"}: further attempts at evaluations that have their verdict.
ATTEMPTS = "infergate_attempts"


class Reruns:
    """Keeps attempts apart, and their records until a report that carries them was let go.

    Plugins differ: pytest-rerunfailures runs all phases of a test again, pytest-retry runs it again before it
    lets go of the report of its body, and some never let the reports of an attempt go.
    """

    def __init__(self) -> None:
        self._carried: dict[str, RunningEvaluation] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        running = item.stash.get(RUNNING, None)
        if running is not None:
            running.begin()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        __tracebackhide__ = True
        running = item.stash.get(RUNNING, None)
        if running is None:
            return (yield)
        now = running.now
        now.has_run = True
        try:
            return (yield)
        except BaseException as error:
            now.raised = error
            raise

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if hasattr(report, RECORD) or hasattr(report, ATTEMPTS):
            running = self._carried.pop(report.nodeid, None)
            if running is not None:
                running.let_go()

    def carry(self, report: pytest.TestReport, running: RunningEvaluation) -> None:
        """Put the records of all attempts that no report has carried away on the last report of this one."""
        self._carried = {report.nodeid: running}
        attempts = []
        pictures = [picture for gathered in running.unsent for picture in gathered.pictures]
        # Only the attempt that counts may say what is right from now on, and only where all else went well.
        is_fine = all(end.ending is Ending.FINE for end in running.first.ends)
        references = running.first.references if is_fine else []
        if pictures or references:
            setattr(report, MEDIA, media_text(pictures, references))
        for gathered in running.unsent:
            record = running.record(gathered)
            if gathered is running.first:
                setattr(report, RECORD, canonical_json(record.as_json()))
            else:
                attempts.append({"because": Because.RERUN.value, "record": record.as_json()})
        if attempts:
            setattr(report, ATTEMPTS, canonical_json(attempts))
        report.user_properties.extend(junit_properties(running.record(running.first)))


def end_inner(running: RunningEvaluation, here: Gathered) -> None:
    """End the attempts that began while the report on ``here`` was made: nobody makes reports on them."""
    for inner in running.after(here):
        if inner.raised is not None:
            inner.ends.append(read_error("call", inner.raised))
        elif inner.has_run:
            inner.ends.append(PhaseEnd(phase="call", ending=Ending.FINE))


def counting_judgement(running: RunningEvaluation, report: pytest.TestReport) -> Judgement:
    """Return the judgement that reports show: that of the first attempt, and no other."""
    judgement = running.first.judge()
    if running.again and report.passed and judgement.verdict is Verdict.FAILED:
        said = f"{judgement.message or 'wrong'}\n\nrun again, the test passed; the first verdict counts"
        return replace(judgement, message=said)
    return judgement
