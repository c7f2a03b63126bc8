"""A transcriber that says what a test wants, and hears the canary unless it is told not to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pytest_infergate.speech import Audio, TranscriberIdentity, Transcript, open_audio
from pytest_infergate.speech.canary import CANARY_WORDS, SILENCE_S

from .clips import encoded, tone

Answer = str | Transcript | Exception


@lru_cache(maxsize=1)
def clip() -> Audio:
    """Two seconds of a tone."""
    return open_audio(encoded([tone()]))


def identity_of(backend: str, **fields: Any) -> TranscriberIdentity:
    return TranscriberIdentity(backend=backend, backend_version="1", model="m", **fields)


def transcript(text: str, **fields: Any) -> Transcript:
    return Transcript(**{"text": text, "elapsed_s": 0.0, **fields})


@dataclass(kw_only=True, eq=False)
class ScriptedTranscriber:
    """``answers``: one for every clip, a list to use up (the last one repeats), or a function of the clip.

    ``canary`` and ``silence`` are the answers to the canary's two clips.
    """

    identity: TranscriberIdentity = field(default_factory=lambda: identity_of("scripted"))
    answers: Answer | Sequence[Answer] | Callable[[Audio], Answer] = "hello"
    canary: Answer = CANARY_WORDS
    silence: Answer = ""
    asked: list[tuple[Audio, str | None]] = field(default_factory=list)
    canaries: int = 0

    def transcribe(self, audio: Audio, language: str | None) -> Transcript:
        if audio.duration_s == SILENCE_S and audio.is_silent:
            return _given(self.silence, language)
        if audio.path is not None and audio.path.name == "canary.ogg":
            self.canaries += 1
            return _given(self.canary, language)
        self.asked.append((audio, language))
        if callable(self.answers):
            return _given(self.answers(audio), language)
        if isinstance(self.answers, (str, Transcript, Exception)):
            return _given(self.answers, language)
        return _given(self.answers[min(len(self.asked), len(self.answers)) - 1], language)


def _given(answer: Answer, language: str | None) -> Transcript:
    if isinstance(answer, Exception):
        raise answer
    return transcript(answer, language_asked=language) if isinstance(answer, str) else answer
