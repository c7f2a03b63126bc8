"""A clip as every transcription server reads it: WAV, mono, 16 kHz, 16 bits."""

from __future__ import annotations

import wave
from typing import BinaryIO

from .audio import RATE, Audio


def write_wav(audio: Audio, file: BinaryIO) -> None:
    """Write ``audio`` to ``file``, block by block. Raises ``UndecodableMedia`` where it changed since."""
    import numpy

    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        for block in audio.blocks():
            out.writeframes((block.clip(-1.0, 1.0) * 32767).round().astype(numpy.dtype("<i2")).tobytes())


def silent_wav(seconds: float) -> bytes:
    """Return that much digital silence."""
    import io

    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(bytes(2 * round(seconds * RATE)))
    return file.getvalue()
