"""Whether every page of a TIFF is whole."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from ..evidence import UndecodableMedia
from .inflate import inflated_bytes
from .limits import MAX_ANIMATION_PIXELS, check_size
from .strict import load

if TYPE_CHECKING:
    from PIL import Image

_COMPRESSION, _DEFLATE = 259, (8, 32946)
#: Where the strips, or tiles, of a page are, and how long.
_PLACES = ((273, 279), (324, 325))
_MOST = 1 << 29


def check_pages(image: Image.Image, raw: bytes, count: int, name: str) -> None:
    """Decode every page of ``image`` but the first, and check what is compressed by zlib in all of them.

    libtiff stops where a strip is full, and so does not see a checksum that is wrong. Leaves ``image`` at its
    first page. Raises ``UndecodableMedia``, which begins with ``name``.
    """
    pixels = 0
    for page in range(count):
        where = f"{name}, page {page + 1} of {count}," if count > 1 else name
        image.seek(page)
        check_size(where, *image.size)
        pixels += image.width * image.height
        if pixels > MAX_ANIMATION_PIXELS:
            raise UndecodableMedia(
                f"{name} has {count:,} pages; up to {MAX_ANIMATION_PIXELS:,} pixels in all are decoded"
            )
        _check_strips(image, raw, where)
        if page:
            try:
                load(image)
            except Exception as error:  # as in ``opened``, with the page
                raise UndecodableMedia(f"{where} cannot be decoded: {error}") from error
    image.seek(0)


def _check_strips(image: Image.Image, raw: bytes, where: str) -> None:
    tags = getattr(image, "tag_v2", {})
    if tags.get(_COMPRESSION) not in _DEFLATE:
        return
    for places, lengths in _PLACES:
        for begin, length in zip(tags.get(places, ()), tags.get(lengths, ()), strict=False):
            try:
                is_whole = inflated_bytes([raw[begin : begin + length]], _MOST) is not None
            except zlib.error as error:
                raise UndecodableMedia(
                    f"{where} is damaged: a part of it does not decompress ({error})"
                ) from error
            if not is_whole:
                raise UndecodableMedia(f"{where} is damaged or cut off: a part of it ends too early")
