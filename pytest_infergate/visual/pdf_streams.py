"""Whether what stands compressed in a PDF is whole: what draws it leaves out what it cannot read."""

from __future__ import annotations

import re
import zlib

from ..evidence import UndecodableMedia
from .inflate import inflated_bytes
from .jpeg import check_jpeg

#: A stream behind its dictionary, and what that says to undo first: of zlib, or of a JPEG.
_STREAM = re.compile(rb">>\s*stream\r?\n")
_FILTER = re.compile(rb"/(?:Filter|F)\s*(?:\[\s*)?/(?P<name>FlateDecode|Fl|DCTDecode|DCT)\b")
#: Of a dictionary: longer ones are not looked at.
_LONGEST = 4096
#: Bytes that one stream may hold: a picture of as many pixels as are drawn.
_MOST = 1 << 29


def find_damaged_stream(raw: bytes) -> str | None:
    """Return in words which part of ``raw``, a PDF, does not decompress; ``None``: none is seen.

    An encrypted document is not looked at: nothing in it decompresses before it is decrypted.
    """
    if b"/Encrypt" in raw:
        return None
    at = 0
    while (found := _STREAM.search(raw, at)) is not None:
        at = found.end()
        before = raw[max(0, found.start() - _LONGEST) : found.start()]
        _, named, dictionary = before.rpartition(b" obj")
        its_filter = _FILTER.search(dictionary) if named else None
        if its_filter is None:
            continue
        end = raw.find(b"endstream", at)
        end = end if end > 0 else len(raw)
        check = _fault_of_jpeg if its_filter["name"].startswith(b"DCT") else _fault_of_deflated
        fault = check(raw[at:end])
        if fault is not None:
            return f"is damaged: a part of it at byte {at:,} {fault}"
        at = end
    return None


def _fault_of_deflated(content: bytes) -> str | None:
    try:
        return "ends too early" if inflated_bytes([content], _MOST) is None else None
    except zlib.error as error:
        return f"does not decompress ({error})"


def _fault_of_jpeg(content: bytes) -> str | None:
    try:
        check_jpeg(content, "(jpeg)")
    except UndecodableMedia as error:
        return error.detail
    return None
