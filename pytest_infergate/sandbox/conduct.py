"""Seeing one run through from outside: its channel, its output, its clocks, and what ended it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from ..evidence import NoAnswer, Reason
from .exam import Exam, Paper, set_exam
from .job import Job
from .limits import Limits
from .outcome import EndReason, Outcome

#: Seconds until the runner inside has to say that it started; no clock of the code runs yet.
_START_S = 60.0
#: Seconds to wait for what a killed run still holds open.
_DRAIN_S = 2.0
_CHANNEL_LIMIT = 1024 * 1024
#: Two papers, their two ends, and that there are no more.
_ANSWERS = 5
_TESTS_LINE = re.compile(r'^ +File "tests", line (\d+).*\n(?! {4})', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How a backend starts the runner: a command, and this side's ends of the channel to it.

    ``stop`` ends what ``SIGKILL`` to the command's process group does not reach.
    """

    command: Sequence[str]
    to_runner: int
    from_runner: int
    pass_fds: tuple[int, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    stop: Callable[[], None] = lambda: None


def conduct(launch: Launch, job: Job, limits: Limits) -> Outcome:
    """Run ``job`` and return how it ended; nothing of it lives on.

    Raises ``NoAnswer`` (``evaluator_unavailable``) where the backend did not come to run it, and
    ``SandboxError`` for tests that are no Python.
    """
    exam = set_exam(job.tests) if job.tests is not None else None
    begun = time.monotonic()
    try:
        process = subprocess.Popen(
            launch.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(launch.env),
            cwd=launch.folder,
            pass_fds=launch.pass_fds,
            start_new_session=True,
        )
    except OSError as error:
        os.close(launch.to_runner)
        os.close(launch.from_runner)
        raise NoAnswer(Reason.EVALUATOR_UNAVAILABLE, f"the sandbox did not start: {error}") from error
    finally:
        for end in launch.pass_fds:
            os.close(end)
    run = _Run(process, launch, job, limits, exam)
    try:
        run.watch()
    finally:
        run.end()
    return run.outcome(time.monotonic() - begun)


class _Run:
    """One run under way; what it says over the channel is read as the words of an adversary."""

    def __init__(
        self, process: subprocess.Popen[bytes], launch: Launch, job: Job, limits: Limits, exam: Exam | None
    ) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._launch, self._limits, self._exam = process, launch, limits, exam
        self._outputs = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
        self._stdout, self._stderr = self._outputs.values()
        self._channel = bytearray()
        self._heard = 0
        self._unsent = memoryview(_line(_opening(job, limits)))
        self._selector = selectors.DefaultSelector()
        for end in (*self._outputs, launch.from_runner):
            os.set_blocking(end, False)
            self._selector.register(end, selectors.EVENT_READ)
        os.set_blocking(launch.to_runner, False)
        self._selector.register(launch.to_runner, selectors.EVENT_WRITE)
        self._deadline = time.monotonic() + _START_S
        self._has_started = False
        self._sitting: Paper | None = None
        self._tokens: set[str] = set()
        self._status: int | None = None
        self._has_sat_decoy = self._is_muted = False
        self._answers_left = _ANSWERS
        self._raised: str | None = None
        self._said = ""
        self._stopped_by: EndReason | None = None

    def watch(self) -> None:
        """Return when the run has ended, or has to be."""
        while self._stopped_by is None and self._is_open():
            left = self._deadline - time.monotonic()
            if left <= 0:
                self._stop_late()
                return
            # Strays of the plain backend keep pipes open after their parent has ended: look at both.
            ready = self._selector.select(min(left, 0.05))
            if not ready and self._process.poll() is not None:
                return
            self._serve(ready)
        if self._stopped_by is None:
            try:
                self._process.wait(max(0.0, self._deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                self._stop_late()

    def _stop_late(self) -> None:
        if self._is_muted:
            self._has_sat_decoy = True  # it came no further than the tests: all that a decoy has to show
        else:
            self._stopped_by = EndReason.TIMEOUT

    def end(self) -> None:
        """Kill what is left, read what it had said, and close everything."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._launch.stop()
        self._process.wait()
        self._deadline = time.monotonic() + _DRAIN_S
        while self._is_open() and time.monotonic() < self._deadline:
            ready = self._selector.select(0.05)
            if not ready:
                break  # a named pipe, open on this side too, has no end
            self._serve(ready)
        self._selector.close()
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()
        os.close(self._launch.from_runner)
        os.close(self._launch.to_runner)

    def outcome(self, duration_s: float) -> Outcome:
        if not self._has_started:
            self._refuse(duration_s)
        code = None if self._stopped_by in (EndReason.TIMEOUT, EndReason.OUTPUT) else self._exit_code()
        stderr = self._stderr[: self._limits.output].decode(errors="replace") + self._said
        return Outcome(
            reason=self._stopped_by or self._reason(code),
            exit_code=code,
            stdout=self._stdout[: self._limits.output].decode(errors="replace"),
            stderr=stderr,
            duration_s=round(duration_s, 6),
        )

    def _refuse(self, duration_s: float) -> None:
        said = " ".join(self._stderr.decode(errors="replace").split())[:300]
        why = said or f"it ended with status {self._process.returncode}"
        if self._stopped_by is EndReason.TIMEOUT:
            why = f"it had not started after {duration_s:.0f} s"
        raise NoAnswer(
            Reason.EVALUATOR_UNAVAILABLE, f"the sandbox did not start, the code was not run: {why}"
        )

    def _exit_code(self) -> int:
        if self._status is not None:
            return os.waitstatus_to_exitcode(self._status)
        code = self._process.returncode
        # What starts the runner hands a signal on as 128 + its number, as shells do.
        return 128 - code if 128 < code <= 192 else code

    def _reason(self, code: int | None) -> EndReason:
        if self._exam is not None and self._exam.decoy.token in self._tokens:
            return EndReason.FORGED
        if code == -signal.SIGXCPU:
            return EndReason.CPU
        if code == -signal.SIGXFSZ:
            return EndReason.FILE_SIZE
        if code is None or code < 0:
            return EndReason.SIGNAL
        if code:
            return EndReason.MEMORY if self._raised == "MemoryError" else EndReason.EXIT
        if self._exam is None or (self._exam.real.token in self._tokens and self._has_sat_decoy):
            return EndReason.FINISHED
        return EndReason.LEFT_EARLY

    def _is_open(self) -> bool:
        return any(key.events & selectors.EVENT_READ for key in self._selector.get_map().values())

    def _serve(self, ready: list[tuple[selectors.SelectorKey, int]]) -> None:
        for key, _ in ready:
            if key.fd == self._launch.to_runner:
                self._write()
                continue
            data = _read(key.fd)
            if data is None:
                continue
            if not data:
                self._selector.unregister(key.fd)
            elif key.fd == self._launch.from_runner:
                self._hear(data)
            else:
                self._keep(key.fd, data)

    def _keep(self, end: int, data: bytes) -> None:
        if self._is_muted:
            return
        output = self._outputs[end]
        output += data
        if len(output) > self._limits.output:
            self._stopped_by = self._stopped_by or EndReason.OUTPUT

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._launch.to_runner, self._unsent) :]
        except BlockingIOError:
            return
        except OSError:  # it has ended, or closed its side
            self._unsent = memoryview(b"")
        if not self._unsent:
            self._selector.unregister(self._launch.to_runner)

    def _hear(self, data: bytes) -> None:
        self._heard += len(data)
        if self._heard > _CHANNEL_LIMIT:
            self._stopped_by = self._stopped_by or EndReason.OUTPUT
            return
        self._channel += data
        if b"\n" not in data:
            return
        *lines, self._channel = self._channel.split(b"\n")
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                message = json.loads(line)
                if isinstance(message, dict):
                    self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("started") is True and not self._has_started:
            self._has_started = True
            self._deadline = time.monotonic() + self._limits.wall_s
        if self._exam is None:
            if isinstance(message.get("raised"), str):
                self._raised = message["raised"]
            return
        if message.get("ready") is True and self._sitting is None:
            self._hand_out(self._exam.real)
        elif message.get("at_end") is True and self._sitting is not None:
            self._send(self._sitting.end)
        elif self._sitting is not self._exam.decoy and isinstance(message.get("raised"), str):
            self._raised = message["raised"]
            if isinstance(message.get("said"), str):
                self._said = _with_lines(message["said"], self._exam.tests)
        elif isinstance(message.get("token"), str):
            self._tokens.add(message["token"])
        elif type(message.get("status")) is int:
            self._finish(self._exam, message["status"] & 0xFFFF)

    def _hand_out(self, paper: Paper) -> None:
        self._sitting = paper
        self._send({"body": paper.body, "compare": paper.compare, "hand_in": paper.hand_in})

    def _finish(self, exam: Exam, status: int) -> None:
        """Take the end of a paper: a passed one is followed by the decoy, which has a clock of its own."""
        if self._sitting is exam.real and self._status is None:
            self._status = status
            if exam.real.token in self._tokens and not status:
                self._mute()
                self._deadline = time.monotonic() + self._limits.wall_s
                self._hand_out(exam.decoy)
                return
        elif self._sitting is exam.decoy:
            self._has_sat_decoy = True
        self._send(None)

    def _mute(self) -> None:
        """Keep what has been printed by now, and nothing more."""
        for end in self._outputs:
            while self._stopped_by is None and (data := _read(end)):
                self._keep(end, data)
        self._is_muted = True

    def _send(self, message: Any) -> None:
        if not self._answers_left:
            return  # whoever asks for more is not the runner
        self._answers_left -= 1
        self._unsent = memoryview(bytes(self._unsent) + _line(message))
        if self._launch.to_runner not in self._selector.get_map():
            self._selector.register(self._launch.to_runner, selectors.EVENT_WRITE)


def _read(end: int) -> bytes | None:
    """Return what is there to read; nothing at the end, ``None`` where more may come."""
    try:
        return os.read(end, 65536)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _opening(job: Job, limits: Limits) -> dict[str, Any]:
    files = {name: text.encode() if isinstance(text, str) else text for name, text in job.files.items()}
    files["main.py"] = job.code.encode(errors="surrogatepass")
    return {
        "code": job.code,
        "files": {name: content.decode("latin-1") for name, content in files.items()},
        "stdin": job.stdin.encode(errors="surrogatepass").decode("latin-1") if job.stdin else None,
        "has_tests": job.tests is not None,
        "limits": {
            "RLIMIT_CORE": 0,
            "RLIMIT_CPU": ceil(limits.cpu_s),
            "RLIMIT_AS": limits.memory,
            "RLIMIT_FSIZE": limits.file_size,
            "RLIMIT_NPROC": limits.processes,
            "RLIMIT_NOFILE": 256,
        },
    }


def _line(message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _with_lines(said: str, tests: str) -> str:
    """Put the line of the tests below each place in them that a traceback names."""
    lines = tests.splitlines()

    def quote(match: re.Match[str]) -> str:
        number = int(match[1])
        return f"{match[0]}    {lines[number - 1].strip()}\n" if 0 < number <= len(lines) else match[0]

    return _TESTS_LINE.sub(quote, said)
