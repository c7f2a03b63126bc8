"""The audio track of a file, decoded by FFmpeg piece by piece."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..evidence import UndecodableMedia
from ..media import (
    HEAD,
    PROTECTED,
    STRICT,
    MediaFormat,
    MediaSource,
    Packets,
    check_av,
    declared_seconds,
    describe,
    find_cut,
    find_rest,
    id3_length,
    is_protected,
    mp3_frame_bytes,
    name_of_error,
    open_container,
    recognise,
    says_its_length,
    streams_in_words,
    wav_seconds,
)

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Samples = NDArray[numpy.float32]

#: A track may end this much earlier than it says: encoders round to their own frames.
SHORTFALL_S = 0.1
#: A FLAC counts its samples, so that a block that does not decode shows.
_FLAC_SHORTFALL_S = 0.001
#: Samples of float audio are about 1 at full scale; past this they are written in another scale.
_LOUDEST = 10.0
_LONGEST_S = 24 * 3600
_RATES = range(2_000, 768_001)  # Hz; speech needs 4,000, and nothing is recorded with more
_PIECE = 1 << 16  # samples handed on at once: decoders give a thousand or less
_READ = "wav, flac, mp3, aac, ogg, m4a, mp4, mov, mkv and webm are read"


@dataclass(slots=True, kw_only=True, eq=False)
class Track:
    """The audio track of an open file.

    ``declared_s`` is how long the file says that it is, ``None`` where it does not say: a cut at its end
    could then not be seen. ``tracks`` counts the audio tracks, of which FFmpeg's default one is read.
    """

    source: MediaSource
    media_format: MediaFormat
    codec: str
    sample_rate: int
    channels: int
    tracks: int
    declared_s: float | None
    bits: int | None
    _packets: Packets
    _earlier_s: float = 0.0
    _count: int = 0
    _rate: int = 0
    _bad: int = 0
    _cut_frame: str | None = None

    @property
    def seconds(self) -> float:
        """How much was decoded so far."""
        return self._earlier_s + (self._count / self._rate if self._rate else 0.0)

    def pieces(self) -> Generator[tuple[Samples, int], None, None]:
        """Yield the samples, channels by samples, 1.0 at full scale, and their rate, to the end of the track.

        Raises ``UndecodableMedia``, at the latest at the end, where the track is not there whole.
        """
        import av

        try:
            yield from self._decoded()
        except (av.error.FFmpegError, ValueError, TypeError, MemoryError, EOFError) as error:
            raise self._undecodable(
                f"cannot be decoded after {self.seconds:.2f} s: {name_of_error(error)}"
            ) from error
        self._check_whole()

    def _decoded(self) -> Iterator[tuple[Samples, int]]:
        kept: list[Any] = []
        form, count = (0, 0, ""), 0
        for frame in self._frames():
            its_form = (int(frame.sample_rate), len(frame.layout.channels), str(frame.format.name))
            if kept and (count >= _PIECE or its_form != form):
                yield self._piece_of(kept, *form), form[0]
                kept, count = [], 0
            kept.append(frame.to_ndarray())
            form, count = its_form, count + frame.samples
        if kept:
            yield self._piece_of(kept, *form), form[0]

    def _frames(self) -> Iterator[Any]:
        import av

        for packet in self._packets:
            self._look_at_frame(packet)
            try:
                yield from packet.decode()
            except av.error.InvalidDataError:
                self._bad += not self._is_junk(packet)

    def _piece_of(self, arrays: list[Any], rate: int, channels: int, form: str) -> Samples:
        import numpy

        if channels != self.channels:
            told = f"changes from {self.channels} channels to {channels} after {self.seconds:.2f} s"
            raise self._undecodable(f"{told}; write it again with one layout")
        if rate not in _RATES:
            told = f"{_RATES[0]:,} to {_RATES[-1]:,} are read"
            raise self._undecodable(f"has a sample rate of {rate:,} Hz; {told}")
        raw = numpy.concatenate(arrays, axis=1)
        if not form.endswith("p"):  # not planar: channels follow one another
            raw = raw.reshape(-1, channels).T
        with numpy.errstate(over="ignore"):  # a double that no float holds becomes infinite, and is refused
            samples: Samples = raw.astype(numpy.float32)
        if raw.dtype.kind == "u":
            samples -= 128.0
            samples /= 128.0
        elif raw.dtype.kind == "i":
            samples /= float(2 ** (8 * raw.dtype.itemsize - 1))
        else:
            self._check_numbers(samples)
        if rate != self._rate:
            self._earlier_s, self._count, self._rate = self.seconds, 0, rate
        self._count += samples.shape[1]
        if self.seconds > _LONGEST_S:
            raise self._undecodable(f"is longer than {_LONGEST_S // 3600} hours; cut it into clips")
        return samples

    def _check_numbers(self, samples: Samples) -> None:
        import numpy

        top = float(numpy.abs(samples).max(initial=0.0))
        if not numpy.isfinite(top):
            raise self._undecodable(f"holds samples that are no finite numbers after {self.seconds:.2f} s")
        if top > _LOUDEST:
            told = f"holds a sample of {top:,.0f} after {self.seconds:.2f} s, where full scale is 1"
            raise self._undecodable(f"{told}: it is written in another scale")

    def _look_at_frame(self, packet: Any) -> None:
        if self.media_format is MediaFormat.MP3 and packet.size:
            said = mp3_frame_bytes(bytes(packet)[:4])
            is_cut = said is not None and packet.size < said
            self._cut_frame = f"its last frame says {said} bytes, {packet.size} are there" if is_cut else None

    def _is_junk(self, packet: Any) -> bool:
        """Whether what does not decode is no frame: tags and padding that an MP3 may end with."""
        return self.media_format is MediaFormat.MP3 and bytes(packet)[:1] != b"\xff"

    def _check_whole(self) -> None:
        if self._bad:
            told = f"{self._bad:,} of {self._packets.count:,} packets do not decode"
            raise self._undecodable(f"is damaged or cut off: {told}, {self.seconds:.2f} s do")
        if not self.seconds:
            raise self._undecodable("has an audio track of zero length")
        if self.declared_s is not None:
            is_container = self.media_format in (MediaFormat.MP4, MediaFormat.MATROSKA)
            reached = max(self.seconds, self._packets.reached_s) if is_container else self.seconds
            allowed = _FLAC_SHORTFALL_S if self.media_format is MediaFormat.FLAC else SHORTFALL_S
            if reached < self.declared_s - allowed:
                told = f"it says {self.declared_s:.2f} s, {reached:.2f} s are there"
                raise self._undecodable(f"is damaged or cut off: {told}")
        if self._cut_frame is not None and (self.declared_s is None or self.seconds < self.declared_s):
            raise self._undecodable(f"is cut off: {self._cut_frame}")

    def _undecodable(self, what: str) -> UndecodableMedia:
        return UndecodableMedia(f"{self.source.name} ({self.media_format.value}) {what}")


@contextmanager
def open_track(source: MediaSource) -> Iterator[Track]:
    """Open the audio track of ``source`` for one reading.

    The format is what the bytes say; no other is tried, and nothing but these bytes is opened. Raises
    ``UndecodableMedia`` with the reason, ``NoAnswer`` (``evaluator_unavailable``) where there is no PyAV.
    """
    check_av("audio", "speech")
    with source.open() as file:
        head = file.read(HEAD)
        if id3_length(head):  # with a picture in it a tag is longer than that
            file.seek(id3_length(head))
            head = file.read(HEAD) or head
        media_format = recognise(head)
        if media_format is None:
            raise UndecodableMedia(f"{source.name} is no audio or video: {describe(head)}; {_READ}")
        cut = find_cut(file, source.size, media_format)
        if cut is not None:
            raise UndecodableMedia(f"{source.name} ({media_format.value}) is cut off: {cut}")
        rest = find_rest(file, source.size, media_format)
        if rest is not None:
            raise UndecodableMedia(f"{source.name} ({media_format.value}) is more than one clip: {rest}")
        states_length = says_its_length(file, media_format)
        wav_s = wav_seconds(file) if media_format is MediaFormat.WAV else None
        with open_container(source, file, media_format) as container:
            track = _track_of(source, media_format, container)
            if media_format is MediaFormat.WAV:
                track.declared_s = wav_s
            elif not states_length:
                track.declared_s = None
            yield track


def _track_of(source: MediaSource, media_format: MediaFormat, container: Any) -> Track:
    where = f"{source.name} ({media_format.value})"
    if not container.streams.audio:
        raise UndecodableMedia(f"{where} has no audio track; it holds {streams_in_words(container)}")
    stream = container.streams.best("audio") or container.streams.audio[0]
    context = stream.codec_context
    if is_protected(stream):
        raise UndecodableMedia(f"{where} {PROTECTED}")
    if context is None or not context.sample_rate or not context.channels:
        name = context.name if context is not None else "unknown"
        raise UndecodableMedia(f"{where} has an audio track that cannot be decoded (codec {name!r})")
    context.options = STRICT
    return Track(
        source=source,
        media_format=media_format,
        codec=context.name,
        sample_rate=context.sample_rate,
        channels=context.channels,
        tracks=len(container.streams.audio),
        declared_s=declared_seconds(stream, container),
        bits=8 if context.format is not None and context.format.name.startswith("u8") else None,
        _packets=Packets(container, stream, where),
    )
