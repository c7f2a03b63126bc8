"""The part of the plugin that runs evaluations: in a plain session, and in every xdist worker."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

import pytest

from ..evidence import NoAnswer, Reason, Verdict, canonical_json
from ..tasks import DeclarationError
from .asking.asker import Asker
from .evaluations.evaluation import RUNNING, RunningEvaluation
from .evaluations.passing_over import pass_over, show_kept
from .evaluations.phases import read_end, show_verdict
from .evaluations.plan import Plan
from .evaluations.reruns import Reruns, counting_judgement, end_inner
from .scoring.visual_required import require_checks
from .scoring.wer_required import require_rate
from .servers.endpoint import engine_in_use
from .stored.keeping import KEEPING

#: Attribute of a report, ASCII JSON: what a worker was given to do.
PLAN = "infergate_plan"


class Judge:
    """Runs requests ahead of the tests and turns the ends of their phases into verdicts."""

    def __init__(
        self,
        asker: Asker,
        plan: Callable[[Sequence[pytest.Item]], Plan],
        *,
        is_worker: bool,
        base: Asker | None = None,
    ) -> None:
        """``base`` asks the server that the one under test is compared with in this session."""
        self._asker = asker
        self._askers = [asker] if base is None else [base, asker]
        self._plan = plan
        self._is_worker = is_worker
        self._unsent_plan: str | None = None
        self._refusal: str | None = None
        self.reruns = Reruns()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        # pytest's own implementation refuses to run after collection errors: send nothing then.
        is_blocked = session.testsfailed and not session.config.option.continue_on_collection_errors
        if is_blocked or session.config.option.collectonly:
            return (yield)
        if self._is_worker:
            plan = self._decided(session, self._plan(session.items))
            self._unsent_plan = canonical_json(plan.as_json())
        try:
            for asker in self._askers if self._refusal is None else ():
                asker.start(session.items)
            return (yield)
        finally:
            for asker in self._askers:
                asker.close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        if self._refusal is not None:
            self._report_refusal(item, self._refusal)
            return True
        self._asker.look_ahead(item, nextitem)
        running = item.stash.get(RUNNING, None)
        if running is None or running.kept is None:
            return None
        pass_over(item, nextitem)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        running = item.stash.get(RUNNING, None)
        if running is None:
            return
        if running.refusal:
            raise DeclarationError(running.refusal)
        if running.is_placeholder:
            raise NoAnswer(Reason.EMPTY_DATASET, running.task.describe_data())

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        """Refuse a value that a test returns: ``return reply == gold`` judges nothing and looks as if."""
        if RUNNING not in pyfuncitem.stash:
            return (yield)
        test = pyfuncitem.obj
        pyfuncitem.obj = _returning_nothing(test, pyfuncitem.nodeid)
        try:
            return (yield)
        finally:
            pyfuncitem.obj = test

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        running = item.stash.get(RUNNING, None)
        here = running.now if running is not None else None
        report = yield
        is_beside = running is not None and running.is_beside
        if self._unsent_plan is not None and not is_beside:
            setattr(report, PLAN, self._unsent_plan)
        if running is None or here is None or isinstance(call.excinfo and call.excinfo.value, _STOPS):
            return report
        if running.kept is not None:
            show_kept(report, running, running.kept)
            return report
        here.ends.append(read_end(report, call))
        end_inner(running, here)
        if report.when == "call" or (report.when == "setup" and not report.passed):
            for attempt in (here, *running.after(here)):
                attempt.keep_to_rules()
                require_checks(running, attempt)
                require_rate(running, attempt)
        _show(running, report)
        if report.when == "teardown" and not running.is_placeholder:
            self.reruns.carry(report, running)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # Not every report that is made is let go, and the plan is needed once.
        if self._unsent_plan is None:
            vars(report).pop(PLAN, None)
        elif hasattr(report, PLAN):
            self._unsent_plan = None

    def _decided(self, session: pytest.Session, plan: Plan) -> Plan:
        """Decide in a worker what is kept. A refusal travels with the plan, and nothing is asked then."""
        config = session.config
        keeping = config.stash.get(KEEPING, None)
        if keeping is None:
            return plan
        kept: tuple[str, ...] = ()
        try:
            kept = keeping.decide(session.items, engine_in_use(config))
        except pytest.UsageError as error:
            self._refusal = str(error)
        return replace(plan, refusal=self._refusal, kept=kept)

    def _report_refusal(self, item: pytest.Item, refusal: str) -> None:
        report = pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome="failed",
            longrepr=refusal,
            when="setup",
        )
        if self._unsent_plan is not None:
            setattr(report, PLAN, self._unsent_plan)
        item.ihook.pytest_runtest_logreport(report=report)


#: These end the session, not the evaluation, which has then not run.
_STOPS = (KeyboardInterrupt, pytest.exit.Exception)


def _returning_nothing(test: Callable[..., object], nodeid: str) -> Callable[..., None]:
    @wraps(test)
    def call(*args: object, **kwargs: object) -> None:
        __tracebackhide__ = True
        value = test(*args, **kwargs)
        if value is not None:
            raise DeclarationError(
                f"{nodeid}: the test returned a value of type {type(value).__name__}, and nothing looks at "
                "it; write assert in place of return"
            )

    return call


def _show(running: RunningEvaluation, report: pytest.TestReport) -> None:
    judgement = counting_judgement(running, report)
    if report.when == "teardown":
        is_new = judgement.verdict is not Verdict.PASSED and judgement.verdict is not running.shown
    else:
        # After a set-up that went well there is nothing to say yet.
        is_new = report.when == "call" or not report.passed
    if is_new:
        show_verdict(report, running, judgement)
