"""A model server that a command line starts, and that nothing outlives."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .errors import SwapError

#: Seconds that a server has to end by itself once it was asked to.
GRACE = 10.0
#: Seconds that the rest of its processes has once the first one is gone.
_REST = 2.0
_LAST_LINES = 8


class ServerProcess:
    """A command and all that it starts, in a process group of its own, as long as the context lasts.

    Nothing else is ever stopped. Output goes to ``log``.
    """

    def __init__(self, words: Sequence[str], log: Path) -> None:
        self.log = log
        self._words = words
        self._process: subprocess.Popen[bytes] | None = None

    def exit_status(self) -> int | None:
        """Return how the command ended, ``None`` while it runs; negative: the signal that ended it."""
        return self._process.poll() if self._process else None

    def how_it_ended(self) -> str:
        """Say how the command ended, with the last lines of its log."""
        status = self.exit_status()
        lines = self._last_lines()
        said = f"its last lines: {' | '.join(lines)}" if lines else "it said nothing"
        if status is not None and status < 0:
            return f"ended by {signal.Signals(-status).name}; {said} ({self.log})"
        return f"ended with exit status {status}; {said} ({self.log})"

    def __enter__(self) -> ServerProcess:
        """Start the command. Raises ``SwapError`` where it cannot be started."""
        try:
            with signals_held():
                self._process = self._start()
        except KeyboardInterrupt:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Ask the whole group to end, and end what is left of it after a while."""
        with signals_held():
            self._stop()

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            with open(self.log, "wb") as output:
                return subprocess.Popen(
                    self._words,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    # Ctrl-C is for whoever started this, who still has to end it in its turn.
                    start_new_session=True,
                )
        except OSError as error:
            raise SwapError(f"cannot start {shlex.join(self._words)!r}: {error.strerror or error}") from error

    def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        _signal_group(process.pid, signal.SIGTERM)
        give_up = time.monotonic() + GRACE
        while process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.05)
        give_up = time.monotonic() + _REST
        while process.returncode is not None and _signal_group(process.pid, 0) and time.monotonic() < give_up:
            time.sleep(0.05)
        _signal_group(process.pid, signal.SIGKILL)
        process.wait()

    def _last_lines(self) -> list[str]:
        try:
            with open(self.log, encoding="utf-8", errors="replace") as lines:
                return list(deque((line.strip() for line in lines if line.strip()), maxlen=_LAST_LINES))
        except OSError:
            return []


def _signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group; say whether there is still one."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS: a group of zombies may not be signalled
        return False
    return True


#: What asks this process to end.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def signals_held() -> Iterator[None]:
    """Let no signal interrupt: it is raised as ``KeyboardInterrupt`` behind the context.

    A handler, not an ignored signal, which a process that is started here would inherit.
    """
    came: list[int] = []
    with _handling(lambda number, frame: came.append(number)):
        yield
    if came:
        raise KeyboardInterrupt


@contextmanager
def ending_interrupts() -> Iterator[None]:
    """Take a request to end (SIGTERM, SIGHUP) as Ctrl-C, so that what was started is ended, too."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    with _handling(interrupt):
        yield


@contextmanager
def _handling(handler: Callable[[int, Any], object]) -> Iterator[None]:
    before = [(number, signal.signal(number, handler)) for number in _ENDING]
    try:
        yield
    finally:
        for number, former in before:
            signal.signal(number, former)


def command_words(option: str, text: str) -> list[str]:
    """Split a command as a shell would, without running one.

    Raises ``SwapError`` for what is no command on this machine.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise SwapError(
            f"{option}: {text!r} cannot be split into words ({error}); mend its quotes"
        ) from error
    if not words:
        raise SwapError(f"{option}: {text!r} is not a command; name the program that serves the model")
    if shutil.which(words[0]) is None:
        hint = "correct its name or its path"
        if "=" in words[0]:
            hint = f"no shell reads it; write env {shlex.join(words[:2])} …"
        raise SwapError(f"{option}: there is no program {words[0]!r}; {hint}")
    return words


def is_listening(url: str) -> bool:
    """Whether anything accepts connections at the host and port of ``url``."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=2.0).close()
    except OSError:
        return False
    return True


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port
