"""Requests ahead of serial tests: a bounded window of them, on threads."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum

from ..evidence import Exchange, InfergateError
from .any_request import AnyRequest

_TELL_EVERY_S = 0.5

Build = Callable[[], AnyRequest]


class PrefetchError(InfergateError):
    """A key was asked for that the plan does not hold any more, or never did."""


class _State(Enum):
    PLANNED = "planned"
    URGENT = "urgent"
    ASKED = "asked"
    FINISHED = "finished"
    DROPPED = "dropped"


class _Slot:
    __slots__ = ("build", "exchange", "is_ahead", "raised", "state")

    def __init__(self, build: Build) -> None:
        self.build = build
        self.state = _State.PLANNED
        self.is_ahead = False
        self.exchange: Exchange | None = None
        self.raised: BaseException | None = None


class Prefetch:
    """Ask what is planned before it is taken, at most ``window`` of it ahead, ``concurrency`` at a time.

    Requests sent are the keys taken or passed over, those whose turn is now, and at most ``window`` more. A
    result is kept until it is taken. Threads are daemons: nothing here keeps a process from ending. One
    thread, the one that runs the tests, calls the methods.
    """

    def __init__(self, ask: Callable[[AnyRequest], Exchange], concurrency: int, window: int) -> None:
        self._ask = ask
        self._concurrency = concurrency
        self._window = window
        lock = threading.Lock()
        self._work = threading.Condition(lock)
        self._arrived = threading.Condition(lock)
        self._slots: dict[str, _Slot] = {}  # planned and not yet taken, in order
        self._queue: deque[_Slot] = deque()
        self._urgent: deque[_Slot] = deque()
        self._awaited: _Slot | None = None
        self._ahead = 0
        self._idle = 0
        self._threads = 0
        self._is_cancelled = False

    def plan(self, items: Iterable[tuple[str, Build]]) -> None:
        """Add keys in the order in which they will be taken, each with what builds its request.

        ``build`` is called on a thread when the turn of its key comes. Raises ``PrefetchError`` for a
        key that waits to be taken already.
        """
        with self._work:
            for key, build in items:
                self._queue.append(self._add(key, build))
            self._wake()

    def hasten(self, items: Iterable[tuple[str, Build]]) -> None:
        """Add keys whose turn is now: they are asked before anything ahead, as far as there are threads.

        ``items`` as for ``plan``, which also says what is raised.
        """
        with self._work:
            for key, build in items:
                slot = self._add(key, build)
                slot.state = _State.URGENT
                self._urgent.append(slot)
            self._wake()

    def advance(self, key: str) -> None:
        """Say that the tests have come to ``key``: what is planned before it will never be taken.

        A key that is not planned says nothing.
        """
        with self._work:
            if key not in self._slots:
                return
            passed = []
            for earlier in self._slots:
                if earlier == key:
                    break
                passed.append(earlier)
            for earlier in passed:
                slot = self._slots.pop(earlier)
                self._leave_window(slot)
                slot.state = _State.DROPPED
            if passed:
                self._wake()

    def take(self, key: str, on_wait: Callable[[float], None] | None = None) -> Exchange:
        """Return the exchange of ``key``, waiting for it; each key can be taken once.

        ``on_wait`` is called about every half second with the seconds waited so far. What building or
        asking raised is raised here. Raises ``PrefetchError`` for a key that is not planned, was taken
        or passed over, and after ``cancel``.
        """
        began = time.monotonic()
        with self._work:
            slot = self._slots.pop(key, None)
            if slot is None and not self._is_cancelled:
                raise PrefetchError(f"{key!r} is not planned, or was taken or passed over before")
            if slot is not None and slot.state is _State.PLANNED:  # beyond the window: its turn is now
                slot.state = _State.URGENT
                self._urgent.append(slot)
            elif slot is not None:
                self._leave_window(slot)
            self._awaited = slot
            self._wake()
        while True:
            with self._arrived:
                if slot is None or self._is_cancelled:
                    raise PrefetchError(f"{key!r} is not asked: the requests ahead were cancelled")
                if slot.state is not _State.FINISHED:
                    self._arrived.wait(_TELL_EVERY_S)
                if slot.state is _State.FINISHED:
                    break
            if on_wait is not None:
                on_wait(time.monotonic() - began)
        if slot.raised is not None:
            raise slot.raised
        assert slot.exchange is not None
        return slot.exchange

    def cancel(self) -> None:
        """Build and ask nothing more; may be called twice.

        It does not wait for what is in flight: abort the client to end that.
        """
        with self._work:
            self._is_cancelled = True
            self._slots.clear()
            self._queue.clear()
            self._urgent.clear()
            self._work.notify_all()
            self._arrived.notify_all()

    def _add(self, key: str, build: Build) -> _Slot:
        if key in self._slots:
            raise PrefetchError(f"{key!r} is planned twice; plan each evaluation once")
        slot = self._slots[key] = _Slot(build)
        return slot

    def _leave_window(self, slot: _Slot) -> None:
        if slot.is_ahead:
            slot.is_ahead = False
            self._ahead -= 1

    def _wake(self) -> None:
        """Let as many threads work as there is work for; start those that are not there yet."""
        room = min(len(self._queue), max(0, self._window - self._ahead))
        wanted = min(room + len(self._urgent), self._concurrency)
        if not wanted or self._is_cancelled:
            return
        self._work.notify(wanted)
        for _ in range(min(wanted - self._idle, self._concurrency - self._threads)):
            self._threads += 1
            threading.Thread(target=self._run, name=f"infergate-ahead-{self._threads}", daemon=True).start()

    def _pick(self) -> _Slot | None:
        slot = self._urgent.popleft() if self._urgent else None
        if slot is None and self._ahead < self._window:
            while self._queue:
                slot = self._queue.popleft()
                if slot.state is _State.PLANNED:
                    slot.is_ahead = True
                    self._ahead += 1
                    break
                slot = None  # passed over, or taken out of its order
        if slot is not None:
            slot.state = _State.ASKED
        return slot

    def _run(self) -> None:
        while True:
            with self._work:
                while (slot := None if self._is_cancelled else self._pick()) is None:
                    if self._is_cancelled:
                        return
                    self._idle += 1
                    self._work.wait()
                    self._idle -= 1
            exchange, raised = None, None
            try:
                exchange = self._ask(slot.build())
            except BaseException as error:  # pytest's outcomes too: they belong to the test that takes it
                raised = error
            with self._arrived:
                slot.exchange, slot.raised = exchange, raised
                slot.state = _State.FINISHED
                if slot is self._awaited:
                    self._arrived.notify()
