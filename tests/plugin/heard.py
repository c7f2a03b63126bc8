"""What the tests of clips share: tones, and servers that know by its length what is said in a clip."""

from __future__ import annotations

import io
import wave
from array import array
from collections.abc import Mapping
from math import pi, sin
from pathlib import Path
from typing import Any

# Loaded once in a process: pytester forgets what a session imported.
import numpy  # noqa: F401

from pytest_infergate.speech.canary import CANARY_WORDS, SILENCE_S
from tests.scripted import Received, Script, ScriptedServer, json_script
from tests.speech.asr_server import TranscriptionServer

RATE = 16_000


def tone(seconds: float) -> bytes:
    """Return a WAV of a tone: loud enough to be no silence, and no speech."""
    samples = array("h", (int(8000 * sin(2 * pi * 440 * n / RATE)) for n in range(int(RATE * seconds))))
    return wav(samples.tobytes())


def silence(seconds: float) -> bytes:
    return wav(bytes(2 * int(RATE * seconds)))


def wav(samples: bytes) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(samples)
    return file.getvalue()


def write_clips(folder: Path, *seconds: float) -> None:
    """Write ``1.0.wav`` and so on."""
    for length in seconds:
        (folder / f"{length}.wav").write_bytes(tone(length))


def hearing(said: Mapping[float, str], **options: Any) -> TranscriptionServer:
    """Return a server that hears ``said`` of a clip's seconds, and its canaries."""

    def hear(clip: bytes, language: str | None) -> dict[str, Any]:
        with wave.open(io.BytesIO(clip)) as opened:
            seconds = opened.getnframes() / opened.getframerate()
        if abs(seconds - SILENCE_S) < 0.01:
            text = ""
        else:
            known = [text for length, text in said.items() if abs(length - seconds) < 0.01]
            text = known[0] if known else CANARY_WORDS
        segments = [{"start": 0.0, "end": seconds, "text": text}] if text else []
        return {"language": language or "en", "duration": seconds, "text": text, "segments": segments}

    return TranscriptionServer(hear=hear, **options)


def speaking(clips: Mapping[str, bytes], **options: Any) -> ScriptedServer:
    """Return a server that speaks: the clip for each text; ``options`` are of its answers."""

    def handle(received: Received) -> Script:
        if received.method == "GET":
            if received.path.endswith("/models"):
                return json_script({"object": "list", "data": [{"id": "speaker", "object": "model"}]})
            return json_script({"error": {"message": "no such route", "code": 404}}, status=404)
        body = [clips[received.json["input"]]]
        return Script(**{"content_type": "audio/wav", "body": body, **options})

    return ScriptedServer(handle)
