"""What a transcriber heard."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class TranscriptFlag(Enum):
    """What a person should know of a transcript; none of these is a verdict."""

    #: No words.
    EMPTY = "empty"
    #: Words, where there is nothing to hear.
    WORDS_IN_SILENCE = "words_in_silence"
    #: Decoded at a temperature above 0: the same clip may give other words.
    SAMPLED = "sampled"
    #: Another language was heard than was asked for.
    LANGUAGE_DIFFERS = "language_differs"
    #: The transcriber does not say where its words are: a cut-off end could not be seen.
    END_UNKNOWN = "end_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A piece of a transcript. Times in seconds from the beginning of the clip.

    The numbers are Whisper's; ``None`` where the transcriber does not tell. ``temperature`` is the one that
    it was decoded at, ``avg_logprob`` the mean log probability of its tokens, ``compression_ratio`` how much
    gzip shortens it: above 2.4 it repeats itself.
    """

    start_s: float
    end_s: float
    text: str
    temperature: float | None = None
    no_speech_prob: float | None = None
    avg_logprob: float | None = None
    compression_ratio: float | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "start_s": self.start_s,
            "end_s": self.end_s,
            "text": self.text,
            "temperature": self.temperature,
            "no_speech_prob": self.no_speech_prob,
            "avg_logprob": self.avg_logprob,
            "compression_ratio": self.compression_ratio,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """``text`` is what was heard, ``""`` for nothing. ``segments`` is ``None`` where there are no times.

    ``language_asked`` ``None``: the transcriber chose. ``language`` is Whisper's code, ``None`` where the
    transcriber does not tell; ``language_probability`` how sure it was. ``audio_duration_s`` is how much
    audio the transcriber says it got, ``duration_after_vad_s`` how much of it was speech to it.
    ``elapsed_s`` is the time that it took. ``response_format`` is the server's, ``None`` without one.
    """

    text: str
    language_asked: str | None = None
    language: str | None = None
    language_probability: float | None = None
    segments: tuple[Segment, ...] | None = None
    audio_duration_s: float | None = None
    duration_after_vad_s: float | None = None
    elapsed_s: float
    response_format: str | None = None
    flags: tuple[TranscriptFlag, ...] = ()

    @property
    def has_words(self) -> bool:
        """Whether there is a letter or a digit in it."""
        return _has_words(self.text)

    @property
    def end_s(self) -> float | None:
        """Where the last words end, seconds from the beginning; ``None`` where that is not told."""
        segments = self.segments or ()
        spoken = [segment for segment in segments if _has_words(segment.text)] or segments
        return max((segment.end_s for segment in spoken), default=None)

    def as_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "language_asked": self.language_asked,
            "language": self.language,
            "language_probability": self.language_probability,
            "segments": None if self.segments is None else [one.as_json() for one in self.segments],
            "audio_duration_s": self.audio_duration_s,
            "duration_after_vad_s": self.duration_after_vad_s,
            "elapsed_s": self.elapsed_s,
            "response_format": self.response_format,
            "flags": [flag.value for flag in self.flags],
        }


def flags_of(transcript: Transcript, *, is_silent: bool) -> tuple[TranscriptFlag, ...]:
    """Return what a person should know; ``is_silent``: there is nothing to hear in the clip."""
    asked, heard = transcript.language_asked, transcript.language
    segments = transcript.segments or ()
    found = {
        TranscriptFlag.EMPTY: not transcript.has_words,
        TranscriptFlag.WORDS_IN_SILENCE: is_silent and transcript.has_words,
        TranscriptFlag.SAMPLED: any((segment.temperature or 0) > 0 for segment in segments),
        TranscriptFlag.LANGUAGE_DIFFERS: asked is not None and heard is not None and asked != heard,
        TranscriptFlag.END_UNKNOWN: transcript.has_words and transcript.end_s is None,
    }
    return tuple(flag for flag, holds in found.items() if holds)


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)
