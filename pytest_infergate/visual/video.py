"""The video track of a file, decoded by FFmpeg frame by frame."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..evidence import UndecodableMedia
from ..media import (
    PROTECTED,
    STRICT,
    MediaFormat,
    MediaSource,
    Packets,
    declared_seconds,
    find_cut,
    find_rest,
    find_wrong_checksum,
    is_protected,
    name_of_error,
    open_container,
    streams_in_words,
)
from .frame import VideoFrame
from .limits import MAX_SECONDS, check_size

#: A track may end this much earlier than it says: encoders round to their own frames.
_SHORTFALL_S = 0.1
#: Threads of a decoder hold a frame each: more would cost memory for no speed that checks could use.
_THREADS = min(4, os.cpu_count() or 1)
_MOST_FRAMES = MAX_SECONDS * 1000
#: Seconds that a single frame lasts of which nothing says how long.
_ONE_FRAME_S = Fraction(1, 25)


@dataclass(slots=True, kw_only=True, eq=False)
class VideoTrack:
    """The video track of an open file.

    ``declared_s`` is how long the file says that it is, and ``header_frames`` how many frames it says that it
    has; ``None`` where it does not say. ``cut`` says in words what its end lacks. What was decoded so far is
    counted: ``count`` frames, until ``end_s``.
    """

    source: MediaSource
    media_format: MediaFormat
    codec: str
    width: int
    height: int
    pixel_aspect: float
    header_frames: int | None
    declared_s: float | None
    has_audio: bool
    cut: str | None
    count: int = 0
    end_s: float = 0.0
    longest_gap_s: float = 0.0
    _packets: Packets = field(repr=False)
    _rate: Fraction | None
    _seen: int = 0
    _bad: int = 0
    _turns: int | None = None

    def frames(self) -> Generator[VideoFrame, None, None]:
        """Yield the frames in the order they are shown, to the end of the track; memory holds a few.

        Raises ``UndecodableMedia``, at the latest at the end, where packets do not decode or fewer are there
        than the header says. A Matroska that ends early raises nothing: ``cut`` says so afterwards.
        """
        before: tuple[Any, Fraction] | None = None
        begin: Fraction | None = None
        for decoded in self._decoded():
            self._check_form(decoded)
            self._seen += 1
            time_s = self._time_of(decoded, before)
            begin = time_s if begin is None else begin
            if before is not None:
                yield self._frame(before[0], before[1] - begin, time_s - before[1])
            before = decoded, time_s
        if before is not None and begin is not None:
            yield self._frame(before[0], before[1] - begin, self._last_s(before[0]))
        self._check_whole()

    def _frame(self, decoded: Any, time_s: Fraction, duration_s: Fraction) -> VideoFrame:
        frame = VideoFrame(self.count, float(time_s), float(duration_s), decoded, self._turns or 0)
        self.count += 1
        self.end_s = float(time_s + duration_s)
        self.longest_gap_s = max(self.longest_gap_s, float(duration_s))
        if self.end_s > MAX_SECONDS or self.count > _MOST_FRAMES:
            raise self._undecodable(f"is longer than {MAX_SECONDS // 3600} hours; cut it into clips")
        return frame

    def _decoded(self) -> Iterator[Any]:
        import av

        try:
            for packet in self._packets:
                try:
                    yield from packet.decode()
                except av.error.InvalidDataError:
                    self._bad += 1
        except (av.error.FFmpegError, ValueError, TypeError, MemoryError, EOFError) as error:
            raise self._undecodable(
                f"cannot be decoded after {self._seen:,} frames: {name_of_error(error)}"
            ) from error

    def _check_form(self, decoded: Any) -> None:
        turns = round((decoded.rotation or 0) / 90) % 4
        width, height = (decoded.width, decoded.height) if turns % 2 == 0 else (decoded.height, decoded.width)
        if self._turns is None:
            check_size(self.source.name, width, height)
            self._turns, self.width, self.height = turns, width, height
            if turns % 2:
                self.pixel_aspect = 1 / self.pixel_aspect
        elif (width, height, turns) != (self.width, self.height, self._turns):
            raise self._undecodable(
                f"changes from {self.width} x {self.height} to {width} x {height} pixels after "
                f"{self._seen:,} frames; write it again with one size"
            )

    def _time_of(self, decoded: Any, before: tuple[Any, Fraction] | None) -> Fraction:
        if decoded.pts is None or decoded.time_base is None:
            raise self._undecodable(f"has a frame without a time stamp (frame {self._seen - 1:,})")
        time_s = Fraction(decoded.pts * decoded.time_base)
        if before is not None and time_s < before[1]:
            raise self._undecodable(
                f"has time stamps that run backwards: {float(before[1]):.3f} s, then {float(time_s):.3f} s"
            )
        return time_s

    def _last_s(self, decoded: Any) -> Fraction:
        """Return how long the last frame is shown."""
        if decoded.duration:
            return Fraction(decoded.duration * decoded.time_base)
        if self.end_s:  # 0 where all frames before it have one time stamp
            return Fraction(self.end_s / self.count)
        return 1 / self._rate if self._rate else _ONE_FRAME_S

    def _check_whole(self) -> None:
        said = f"its header says {self.header_frames:,} frames, " if self.header_frames else ""
        if self._bad:
            told = f"{self._bad:,} of {self._packets.count:,} packets do not"
            raise self._undecodable(f"is damaged or cut off: {said}{self.count:,} decode, {told}")
        if not self.count:
            raise self._undecodable(
                f"has a video track without a frame: {said}{self._packets.count:,} packets are there"
            )
        if self.header_frames and self._packets.count < self.header_frames:
            raise self._undecodable(f"is damaged or cut off: {said}{self.count:,} decode")
        reached = max(self.end_s, self._packets.reached_s)
        if self.cut is None and self.declared_s is not None and reached < self.declared_s - _SHORTFALL_S:
            self.cut = f"it says {self.declared_s:.2f} s, {reached:.2f} s are there"

    def _undecodable(self, what: str) -> UndecodableMedia:
        return UndecodableMedia(f"{self.source.name} ({self.media_format.value}) {what}")


def believed_count(frames: int) -> int | None:
    """Return how many frames a header says; ``None``: none or nonsense (FFmpeg hands on any 64 bits)."""
    return frames if 0 < frames <= _MOST_FRAMES else None


def check_parts(source: MediaSource, media_format: MediaFormat) -> None:
    """Raise ``UndecodableMedia`` where a part of a Matroska has another checksum than it says."""
    if media_format is not MediaFormat.MATROSKA:
        return
    with source.open() as file:
        wrong = find_wrong_checksum(file, source.size)
    if wrong is not None:
        raise UndecodableMedia(f"{source.name} ({media_format.value}) is damaged: {wrong}")


@contextmanager
def open_video(source: MediaSource, media_format: MediaFormat) -> Iterator[VideoTrack]:
    """Open the video track of ``source`` for one reading.

    Raises ``UndecodableMedia`` where there is none, or an MP4 lacks its end: its index would be believed.
    """
    with source.open() as file:
        cut = find_cut(file, source.size, media_format)
        where = f"{source.name} ({media_format.value})"
        if cut is not None and media_format is not MediaFormat.MATROSKA:
            raise UndecodableMedia(f"{where} is cut off: {cut}")
        rest = find_rest(file, source.size, media_format)
        if rest is not None:
            raise UndecodableMedia(f"{where} is more than one clip: {rest}")
        with open_container(source, file, media_format) as container:
            yield _track_of(source, media_format, container, where, cut)


def _track_of(
    source: MediaSource, media_format: MediaFormat, container: Any, where: str, cut: str | None
) -> VideoTrack:
    from av.stream import Disposition

    # The cover of a song is a video track to FFmpeg.
    streams = [s for s in container.streams.video if not s.disposition & Disposition.attached_pic]
    if not streams:
        raise UndecodableMedia(f"{where} has no video track; it holds {streams_in_words(container)}")
    stream = streams[0]
    if is_protected(stream):
        raise UndecodableMedia(f"{where} {PROTECTED}")
    context = stream.codec_context
    if context is None:
        raise UndecodableMedia(f"{where} has a video track that cannot be decoded: its codec is not known")
    if context.width or context.height:
        check_size(where, context.width, context.height)
    context.options = STRICT
    context.thread_count = _THREADS
    stream.thread_type = "AUTO"
    aspect = stream.sample_aspect_ratio
    return VideoTrack(
        source=source,
        media_format=media_format,
        codec=context.name,
        width=context.width,
        height=context.height,
        pixel_aspect=float(aspect) if aspect else 1.0,
        header_frames=believed_count(stream.frames),
        declared_s=declared_seconds(stream, container),
        has_audio=bool(container.streams.audio),
        cut=cut,
        _packets=Packets(container, stream, where),
        _rate=Fraction(stream.average_rate) if stream.average_rate else None,
    )
