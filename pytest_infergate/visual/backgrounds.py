"""What can be seen of a picture with transparent parts: on black, and on white."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def is_opaque(rgba: NDArray[np.uint8]) -> bool:
    """Return whether every pixel of a picture (H, W, 4) hides what is behind it."""
    return bool(rgba[..., 3].min() == 255)


def on_backgrounds(*pictures: NDArray[np.uint8]) -> Iterator[tuple[NDArray[np.uint8], ...]]:
    """Yield the pictures (H, W, 4), straight alpha, as RGB (H, W, 3).

    Once where all are opaque, else twice: on black, then on white.
    What is seen on one of the two can be seen at all: any other background lies between them.
    """
    if all(is_opaque(picture) for picture in pictures):
        yield tuple(picture[..., :3] for picture in pictures)
        return
    for background in (0, 255):
        yield tuple(_laid_on(picture, background) for picture in pictures)


def luma(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the brightness (H, W) of a picture (H, W, 3) by Rec. 601, to the nearest whole level."""
    if np.array_equal(rgb[..., 0], rgb[..., 1]) and np.array_equal(rgb[..., 0], rgb[..., 2]):
        return np.ascontiguousarray(rgb[..., 0])
    weighted = rgb.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)
    weighted += 0.5
    plane: NDArray[np.uint8] = weighted.clip(0, 255).astype(np.uint8)
    return plane


def _laid_on(picture: NDArray[np.uint8], background: int) -> NDArray[np.uint8]:
    alpha = picture[..., 3]
    seen = np.empty((*alpha.shape, 3), np.uint8)
    hidden = (255 - alpha.astype(np.int32)) * background + 127
    for channel in range(3):
        value = np.multiply(picture[..., channel], alpha, dtype=np.int32)
        value += hidden
        value //= 255
        seen[..., channel] = value
    return seen
