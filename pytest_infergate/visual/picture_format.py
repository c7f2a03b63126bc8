"""What kind of picture bytes are, by their first bytes and never by a name."""

from __future__ import annotations

import re
from enum import Enum

READ = "png, jpeg, webp, gif, apng, tiff, svg, pdf, mp4, mov, mkv and webm are read"


class PictureFormat(Enum):
    """A kind of picture that is read; the value is its name in records."""

    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"
    GIF = "gif"
    TIFF = "tiff"
    SVG = "svg"
    PDF = "pdf"


def recognise_picture(head: bytes) -> PictureFormat | None:
    """Return what ``head``, the first 4,096 bytes of a file, begins; ``None``: no picture that is read."""
    for magic, found in _MAGIC:
        if head.startswith(magic):
            return found
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return PictureFormat.WEBP
    return PictureFormat.SVG if _SVG_ROOT.match(_behind_prolog(_text_of(head))) else None


def describe_picture(head: bytes) -> str | None:
    """Say what ``head`` begins where it is a picture of a kind that is not read; ``None``: it is not one."""
    if head[4:8] == b"ftyp" and head[8:12] in _STILL_BRANDS:
        return f"it is {_STILL_BRANDS[head[8:12]]}, which is not read; convert it to png"
    for magic, what in _OTHER:
        if head.startswith(magic):
            return f"it is {what}, which is not read; convert it to png"
    return None


def _text_of(head: bytes) -> str:
    encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return head.decode(encoding, "replace").lstrip()


def _behind_prolog(text: str) -> str:
    """Return ``text`` without the declaration, comments and document type in front of its root."""
    # Searched and not matched: a pattern of several comments takes ages to find that none is the last.
    while True:
        text = text.lstrip()
        ends = [end for begin, end in _PROLOG if text.startswith(begin)]
        if text[:9].lower() == "<!doctype":
            bracket, close = text.find("["), text.find(">")
            ends = ["]"] if -1 < bracket < close else [">"]
        if not ends:
            return text
        _, found, after = text.partition(ends[0])
        if not found:
            return ""
        text = after.partition(">")[2] if ends == ["]"] else after


_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", PictureFormat.PNG),
    (b"\xff\xd8\xff", PictureFormat.JPEG),
    (b"GIF87a", PictureFormat.GIF),
    (b"GIF89a", PictureFormat.GIF),
    (b"II*\x00", PictureFormat.TIFF),
    (b"MM\x00*", PictureFormat.TIFF),
    (b"%PDF-", PictureFormat.PDF),
)
_STILL_BRANDS = {
    b"avif": "an AVIF picture",
    b"avis": "a moving AVIF picture",
    b"heic": "a HEIC picture",
    b"heix": "a HEIC picture",
    b"mif1": "a HEIF picture",
}
_OTHER = (
    (b"BM", "a BMP picture"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"8BPS", "a Photoshop file"),
    (b"\xff\x0a", "a JPEG XL picture"),
    (b"\x00\x00\x00\x0cJXL ", "a JPEG XL picture"),
    (b"\x00\x00\x00\x0cjP  ", "a JPEG 2000 picture"),
    (b"II+\x00", "a BigTIFF picture"),
    (b"MM\x00+", "a BigTIFF picture"),
)
_SVG_ROOT = re.compile(r"<(?:[\w.-]+:)?svg[\s/>]", re.IGNORECASE)
#: What may stand in front of a root in XML: how it begins and how it ends.
_PROLOG = (("<?", "?>"), ("<!--", "-->"))
