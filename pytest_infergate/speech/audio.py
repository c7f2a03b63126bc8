"""A clip that can be heard: what it is, and its samples as a transcriber wants them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..media import MediaSource, find_source
from .media import open_track
from .silence import Loudness

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Samples = NDArray[numpy.float32]

#: The rate of ``Audio.blocks`` and ``Audio.samples``, which speech recognition works at.
RATE = 16_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio:
    """A clip that decodes to its end.

    ``sha256`` is of the bytes as given, in hex. ``duration_s`` is what was decoded, in seconds, more than 0;
    ``declared_duration_s`` what the file says, ``None`` where it does not say: a cut at its end could then
    not be seen. ``sample_rate`` (Hz), ``channels``, ``format`` (the container: wav, flac, mp3, aac, ogg, mp4,
    matroska) and ``codec`` are those of the file; ``audio_tracks`` counts its tracks of audio. ``peak`` is
    the greatest sample of any channel, 1.0 at full scale. ``channel`` is the one that is heard, from 0;
    ``None``: the mean of all. ``is_silent``: nothing in it is louder than -65 dB, see ``silence``.
    """

    source: MediaSource
    duration_s: float
    declared_duration_s: float | None
    sample_rate: int
    channels: int
    audio_tracks: int
    format: str
    codec: str
    peak: float
    channel: int | None
    is_silent: bool

    @property
    def path(self) -> Path | None:
        """The file; ``None`` for bytes."""
        return self.source.path

    @property
    def sha256(self) -> str:
        return self.source.sha256

    def open(self) -> BinaryIO:
        """Return the bytes as they were given, as a file. Raises ``UndecodableMedia`` where that changed."""
        return self.source.open()

    def blocks(self, seconds: float = 30.0) -> Iterator[Samples]:
        """Yield the samples, mono, 16 kHz, float32, in blocks of ``seconds``; the last may be shorter.

        Memory is bounded by a block. Raises ``UndecodableMedia`` where the file changed since.
        """
        import numpy

        size = max(1, round(seconds * RATE))
        kept: list[Samples] = []
        count = 0
        for piece in self._heard():
            kept.append(piece)
            count += piece.size
            while count >= size:
                joined = numpy.concatenate(kept)
                yield joined[:size]
                kept, count = [joined[size:]], count - size
        if count:
            yield numpy.concatenate(kept)

    def samples(self) -> Samples:
        """Return all samples, mono, 16 kHz, float32: 230 MB for an hour."""
        import numpy

        return numpy.concatenate(list(self.blocks()) or [numpy.zeros(0, numpy.float32)])

    def as_json(self) -> dict[str, Any]:
        return {
            "sha256": self.sha256,
            "bytes": self.source.size,
            "duration_s": self.duration_s,
            "declared_duration_s": self.declared_duration_s,
            "sample_rate": self.sample_rate,
            "channels": self.channels,
            "audio_tracks": self.audio_tracks,
            "format": self.format,
            "codec": self.codec,
            "peak": self.peak,
            "channel": self.channel,
            "is_silent": self.is_silent,
        }

    def _heard(self) -> Iterator[Samples]:
        """Yield the one channel that is heard, at 16 kHz."""
        import av
        import numpy

        resampler: Any = None
        rate_before = 0
        with open_track(self.source) as track, closing(track.pieces()) as pieces:
            for piece, rate in pieces:
                heard = piece.mean(axis=0) if self.channel is None else piece[self.channel]
                if rate != rate_before:
                    yield from _flushed(resampler)
                    resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
                    rate_before = rate
                if not heard.size:
                    continue
                packed = numpy.ascontiguousarray(heard, dtype=numpy.float32)[None, :]
                frame = av.AudioFrame.from_ndarray(packed, format="flt", layout="mono")
                frame.sample_rate = rate
                for out in resampler.resample(frame):
                    yield out.to_ndarray()[0]
            yield from _flushed(resampler)


def open_audio(given: str | PathLike[str] | bytes) -> Audio:
    """Decode a clip once, to its end and in bounded memory, and return what it is.

    ``given`` is the path of a file or the bytes of one: wav, flac, mp3, aac, ogg, m4a, mp4, mov, mkv or webm,
    by content and not by name; of a video the audio track. Addresses are not fetched. Raises
    ``UndecodableMedia`` where it cannot be heard whole, ``MediaSourceError`` for what is neither path nor
    bytes, ``NoAnswer`` (``evaluator_unavailable``) without the extra ``speech``.
    """
    source = find_source(given, "audio")
    with open_track(source) as track, closing(track.pieces()) as pieces:
        loudness = Loudness(channels=track.channels, bits=track.bits)
        for piece, rate in pieces:
            loudness.hear(piece, rate)
        loudness.finish()
        return Audio(
            source=source,
            duration_s=track.seconds,
            declared_duration_s=track.declared_s,
            sample_rate=track.sample_rate,
            channels=track.channels,
            audio_tracks=track.tracks,
            format=track.media_format.value,
            codec=track.codec,
            peak=loudness.peak,
            channel=loudness.channel,
            is_silent=loudness.is_silent,
        )


def _flushed(resampler: Any) -> Iterator[Samples]:
    if resampler is not None:
        for out in resampler.resample(None):
            yield out.to_ndarray()[0]
