"""Whether a PNG is whole: its chunks, and whether its pixels are as many as its header says."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from .inflate import inflated_bytes
from .limits import MAX_PIXELS

_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_PALETTE = 3
#: Adam7: where the pixels of each pass begin and how far apart they are, across and down.
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def fault_of_png(raw: bytes) -> str | None:
    """Return in words what is wrong with ``raw``, a PNG; ``None``: nothing is seen.

    A chunk is incomplete or its checksum is wrong, the palette or the end is not there, there are fewer or
    more pixels than the header says, or another number of frames. Decoders pass over the last two: what is
    not there becomes black.
    """
    try:
        return _fault_of_pictures(list(_chunks(raw)))
    except _Damaged as damage:
        return str(damage)


class _Damaged(Exception):
    """What is wrong, in words."""


@dataclass(slots=True)
class _Picture:
    """The picture, or a frame, of a PNG: its size, and where its compressed pixels stand."""

    width: int
    height: int
    pieces: list[bytes] = field(default_factory=list)


def _chunks(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at + 12 <= len(raw):
        length, name = int.from_bytes(raw[at : at + 4], "big"), raw[at + 4 : at + 8]
        end = at + 12 + length
        shown = name.decode("latin-1")
        if end > len(raw):
            raise _Damaged(
                f"is cut off: its chunk {shown!r} says {length:,} bytes, {len(raw) - at - 12:,} are there"
            )
        if zlib.crc32(raw[at + 4 : end - 4]) != int.from_bytes(raw[end - 4 : end], "big"):
            raise _Damaged(f"is damaged: the checksum of its chunk {shown!r} is wrong")
        if name == b"IEND":
            return
        yield name, raw[at + 8 : end - 4]
        at = end
    raise _Damaged("is cut off: its last chunk (IEND) is not there")


def _fault_of_pictures(chunks: list[tuple[bytes, bytes]]) -> str | None:
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        return None  # the decoder says so
    head = chunks[0][1]
    main = _Picture(*_size(head))
    depth, colours, interlaced = head[8], head[9], head[12]
    frames: list[_Picture] = []
    said: int | None = None
    has_palette = False
    for name, content in chunks:
        if name == b"acTL" and len(content) == 8:
            said = int.from_bytes(content[:4], "big")
        elif name == b"fcTL" and len(content) == 26:
            # In front of the picture itself it makes the picture the first frame.
            frames.append(_Picture(*_size(content[4:])) if main.pieces else main)
        elif name == b"IDAT":
            main.pieces.append(content)
        elif name == b"fdAT" and frames:
            frames[-1].pieces.append(content[4:])
        has_palette |= name == b"PLTE"
    if said is not None and said != len(frames):
        return f"is damaged: its header says {said:,} frames, {len(frames):,} are there"
    if colours == _PALETTE and not has_palette:
        return "is damaged: its colours are numbers of a palette (PLTE) that is not there"
    if colours not in _SAMPLES or not main.pieces:
        return None  # the decoder says so
    pictures = [main, *(frame for frame in frames if frame is not main)]
    for picture in pictures:
        if not 0 < picture.width * picture.height <= MAX_PIXELS:
            continue  # refused for its size
        fault = _fault_of_pixels(picture, depth * _SAMPLES[colours], is_interlaced=interlaced == 1)
        if fault is not None:
            return fault
    return None


def _fault_of_pixels(picture: _Picture, bits: int, *, is_interlaced: bool) -> str | None:
    needed = sum(
        height * (1 + (width * bits + 7) // 8)
        for width, height in (_passes(picture) if is_interlaced else [(picture.width, picture.height)])
        if width
    )
    size = f"{picture.width:,} x {picture.height:,} pixels"
    try:
        count = inflated_bytes(picture.pieces, needed)
    except zlib.error as error:
        return f"is damaged: its pixels do not decompress ({error})"
    if count is None:
        return f"is cut off: its header says {size}, and the data end before them"
    if count == needed:
        return None
    there = "more" if count > needed else f"{count:,} of {needed:,} bytes"
    return f"is damaged: its header says {size}, {there} are there"


def _passes(picture: _Picture) -> list[tuple[int, int]]:
    return [
        (max(0, -(-(picture.width - left) // across)), max(0, -(-(picture.height - top) // down)))
        for left, top, across, down in _PASSES
    ]


def _size(content: bytes) -> tuple[int, int]:
    return int.from_bytes(content[:4], "big"), int.from_bytes(content[4:8], "big")
