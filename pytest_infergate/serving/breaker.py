"""A server that is gone must not cost hours."""

from __future__ import annotations

import threading

from ..evidence import Missing, Reason


class Breaker:
    """Open after ``limit`` exchanges in a row, over all threads, that could not connect; then for good."""

    def __init__(self, limit: int = 5) -> None:
        self._limit = limit
        self._in_a_row = 0
        self._lock = threading.Lock()
        self._blocked: Missing | None = None

    @property
    def missing(self) -> Missing | None:
        """What every further exchange is, ``None`` while the server may be asked."""
        return self._blocked

    def block(self, missing: Missing) -> None:
        """Let nothing through from now on; the first reason stays."""
        with self._lock:
            self._blocked = self._blocked or missing

    def connected(self) -> None:
        self._in_a_row = 0

    def could_not_connect(self, detail: str) -> None:
        with self._lock:
            self._in_a_row += 1
            if self._in_a_row >= self._limit and self._blocked is None:
                self._blocked = Missing(
                    Reason.UNREACHABLE,
                    f"not asked, after {self._in_a_row} exchanges in a row like this: {detail}",
                )
