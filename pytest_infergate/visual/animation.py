"""A GIF, an animated PNG or WebP: its frames as they are shown, one after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..evidence import UndecodableMedia
from .frame import AnimationFrame
from .limits import MAX_ANIMATION_PIXELS
from .pixels import rgba_of
from .strict import load, opened

if TYPE_CHECKING:
    from PIL import Image

#: Browsers show a frame for a tenth of a second where a file asks for 10 ms or less.
_LEAST_MS, _INSTEAD_MS = 10, 100


def count_frames(image: Image.Image) -> int:
    """Return how many frames ``image`` shows one after another; 1: it stands still."""
    return int(getattr(image, "n_frames", 1)) - _first(image)


def animation_frames(raw: bytes, name: str) -> Iterator[AnimationFrame]:
    """Yield the frames of ``raw``, whose messages begin with ``name``, composed as they are shown.

    Memory holds two of them. A frame is shown for as long as the file says, and for 0.1 s where that is 10 ms
    or less, as browsers do. Raises ``UndecodableMedia``, at the latest behind the last frame that is there.
    """
    with opened(raw, name) as image:
        first, count = _first(image), count_frames(image)
        if count * image.width * image.height > MAX_ANIMATION_PIXELS:
            raise UndecodableMedia(
                f"{name} has {count:,} frames of {image.width:,} x {image.height:,} pixels; up to "
                f"{MAX_ANIMATION_PIXELS:,} pixels in all are decoded: make it smaller or shorter"
            )
        shown_ms = 0.0
        for index in range(count):
            try:
                load(image, first + index)
            except EOFError as error:
                raise UndecodableMedia(
                    f"{name} is damaged or cut off: it says {count:,} frames, {index:,} decode"
                ) from error
            asked = float(image.info.get("duration") or 0)
            lasts = asked if asked > _LEAST_MS else _INSTEAD_MS
            yield AnimationFrame(index, shown_ms / 1000, lasts / 1000, rgba_of(image, name))
            shown_ms += lasts


def _first(image: Image.Image) -> int:
    """Return where the frames begin: the picture of an animated PNG for who cannot show it moving is none."""
    return 1 if getattr(image, "default_image", False) else 0
