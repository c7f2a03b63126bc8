"""What evaluators ask in a session: the judge's server, the transcriber's, the model that hears here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pytest

from ...evidence import Gate
from ..options.server_option import ServerOption
from ..options.settings import Settings
from ..run.recorder import Recorder
from .endpoint import ASR_ENDPOINT, JUDGE_ENDPOINT, known_engines
from .evaluator_server import EvaluatorServer
from .hosts import worker_total

if TYPE_CHECKING:
    from ...speech import WhisperFolder


class EvaluatorServers:
    """Found once, named in every run of the session, confirmed where they were asked."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._judge: EvaluatorServer | None = None
        self._asr: EvaluatorServer | None = None
        self._local: WhisperFolder | None = None

    @property
    def has_judge(self) -> bool:
        return self._judge is not None

    def open(self) -> None:
        """Find those that are given, and let every process know. May be called again.

        Raises ``pytest.UsageError`` where an address is not usable, or there is no such local model.
        """
        settings, stash = self._settings, self._config.stash
        engines = known_engines(self._config)
        if settings.judge and self._judge is None:
            self._judge = EvaluatorServer.open(settings, ServerOption.JUDGE, settings.judge, engines)
            stash[JUDGE_ENDPOINT] = self._judge.endpoint
        if settings.asr and self._asr is None:
            self._asr = EvaluatorServer.open(settings, ServerOption.ASR, settings.asr, engines)
            stash[ASR_ENDPOINT] = self._asr.endpoint
        if settings.asr_model and self._local is None:
            from ...speech import TranscriberError, find_whisper

            try:
                self._local = find_whisper(settings.asr_model)
            except TranscriberError as error:
                raise pytest.UsageError(f"--infer-asr-model: {error}") from None

    def name(self, recorders: Sequence[Recorder], announce: Callable[[str], None]) -> None:
        """Write them into the runs, before the first question, and tell a person."""
        for server in (self._judge, self._asr):
            if server is not None:
                announce(str(server))
        if self._local is not None:
            announce(self._local_text(self._local))
        self._write(recorders)

    def confirm(self, recorders: Sequence[Recorder]) -> Iterator[Gate]:
        """Probe again those that were asked; yield whether they are still the same."""
        if self._judge is not None and any(one.asked_judge for one in recorders):
            yield from self._judge.confirm()
        if self._asr is not None and any(one.asked_transcriber for one in recorders):
            yield from self._asr.confirm(may_be_gone=self._settings.allows_asr_fallback)
        self._write(recorders)

    def _local_text(self, folder: WhisperFolder) -> str:
        """Say who hears here, and what that costs: each process has a copy of its own."""
        begun = "where it cannot, they" if self._asr is not None else "clips"
        text = f"{begun} are transcribed here, by the Whisper model {folder.model}"
        workers = worker_total(self._config)
        if not workers:
            return text
        megabytes = (folder.path / "model.bin").stat().st_size / 1e6
        return (
            f"{text}; each of {workers} workers that hears a clip loads it for itself, {megabytes:.0f} MB of "
            "weights each"
        )

    def _write(self, recorders: Sequence[Recorder]) -> None:
        for recorder in recorders:
            if self._judge is not None:
                recorder.name_judge(self._judge.as_json())
            if self._asr is not None:
                recorder.name_asr(self._asr.as_json())
