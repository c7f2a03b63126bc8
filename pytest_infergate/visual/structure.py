"""Whether the file of a picture is whole: read off its own structure, where decoders do not look."""

from __future__ import annotations

from .pdf_streams import find_damaged_stream
from .picture_format import PictureFormat
from .png_structure import fault_of_png


def find_fault(raw: bytes, picture_format: PictureFormat) -> str | None:
    """Return in words what is wrong with ``raw``; ``None``: nothing is seen.

    PNG: see ``fault_of_png``. GIF: a block is incomplete or the trailer is not there. WebP: shorter than it
    says. PDF: no end of file, or a part of it does not decompress. JPEG and TIFF show it when decoded.
    """
    if picture_format is PictureFormat.PNG:
        return fault_of_png(raw)
    if picture_format is PictureFormat.GIF:
        return _fault_of_gif(raw)
    if picture_format is PictureFormat.WEBP:
        said = int.from_bytes(raw[4:8], "little") + 8
        return f"is cut off: it says {said:,} bytes, {len(raw):,} are there" if said > len(raw) else None
    if picture_format is PictureFormat.PDF:
        if b"%%EOF" not in raw[-2048:]:
            return "is cut off: the mark of its end (%%EOF) is not there"
        return find_damaged_stream(raw)
    return None


def _fault_of_gif(raw: bytes) -> str | None:
    cut = "is cut off: its trailer is not there"
    if len(raw) < 13:
        return cut
    at = 13 + _colours(raw[10])
    while at < len(raw):
        kind = raw[at]
        if kind == 0x3B:
            return None
        if kind == 0x21:  # an extension: its label, then blocks
            at += 2
        elif kind == 0x2C:  # a frame: place and size, colours, the width of codes, then blocks
            if at + 10 > len(raw):
                return cut
            at += 11 + _colours(raw[at + 9])
        else:
            return f"is damaged: there is no block of the kind {kind:#04x}"
        while at < len(raw) and raw[at]:
            at += raw[at] + 1
        at += 1
    return cut


def _colours(packed: int) -> int:
    """How many bytes the table of colours takes that the packed field announces."""
    return 3 << (packed & 7) + 1 if packed & 0x80 else 0
