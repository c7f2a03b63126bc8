"""One side of a swap: start a server, wait until it serves, run the evaluations on it, stop it."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .errors import NotMeasured, SwapError
from .server_process import GRACE, ServerProcess, is_listening, signals_held

#: The identity field for what was started. Not ``launch_command``, which some servers tell themselves.
COMMAND = "command"
#: Seconds until the first word on what is waited for, and between two of them.
_TELL_FIRST, _TELL_AGAIN = 2.0, 10.0
_PAUSE = 0.25
#: The descriptor: whatever stands in for ``sys.stderr`` may have none.
_STDERR = 2
#: How pytest may end with a run to compare: all passed, or some did not.
_MEASURED = (0, 1)
_PYTEST = {
    2: "was interrupted, or the tests could not be collected",
    3: "met an internal error",
    4: "was not given what it accepts",
    5: "collected no tests",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What to measure: ``name`` is also that of its run folder and its log, ``option`` gave the command.

    ``command`` is as it was given, without the port that ``words`` have.
    """

    name: str
    option: str
    command: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        from ..runs import redact_argv

        return shlex.join(redact_argv(self.words))

    @property
    def declaration(self) -> str:
        """The option of pytest that makes the command a part of the server's identity.

        Few servers tell the flags they were started with.
        """
        from ..runs import redact_text

        return f"--infer-declare={COMMAND}={redact_text(self.command)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A side that was measured. ``exit_status`` is pytest's: 0, or 1 where not everything passed."""

    side: Side
    run: Path
    log: Path
    exit_status: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where sides are measured, one after the other.

    ``wait`` is the seconds that a server has until it serves. ``pytest_args`` select the evaluations.
    ``is_quiet``: pytest's report goes to standard error. ``announce`` is told what happens.
    """

    folder: Path
    url: str
    wait: float
    pytest_args: tuple[str, ...]
    is_quiet: bool
    announce: Callable[[str], None]

    def measure(self, side: Side) -> Measured:
        """Measure one side; its server is gone afterwards, whatever happens.

        Raises ``NotMeasured`` where the server did not serve, or not to the end, or the run was not finished;
        ``SwapError`` where the address is taken or pytest could not run the evaluations.
        """
        self._check_free(side)
        run, log = self.folder / side.name, self.folder / f"{side.name}.log"
        self.announce(f"{side.name}: {side}")
        with ServerProcess(side.words, log) as server:
            self._await(side, server)
            status = self._run_pytest(side, run)
            if server.exit_status() is not None:
                raise NotMeasured(
                    f"the server of {side.option} {server.how_it_ended()}, while it was measured; what was "
                    f"measured is in {run}"
                )
        self._await_free(side)
        if status not in _MEASURED:
            why = _PYTEST.get(status, f"ended with exit status {status}")
            raise SwapError(f"{side.name}: pytest {why}; mend the arguments behind --, its report is above")
        _check_finished(side, run)
        return Measured(side=side, run=run, log=log, exit_status=status)

    def _check_free(self, side: Side) -> None:
        if is_listening(self.url):
            raise SwapError(
                f"something listens at {self.url} before {side.name} is started, and would be measured in "
                "its place; stop it, or take another address with --url"
            )

    def _await(self, side: Side, server: ServerProcess) -> None:
        begun = time.monotonic()
        tell_at = begun + _TELL_FIRST
        while True:
            waiting_for = _why_not_serving(self.url)
            if server.exit_status() is not None:
                raise NotMeasured(f"the server of {side.option} {server.how_it_ended()}, before it served")
            now = time.monotonic()
            if waiting_for is None:
                self.announce(f"{side.name}: serves after {now - begun:.1f} s")
                return
            if now - begun >= self.wait:
                raise NotMeasured(
                    f"the server of {side.option} did not serve within {self.wait:g} s: {waiting_for}; give "
                    f"it more time with --wait, or see {server.log}"
                )
            if now >= tell_at:
                tell_at = now + _TELL_AGAIN
                self.announce(f"{side.name}: waiting for it, {now - begun:.0f} s: {waiting_for}")
            time.sleep(min(_PAUSE, self.wait))

    def _run_pytest(self, side: Side, run: Path) -> int:
        argv = [
            *(sys.executable, "-m", "pytest"),
            *self.pytest_args,
            f"--infer-server={self.url}",
            side.declaration,
            f"--infer-run={run.resolve()}",
        ]
        process = subprocess.Popen(argv, stdout=_STDERR if self.is_quiet else None)
        try:
            return process.wait()
        except KeyboardInterrupt:
            with signals_held():
                _end_session(process)
            raise

    def _await_free(self, side: Side) -> None:
        give_up = time.monotonic() + GRACE
        while is_listening(self.url):
            if time.monotonic() > give_up:
                raise SwapError(
                    f"something still listens at {self.url} after the server of {side.option} was stopped: "
                    "what the command started outlived it; stop that, and give a command that stays in front"
                )
            time.sleep(_PAUSE)


def _check_finished(side: Side, run: Path) -> None:
    """Refuse to go on with a side that there is nothing to compare of, however pytest ended."""
    from ..runs import RunFolderError, read_run

    try:
        is_finished = read_run(run).finished is not None
    except RunFolderError as error:
        raise SwapError(
            f"{side.name}: pytest kept no run, its report is above ({error}); mend the arguments behind --"
        ) from error
    if not is_finished:
        raise NotMeasured(
            f"{side.name}: pytest could not finish its run, its report is above; what was measured is in "
            f"{run}"
        )


def _end_session(process: subprocess.Popen[bytes]) -> None:
    """Let pytest write down what it has: a terminal's Ctrl-C has reached it, another signal has not."""
    for seconds, number in ((1.0, signal.SIGINT), (20.0, signal.SIGTERM), (5.0, signal.SIGKILL)):
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return
        process.send_signal(number)
    process.wait()


def _why_not_serving(url: str) -> str | None:
    """Return what keeps the server at ``url`` from serving; ``None`` where it serves.

    Which model to ask, and with which key, is for the session to settle.
    """
    from ..serving.probe import probe_server
    from ..serving.probe_errors import NotAModelServer, ProbeError, ServerLoading, ServerUnreachable

    try:
        probe_server(url)
    except (ServerUnreachable, ServerLoading, NotAModelServer) as error:
        return str(error).partition(";")[0]
    except ProbeError:
        return None
    return None
