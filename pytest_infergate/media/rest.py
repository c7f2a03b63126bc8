"""Whether a file goes on after the clip that it begins with: players and FFmpeg stop there without a word."""

from __future__ import annotations

from typing import BinaryIO

from .cut import wav_end
from .format import MediaFormat

_CHUNKS = 10_000  # chunks or boxes looked at
#: What a file may end with that is in no chunk, in seconds of its audio: writers are off by their own header.
_LEFT_S = 0.1
_BLOCK = 1 << 20


def find_rest(file: BinaryIO, size: int, media_format: MediaFormat) -> str | None:
    """Return in words what follows the clip in ``file``, which has ``size`` bytes; ``None``: nothing is seen.

    WAV: another WAV behind the data, as servers send that put the answers to two sentences one after the
    other, or bytes that are in no chunk, as are left where a header was written too early; zeros are
    padding. MP4: a second index. Of the other formats all is decoded.
    """
    if media_format is MediaFormat.WAV:
        return _rest_of_wav(file, size)
    if media_format is MediaFormat.MP4:
        return _rest_of_mp4(file, size)
    return None


def _rest_of_wav(file: BinaryIO, size: int) -> str | None:
    found = wav_end(file)
    if found is None:
        return None
    at, rate = found
    for _ in range(_CHUNKS):
        if at + 8 > size:
            break
        file.seek(at)
        head = file.read(12)
        name, length = head[:4], int.from_bytes(head[4:8], "little")
        if name in (b"RIFF", b"RF64") and head[8:] == b"WAVE":
            return f"another WAV follows after {at:,} of {size:,} bytes"
        if not _is_name(name) or at + 8 + length > size:
            left = size - at
            is_little = left <= max(_LEFT_S * rate, len(head))
            return (
                None
                if is_little or _is_padding(file, at)
                else f"{left:,} bytes follow that are in no chunk of it"
            )
        at += 8 + length + length % 2
    return None


def _is_name(name: bytes) -> bool:
    return all(0x20 <= one < 0x7F for one in name)


def _is_padding(file: BinaryIO, at: int) -> bool:
    file.seek(at)
    while block := file.read(_BLOCK):
        if block.count(0) != len(block):
            return False
    return True


def _rest_of_mp4(file: BinaryIO, size: int) -> str | None:
    at = indexes = 0
    for _ in range(_CHUNKS):
        if at + 8 > size:
            break
        file.seek(at)
        head = file.read(16)
        length, name = int.from_bytes(head[:4], "big"), head[4:8]
        length = int.from_bytes(head[8:], "big") if length == 1 else length
        indexes += name == b"moov"
        if indexes > 1:
            return f"another MP4 follows: its second index begins after {at:,} of {size:,} bytes"
        if length < 8:  # the last box, or padding
            break
        at += length
    return None
