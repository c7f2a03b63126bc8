"""How much of a picture is anything but one colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from .backgrounds import on_backgrounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The side of a block, in pixels, whose mean is looked at: noise vanishes in it, and a letter does not.
BLOCK = 8
#: A pixel this many levels off is no noise of a camera or an encoder.
_FAR = 32


def block_side(height: int, width: int) -> int:
    """Return the side of a block: 8, and less where a picture's shorter side has fewer than 8 blocks."""
    return max(1, min(BLOCK, min(height, width) // BLOCK))


def content_share(rgba: NDArray[np.uint8], *, tolerance: float) -> float:
    """Return the share, 0 to 1, of a picture (H, W, 4) that is anything but its one colour.

    The picture is cut into blocks; a block is content where the mean of a channel is more than
    ``tolerance`` levels, 0 to 255, from that channel's median over all blocks. Where no block is, a block
    counts in which more than a quarter of the pixels are more than 32 levels off: patterns finer than a
    block. With transparent parts the picture is looked at on black and on white, and the greater share
    counts: what can be seen on one of them is there, and what is transparent all over on neither.
    """
    return max(rgb_content_share(rgb, tolerance=tolerance) for (rgb,) in on_backgrounds(rgba))


def rgb_content_share(rgb: NDArray[np.uint8], *, tolerance: float) -> float:
    """Return the same of a picture without transparent parts (H, W, 3)."""
    return _share(rgb, block_means(rgb, block_side(rgb.shape[0], rgb.shape[1])), tolerance)


def plane_content_share(plane: NDArray[np.uint8], blocks: NDArray[np.float32], *, tolerance: float) -> float:
    """Return the same of one plane (H, W), such as a frame's brightness, whose ``block_means`` are given."""
    return _share(plane[..., None], blocks[..., None], tolerance)


def blocks_content_share(blocks: NDArray[np.float32], *, tolerance: float) -> float:
    """Return the share of the ``block_means`` of one plane that are away from its one level.

    0 says nothing yet: patterns finer than a block are seen in the plane alone.
    """
    return float(_is_away(blocks[..., None], tolerance)[0].mean())


def block_means(picture: NDArray[np.uint8], side: int) -> NDArray[np.float32]:
    """Return the mean of every block of a picture (H, W) or (H, W, 3), to the nearest level.

    Blocks at the right and at the bottom may be smaller.
    """
    if side == 1:
        return picture.astype(np.float32)
    return np.asarray(Image.fromarray(np.ascontiguousarray(picture)).reduce(side), np.float32)


def _share(picture: NDArray[np.uint8], blocks: NDArray[np.float32], tolerance: float) -> float:
    away, middle = _is_away(blocks, tolerance)
    if not away.any():
        height, width = picture.shape[:2]
        far = np.zeros((height, width), np.bool_)
        for channel, level in enumerate(middle):
            plane = picture[..., channel]
            far |= plane > min(255, int(level) + _FAR)
            far |= plane < max(0, int(level) - _FAR)
        if not far.any():
            return 0.0
        away = block_means(far.astype(np.uint8) * 255, block_side(height, width)) > 255 / 4
    return float(away.mean())


def _is_away(
    blocks: NDArray[np.float32], tolerance: float
) -> tuple[NDArray[np.bool_], NDArray[np.floating[Any]]]:
    """Return which blocks are content, and the one colour that the others are of."""
    middle = np.median(blocks.reshape(-1, blocks.shape[-1]), axis=0)
    return (np.abs(blocks - middle) > tolerance).any(axis=2), middle
