"""Whether a picture is the one expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...evidence import Missing, Reason
from ..backgrounds import luma, on_backgrounds
from ..check import CheckError, CheckResult
from ..clip import Clip
from ..content import content_share
from ..difference_picture import shown_difference
from ..measure import Measure, number_below, number_between, true_or_false
from ..perceptual_hash import BITS, hash_distance, perceptual_hash
from ..picture import Picture
from ..pixel_difference import pixel_difference
from ..ssim import WINDOW, structural_similarity

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Two pictures that are flat within this many levels hold nothing that could be alike.
_FLAT = 4
_BOTH_FLAT = "low information: both pictures are of one colour"


_Compared = tuple[float, str, "NDArray[np.bool_] | None"]


@dataclass(frozen=True, slots=True)
class _Method:
    """How alike two pictures (H, W, 4) of one size are, and from where on they match."""

    measure: Measure
    limit: float
    #: With one as lenient as this, anything matches anything. Of two pictures that have nothing in common,
    #: half of the bits differ.
    useless_limit: float
    #: Return the value, what to say of it, and which pixels differ, ``None`` where it does not look at each.
    compare: Callable[[NDArray[np.uint8], NDArray[np.uint8], float, bool], _Compared]


def matches(
    actual: Picture | Clip,
    expected: Picture | Missing,
    *,
    method: str = "pixels",
    limit: float | None = None,
    tolerance: float = 0,
    forgive_antialiasing: bool = False,
) -> CheckResult:
    """Hold a picture against the expected one.

    Pictures of unequal sizes never match, and none is cut or stretched; nor do files with unequal numbers of
    pages, of which the first one is compared.

    ``method``: ``"pixels"``, the share of pixels that differ by more than ``tolerance`` levels, see
    ``pixel_difference`` (``limit``: the greatest share, 0 unless given); ``"ssim"``, the structural
    similarity, see ``structural_similarity``, of the brightness of grey pictures and the lowest of red,
    green and blue where one has colour (``limit``: the least, 0.99); ``"hash"``, how many of 64 bits of the
    perceptual hash of the brightness differ, see ``perceptual_hash``, which neither sees colour nor small
    things (``limit``: the most, 4). With transparent parts the last two compare on black and on white, and
    the worse value counts.

    Two flat pictures that seem to match are missing, low information: a blank matches a blank whatever was
    asked for. Their hashes say nothing at all, and where one picture is flat and the other is not, they do
    not match. ``expected`` may be the reason why there is no such picture: missing.
    One wrong digit in a page of text is next to nothing to all three, unless no pixel may
    differ: read it, or ask. What does not match comes with pictures of both and of the difference.

    Raises ``CheckError`` for a method that there is not, and for settings that the method does not use.
    """
    if method not in _METHODS:
        raise CheckError(f"matches: method is {method!r}; accepted: {', '.join(map(repr, _METHODS))}")
    if method != "pixels" and (tolerance or forgive_antialiasing):
        raise CheckError(
            f"matches: tolerance and forgive_antialiasing are for 'pixels'; leave them out for {method!r}"
        )
    true_or_false("matches", "forgive_antialiasing", forgive_antialiasing)
    if not isinstance(expected, (Picture, Missing)):
        raise CheckError(
            f"matches: expected is {type(expected).__name__}; accepted: a Picture, or use same_clip"
        )
    chosen = _METHODS[method]
    number_below("matches", "tolerance", tolerance, 255)
    if limit is None:
        limit = chosen.limit
    elif method == "ssim":
        number_between("matches", "limit", limit, 0, 1)
        if limit == chosen.useless_limit:
            raise CheckError("matches: limit is 0, with which anything matches; accepted: above 0, up to 1")
    else:
        number_below("matches", "limit", limit, chosen.useless_limit)
    settings: dict[str, object] = {"method": method}
    if method == "pixels":
        settings |= {"tolerance": tolerance, "forgive_antialiasing": forgive_antialiasing}
    measure = chosen.measure
    if isinstance(actual, Clip):
        return measure.needs_picture(actual, "same_clip")
    if isinstance(expected, Missing):
        return measure.of(actual, settings=settings).miss(expected.reason, expected.detail)
    measured = measure.of(actual, settings=settings, against=expected)
    one, other = actual.rgba, expected.rgba
    if one.shape != other.shape:
        return measured.fail(
            limit,
            f"{actual.width} x {actual.height} against {expected.width} x {expected.height} pixels",
            artifacts=shown_difference(one, other, None),
        )
    if actual.frames != expected.frames:
        pages = f"{actual.frames} pages against {expected.frames}; only the first ones are decoded"
        return measured.fail(limit, pages)
    if method == "ssim" and min(one.shape[:2]) < WINDOW:
        size = f"{actual.width} x {actual.height} pixels"
        detail = f"{size} are less than the window of {WINDOW} x {WINDOW}; use 'pixels'"
        return measured.miss(Reason.INVALID_CONDITIONS, detail)
    flat = [content_share(rgba, tolerance=_FLAT) == 0 for rgba in (one, other)]
    if method == "hash" and any(flat):
        if all(flat):
            return measured.miss(Reason.EMPTY_REFERENCE, _BOTH_FLAT)
        detail = f"the {'actual' if flat[0] else 'expected'} picture is of one colour, and the other is not"
        return measured.fail(limit, detail, artifacts=shown_difference(one, other, None))
    value, detail, differs = chosen.compare(one, other, tolerance, forgive_antialiasing)
    holds = value >= limit if measure.higher_is_better else value <= limit
    if holds and all(flat):
        return measured.miss(Reason.EMPTY_REFERENCE, _BOTH_FLAT)
    if not holds and differs is None:
        differs = pixel_difference(one, other).differs
    artifacts = () if holds else shown_difference(one, other, differs)
    return measured.hold(value, limit, detail, artifacts=artifacts)


def _by_pixels(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8], tolerance: float, forgive_antialiasing: bool
) -> _Compared:
    found = pixel_difference(actual, expected, tolerance=tolerance, forgive_antialiasing=forgive_antialiasing)
    detail = (
        f"{found.count:,} of {found.differs.size:,} pixels differ by more than {tolerance:g}, "
        f"the greatest difference is {found.greatest:g}"
    )
    if found.forgiven:
        detail += f"; {found.forgiven:,} more are anti-aliasing"
    return found.share, detail, found.differs


def _by_similarity(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8], tolerance: float, forgive_antialiasing: bool
) -> _Compared:
    lowest = min(
        structural_similarity(np.ascontiguousarray(one), np.ascontiguousarray(other))
        for pair in on_backgrounds(actual, expected)
        for one, other in _planes(*pair)
    )
    return lowest, f"structural similarity {lowest:.6f}", None


def _planes(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8]
) -> list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    if _is_grey(actual) and _is_grey(expected):
        return [(actual[..., 0], expected[..., 0])]
    return [(actual[..., channel], expected[..., channel]) for channel in range(3)]


def _is_grey(rgb: NDArray[np.uint8]) -> bool:
    return bool(np.array_equal(rgb[..., 0], rgb[..., 1]) and np.array_equal(rgb[..., 0], rgb[..., 2]))


def _by_hash(
    actual: NDArray[np.uint8], expected: NDArray[np.uint8], tolerance: float, forgive_antialiasing: bool
) -> _Compared:
    distance = max(
        hash_distance(perceptual_hash(luma(one)), perceptual_hash(luma(other)))
        for one, other in on_backgrounds(actual, expected)
    )
    return distance, f"{distance} of {BITS} bits differ", None


def _measure(unit: str, higher_is_better: bool) -> Measure:
    return Measure(name="matches", version="2", unit=unit, higher_is_better=higher_is_better)


_METHODS = {
    "pixels": _Method(_measure("ratio", False), 0.0, 1.0, _by_pixels),
    "ssim": _Method(_measure("ssim", True), 0.99, 0.0, _by_similarity),
    "hash": _Method(_measure("bits", False), 4, BITS // 2, _by_hash),
}
