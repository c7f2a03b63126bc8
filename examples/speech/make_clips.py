"""Speak the sentences of sentences.jsonl with eSpeak NG, into clips/ as Ogg Opus:

    python examples/speech/make_clips.py

Needs espeak-ng (``apt-get install espeak-ng``) and the extra ``speech``. The clips in the repository were
made like this, with eSpeak NG 1.51. It stands in for the model that you serve: whatever writes a file of
speech will do.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

import av

HERE = Path(__file__).resolve().parent
WORDS_A_MINUTE = 140
RATE = 24_000  # Hz, one that Opus has
BITS_A_SECOND = 20_000


def speak(words: str, clip: Path) -> None:
    """Write a clip in which the words are said."""
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder, "said.wav")
        subprocess.run(
            ["espeak-ng", "-v", "en-us", "-s", str(WORDS_A_MINUTE), "-w", str(said), words], check=True
        )
        encode(said, clip)


def encode(said: Path, clip: Path) -> None:
    with av.open(str(said)) as source, av.open(str(clip), "w", format="ogg") as out:
        stream = out.add_stream("libopus", rate=RATE)
        stream.layout = "mono"
        stream.bit_rate = BITS_A_SECOND
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        for frame in [*source.decode(audio=0), None]:
            for piece in resampler.resample(frame):
                out.mux(stream.encode(piece))
        out.mux(stream.encode(None))


def main() -> None:
    (HERE / "clips").mkdir(exist_ok=True)
    for line in (HERE / "sentences.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        speak(row["script"], HERE / row["audio"])
        print(row["audio"])


if __name__ == "__main__":
    main()
