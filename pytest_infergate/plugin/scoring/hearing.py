"""Who hears clips in one process: the transcribers that the session names, made with the first clip."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from ...evidence import Reason
from ...serving import Uploader
from ..options.settings import Settings
from ..run.run_head import asr_api_key
from ..servers.endpoint import ASR_ENDPOINT, Endpoint

if TYPE_CHECKING:
    from ...speech import Audio, Chain, Heard, Transcriber, TranscriberIdentity


class Hearing:
    """Hears clips for evaluations: the server of ``--infer-asr``, the local model, those that packages add.

    The model is loaded once in a process and kept; threads share it.
    """

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._lock = threading.Lock()
        self._chain: Chain | None = None
        self._uploader: Uploader | None = None

    @property
    def identity(self) -> TranscriberIdentity | None:
        """Who is preferred, ``None`` without a transcriber. Loads its model, or asks it for its canary."""
        return self._ready().identity

    def hear(self, audio: Audio, language: str | None, *, allows_fallback: bool | None) -> Heard:
        """Have a clip transcribed; ``allows_fallback`` ``None``: as the session says.

        Raises what ``Chain.hear`` raises.
        """
        if allows_fallback is None:
            allows_fallback = self._settings.allows_asr_fallback
        return self._ready().hear(audio, language, allow_fallback=allows_fallback)

    def close(self) -> None:
        """End what is in flight and ask nothing more. May be called again."""
        if self._uploader is not None:
            self._uploader.close()

    def _ready(self) -> Chain:
        with self._lock:
            if self._chain is None:
                from ...speech import Chain

                self._chain = Chain(list(self._transcribers()))
            return self._chain

    def _transcribers(self) -> Iterator[Transcriber]:
        endpoint = self._config.stash.get(ASR_ENDPOINT, None)
        if endpoint is not None:
            yield self._server(endpoint)
        if self._settings.asr_model is not None:
            yield _local(self._settings.asr_model)
        for added in self._config.hook.pytest_infergate_transcribers(config=self._config):
            yield from added

    def _server(self, endpoint: Endpoint) -> Transcriber:
        from ...speech import AbsentTranscriber, OpenAIServer, TranscriberError, TranscriberUnavailable

        identity = _identity_of(endpoint)
        if endpoint.blocked is not None:
            is_refused = endpoint.blocked.reason is Reason.SERVER_ERROR  # it wants another key
            kind = TranscriberError if is_refused else TranscriberUnavailable
            return AbsentTranscriber(identity=identity, error=kind(endpoint.blocked.detail))
        self._uploader = Uploader(
            endpoint.url,
            api_key=asr_api_key(self._settings),
            timeout=endpoint.timeout,
            retries=endpoint.retries,
        )
        return OpenAIServer(self._uploader, identity)


def _local(name: str) -> Transcriber:
    from ...speech import (
        AbsentTranscriber,
        FasterWhisper,
        TranscriberError,
        TranscriberIdentity,
        find_whisper,
    )

    try:
        return FasterWhisper(find_whisper(name))
    except TranscriberError as error:
        identity = TranscriberIdentity(backend="faster-whisper", backend_version=None, model=name)
        return AbsentTranscriber(identity=identity, error=error)


def _identity_of(endpoint: Endpoint) -> TranscriberIdentity:
    """Return what is known of a server as a transcriber: its program, its model, its weights."""
    from ...speech import TranscriberIdentity

    identity = endpoint.identity
    if identity is None:
        return TranscriberIdentity(
            backend="transcription server", backend_version=None, model=endpoint.model or "unknown"
        )
    told = {
        name: None if known is None else str(known.value)
        for name in ("engine_version", "weights_digest")
        for known in (identity.known(name),)
    }
    return TranscriberIdentity(
        backend="transcription server" if identity.engine == "generic" else identity.engine,
        backend_version=told["engine_version"],
        model=identity.model,
        weights_digest=told["weights_digest"],
    )


#: What hears clips in this process, once evaluations were collected.
HEARING = pytest.StashKey[Hearing]()
