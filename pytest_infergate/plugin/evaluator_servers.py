"""The servers that evaluators ask in one session: the judge's and the transcriber's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from ..evidence import Gate
from .endpoint import ASR_ENDPOINT, JUDGE_ENDPOINT, known_engines
from .evaluator_server import EvaluatorServer
from .recorder import Recorder
from .server_option import ServerOption
from .settings import Settings


class EvaluatorServers:
    """Found once, named in every run of the session, confirmed where they were asked."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._judge: EvaluatorServer | None = None
        self._asr: EvaluatorServer | None = None

    @property
    def has_judge(self) -> bool:
        return self._judge is not None

    def open(self) -> None:
        """Find those that are given, and let every process know. May be called again.

        Raises ``pytest.UsageError`` where an address is not usable.
        """
        settings, stash = self._settings, self._config.stash
        engines = known_engines(self._config)
        if settings.judge and self._judge is None:
            self._judge = EvaluatorServer.open(settings, ServerOption.JUDGE, settings.judge, engines)
            stash[JUDGE_ENDPOINT] = self._judge.endpoint
        if settings.asr and self._asr is None:
            self._asr = EvaluatorServer.open(settings, ServerOption.ASR, settings.asr, engines)
            stash[ASR_ENDPOINT] = self._asr.endpoint

    def name(self, recorders: Sequence[Recorder], announce: Callable[[str], None]) -> None:
        """Write them into the runs, before the first question, and tell a person."""
        for server in (self._judge, self._asr):
            if server is not None:
                announce(str(server))
        self._write(recorders)

    def confirm(self, recorders: Sequence[Recorder]) -> Iterator[Gate]:
        """Probe again those that were asked; yield whether they are still the same."""
        if self._judge is not None and any(one.asked_judge for one in recorders):
            yield from self._judge.confirm()
        if self._asr is not None and any(one.asked_transcriber for one in recorders):
            yield from self._asr.confirm(may_be_gone=self._settings.allows_asr_fallback)
        self._write(recorders)

    def _write(self, recorders: Sequence[Recorder]) -> None:
        for recorder in recorders:
            if self._judge is not None:
                recorder.name_judge(self._judge.as_json())
            if self._asr is not None:
                recorder.name_asr(self._asr.as_json())
