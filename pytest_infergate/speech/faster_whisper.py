"""Whisper in this process, with faster-whisper."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .audio import Audio
from .pieces import PIECE_S, pieces_of
from .transcriber import TranscriberError, TranscriberIdentity, TranscriberUnavailable
from .transcript import Segment, Transcript
from .whisper_folder import WhisperFolder
from .whisper_options import options_in_effect

if TYPE_CHECKING:
    from collections.abc import Iterator

BACKEND = "faster-whisper"
#: The same clip gives the same words: one temperature, a beam, no text of earlier windows. Voice activity
#: detection, because Whisper makes up words for silence.
DECODING: Mapping[str, Any] = {
    "task": "transcribe",
    "temperature": [0.0],
    "beam_size": 5,
    "condition_on_previous_text": False,
    "vad_filter": True,
}
#: What faster-whisper, CTranslate2, tokenizers and onnxruntime raise for models and audio they cannot use.
_TROUBLE = (RuntimeError, ValueError, OSError, MemoryError)


class FasterWhisper:
    """One model, loaded with the first clip and kept; threads share it and take turns."""

    def __init__(self, folder: WhisperFolder) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._model: Any = None
        self._trouble: str | None = None
        self._identity: TranscriberIdentity | None = None

    def __repr__(self) -> str:
        return f"FasterWhisper({str(self._folder.path)!r})"

    @property
    def identity(self) -> TranscriberIdentity:
        """Who it is. Loads the model: only then is known what it computes with."""
        with self._lock:
            try:
                self._load()
            except TranscriberUnavailable:
                return self._identity_of(None)
            assert self._identity is not None
            return self._identity

    def transcribe(self, audio: Audio, language: str | None) -> Transcript:
        """Return what is heard. Long clips are heard in pieces of ten minutes, cut where it is quiet.

        Raises ``TranscriberUnavailable`` for a model that cannot be loaded or run, ``TranscriberError`` for a
        language that it does not have, ``UndecodableMedia`` for a clip that changed since.
        """
        with self._lock:
            model = self._load()
            _check_language(model, language, self._folder)
            begun = time.monotonic()
            segments: list[Segment] = []
            probability: float | None = None
            speech_s = 0.0
            heard_language = language
            for begins_s, samples in pieces_of(audio):
                try:
                    came, info = model.transcribe(samples, language=heard_language, **DECODING)
                    found = [_segment(one, begins_s) for one in came]
                except _TROUBLE as error:
                    raise TranscriberUnavailable(
                        f"{BACKEND} broke off in the clip: {_said(error)}"
                    ) from error
                segments += found
                speech_s += info.duration_after_vad
                # The first piece with speech decides the language of the clip, as faster-whisper does.
                if heard_language is None and info.duration_after_vad > 0:
                    heard_language, probability = info.language, info.language_probability
        return Transcript(
            text="".join(segment.text for segment in segments).strip(),
            language_asked=language,
            language=heard_language,
            language_probability=probability,
            segments=tuple(segments),
            audio_duration_s=audio.duration_s,
            duration_after_vad_s=speech_s,
            elapsed_s=time.monotonic() - begun,
        )

    def _load(self) -> Any:
        if self._trouble is not None:
            raise TranscriberUnavailable(self._trouble)
        if self._model is None:
            try:
                self._model, self._identity = self._loaded()
            except TranscriberUnavailable as error:
                self._trouble = str(error)
                raise
        return self._model

    def _loaded(self) -> tuple[Any, TranscriberIdentity]:
        try:
            from faster_whisper import WhisperModel
        except ImportError as error:
            raise TranscriberUnavailable(
                f"transcribing here needs faster-whisper ({error}); pip install 'pytest-infergate[speech]'"
            ) from error
        try:
            before = self._folder.weights_digest
            with _quiet():
                model = WhisperModel(str(self._folder.path), local_files_only=True)
            identity = self._identity_of(model)
        except Exception as error:  # tokenizers raises bare exceptions for a file that is torn
            raise TranscriberUnavailable(
                f"the model in {str(self._folder.path)!r} cannot be loaded: {_said(error)}"
            ) from error
        if identity.weights_digest != before:
            raise TranscriberUnavailable(
                f"the model in {str(self._folder.path)!r} was changed while it was being loaded"
            )
        return model, identity

    def _identity_of(self, model: Any) -> TranscriberIdentity:
        options = dict(DECODING if model is None else options_in_effect(DECODING))
        options["piece_s"] = PIECE_S
        weights = None
        try:
            weights = self._folder.weights_digest
            options["files"] = self._folder.settings_digest
        except OSError:
            if model is not None:
                raise
        return TranscriberIdentity(
            backend=BACKEND,
            backend_version=_versions(),
            model=self._folder.model,
            weights_digest=weights,
            device=None if model is None else str(model.model.device),
            compute_type=None if model is None else str(model.model.compute_type),
            options=options,
        )


def _check_language(model: Any, language: str | None, folder: WhisperFolder) -> None:
    if language is None:
        return
    if not model.model.is_multilingual:
        if language != "en":
            raise TranscriberError(
                f"the model {folder.model!r} hears English only and was asked for {language!r}; give a "
                "multilingual model"
            )
    elif model.hf_tokenizer.token_to_id(f"<|{language}|>") is None:
        raise TranscriberError(
            f"the model {folder.model!r} does not know the language {language!r}; give a model that does"
        )


def _segment(one: Any, begins_s: float) -> Segment:
    return Segment(
        start_s=begins_s + float(one.start),
        end_s=begins_s + float(one.end),
        text=str(one.text),
        temperature=one.temperature,
        no_speech_prob=float(one.no_speech_prob),
        avg_logprob=float(one.avg_logprob),
        compression_ratio=float(one.compression_ratio),
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep CTranslate2 from warning that it computes in another type than the file's: that is recorded."""
    import logging

    import ctranslate2

    before = ctranslate2.get_log_level()
    ctranslate2.set_log_level(logging.ERROR)
    try:
        yield
    finally:
        ctranslate2.set_log_level(before)


def _versions() -> str | None:
    """Return the versions of all that decides the words; ``None`` without faster-whisper."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{version('faster-whisper')} (ctranslate2 {version('ctranslate2')})"
    except PackageNotFoundError:
        return None


def _said(error: BaseException) -> str:
    words = " ".join(str(error).split()) or type(error).__name__
    return words if len(words) <= 200 else f"{words[:197]}..."
