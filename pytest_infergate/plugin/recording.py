"""The part of the plugin that keeps the run: in a plain session, and in the controller of xdist."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from ..evidence import Record, Verdict
from ..runs import Because, Findings, RunFolderError, RunSummary
from .asking.asker import Asker
from .collecting.skipped_modules import SKIPPED_MODULES
from .evaluations.beside import BESIDE, BesideRecord, Side, read_beside
from .evaluations.gate_report import gate_reports
from .evaluations.kept_media import MEDIA, keep_pictures
from .evaluations.plan import Plan
from .evaluations.reruns import ATTEMPTS, RECORD
from .judging import PLAN
from .options.settings import Settings
from .run.recorder import Recorder
from .scoring.references import write_references
from .servers.endpoint import engine_in_use
from .sources import Sources
from .stored.baseline_gate import BaselineVerdict
from .stored.keeping import KEEPING
from .terminal import Screen
from .worker_plans import WorkerPlans

#: The phase of the report that xdist makes for the item a worker died on.
_CRASHED = "???"


class Recording:
    """Opens the run and its sources, keeps every record, and closes both whatever happens."""

    def __init__(
        self,
        config: pytest.Config,
        settings: Settings,
        plan: Callable[[Sequence[pytest.Item]], Plan] | None,
    ) -> None:
        """``plan`` tells what was selected; ``None``: an xdist worker will send it."""
        self._config = config
        self._settings = settings
        self._plan = plan
        self._screen = Screen(config)
        self._workers = WorkerPlans()
        self._recorder: Recorder | None = None
        self._compared = BaselineVerdict()
        #: What the run takes its evidence from.
        self.sources = Sources(config, settings, self._screen)
        self._summary: RunSummary | None = None
        self._findings: Findings | None = None
        self._trouble: str | None = None
        self._is_interrupted = False
        self._uncollected: str | None = None

    def open(self, plan: Plan | None, workers: int | None = None) -> None:
        """Make the run folder, then start or find the server, or name the run whose replies are taken.

        ``plan`` is given where it is known by now. ``workers`` is how many processes of xdist ask, ``None``:
        this one does. Raises ``pytest.UsageError`` where the folder or the address is not usable.
        """
        _refuse_modes(self._config)
        self.sources.read_stored()
        self._recorder = recorder = self.sources.open_run()
        self.sources.open_base_run(recorder)
        if plan is not None:
            self._plan_all(plan)
        self.sources.open(recorder, plan, workers)

    def _decided(self, plan: Plan, items: Sequence[pytest.Item]) -> Plan:
        """Decide, in a plain session, what is kept. Raises ``pytest.UsageError``."""
        keeping = self._config.stash.get(KEEPING, None)
        if keeping is None:
            return plan
        return replace(plan, kept=keeping.decide(items, engine_in_use(self._config)))

    def _keep(self, plan: Plan) -> None:
        """Keep what another run has judged of what is planned."""
        keeping = self._config.stash.get(KEEPING, None)
        if keeping is not None and self._recorder is not None:
            with self._guarded():
                for told in keeping.keep(plan, self._recorder):
                    self._screen.announce(told)

    def discard(self) -> None:
        """Leave no run behind where the session is refused before anything was asked."""
        if self._recorder is None or self._recorder.judged:
            return
        for recorder in self.sources.recorders(self._recorder):
            recorder.discard()
        self._recorder = None

    def watch(self, asker: Asker) -> None:
        """Show on the screen that a reply is awaited."""
        for one in (asker, asker.bench):
            one.on_wait = lambda seconds: self._screen.waiting(seconds, self._recorder)
            one.on_reply = self._screen.resume

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        collected_badly = session.testsfailed and not session.config.option.continue_on_collection_errors
        if session.config.option.collectonly or collected_badly:
            return (yield)
        why_not_run = "the session was interrupted"
        try:
            if self._plan is not None:
                plan = self._plan(session.items)
                if plan.tasks or self._settings.has_source:
                    self.open(plan)
                    self._keep(self._decided(plan, session.items))
            result = yield
            why_not_run = "its worker was lost"
            return result
        except pytest.UsageError:
            self.discard()
            raise
        except session.Failed as stop:
            why_not_run = f"the session stopped: {stop}"
            raise
        finally:
            self._finish(session, why_not_run)

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self._uncollected is None:
            self._uncollected = f"{report.nodeid or 'the tests'} could not be collected"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        with self._guarded():
            self._take(report)

    def take_beside(self, beside: BesideRecord) -> None:
        """Keep a record that has no report of its own."""
        with self._guarded():
            base = self.sources.base
            if beside.side is Side.BASE and base is not None:
                base.take(beside)
            elif beside.because is not None and self._recorder is not None:
                self._recorder.take_attempt(beside.because, beside.record)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """End the session where the disk does not take what was judged."""
        try:
            yield
        except RunFolderError as error:
            self._trouble = str(error)
            raise pytest.exit.Exception(str(error), returncode=1) from None

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, Any] | None:
        return self._screen.status(report)

    @pytest.hookimpl
    def pytest_keyboard_interrupt(self) -> None:
        self._is_interrupted = True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        # The last guard: pytest.exit(returncode=0) and the like must not turn a red run green.
        try:
            return (yield)
        except pytest.exit.Exception as error:
            if self._is_red() and error.returncode == pytest.ExitCode.OK:
                error.returncode = pytest.ExitCode.TESTS_FAILED
            raise
        finally:
            if self._is_red() and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl
    def pytest_terminal_summary(self) -> None:
        if self._recorder is not None:
            self._screen.summary(
                self._recorder, self._summary, self._findings, self._trouble, self._compared.comparisons
            )

    @pytest.hookimpl
    def pytest_unconfigure(self) -> None:
        self.sources.close()

    def _is_red(self) -> bool:
        if self._recorder is None:
            return self._is_interrupted  # before anything could be evaluated
        return self._summary is None or self._summary.verdict is not Verdict.PASSED

    def _take(self, report: pytest.TestReport) -> None:
        carried = vars(report)
        plan = carried.pop(PLAN, None)
        if plan is not None:
            self._take_plan(self._workers.take(report, plan))
        if self._recorder is None:
            return
        # Popped, not read: pytest keeps every report until the end of the session.
        media = carried.pop(MEDIA, None)
        if media is not None:
            self._keep_media(self._recorder, media)
        line, attempts = carried.pop(RECORD, None), carried.pop(ATTEMPTS, None)
        if line is not None:
            self._recorder.take_record(line)
        for attempt in json.loads(attempts or "[]"):
            because, record = Because(attempt["because"]), Record.from_json(attempt["record"])
            self._recorder.take_attempt(because, record)
        for beside in read_beside(carried.pop(BESIDE, "[]")):
            self.take_beside(beside)
        if line is None and str(report.when) == _CRASHED:
            for recorder in self.sources.recorders(self._recorder):
                recorder.note_crash(report.nodeid, str(report.longrepr))

    def _keep_media(self, recorder: Recorder, media: str) -> None:
        """Keep pictures before the records that name them, and write the references that came along."""
        references = keep_pictures(media, recorder.artifacts)
        if references:
            write_references(references, recorder.stored_head())

    def _take_plan(self, plan: Plan) -> None:
        if self._recorder is None:  # no server was given, so the run was not opened at the start
            self.open(plan)
        else:
            if plan.refusal is not None:
                raise pytest.UsageError(plan.refusal)
            is_new = not self._recorder.tasks
            self._plan_all(plan)
            if is_new:
                self.sources.forewarn(plan)
                self._keep(plan)

    def _plan_all(self, plan: Plan) -> None:
        assert self._recorder is not None
        for recorder in self.sources.recorders(self._recorder):
            recorder.take_plan(plan)

    def _finish(self, session: pytest.Session, why_not_run: str) -> None:
        recorder = self._recorder
        if recorder is None:
            return
        sources = self.sources
        shared = [*self._config.stash[SKIPPED_MODULES].gates(), *self._workers.gates()]
        try:
            gates = sources.confirm(recorder)
            shared += sources.evaluators.confirm(sources.recorders(recorder))
            if sources.base is not None:
                gates += sources.base.finish(shared, why_not_run=why_not_run, why_no_plan=self._uncollected)
            recorder.settle(why_not_run)
            self._compared = sources.compare(recorder, (*shared, *gates))
            self._summary = recorder.finish(
                [*shared, *gates, *self._compared.gates],
                why_not_run=why_not_run,
                why_no_plan=self._uncollected,
                rescore=sources.rescore,
                comparisons=self._compared.comparisons,
            )
        except RunFolderError as error:
            self._trouble = str(error)
            recorder.close()
        except KeyboardInterrupt:
            go_on = f"go on with --infer-resume={self._screen.shown(recorder.folder)}"
            self._trouble = (
                f"interrupted before the run was closed: {recorder.judged} of {recorder.planned} evaluations "
                f"are kept; {'judge the replies again' if sources.rescore else go_on}"
            )
            raise
        self._findings = recorder.findings()
        if self._summary is None:
            session.testsfailed += 1
            return
        self._report_gates(session, recorder, self._summary)

    def _report_gates(self, session: pytest.Session, recorder: Recorder, summary: RunSummary) -> None:
        """Give reports of their own to gates over clips, of baselines, and of tasks that tolerate samples."""
        nodeids = {name: task.nodeid for name, task in recorder.tasks.items()}
        reports = gate_reports(summary, self._compared.gates, nodeids)
        session.testscollected += len(reports)
        if reports:
            self._screen.begin_gates()
        for report in reports:
            self._config.hook.pytest_runtest_logreport(report=report)
        if summary.verdict is not Verdict.PASSED and not session.testsfailed:
            session.testsfailed += 1


def _refuse_modes(config: pytest.Config) -> None:
    """Refuse what leaves an evaluation without one verdict. Raises ``pytest.UsageError``."""
    if sys.flags.optimize:
        raise pytest.UsageError(
            "python -O takes assert statements away, and evaluations with them; run without -O and "
            "without PYTHONOPTIMIZE"
        )
    if getattr(config.option, "dist", None) == "each":
        raise pytest.UsageError(
            "--dist=each runs every evaluation once a worker, and an evaluation has one verdict; use "
            "--dist=load, or infer_task(repeat=N) to ask again"
        )
