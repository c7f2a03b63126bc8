"""Deadlines kept from outside the read.

A read timeout ends a silent stream, not one that drips keep-alives. So one thread looks at the clock and
shuts the socket down. To the reader that looks like a normal end of the stream: ask the deadline
how it ended before believing it.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from enum import Enum

_TICK_S = 0.5


class Ending(Enum):
    """Why a deadline cut its exchange."""

    EXPIRED = "expired"
    ABORTED = "aborted"
    LINGERED = "lingered"


class Deadline:
    """The ``seconds`` that one exchange has from now, and the socket that it uses."""

    __slots__ = ("_lock", "_released", "_socket", "ended", "expires", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.expires = time.monotonic() + seconds
        self.ended: Ending | None = None
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._released = False

    @property
    def remaining(self) -> float:
        """Seconds left, 0 at the least."""
        return max(0.0, self.expires - time.monotonic())

    def attach(self, sock: socket.socket | None) -> None:
        """Name the socket that reading happens on; shut at once where time is already up."""
        with self._lock:
            self._socket = sock
            if self.ended is not None:
                _shut(sock)

    def cut(self, ending: Ending) -> None:
        """End the exchange now, whatever it is doing."""
        with self._lock:
            if not self._released and self.ended is None:
                self.ended = ending
                _shut(self._socket)

    def release(self) -> None:
        """The exchange is over; the socket may serve another."""
        with self._lock:
            self._released = True
            self._socket = None


def _shut(sock: socket.socket | None) -> None:
    if sock is not None:
        with suppress(OSError):
            # Not the method of an SSL socket: that one would drop the state its reader still uses.
            socket.socket.shutdown(sock, socket.SHUT_RDWR)


class Watchdog:
    """One thread that cuts every exchange whose time is up."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._active: dict[Deadline, tuple[float, Ending]] = {}
        self._wakes = float("inf")
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def watch(self, deadline: Deadline) -> None:
        """Keep ``deadline`` from now until ``release``."""
        with self._changed:
            self._active[deadline] = (deadline.expires, Ending.EXPIRED)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="infergate-deadlines", daemon=True)
                self._thread.start()
            elif deadline.expires < self._wakes:
                self._changed.notify()

    def linger(self, deadline: Deadline, seconds: float) -> None:
        """Wait at most ``seconds`` longer: all that matters has come."""
        at = time.monotonic() + seconds
        with self._changed:
            if at < deadline.expires and deadline in self._active:
                self._active[deadline] = (at, Ending.LINGERED)

    def release(self, deadline: Deadline) -> None:
        deadline.release()
        with self._changed:
            self._active.pop(deadline, None)

    def cut_all(self, ending: Ending) -> None:
        """End everything in flight now."""
        with self._changed:
            active = list(self._active)
        for deadline in active:
            deadline.cut(ending)

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._is_closed:
                    return
                now = time.monotonic()
                due = [(d, ending) for d, (at, ending) in self._active.items() if at <= now]
                for deadline, _ in due:
                    del self._active[deadline]
                if not due:
                    self._wakes = min((at for at, _ in self._active.values()), default=float("inf"))
                    # The tick picks up what lingers, which so costs no wake-up of its own.
                    self._changed.wait(min(self._wakes - now, _TICK_S) if self._active else None)
                    continue
            for deadline, ending in due:
                deadline.cut(ending)
