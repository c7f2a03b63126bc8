"""A transcription server that speaks OpenAI's form: vLLM, speaches, whisper.cpp, llama.cpp."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import BinaryIO, Protocol

from ..evidence import Missing, Reason
from .audio import Audio
from .transcriber import TranscriberError, TranscriberIdentity, TranscriberUnavailable
from .transcript import Transcript
from .transcription_json import NoTranscription, Transcription, failure_of, parse_transcription
from .wav import write_wav

_DECODING = {"temperature": 0, "sent_as": "wav 16 kHz mono 16 bit"}
#: A server that does not know a form of answer says so with one of these.
_NOT_UNDERSTOOD = (400, 422)
_VERBOSE, _PLAIN = "verbose_json", "json"
#: All of these say "not now" or "not well"; other ones of 400 and more say "not so".
_LATER = (408, 425, 429)
_HINTS = {
    401: "the key is read from the environment variable that --infer-asr-api-key-env names",
    403: "the key is read from the environment variable that --infer-asr-api-key-env names",
    404: "check that --infer-asr is the base URL of a server that transcribes, and the model one that it has",
    405: "check that --infer-asr is the base URL of a server that transcribes",
}


class ServerAnswer(Protocol):
    """What a server sent back. ``error`` ``None``: an answer, whole, whatever its ``status`` says."""

    @property
    def status(self) -> int | None: ...
    @property
    def content_type(self) -> str: ...
    @property
    def body(self) -> bytes: ...
    @property
    def error(self) -> Missing | None: ...


class TranscriptionPort(Protocol):
    """The way to a server: deadlines, retries and keys are its business."""

    @property
    def where(self) -> str:
        """The server's address, without user and password."""
        ...

    def send(
        self, endpoint: str, fields: Mapping[str, str], file: BinaryIO, *, name: str, media_type: str
    ) -> ServerAnswer:
        """Send a form with a file to ``endpoint`` ``transcription``; nothing that a server does raises."""
        ...


class OpenAIServer:
    """Ask a server for transcripts; threads may share it.

    ``who`` is what is known of the server: program, version, model (the id to send), weights; the options and
    the form of its answers are added here. ``verbose_json`` is asked for first. A server that does not
    understand that (400, 422) is asked for ``json``: the same backend, so no fallback; but another identity.
    """

    def __init__(self, port: TranscriptionPort, who: TranscriberIdentity) -> None:
        self._port = port
        self._who = who
        #: The form of answer that worked; ``None`` before the first one.
        self._form: str | None = None

    def __repr__(self) -> str:
        return f"OpenAIServer({self._port.where!r}, model={self._who.model!r})"

    @property
    def identity(self) -> TranscriberIdentity:
        """Who it is, with the form of answer that it was seen to understand."""
        return replace(
            self._who,
            options={**self._who.options, **_DECODING},
            response_format=self._form or _VERBOSE,
        )

    def transcribe(self, audio: Audio, language: str | None) -> Transcript:
        """Send the clip, as 16 kHz WAV, and return what the server heard.

        Raises ``TranscriberUnavailable`` for a server that cannot be reached, is too slow, busy or broken, or
        answers without a transcript; ``TranscriberError`` for one that refuses the request, its key, its
        model or its route; ``UndecodableMedia`` for a clip that changed since.
        """
        with tempfile.TemporaryFile() as file:
            write_wav(audio, file)
            begun = time.monotonic()
            form = self._form or _VERBOSE
            answer = self._ask(file, form, language)
            if form == _VERBOSE and answer.error is None and answer.status in _NOT_UNDERSTOOD:
                form = _PLAIN
                answer = self._ask(file, form, language)
            came = self._read(answer)
            # One that answered in the fuller form before knows it: this clip is an exception.
            self._form = self._form or form
        return Transcript(
            text=came.text,
            language_asked=language,
            language=came.language,
            language_probability=came.language_probability,
            segments=came.segments,
            audio_duration_s=came.duration_s,
            elapsed_s=time.monotonic() - begun,
            response_format=form,
        )

    def _ask(self, file: BinaryIO, form: str, language: str | None) -> ServerAnswer:
        fields = {"model": self._who.model, "response_format": form, "temperature": "0"}
        if language is not None:
            fields["language"] = language
        return self._port.send("transcription", fields, file, name="clip.wav", media_type="audio/wav")

    def _read(self, answer: ServerAnswer) -> Transcription:
        where, status = self._port.where, answer.status
        if answer.error is not None:
            if answer.error.reason is Reason.NOT_RUN:
                raise TranscriberError(answer.error.detail)
            raise TranscriberUnavailable(f"{where}: {answer.error.detail}")
        assert status is not None
        if 200 <= status < 300:
            try:
                return parse_transcription(answer.body, answer.content_type)
            except NoTranscription as error:
                raise TranscriberUnavailable(f"{where} answered HTTP {status} with {error}") from error
        said = f"{where} answered HTTP {status}: {failure_of(answer.body)}"
        if status in _LATER or (status >= 500 and status != 501):
            raise TranscriberUnavailable(said)
        hint = _HINTS.get(status)
        raise TranscriberError(f"{said}; {hint}" if hint else said)
