"""Whether a transcript goes on to the end of what is spoken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..evidence import Missing, NoAnswer, Reason
from .audio import RATE, Audio
from .transcript import Transcript

if TYPE_CHECKING:
    from .audio import Samples

#: So much speech after the last words, in seconds, is more than a transcriber's times are off by.
UNHEARD_S = 2.0
#: A transcriber may count the audio that it got this much shorter than it is.
_SHORTER_S = 1.0
_LONGEST_S = 300.0


def find_cut(transcript: Transcript, audio: Audio) -> Missing | None:
    """Say that the transcript is ``truncated``; ``None`` where it is not, or where that cannot be known.

    A decoder may stop early and the server answer 200 (vllm-project/vllm#53144: 29.42 s of audio, the last
    segment ends at 21.56 s). The rule: there are words, and at least ``UNHEARD_S`` seconds of what follows
    the last of them is speech to Silero's voice activity detector; or the transcriber says itself that it got
    less audio than there is. A transcript without words is none that was cut off. Raises ``NoAnswer``
    (``evaluator_unavailable``) without the extra ``speech``.
    """
    if not transcript.has_words:
        return None
    heard = transcript.audio_duration_s
    if heard is not None and 0 < heard < audio.duration_s - _SHORTER_S:
        return Missing(
            Reason.TRUNCATED,
            f"the transcriber got {heard:.2f} s of audio, the clip has {audio.duration_s:.2f} s",
        )
    end = transcript.end_s
    if end is None or audio.duration_s - end < UNHEARD_S:
        return None
    unheard = speech_after(audio, end)
    if unheard < UNHEARD_S:
        return None
    return Missing(
        Reason.TRUNCATED,
        f"the transcript ends at {end:.2f} s of {audio.duration_s:.2f} s, and {unheard:.1f} s of the rest "
        "is speech",
    )


def speech_after(audio: Audio, second: float) -> float:
    """Return how many seconds of the clip after ``second`` are speech, in bounded memory."""
    import numpy

    skipped = round(max(0.0, second) * RATE)
    found = 0.0
    rest = numpy.zeros(0, numpy.float32)
    for block in audio.blocks():
        if skipped >= block.size:
            skipped -= block.size
            continue
        rest, skipped = numpy.concatenate([rest, block[skipped:]]), 0
        if rest.size > _LONGEST_S * RATE:
            found += _speech_in(rest)
            rest = rest[:0]
    return found + (_speech_in(rest) if rest.size else 0.0)


def _speech_in(samples: Samples) -> float:
    try:
        from faster_whisper.vad import VadOptions, get_speech_timestamps
    except ImportError as error:
        raise NoAnswer(
            Reason.EVALUATOR_UNAVAILABLE,
            f"finding speech needs faster-whisper ({error}); pip install 'pytest-infergate[speech]'",
        ) from error
    # No padding: what lies around speech is not speech.
    options = VadOptions(speech_pad_ms=0, min_silence_duration_ms=500)
    found = get_speech_timestamps(samples, options)
    return float(sum(one["end"] - one["start"] for one in found)) / RATE
