"""A clip that decodes to its end: what it is, and its frames one after another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from importlib.metadata import version
from os import PathLike
from typing import TYPE_CHECKING

from ..evidence import UndecodableMedia
from ..media import HEAD, MediaFormat, MediaSource, find_source, recognise
from .animation import animation_frames
from .picture import KIND, MOVING, no_picture, read_picture_bytes
from .picture_format import PictureFormat, describe_picture, recognise_picture
from .strict import check_pillow
from .structure import find_fault
from .video import check_parts, open_video

if TYPE_CHECKING:
    from .frame import Frame

#: Containers that hold video.
_VIDEO = frozenset({MediaFormat.MP4, MediaFormat.MATROSKA})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clip:
    """A clip of which every frame was decoded once.

    ``sha256`` is of the bytes as given, in hex. ``source`` is the path, ``bytes`` or ``reply``. ``container``
    is mp4, matroska, gif, png or webp, by content. ``width`` and ``height`` are in pixels, upright;
    ``pixel_aspect`` is the width of a pixel divided by its height. ``duration_s`` is from the first time
    stamp to the end of the last frame; ``declared_duration_s`` what the file says, ``None`` where it does
    not. ``frame_count`` were decoded; ``header_frames`` is how many the file says, ``None`` where it says
    none or nonsense. ``frame_rate`` is frames a second of duration, ``longest_frame_s`` how long the one is
    shown that is shown longest: more than the others where the rate varies. ``decoder`` is the library that
    decoded it, with its version.

    ``cut`` says what its end lacks, ``None`` where nothing is seen to be missing. Such a clip can fail a
    check and must not pass one: what is not there was not looked at. ``warnings`` are in words, ``cut``
    among them.
    """

    sha256: str
    source: str
    container: str
    codec: str
    width: int
    height: int
    pixel_aspect: float
    duration_s: float
    declared_duration_s: float | None
    frame_count: int
    header_frames: int | None
    frame_rate: float
    longest_frame_s: float
    has_audio: bool
    cut: str | None
    warnings: tuple[str, ...]
    decoder: str
    _source: MediaSource = field(repr=False)

    @property
    def file(self) -> MediaSource:
        """The bytes as they were given."""
        return self._source

    def frames(self) -> Iterator[Frame]:
        """Yield the frames in the order they are shown; memory holds a few, whatever the length.

        Raises ``UndecodableMedia`` where the file changed since it was opened.
        """
        kind = _kind_of(self._source)
        if isinstance(kind, MediaFormat):
            with open_video(self._source, kind) as track, closing(track.frames()) as frames:
                yield from frames
        else:
            yield from animation_frames(
                read_picture_bytes(self._source), f"{self._source.name} ({kind.value})"
            )


def open_clip(source: bytes | str | PathLike[str]) -> Clip:
    """Decode a clip once, to its end and in bounded memory, and return what it is.

    ``source`` is the path of a file or the bytes of one: MP4, MOV, MKV, WebM, or a GIF, PNG or WebP of
    several frames, by content and not by name. Nothing that it refers to is opened, and addresses are not
    fetched. Raises ``UndecodableMedia`` with the reason, and with counts where there are any;
    ``MediaSourceError`` for what is neither path nor bytes; ``NoAnswer`` (``evaluator_unavailable``) where a
    library is not installed.
    """
    return decode_clip(find_source(source, KIND))


def decode_clip(source: MediaSource, origin: str | None = None) -> Clip:
    """Decode ``source``; ``origin`` is what ``Clip.source`` says of bytes."""
    check_pillow()
    kind = _kind_of(source)
    shown = origin or (str(source.path) if source.path is not None else "bytes")
    if isinstance(kind, MediaFormat):
        return _decode_video(source, kind, shown)
    return _decode_animation(source, kind, shown)


def _kind_of(source: MediaSource) -> MediaFormat | PictureFormat:
    with source.open() as file:
        head = file.read(HEAD)
    picture_format = recognise_picture(head)
    if picture_format in MOVING:
        return picture_format
    media_format = None if picture_format or describe_picture(head) else recognise(head)
    if media_format in _VIDEO:
        return media_format
    if media_format is not None:
        raise UndecodableMedia(f"{source.name} is audio ({media_format.value}): there is nothing to see")
    if picture_format is not None:
        raise UndecodableMedia(
            f"{source.name} is a picture ({picture_format.value}) and no clip: nothing moves"
        )
    raise no_picture(source.name, head)


def _decode_video(source: MediaSource, media_format: MediaFormat, shown: str) -> Clip:
    check_parts(source, media_format)
    with open_video(source, media_format) as track, closing(track.frames()) as frames:
        for _ in frames:
            pass
        cut = track.cut
        return Clip(
            sha256=source.sha256,
            source=shown,
            container=media_format.value,
            codec=track.codec,
            width=track.width,
            height=track.height,
            pixel_aspect=track.pixel_aspect,
            duration_s=track.end_s,
            declared_duration_s=track.declared_s,
            frame_count=track.count,
            header_frames=track.header_frames,
            frame_rate=track.count / track.end_s,
            longest_frame_s=track.longest_gap_s,
            has_audio=track.has_audio,
            cut=cut,
            warnings=() if cut is None else (f"cut off: {cut}",),
            decoder=f"av {version('av')}",
            _source=source,
        )


def _decode_animation(source: MediaSource, picture_format: PictureFormat, shown: str) -> Clip:
    raw = read_picture_bytes(source)
    name = f"{source.name} ({picture_format.value})"
    fault = find_fault(raw, picture_format)
    if fault is not None:
        raise UndecodableMedia(f"{name} {fault}")
    count, longest, end, width, height = 0, 0.0, 0.0, 0, 0
    for frame in animation_frames(raw, name):
        count += 1
        longest, end = max(longest, frame.duration_s), round(frame.time_s + frame.duration_s, 6)
        height, width = frame.rgba.shape[:2]
    if count < 2:
        raise UndecodableMedia(f"{name} is a picture and no clip: it has one frame")
    return Clip(
        sha256=source.sha256,
        source=shown,
        container=picture_format.value,
        codec=picture_format.value,
        width=width,
        height=height,
        pixel_aspect=1.0,
        duration_s=end,
        declared_duration_s=None,
        frame_count=count,
        header_frames=None if picture_format is PictureFormat.GIF else count,
        frame_rate=count / end,
        longest_frame_s=longest,
        has_audio=False,
        cut=None,
        warnings=(),
        decoder=f"pillow {version('pillow')}",
        _source=source,
    )
