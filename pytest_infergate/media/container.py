"""A container opened by FFmpeg as what its bytes say, so that no other file and no address is ever opened."""

from __future__ import annotations

import re
from typing import Any, BinaryIO

from ..evidence import NoAnswer, Reason, UndecodableMedia
from .format import MediaFormat
from .source import MediaSource

#: What the decoders are told: damage that a checksum shows is an error, not a gap that nobody is told of.
STRICT = {"err_detect": "crccheck+explode"}
_PROTECTED_TAGS = frozenset({"enca", "encv", "drms", "drmi", "aavd"})
_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)")
PROTECTED = "is encrypted (DRM) and cannot be decoded without its key"


def open_container(source: MediaSource, file: BinaryIO, media_format: MediaFormat) -> Any:
    """Return PyAV's container of ``file``, which ``source`` opened.

    One demuxer is tried, that of ``media_format``: playlists and lists of files are never read as such, and a
    reference to another file is refused. Raises ``UndecodableMedia`` where it cannot be opened.
    """
    import av

    file.seek(0)
    try:
        return av.open(file, mode="r", format=media_format.demuxer, io_open=_refuse_other_files)
    except (av.error.FFmpegError, ValueError, EOFError) as error:
        raise UndecodableMedia(
            f"{source.name} ({media_format.value}) cannot be opened: {name_of_error(error)}"
        ) from error


def check_av(kind: str, extra: str) -> None:
    """Raise ``NoAnswer`` (``evaluator_unavailable``) without PyAV and numpy, of ``extra``."""
    try:
        import av as _  # noqa: F401
        import numpy as _numpy  # noqa: F401
    except ImportError as error:
        raise NoAnswer(
            Reason.EVALUATOR_UNAVAILABLE,
            f"reading {kind} needs PyAV and numpy ({error}); pip install 'pytest-infergate[{extra}]'",
        ) from error


def is_protected(stream: Any) -> bool:
    """Whether the header of ``stream`` says that it is encrypted."""
    context = stream.codec_context
    tag = str(getattr(context, "codec_tag", "")) if context is not None else ""
    return tag in _PROTECTED_TAGS or "enc_key_id" in stream.metadata


def is_encrypted(packet: Any) -> bool:
    """Whether ``packet`` carries what common encryption adds."""
    return any(str(kind.data_type).startswith("encryption") for kind in packet.iter_sidedata())


def declared_seconds(stream: Any, container: Any) -> float | None:
    """Return how long the file says that ``stream`` is; ``None``: it does not say."""
    if stream.duration is not None and stream.time_base is not None:
        return float(stream.duration * stream.time_base)
    for name, value in stream.metadata.items():  # Matroska: DURATION, DURATION-eng
        clock = _CLOCK.match(value) if name.upper().startswith("DURATION") else None
        if clock:
            return int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])
    return container.duration / 1e6 if container.duration else None


def streams_in_words(container: Any) -> str:
    """Say what the container holds: ``1 audio, 2 video``."""
    kinds = [stream.type or "unknown" for stream in container.streams]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds))) or "nothing"


def name_of_error(error: Exception) -> str:
    """Say in words what FFmpeg raised."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _refuse_other_files(url: str, flags: int, options: object) -> object:
    raise PermissionError(f"media may not open another file: {url!r}")
