"""What a person sees: the header, the waiting, the third verdict, the report at the end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..evidence import Verdict
from ..report import Line, RunView, Style, against_lines, header_lines, run_lines, visible_line
from ..runs import Findings, RunSummary
from .evaluations.phases import SHOWN_AS

if TYPE_CHECKING:
    from ..compare import RunComparison
    from .run.recorder import Recorder
    from .servers.against import BaseRun
    from .servers.server import ModelServer
    from .stored.replaying import Replay

_MARKUP: dict[Style, dict[str, bool]] = {
    Style.PLAIN: {},
    Style.HEADING: {"bold": True},
    Style.FAINT: {"light": True},
    Style.PASSED: {"green": True},
    Style.FAILED: {"red": True},
    Style.MISSING: {"yellow": True},
}
_STATUS: dict[str, tuple[str, str, tuple[str, dict[str, bool]]]] = {
    "missing": ("missing", "M", ("MISSING", {"yellow": True})),
    "wrong": ("wrong", "w", ("WRONG", {"yellow": True})),
    # A gate that passed is no further passed test.
    "gate passed": ("", "G", ("GATE PASSED", {"green": True})),
    "gate failed": ("failed", "F", ("GATE FAILED", {"red": True})),
    "gate missing": ("missing", "M", ("GATE MISSING", {"yellow": True})),
}
#: Seconds of silence before a terminal says what it waits for, and between lines where it is none.
_PATIENCE_TTY = 1.0
_PATIENCE_LOG = 30.0


class Screen:
    """Writes through pytest's terminal reporter; silent where there is none."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._since = time.monotonic()
        self._next_line = self._since + _PATIENCE_LOG
        self._transient = ""

    @property
    def _reporter(self) -> Any:
        return self._config.pluginmanager.get_plugin("terminalreporter")

    def announce(self, text: str) -> None:
        """Say what takes a while before the tests."""
        if self._reporter is not None and self._config.get_verbosity() >= 0:
            self._reporter.ensure_newline()
            self._reporter.write_line(f"infergate: {visible_line(text)}")

    def header(
        self,
        source: ModelServer | Replay | None,
        recorder: Recorder,
        concurrency: int,
        *,
        replies_of: str | None = None,
    ) -> None:
        """Say where replies come from, how, and where the run is kept."""
        if self._reporter is None or self._config.get_verbosity() < 0:
            return
        self._reporter.ensure_newline()
        for text in header_lines(
            source.as_json() if source else None,
            concurrency=concurrency,
            replies_of=replies_of,
            folder=self.shown(recorder.folder),
            partial=recorder.partial,
        ):
            self._reporter.write_line(text)
        if source is not None and source.blocked is not None:
            self._reporter.write_line(
                f"infergate: nothing is sent: {visible_line(str(source.blocked))}", yellow=True
            )

    def base_header(self, base: BaseRun, concurrency: int) -> None:
        """Say which server the one under test is compared with, and where its run is kept."""
        server = base.server
        if server is None or self._reporter is None or self._config.get_verbosity() < 0:
            return
        for text in against_lines(
            server.as_json(),
            concurrency=concurrency,
            folder=self.shown(base.recorder.folder),
            is_same=base.is_candidate,
        ):
            self._reporter.write_line(text)
        if server.blocked is not None:
            why = visible_line(str(server.blocked))
            self._reporter.write_line(f"infergate: nothing is sent to the base: {why}", yellow=True)

    def waiting(self, seconds: float, recorder: Recorder | None) -> None:
        """Say that a reply is awaited: one line that goes away, or in a log a line now and then."""
        if self._reporter is None or recorder is None or seconds < _PATIENCE_TTY:
            return
        text = f"awaiting a reply for {seconds:.0f} s; {recorder.judged} of {recorder.planned} judged"
        if self._reporter.isatty:
            self._erase()
            self._transient = f"  {text}"
            self._write_through(self._transient + "\b" * len(self._transient))
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + _PATIENCE_LOG
            self._write_through(f"\ninfergate: {text}\n")

    def resume(self) -> None:
        """Take the waiting line away: a reply came."""
        self._next_line = time.monotonic() + _PATIENCE_LOG
        self._erase()

    def begin_gates(self) -> None:
        """Let the reports of gates stand on a line of their own."""
        if self._reporter is not None:
            self._reporter.ensure_newline()
            if self._config.get_verbosity() <= 0:
                self._reporter.write("gates ")

    def summary(
        self,
        recorder: Recorder,
        summary: RunSummary | None,
        findings: Findings | None,
        trouble: str | None,
        comparisons: Sequence[RunComparison] = (),
    ) -> None:
        """Write the report of the run."""
        if self._reporter is None:
            return
        self._reporter.section("infergate", bold=True)
        if trouble is not None:
            self._reporter.write_line(trouble, red=True)
        if summary is None or findings is None:
            return
        view = RunView(
            summary=summary,
            findings=findings,
            folder=self.shown(recorder.folder),
            partial=recorder.partial,
            rescored=recorder.rescored,
            comparisons=tuple(comparisons),
        )
        self._write(run_lines(view, self._reporter._tw.fullwidth))
        if summary.verdict is not Verdict.PASSED:
            self._write_tracebacks()

    def status(self, report: Any) -> tuple[str, str, Any] | None:
        """Return category, letter and word of a report of ours; ``None`` for pytest's own.

        An outcome that pytest does not know is the word of a plugin that runs tests again.
        """
        if report.outcome not in ("passed", "failed", "skipped"):
            return None
        return _STATUS.get(getattr(report, SHOWN_AS, ""))

    def _write_tracebacks(self) -> None:
        """Show where evaluations broke, as pytest shows errors; our category hides it otherwise."""
        broken = [
            report
            for report in self._reporter.getreports("missing")
            if not isinstance(report.longrepr, (str, type(None)))
        ]
        for report in broken[:3]:
            self._reporter.write_sep("_", f"evaluation error in {report.nodeid}", yellow=True)
            self._reporter._outrep_summary(report)

    def _write(self, lines: Iterable[Line]) -> None:
        for parts in lines:
            for number, segment in enumerate(parts, start=1):
                text = segment.text.rstrip() if number == len(parts) else segment.text
                self._reporter.write(text, **_MARKUP[segment.style])
            self._reporter.write("\n")

    def _erase(self) -> None:
        if self._transient:
            width = len(self._transient)
            self._write_through(" " * width + "\b" * width)
            self._transient = ""

    def _write_through(self, text: str) -> None:
        """Write while a test runs, when pytest holds back what is written."""
        capture = self._config.pluginmanager.get_plugin("capturemanager")
        with capture.global_and_fixture_disabled() if capture else nullcontext():
            self._reporter._tw.write_raw(text, flush=True)

    def shown(self, folder: Path) -> str:
        """Return a path as a person would type it where pytest was started."""
        relative = os.path.relpath(folder, self._config.invocation_params.dir)
        return str(folder) if relative.startswith("..") else relative
