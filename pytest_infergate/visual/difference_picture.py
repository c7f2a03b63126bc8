"""A picture for people: actual, expected, and where they differ, side by side."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from .backgrounds import luma, on_backgrounds
from .check import ShownFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Between the pictures, and behind one that is smaller.
_GAP = 8
_BEHIND = (119, 136, 153)
_DIFFERS = (255, 0, 0)


def difference_picture(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8], differs: NDArray[np.bool_] | None
) -> bytes:
    """Return a PNG of two pictures (H, W, 4) and of ``differs`` (H, W), red on the expected one faded.

    ``None`` where they have no pixels in common to compare, such as for unequal sizes: then it shows the
    two as they are, none cut and none stretched. What is transparent is shown on white.
    """
    panels = [_on_white(actual), _on_white(expected)]
    if differs is not None:
        faded = 255 - (255 - luma(panels[1])) // 4
        marked = np.repeat(faded[..., None], 3, axis=2)
        marked[differs] = _DIFFERS
        panels.append(marked)
    height = max(panel.shape[0] for panel in panels)
    width = sum(panel.shape[1] for panel in panels) + _GAP * (len(panels) - 1)
    sheet = np.empty((height, width, 3), np.uint8)
    sheet[:] = _BEHIND
    left = 0
    for panel in panels:
        sheet[: panel.shape[0], left : left + panel.shape[1]] = panel
        left += panel.shape[1] + _GAP
    return png_of(sheet)


def png_of(pixels: NDArray[np.uint8]) -> bytes:
    """Return a picture (H, W, 3) or (H, W, 4) as a PNG."""
    file = BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG", compress_level=1)
    return file.getvalue()


def _on_white(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    (*_, (last,)) = on_backgrounds(picture)
    return last


def shown_difference(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8], differs: NDArray[np.bool_] | None
) -> tuple[ShownFile, ...]:
    """Return pictures of both (H, W, 4) and of how they differ, see ``difference_picture``."""
    return (
        ("actual", png_of(actual), ".png"),
        ("expected", png_of(expected), ".png"),
        ("difference", difference_picture(actual, expected, differs), ".png"),
    )
