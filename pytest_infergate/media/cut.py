"""Whether a file ends before it says that it does: read off its own structure, without decoding."""

from __future__ import annotations

from typing import BinaryIO

from .ebml import CLUSTER, SEGMENT, read_element
from .format import HEAD, MediaFormat, id3_length

#: Sizes from here on are what writers put that do not know the length yet (a stream).
_UNKNOWN = 0x7FFF_0000
_CHUNKS = 10_000  # chunks or boxes looked at
_ELEMENTS_LOOKED_AT = 1_000_000  # a streamed hour has some 200,000
_TAIL = 1 << 17  # an Ogg page has at most 65,307 bytes


def find_cut(file: BinaryIO, size: int, media_format: MediaFormat) -> str | None:
    """Return in words what the end of ``file`` lacks, which has ``size`` bytes; ``None``: nothing is seen.

    WAV: its data chunk is shorter than said. MP4: a box reaches beyond the end, or there is no index.
    Matroska: an element does. Ogg: the last page is incomplete or not marked as the last (RFC 3533). The
    others have no such structure.
    """
    if media_format is MediaFormat.WAV:
        return _cut_wav(file, size)
    if media_format is MediaFormat.MP4:
        return _cut_mp4(file, size)
    if media_format is MediaFormat.MATROSKA:
        return _cut_matroska(file, size)
    if media_format is MediaFormat.OGG:
        return _cut_ogg(file, size)
    return None


def wav_seconds(file: BinaryIO) -> float | None:
    """Return how long a WAV says that it is; ``None``: it does not say."""
    found = _wav_data(file)
    if found is None or not found[1] or not found[2]:
        return None
    return found[1] / found[2]


def wav_end(file: BinaryIO) -> tuple[int, int] | None:
    """Return where the data of a WAV end as it says, and the bytes per second; ``None``: it does not say."""
    found = _wav_data(file)
    if found is None or not found[1]:
        return None
    start, length, rate = found
    return start + length + length % 2, rate


def says_its_length(file: BinaryIO, media_format: MediaFormat) -> bool:
    """Whether the file states a length that FFmpeg reads, and does not make one up out of its size."""
    if media_format is not MediaFormat.MP3:
        return media_format is not MediaFormat.AAC
    file.seek(0)
    file.seek(id3_length(file.read(10)))
    first = file.read(HEAD)
    return any(mark in first for mark in (b"Xing", b"Info", b"VBRI"))


def mp3_frame_bytes(head: bytes) -> int | None:
    """Return the length of the frame of MPEG layer III that ``head`` begins; ``None``: it does not say."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return None
    version = head[1] >> 3 & 3  # 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
    rates = {3: (44_100, 48_000, 32_000), 2: (22_050, 24_000, 16_000), 0: (11_025, 12_000, 8_000)}
    kilobits, rate = _KILOBITS[version == 3][head[2] >> 4], head[2] >> 2 & 3
    if version not in rates or rate == 3 or not kilobits:
        return None
    return (144 if version == 3 else 72) * kilobits * 1000 // rates[version][rate] + (head[2] >> 1 & 1)


#: Bit rates of layer III by their index: of MPEG 2 and 2.5, of MPEG 1. 0: free, or not allowed.
_KILOBITS = (
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0),
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0),
)


def _wav_data(file: BinaryIO) -> tuple[int, int, int] | None:
    """Return where the data chunk begins, its size (0: unknown), and the bytes per second."""
    file.seek(12)
    long_size = rate = 0
    for _ in range(_CHUNKS):
        head = file.read(8)
        if len(head) < 8:
            return None
        name, length = head[:4], int.from_bytes(head[4:], "little")
        if name == b"data":
            length = long_size if length == 0xFFFF_FFFF else length
            return file.tell(), 0 if long_size == 0 and length >= _UNKNOWN else length, rate
        start = file.tell()
        if name == b"ds64":  # 64-bit sizes of RF64: of the file, then of the data
            long_size = int.from_bytes(file.read(16)[8:], "little")
        elif name == b"fmt ":
            rate = int.from_bytes(file.read(12)[8:], "little")
        file.seek(start + length + length % 2)
    return None


def _cut_wav(file: BinaryIO, size: int) -> str | None:
    found = _wav_data(file)
    if found is None:
        return None  # FFmpeg says what it lacks
    start, length, _ = found
    there = size - start
    return f"its header says {length:,} bytes of audio, {there:,} are there" if there < length else None


def _cut_mp4(file: BinaryIO, size: int) -> str | None:
    at, has_index = 0, False
    for _ in range(_CHUNKS):
        if at + 8 > size:
            break
        file.seek(at)
        head = file.read(16)
        length, name = int.from_bytes(head[:4], "big"), head[4:8]
        if length == 1:
            length = int.from_bytes(head[8:], "big")
        elif length == 0:
            length = size - at
        if length < 8:
            return None  # FFmpeg says what is wrong
        has_index |= name == b"moov"
        if at + length > size:
            shown = name.decode("latin-1")
            return f"its box {shown!r} says {length:,} bytes, {size - at:,} are there"
        at += length
    return None if has_index else "its index (the box 'moov') is not there"


def _cut_matroska(file: BinaryIO, size: int) -> str | None:
    at = 0
    for _ in range(_ELEMENTS_LOOKED_AT):
        if at >= size:
            break
        name, length, start = read_element(file, at)
        if length is None and name not in _OPEN_ELEMENTS:
            return "its last element is incomplete" if name and start >= size else None
        if length is not None and start + length > size:
            shown = _ELEMENTS.get(name, f"element {name.hex()}")
            return f"its {shown} says {length:,} bytes, {size - start:,} are there"
        at = start if length is None else start + length
    return None


#: What a writer that streams leaves open, so that its parts follow: a segment and its clusters.
_ELEMENTS = {SEGMENT: "segment", CLUSTER: "cluster", b"\xa3": "last block"}
_OPEN_ELEMENTS = (SEGMENT, CLUSTER)


def _cut_ogg(file: BinaryIO, size: int) -> str | None:
    file.seek(max(0, size - _TAIL))
    tail = file.read()
    at = tail.rfind(b"OggS")
    if at < 0 or len(tail) < at + 27:
        return "its last page is incomplete"
    count = tail[at + 26]
    if len(tail) < at + 27 + count + sum(tail[at + 27 : at + 27 + count]):
        return "its last page is incomplete"
    return None if tail[at + 5] & 4 else "its last page is not marked as the end of the stream"
