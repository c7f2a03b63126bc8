"""A short code of how a picture looks from afar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The code's length.
BITS = 64
_SIDE = 8
#: The side of the small picture whose coarsest 8 x 8 frequencies are kept.
_SMALL = 32


def perceptual_hash(grey: NDArray[np.uint8]) -> int:
    """Return the 64 bits of a grey plane (H, W), the first in the highest place.

    The rule is that of pHash (Zauner 2010), as ``imagehash.phash`` has it: the plane is reduced to 32 x 32
    pixels (Lanczos), of whose cosine transform the lowest 8 x 8 frequencies are compared with their median.
    Of a plane of one colour the bits say nothing.
    """
    small = np.asarray(Image.fromarray(grey).resize((_SMALL, _SMALL), Image.Resampling.LANCZOS), np.float64)
    low = _COSINES @ small @ _COSINES.T
    # A frequency that is absent is 0, and not what rounding left of it on this processor.
    low = np.round(low, 6)
    bits = low > np.median(low)
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def hash_distance(one: int, other: int) -> int:
    """Return how many of the 64 bits differ."""
    return (one ^ other).bit_count()


def _cosines() -> NDArray[Any]:
    frequency, place = np.arange(_SIDE)[:, None], np.arange(_SMALL)[None, :]
    waves: NDArray[Any] = 2 * np.cos(np.pi * frequency * (2 * place + 1) / (2 * _SMALL))
    return waves


_COSINES = _cosines()
