"""How much of a clip can be heard."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import av
import numpy as np

from ..evidence import UndecodableMedia
from ..media import (
    HEAD,
    STRICT,
    MediaFormat,
    MediaSource,
    is_protected,
    name_of_error,
    open_container,
    recognise,
)

#: Of full scale, -65 dB: louder than the dither of 16 bits, and softer than soft speech.
SILENCE = 10 ** (-65 / 20)


def audible_seconds(source: MediaSource) -> float:
    """Return for how many seconds the loudest of a clip's audio tracks is louder than -65 dB of full scale.

    Blocks of audio, some 20 ms each, are audible where any sample is that far from the block's mean. 0 where
    no track is there, as in pictures that move. Raises ``UndecodableMedia`` where a track does not decode to
    its end.
    """
    with source.open() as file:
        media_format = recognise(file.read(HEAD))
        if media_format not in (MediaFormat.MP4, MediaFormat.MATROSKA):
            return 0.0
        with open_container(source, file, media_format) as container:
            streams = container.streams.audio
            heard: dict[int, Fraction] = {stream.index: Fraction(0) for stream in streams}
            if not heard:
                return 0.0
            for stream in streams:
                if stream.codec_context is None or is_protected(stream):
                    raise UndecodableMedia(f"{source.name} has a track of audio that cannot be decoded")
                stream.codec_context.options = STRICT
            try:
                for frame, index in _decoded(container, streams):
                    if _peak(frame) > SILENCE:
                        heard[index] += Fraction(frame.samples, frame.sample_rate)
            except (av.error.FFmpegError, ValueError, EOFError) as error:
                raise UndecodableMedia(
                    f"{source.name} has audio that does not decode: {name_of_error(error)}"
                ) from error
            return float(max(heard.values()))


def _decoded(container: Any, streams: Any) -> Any:
    for packet in container.demux(streams):
        for frame in packet.decode():
            yield frame, packet.stream.index


def _peak(frame: Any) -> float:
    """Return how far a sample is from its block's mean, of full scale: a level that stays is silent."""
    samples = frame.to_ndarray()
    if not samples.size:
        return 0.0
    full = 1.0 if samples.dtype.kind == "f" else float(np.iinfo(samples.dtype).max) / 2 + 0.5
    if samples.dtype.kind == "i":
        full *= 2
    channels = samples if frame.format.is_planar else samples.reshape(-1, frame.layout.nb_channels).T
    levels = channels.astype(np.float64)
    levels -= levels.mean(axis=1, keepdims=True)
    return float(np.abs(levels).max()) / full
