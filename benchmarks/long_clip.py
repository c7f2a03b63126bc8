"""What hearing a long clip costs: a sentence said again and again, heard by a Whisper model in a process.

    python benchmarks/long_clip.py MODEL_FOLDER [--minutes 1 60]

Each clip is heard in a process of its own. To reach: memory that a clip of ten minutes and one of an hour
take alike.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

import pytest_infergate.speech
from pytest_infergate.speech import Chain, FasterWhisper, find_whisper, open_audio

_SENTENCE = Path(pytest_infergate.speech.__file__).with_name("canary.ogg")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model")
    parser.add_argument("--minutes", type=float, nargs="+", default=[1, 60])
    parser.add_argument("--hear", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.hear:
        hear(arguments.model, arguments.hear)
        return
    for minutes in arguments.minutes:
        with tempfile.TemporaryDirectory() as folder:
            clip = Path(folder, "clip.wav")
            write(clip, 60 * minutes)
            begun = time.perf_counter()
            child = subprocess.Popen([sys.executable, __file__, arguments.model, "--hear", str(clip)])
            _, status, used = os.wait4(child.pid, 0)
            if status:
                raise SystemExit(f"hearing ended with {os.waitstatus_to_exitcode(status)}")
            wall = time.perf_counter() - begun
            print(f"{minutes:g} min: {wall:.0f} s, {used.ru_maxrss / 1024:.0f} MB at the peak", flush=True)


def write(path: Path, seconds: float) -> None:
    """Write the sentence again and again, until it lasts so long."""
    samples = (open_audio(_SENTENCE).samples() * 32767).astype("<i2").tobytes()
    left = round(seconds * 16_000) * 2
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16_000)
        while left > 0:
            out.writeframes(samples[:left])
            left -= len(samples)


def hear(model: str, clip: str) -> None:
    heard = Chain([FasterWhisper(find_whisper(model))]).hear(open_audio(clip), "en", allow_fallback=False)
    assert heard.transcript is not None, heard.missing
    print(f"{len(heard.transcript.text.split()):,} words; {heard.missing or 'to the end'}")


if __name__ == "__main__":
    main()
