"""Whether the parts of a Matroska are as they were written: decoders of VP8 and VP9 take any bytes."""

from __future__ import annotations

import zlib
from typing import BinaryIO

from .ebml import CLUSTER, SEGMENT, read_element

_PIECE = 1 << 20
#: A CRC-32 and its length: the first child of an element that has one (RFC 8794, 11.3.1).
_CHECKSUM = b"\xbf\x84"
_ELEMENTS_LOOKED_AT = 100_000


def find_wrong_checksum(file: BinaryIO, size: int) -> str | None:
    """Return in words which part of ``file``, a Matroska of ``size`` bytes, was changed; ``None``: none.

    The parts of its segment are looked at; those without a checksum, and what ends beyond the file, are
    passed over, and so is all that follows a part of unknown length.
    """
    at = 0
    for _ in range(_ELEMENTS_LOOKED_AT):
        name, length, start = read_element(file, at)
        if name == SEGMENT:
            at = start
            continue
        if not name or length is None or start + length > size:
            return None
        file.seek(start)
        head = file.read(6)
        if head[:2] == _CHECKSUM and length >= len(head):
            checksum, left = 0, length - len(head)
            while left and (piece := file.read(min(left, _PIECE))):
                checksum, left = zlib.crc32(piece, checksum), left - len(piece)
            if checksum != int.from_bytes(head[2:], "little"):
                what = "cluster" if name == CLUSTER else f"element {name.hex()}"
                return f"the checksum of its {what} at byte {at:,} is wrong"
        at = start + length
    return None
