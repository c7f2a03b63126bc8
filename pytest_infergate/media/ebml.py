"""The elements of an EBML file, which a Matroska is (RFC 8794)."""

from __future__ import annotations

from typing import BinaryIO

#: Ids of Matroska's elements.
SEGMENT, CLUSTER = b"\x18\x53\x80\x67", b"\x1f\x43\xb6\x75"


def read_element(file: BinaryIO, at: int) -> tuple[bytes, int | None, int]:
    """Return id, length and place of the content of the element that begins at byte ``at``.

    The id is empty where none begins there; the length ``None`` where it is not known, or the file ends.
    """
    file.seek(at)
    head = file.read(4)
    name = head[: 9 - head[0].bit_length()] if head and head[0] else b""
    file.seek(at + len(name))
    return name, _size(file), file.tell()


def _size(file: BinaryIO) -> int | None:
    first = file.read(1)
    if not first or not first[0]:
        return None
    more = 8 - first[0].bit_length()
    value = first[0] & (0x7F >> more)
    for byte in file.read(more):
        value = value << 8 | byte
    return None if value == (1 << 7 * (more + 1)) - 1 else value
