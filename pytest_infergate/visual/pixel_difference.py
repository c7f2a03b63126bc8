"""Which pixels of two pictures of one size differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Beyond this many equal neighbours a pixel lies in an area of one colour, not on an edge.
_FLAT = 2
#: The brightness of what lies outside of a picture.
_NOWHERE = -1
#: How many pixels are asked about their neighbours at a time.
_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelDifference:
    """What differs.

    ``differs`` (H, W) is true where a pixel differs by more than the tolerance and is not forgiven;
    ``forgiven`` counts those that are anti-aliasing in both pictures. ``greatest`` is the greatest distance
    of any two pixels, 0 to 255.
    """

    differs: NDArray[np.bool_]
    count: int
    forgiven: int
    greatest: float

    @property
    def share(self) -> float:
        """Of all pixels, 0 to 1."""
        return self.count / self.differs.size


def pixel_difference(
    actual: NDArray[np.uint8],
    expected: NDArray[np.uint8],
    *,
    tolerance: float = 0,
    forgive_antialiasing: bool = False,
) -> PixelDifference:
    """Compare two pictures (H, W, 4), straight alpha, of one shape.

    The distance of two pixels is the greatest difference of any channel, 0 to 255, where both lie on black or
    where both lie on white, whichever is greater: for opaque ones the difference of the channels, for others
    what can be seen on any background, so that a change of alpha counts and the colour of a pixel that cannot
    be seen does not. A pixel differs where its distance is more than ``tolerance``.

    The rule of anti-aliasing is that of pixelmatch (Vyšniauskas 2009): in one of the pictures the pixel has a
    darker and a brighter neighbour and at most two of its own brightness, and its darkest or its brightest
    neighbour lies in an area of three or more pixels of one colour in both pictures.
    """
    if actual.shape != expected.shape or actual.ndim != 3 or actual.shape[2] != 4:
        raise ValueError(f"cannot compare arrays of the shapes {actual.shape} and {expected.shape}")
    opaque = bool(actual[..., 3].min() == 255 and expected[..., 3].min() == 255)
    differs, greatest = (_opaque if opaque else _see_through)(actual, expected, tolerance)
    forgiven = 0
    if forgive_antialiasing and differs.any():
        places = np.flatnonzero(differs)
        edges = _antialiased(actual, expected, places)
        differs.flat[places[edges]] = False
        forgiven = int(edges.sum())
    return PixelDifference(
        differs=differs, count=int(np.count_nonzero(differs)), forgiven=forgiven, greatest=greatest
    )


def _opaque(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8], tolerance: float
) -> tuple[NDArray[np.bool_], float]:
    distance = np.maximum(actual, expected)
    distance -= np.minimum(actual, expected)
    if tolerance >= 255:
        return np.zeros(distance.shape[:2], np.bool_), float(distance.max())
    # Four bytes at once: a pixel differs where any of its four answers is not 0.
    above = np.ascontiguousarray(distance > int(tolerance))
    return above.view(np.uint32)[..., 0] != 0, float(distance.max())


def _see_through(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8], tolerance: float
) -> tuple[NDArray[np.bool_], float]:
    differs = np.empty(actual.shape[:2], np.bool_)
    greatest = 0
    rows = max(1, (1 << 16) // actual.shape[1])
    for top in range(0, actual.shape[0], rows):
        one, other = actual[top : top + rows], expected[top : top + rows]
        alpha, other_alpha = one[..., 3].astype(np.int32), other[..., 3].astype(np.int32)
        free = (other_alpha - alpha) * 255
        distance = np.zeros(free.shape, np.int32)
        for channel in range(3):
            # 255 times the value on black; on white, what alpha leaves free is added.
            black = one[..., channel] * alpha
            black -= other[..., channel] * other_alpha
            np.maximum(distance, np.abs(black), out=distance)
            black += free
            np.maximum(distance, np.abs(black), out=distance)
        differs[top : top + rows] = distance > 255 * tolerance
        greatest = max(greatest, int(distance.max()))
    return differs, greatest / 255


def _antialiased(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8], places: NDArray[Any]
) -> NDArray[np.bool_]:
    """Return which of the pixels, by their places in the flat picture, lie on a smoothed edge."""
    rows, columns = np.divmod(places, width := actual.shape[1])
    # In a frame of one pixel, every pixel has eight neighbours and none has to be asked whether it is there.
    framed = (rows + 1) * (width + 2) + columns + 1
    one, other = _Framed(actual), _Framed(expected)
    found = np.zeros(len(places), np.bool_)
    for first in range(0, len(places), _AT_ONCE):
        chunk = slice(first, first + _AT_ONCE)
        found[chunk] = one.is_edge(framed[chunk], other) | other.is_edge(framed[chunk], one)
    return found


class _Framed:
    """A picture within a frame of pixels that are none, flat."""

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        words = np.ascontiguousarray(picture).view(np.uint32)[..., 0]
        self.stride = picture.shape[1] + 2
        self.colour = np.pad(words, 1).ravel()
        self.brightness = np.pad(_brightness(picture), 1, constant_values=_NOWHERE).ravel()

    def is_edge(self, places: NDArray[Any], other: _Framed) -> NDArray[np.bool_]:
        own = self.brightness[places]
        lowest, highest = np.zeros_like(own), np.zeros_like(own)
        darkest, brightest = places.copy(), places.copy()
        equal, border = np.zeros(len(places), np.int8), np.zeros(len(places), np.bool_)
        for step in self._steps():
            around = self.brightness[places + step]
            outside = around == _NOWHERE
            border |= outside
            change = around - own
            change[outside] = 0
            equal += ~outside & (change == 0)
            lower, higher = change < lowest, change > highest
            np.copyto(lowest, change, where=lower)
            np.copyto(darkest, places + step, where=lower)
            np.copyto(highest, change, where=higher)
            np.copyto(brightest, places + step, where=higher)
        found: NDArray[np.bool_] = (equal + border <= _FLAT) & (lowest < 0) & (highest > 0)
        of_both = np.zeros(int(found.sum()), np.bool_)
        for extreme in (darkest[found], brightest[found]):
            of_both |= self._has_siblings(extreme) & other._has_siblings(extreme)
        found[found] = of_both
        return found

    def _has_siblings(self, places: NDArray[Any]) -> NDArray[np.bool_]:
        own = self.colour[places]
        siblings, border = np.zeros(len(places), np.int8), np.zeros(len(places), np.bool_)
        for step in self._steps():
            outside = self.brightness[places + step] == _NOWHERE
            border |= outside
            siblings += ~outside & (self.colour[places + step] == own)
        has: NDArray[np.bool_] = siblings + border > _FLAT
        return has

    def _steps(self) -> list[int]:
        return [down * self.stride + right for right in (-1, 0, 1) for down in (-1, 0, 1) if down or right]


def _brightness(picture: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return 255,000 times the luma (Rec. 601) of a picture (H, W, 4) on white."""
    # Whole numbers up to 255,000 are exact in single precision, and a product of matrices is fast.
    luma = (picture.astype(np.float32) @ np.array([299, 587, 114, 0], np.float32)).astype(np.int32)
    luma -= 255_000
    luma *= picture[..., 3]
    luma += 255 * 255_000
    return luma
