"""Whether compressed bytes are whole: decompressed and counted, and none of them kept."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

_PIECE = 1 << 20


def inflated_bytes(pieces: Iterable[bytes], most: int) -> int | None:
    """Return how many bytes a zlib stream in ``pieces`` holds; ``None``: it does not end.

    Counting stops behind ``most``: what a few bytes expand to is not bounded. Raises ``zlib.error`` for what
    does not decompress, or has another checksum than it says.
    """
    stream, count = zlib.decompressobj(), 0
    for piece in pieces:
        while piece and not stream.eof:
            count += len(stream.decompress(piece, _PIECE))
            if count > most:
                return count
            piece = stream.unconsumed_tail
    # What is still inside after the last byte was given.
    while not stream.eof and (more := stream.decompress(b"", _PIECE)):
        count += len(more)
    return count if stream.eof else None
