"""The part of the plugin that keeps the run: in a plain session, and in the controller of xdist."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from ..evidence import Gate, Record, Verdict
from ..runs import Because, Findings, RunFolderError, RunSummary
from .against import BaseRun, check_base_folder
from .asking import Asker
from .baseline_gate import Baselines, BaselineVerdict
from .beside import BESIDE, BesideRecord, Side, read_beside
from .confirming import EXPECTED, Expected
from .endpoint import BASE_ENDPOINT, ENDPOINT, Endpoint, engine_in_use, known_engines
from .evaluator_servers import EvaluatorServers
from .gate_report import gate_reports
from .judging import PLAN
from .keeping import KEEPING
from .kept_media import MEDIA, keep_pictures
from .plan import Plan
from .recorder import Recorder
from .references import write_references
from .replaying import Replay, replay_of
from .reruns import ATTEMPTS, RECORD
from .resuming import resumption_of
from .run_head import open_run
from .run_media import ARTIFACTS, BASE_ARTIFACTS
from .server import ModelServer
from .settings import Settings
from .skipped_modules import SKIPPED_MODULES
from .terminal import Screen
from .worker_plans import WorkerPlans

#: The phase of the report that xdist makes for the item a worker died on.
_CRASHED = "???"


class Recording:
    """Opens the run and its server, keeps every record, and closes both whatever happens."""

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
        self._server: ModelServer | None = None
        self._replay: Replay | None = None
        self._base: BaseRun | None = None
        self._baselines: Baselines | None = None
        self._compared = BaselineVerdict()
        #: The servers that evaluators ask.
        self.evaluators = EvaluatorServers(config, settings)
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
        if sys.flags.optimize:
            raise pytest.UsageError(
                "python -O takes assert statements away, and evaluations with them; run without -O and "
                "without PYTHONOPTIMIZE"
            )
        if getattr(self._config.option, "dist", None) == "each":
            raise pytest.UsageError(
                "--dist=each runs every evaluation once a worker, and an evaluation has one verdict; use "
                "--dist=load, or infer_task(repeat=N) to ask again"
            )
        self._replay = replay = replay_of(self._config, self._settings)
        resumption = resumption_of(self._config, self._settings)
        baselines = self.read_baselines()
        try:
            if self._settings.against is not None:
                check_base_folder(self._settings)
            source = replay or resumption
            self._recorder = open_run(self._config, self._settings, source.derivation if source else None)
            if self._settings.against is not None:
                self._base = BaseRun.open(self._config, self._settings, self._recorder.folder)
        except RunFolderError as error:
            raise pytest.UsageError(str(error)) from None
        self._config.stash[ARTIFACTS] = self._recorder.artifacts
        if self._base is not None:
            self._config.stash[BASE_ARTIFACTS] = self._base.recorder.artifacts
        if plan is not None:
            self._plan_all(plan)
        if self._settings.server and (plan is None or plan.evaluations):
            self._server = ModelServer.open(
                self._settings, self._screen.announce, known_engines(self._config)
            )
            self._config.stash[ENDPOINT] = self._server.endpoint()
            self._recorder.name_server(self._server.as_json())
        if replay is not None:
            self._recorder.name_server(replay.as_json())
        if self._base is not None and self._server is not None:
            self._find_base(self._base)
        self._screen.header(
            self._server or replay,
            self._recorder,
            self._in_flight(workers),
            replies_of=replay.run_id if replay else None,
        )
        if self._base is not None:
            self._screen.base_header(self._base, self._in_flight(workers, BASE_ENDPOINT))
        baselines.check_treatment(self._server or replay)
        for told in baselines.announce(self._screen.shown(self._recorder.folder)):
            self._screen.announce(told)
        if plan is not None:
            self._forewarn(plan)
        if self._settings.confirm:
            self._config.stash[EXPECTED] = Expected.of(baselines.sides)
        if plan is None or plan.evaluations:
            self.evaluators.open()
            self.evaluators.name(self._recorders(), self._screen.announce)
        if replay is not None and replay.judge_json is not None and not self.evaluators.has_judge:
            self._recorder.name_judge(replay.judge_json)
            self._screen.announce(f"judgements are those of run {replay.run_id} as well")
        if resumption is not None and self._server is not None:
            resumption.check_servers(self._recorder.stored_head())

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
        self._recorder.discard()
        if self._base is not None:
            self._base.recorder.discard()
        self._recorder = None

    def read_baselines(self) -> Baselines:
        """Read what the run is compared with at its end, once.

        Raises ``pytest.UsageError`` for a baseline that is none, is damaged or is not finished.
        """
        if self._baselines is None:
            self._baselines = Baselines.read(self._settings, self._config.invocation_params.dir)
        return self._baselines

    def _recorders(self) -> list[Recorder]:
        """Return the recorders of this run and of the second server's."""
        recorders = (self._recorder, self._base.recorder if self._base is not None else None)
        return [recorder for recorder in recorders if recorder is not None]

    def _find_base(self, base: BaseRun) -> None:
        """Find the second server, and let both have what they can take."""
        stash = self._config.stash
        stash[ENDPOINT], stash[BASE_ENDPOINT] = base.find_server(
            stash[ENDPOINT], self._screen.announce, known_engines(self._config)
        )

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
            if beside.side is Side.BASE and self._base is not None:
                self._base.take(beside)
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
        if self._server is not None:
            self._server.close()

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
            self._recorder.note_crash(report.nodeid, str(report.longrepr))
            if self._base is not None:
                self._base.recorder.note_crash(report.nodeid, str(report.longrepr))

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
                self._forewarn(plan)
                self._keep(plan)

    def _forewarn(self, plan: Plan) -> None:
        """Name tasks that are too small for what is asked of them."""
        for told in self.read_baselines().forewarn(plan):
            self._screen.announce(told)

    def _plan_all(self, plan: Plan) -> None:
        assert self._recorder is not None
        self._recorder.take_plan(plan)
        if self._base is not None:
            self._base.recorder.take_plan(plan)

    def _in_flight(self, workers: int | None, key: pytest.StashKey[Endpoint] = ENDPOINT) -> int:
        """Return the requests in flight that can really be: a worker asks for two items at most."""
        endpoint = self._config.stash.get(key, None)
        concurrency = endpoint.concurrency if endpoint else self._settings.in_flight()
        return concurrency if not workers else workers * min(2, max(1, concurrency // workers))

    def _finish(self, session: pytest.Session, why_not_run: str) -> None:
        recorder = self._recorder
        if recorder is None:
            return
        shared = [*self._config.stash[SKIPPED_MODULES].gates(), *self._workers.gates()]
        gates: list[Gate] = []
        try:
            if self._server is not None:
                self._server.learn(recorder.served)
                gates += self._server.confirm()
                recorder.name_server(self._server.as_json())
                self._server.close()
            if self._replay is not None:
                keeps = KEEPING in self._config.stash
                gates += self._replay.gates(has_judged=recorder.asked_judge, keeps=keeps)
            shared += self.evaluators.confirm(self._recorders())
            if self._base is not None:
                gates += self._base.finish(shared, why_not_run=why_not_run, why_no_plan=self._uncollected)
            recorder.settle(why_not_run)
            self._compared = self._compare(recorder, (*shared, *gates))
            self._summary = recorder.finish(
                [*shared, *gates, *self._compared.gates],
                why_not_run=why_not_run,
                why_no_plan=self._uncollected,
                rescore=self._replay.rescore if self._replay is not None else None,
                comparisons=self._compared.comparisons,
            )
        except RunFolderError as error:
            self._trouble = str(error)
            recorder.close()
        self._findings = recorder.findings()
        if self._summary is None:
            session.testsfailed += 1
            return
        self._report_gates(session, recorder, self._summary)

    def _compare(self, recorder: Recorder, gates: Sequence[Gate]) -> BaselineVerdict:
        """Compare the run with its baselines and the second server's. Raises ``RunFolderError``.

        ``gates`` are those over the whole run.
        """
        beside = self._base.recorder.folder if self._base is not None else None
        return self.read_baselines().judge(
            lambda: recorder.side(gates), folder=recorder.folder, beside=beside, shown=self._screen.shown
        )

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
