"""A clip with known words and one of silence: what a transcriber must get right before its scores count."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..evidence import digest
from .alignment import Unit, align
from .audio import Audio, open_audio
from .normalizing import parse_normalizer
from .transcriber import Transcriber
from .wav import silent_wav

#: What ``canary.ogg`` says.
CANARY_WORDS = "Please open the window, because the evening air is cool and the garden is quiet."
#: Five of its fifteen words may be wrong: a small model that hears, hears better than that.
CANARY_LIMIT = 1 / 3
SILENCE_S = 5.0

_CLIP = Path(__file__).with_name("canary.ogg")
_NORMALIZER = "basic"
_LANGUAGE = "en"


@lru_cache(maxsize=1)
def canary_digest() -> str:
    """Return the digest of both clips and of what is asked of a transcriber."""
    return digest([_spoken().sha256, CANARY_WORDS, CANARY_LIMIT, _NORMALIZER, SILENCE_S])


def canary_problem(transcriber: Transcriber) -> str | None:
    """Have both clips transcribed and say what is wrong, ``None`` where nothing is.

    Raises what ``Transcriber.transcribe`` raises, and ``NoAnswer`` without the extra ``speech``.
    """
    heard = transcriber.transcribe(_spoken(), _LANGUAGE).text
    if not any(character.isalnum() for character in heard):
        return f"canary: heard nothing in a clip that says {CANARY_WORDS!r}"
    rate = align(CANARY_WORDS, heard, parse_normalizer(_NORMALIZER), Unit.WORD).rate
    if rate is None or rate > CANARY_LIMIT:
        shown = f"{heard:.120} …" if len(heard) > 120 else heard
        return f"canary: heard {shown!r} in a clip that says {CANARY_WORDS!r}"
    in_silence = transcriber.transcribe(_silent(), _LANGUAGE)
    if in_silence.has_words:
        return (
            f"canary: heard {in_silence.text[:120]!r} in {SILENCE_S:g} s of silence; turn its voice activity "
            "detection on"
        )
    return None


@lru_cache(maxsize=1)
def _spoken() -> Audio:
    return open_audio(_CLIP)


@lru_cache(maxsize=1)
def _silent() -> Audio:
    return open_audio(silent_wav(SILENCE_S))
