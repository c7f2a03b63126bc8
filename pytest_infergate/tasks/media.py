"""Pictures and audio as OpenAI content parts, typed by their bytes."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

from ..evidence import InputFile
from .errors import DatasetError

_HEAD = 16


class MediaKind(Enum):
    """What a part with a path holds."""

    IMAGE = "image"
    AUDIO = "audio"


#: MIME types of pictures, formats of ``input_audio``.
_FORMATS = {
    MediaKind.IMAGE: ("image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff"),
    MediaKind.AUDIO: ("wav", "mp3", "flac", "ogg", "m4a"),
}


def check_media(path: Path, kind: MediaKind, where: str) -> None:
    """Raise ``DatasetError`` that begins with ``where`` unless ``path`` is a file of that kind."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _unreadable(path, kind, where, error) from error
    _format_of(head, path, kind, where)


def media_part(
    path: Path, kind: MediaKind, where: str, note: Callable[[InputFile], None] | None = None
) -> dict[str, Any]:
    """Return the content part that holds the file: a data URL of a picture, base64 of audio.

    ``note`` is told which file that was. Raises ``DatasetError`` that begins with ``where``.
    """
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _unreadable(path, kind, where, error) from error
    media_format = _format_of(raw[:_HEAD], path, kind, where)
    if note is not None:
        note(InputFile.of(str(path.absolute()), raw))
    encoded = b64encode(raw).decode("ascii")
    if kind is MediaKind.IMAGE:
        return {"type": "image_url", "image_url": {"url": f"data:{media_format};base64,{encoded}"}}
    return {"type": "input_audio", "input_audio": {"data": encoded, "format": media_format}}


def _unreadable(path: Path, kind: MediaKind, where: str, error: Exception) -> DatasetError:
    reason = getattr(error, "strerror", None) or error
    return DatasetError(
        f"{where}: the {kind.value} file {str(path)!r} cannot be read: {reason}; "
        "a path in a row resolves from the data-set file, a path in the marker from the test file"
    )


def _format_of(head: bytes, path: Path, kind: MediaKind, where: str) -> str:
    found = _sniff(head)
    if found not in _FORMATS[kind]:
        what = f"is {found}" if found else f"begins with {head[:8]!r}" if head else "is empty"
        raise DatasetError(
            f"{where}: the {kind.value} file {str(path)!r} {what}; accepted: {', '.join(_FORMATS[kind])}"
        )
    assert found is not None
    return found


def _sniff(head: bytes) -> str | None:
    for magic, found in _MAGIC:
        if head.startswith(magic):
            return found
    if head[:4] == b"RIFF":
        return {b"WEBP": "image/webp", b"WAVE": "wav"}.get(head[8:12])
    if head[4:11] == b"ftypM4A":
        return "m4a"
    # MPEG audio frame: eleven sync bits, then a version that is not reserved and layer III.
    if len(head) > 1 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2 and head[1] & 0x18 != 0x08:
        return "mp3"
    return None


_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"ID3", "mp3"),
    (b"fLaC", "flac"),
    (b"OggS", "ogg"),
)
