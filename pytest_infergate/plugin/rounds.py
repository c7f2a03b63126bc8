"""What an evaluation takes beyond its own test run: the base server's turn, and asking again."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ..evidence import Evaluation, Record, Verdict
from ..runs import Because
from .asking.asker import Asker
from .evaluations.beside import BesideRecord, Outbox, Side, run_beside, sibling_of
from .evaluations.confirming import EXPECTED, may_be_noise
from .evaluations.evaluation import RUNNING
from .fixtures import ASKER
from .servers.endpoint import BASE_ENDPOINT, ENDPOINT


class Turns:
    """Says which server goes first, each as often as the other, so that what drifts meets both alike."""

    def __init__(self) -> None:
        self._lead = 0

    def is_base_first(self, *, ends_scope: bool) -> bool:
        """Give the next turn. ``ends_scope``: fixtures of a wider scope end after this item.

        Then the candidate is last, since the end of those fixtures belongs to the test's own report.
        """
        is_base = ends_scope or self._lead <= 0
        self._lead += 1 if is_base else -1
        return is_base


class Rounds:
    """Runs each evaluation on the base server too, and more often where it turned from pass to fail.

    The candidate's first run is pytest's own, with whatever other plugins make of it.
    """

    def __init__(
        self, config: pytest.Config, candidate: Asker, base: Asker | None, outbox: Outbox, confirm: int
    ) -> None:
        """``base`` is ``None`` where there is one server; ``confirm`` is how often to ask again."""
        self._config = config
        self._candidate = candidate
        self._base = base
        self._outbox = outbox
        self._confirm = confirm
        self._turns = Turns()
        self._is_beside = False

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        running = item.stash.get(RUNNING, None)
        if running is None or running.is_placeholder or running.refusal:
            return (yield)
        is_base_first = False
        based: Record | None = None
        if self._base is not None:
            self._candidate.look_ahead(item, nextitem)
            self._base.look_ahead(item, nextitem)
            ends_scope = nextitem is None or nextitem.parent is not item.parent
            is_base_first = self._turns.is_base_first(ends_scope=ends_scope)
        if is_base_first:
            based = self._run(Side.BASE, item, sibling_of(item))
        result = yield
        if self._base is not None and not is_base_first:
            based = self._run(Side.BASE, item, nextitem)
        if self._confirm and may_be_noise(running.first):
            self._ask_again(item, nextitem, running.evaluation, based)
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if self._is_beside and report.when == "call":
            # What is logged from inside a test, as subtests are, must not make the session red.
            report.outcome = "passed"
        return report

    def _ask_again(
        self, item: pytest.Item, nextitem: pytest.Item | None, evaluation: Evaluation, based: Record | None
    ) -> None:
        """Ask for further attempts where this evaluation passed in what it is compared with."""
        expected = self._config.stash.get(EXPECTED, None)
        has_base_passed = based is not None and based.verdict is Verdict.PASSED
        if not has_base_passed and not (expected and expected.holds(evaluation)):
            return
        sides = (Side.CANDIDATE, Side.BASE) if has_base_passed else (Side.CANDIDATE,)
        for side in sides:
            self._asker(side).ask_again(item, self._confirm)
        turns = [side for n in range(self._confirm) for side in (sides if n % 2 else sides[::-1])]
        for left, side in zip(range(len(turns) - 1, -1, -1), turns, strict=True):
            self._run(side, item, sibling_of(item) if left else nextitem, Because.CONFIRM)

    def _run(
        self, side: Side, item: pytest.Item, nextitem: pytest.Item | None, because: Because | None = None
    ) -> Record | None:
        with self._asking(side):
            record = run_beside(item, item.stash[RUNNING].anew(), nextitem)
        if record is not None:
            self._outbox.send(BesideRecord(side=side, because=because, record=record))
        return record

    def _asker(self, side: Side) -> Asker:
        if side is Side.CANDIDATE:
            return self._candidate
        assert self._base is not None
        return self._base

    @contextmanager
    def _asking(self, side: Side) -> Iterator[None]:
        """Let the fixtures find this side's server."""
        stash = self._config.stash
        asker, endpoint = stash[ASKER], stash.get(ENDPOINT, None)
        self._is_beside = True
        if side is Side.BASE:
            stash[ASKER] = self._asker(side)
            stash[ENDPOINT] = stash[BASE_ENDPOINT]
        try:
            yield
        finally:
            self._is_beside = False
            stash[ASKER] = asker
            if endpoint is not None:
                stash[ENDPOINT] = endpoint
