"""Clips made on the spot: tones and silence in every container that is read."""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import Any

import av
import numpy
from numpy.typing import NDArray

RATE = 22_050
Samples = NDArray[numpy.float32]

#: Name → container, codec, rate.
CONTAINERS = {
    "wav": ("wav", "pcm_s16le", RATE),
    "wav of 24 bits": ("wav", "pcm_s24le", RATE),
    "wav of 8 bits": ("wav", "pcm_u8", RATE),
    "wav of floats": ("wav", "pcm_f32le", RATE),
    "wav of doubles": ("wav", "pcm_f64le", RATE),
    "wav in mu-law": ("wav", "pcm_mulaw", 8_000),
    "flac": ("flac", "flac", RATE),
    "mp3": ("mp3", "libmp3lame", RATE),
    "aac": ("adts", "aac", RATE),
    "ogg": ("ogg", "libopus", 48_000),
    "ogg with flac": ("ogg", "flac", RATE),
    "m4a": ("ipod", "aac", RATE),
    "mp4": ("mp4", "aac", RATE),
    "mov": ("mov", "aac", RATE),
    "mkv": ("matroska", "aac", RATE),
    "webm": ("webm", "libopus", 48_000),
}
#: Name → what ``Audio.format`` says of it.
FORMATS = {"m4a": "mp4", "mp4": "mp4", "mov": "mp4", "mkv": "matroska", "webm": "matroska"}


def tone(seconds: float = 2.0, *, hertz: float = 440.0, level: float = 0.3, rate: int = RATE) -> Samples:
    steps = numpy.arange(round(seconds * rate)) / rate
    return (level * numpy.sin(2 * numpy.pi * hertz * steps)).astype(numpy.float32)


def encoded(
    channels: list[Samples],
    name: str = "wav",
    *,
    rate: int | None = None,
    video: bool = False,
    **options: str,
) -> bytes:
    """Return a file of that kind with those channels; ``video``: with a picture track before the audio."""
    container, codec, own_rate = CONTAINERS[name]
    rate = rate or own_rate
    layout = {1: "mono", 2: "stereo", 6: "5.1"}[len(channels)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "clip")
        with av.open(str(path), "w", format=container, options=options) as out:
            pictures = out.add_stream("mpeg4" if container != "webm" else "vp8", rate=10) if video else None
            stream: Any = out.add_stream(codec, rate=rate)
            stream.layout = layout
            if pictures is not None:
                _add_pictures(out, pictures, len(channels[0]) / RATE)
            frame = av.AudioFrame.from_ndarray(numpy.stack(channels), format="fltp", layout=layout)
            frame.sample_rate, frame.pts = RATE, 0
            resampler = av.AudioResampler(format=stream.codec_context.format.name, layout=layout, rate=rate)
            for piece in [*resampler.resample(frame), *resampler.resample(None)]:
                out.mux(stream.encode(piece))
            out.mux(stream.encode(None))
        return path.read_bytes()


def pictures_alone(seconds: float = 1.0) -> bytes:
    """Return an MP4 with pictures and no audio track."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "clip")
        with av.open(str(path), "w", format="mp4") as out:
            _add_pictures(out, out.add_stream("mpeg4", rate=10), seconds)
        return path.read_bytes()


def wav_of(raw: NDArray[Any], *, rate: int = 16_000, size: int | None = None) -> bytes:
    """Return a WAV whose data are ``raw``, samples by channels; ``size`` is what its header says."""
    data = raw.tobytes()
    channels = raw.shape[1] if raw.ndim > 1 else 1
    width = raw.dtype.itemsize
    kind = 3 if raw.dtype.kind == "f" else 1
    form = struct.pack("<HHIIHH", kind, channels, rate, rate * channels * width, channels * width, width * 8)
    said = len(data) if size is None else size
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", said) + data
    return b"RIFF" + struct.pack("<I", min(len(body), 0xFFFF_FFFF)) + body


def wav_at_16k(samples: NDArray[Any]) -> bytes:
    """Return a WAV of 16 bits with those samples, 16,000 a second, 1.0 at full scale."""
    return wav_of((samples * 32767).astype("<i2"))


def _add_pictures(out: Any, stream: Any, seconds: float) -> None:
    stream.width = stream.height = 64
    stream.pix_fmt = "yuv420p"
    for number in range(max(1, round(seconds * 10))):
        picture = numpy.full((64, 64, 3), number % 256, numpy.uint8)
        out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
    out.mux(stream.encode(None))
