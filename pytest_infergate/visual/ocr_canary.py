"""A picture with known text and one without: what a text reader must get right before its scores count."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..evidence import digest
from .comparable_text import TEXT_RULE, comparable

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from .text_reader import TextReader

#: What ``ocr_canary.png`` says, in two lines.
CANARY_TEXT = "Quiet garden 4817\nTotal: $2,350.96"

_PICTURE = Path(__file__).with_name("ocr_canary.png")


@lru_cache(maxsize=1)
def ocr_canary_digest() -> str:
    """Return the digest of the picture and of what is to be read on it."""
    return digest([_PICTURE.read_bytes().hex(), CANARY_TEXT, TEXT_RULE])


def ocr_canary_problem(reader: TextReader) -> str | None:
    """Have both pictures read and say what is wrong, ``None`` where nothing is.

    Raises ``ReaderUnavailable``.
    """
    written, blank = _pictures()
    read = reader.read(written).text
    if comparable(read) != comparable(CANARY_TEXT):
        return f"canary: read {read[:120]!r} on a picture that says {CANARY_TEXT!r}"
    found = reader.read(blank, find_all=True)
    places = [*found.doubtful, *(line for line in found.lines if comparable(line.text))]
    if places:
        return f"canary: found text in {len(places)} places of a blank picture: {found.text[:120]!r}"
    return None


@lru_cache(maxsize=1)
def _pictures() -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8]]:
    import numpy
    from PIL import Image

    with Image.open(_PICTURE) as picture:
        written = numpy.array(picture.convert("RGB"))
    return written, numpy.full_like(written, 255)
