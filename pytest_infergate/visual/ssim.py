"""The structural similarity of two pictures of one size."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .check import CheckError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The side of the window, in pixels: seven, as in scikit-image's default.
WINDOW = 7
_AREA = WINDOW * WINDOW
#: Covariances are those of a sample: divided by one less than the window's pixels.
_PAIRS = _AREA * (_AREA - 1)
_K1, _K2 = 0.01, 0.03
#: How many pixels are worked on at a time: what a core's cache holds of the intermediate sums.
_BAND_PIXELS = 1 << 15


def structural_similarity(
    actual: NDArray[Any], expected: NDArray[Any], *, data_range: float | None = None
) -> float:
    """Return the mean SSIM of two planes (H, W), at most 1.0, which equal ones have.

    The rule: Wang, Bovik, Sheikh and Simoncelli 2004 with a uniform window of 7 x 7 pixels that lies wholly
    in the picture, sample covariances, K1 0.01 and K2 0.03: what ``skimage.metrics.structural_similarity``
    computes by default. ``data_range`` is the distance from the lowest to the highest value that is
    possible, 255 for ``uint8``; other types have to say it, because it cannot be seen from the values.

    Raises ``CheckError`` where the planes differ in shape or type, are smaller than the window, hold what is
    no finite number, or where the data range is not known.
    """
    if actual.shape != expected.shape or actual.ndim != 2:
        raise CheckError(
            f"cannot compare planes of the shapes {actual.shape} and {expected.shape}; "
            "accepted: two of one shape (H, W)"
        )
    if actual.dtype != expected.dtype:
        raise CheckError(f"cannot compare {actual.dtype} with {expected.dtype}; convert one of them")
    if min(actual.shape) < WINDOW:
        raise CheckError(
            f"a plane of the shape {actual.shape} is smaller than the window of {WINDOW} x {WINDOW}"
        )
    if actual.dtype == np.uint8 and data_range is None:
        return _mean(actual, expected, _similarity_of_bytes)
    if data_range is None:
        raise CheckError(f"the data range of {actual.dtype} cannot be known; give data_range, 1.0 for [0, 1]")
    if not 0 < data_range < float("inf"):
        raise CheckError(f"data_range is {data_range!r}; accepted: a finite number above 0")
    for plane in (actual, expected):
        if not np.isfinite(plane).all():
            raise CheckError("a plane holds values that are no finite numbers (NaN or infinite)")

    def similarity(one: NDArray[Any], other: NDArray[Any]) -> float:
        return _similarity_of_numbers(one.astype(np.float64), other.astype(np.float64), data_range)

    return _mean(actual, expected, similarity)


def _mean(
    actual: NDArray[Any],
    expected: NDArray[Any],
    similarity: Callable[[NDArray[Any], NDArray[Any]], float],
) -> float:
    """Add up over bands of rows, which overlap by what the window needs: bounded memory, and cached sums."""
    height, width = actual.shape
    rows = max(1, _BAND_PIXELS // width)
    last = height - WINDOW + 1
    total = 0.0
    for top in range(0, last, rows):
        band = slice(top, min(top + rows, last) + WINDOW - 1)
        total += similarity(actual[band], expected[band])
    return float(total / (last * (width - WINDOW + 1)))


def _similarity_of_bytes(actual: NDArray[Any], expected: NDArray[Any]) -> float:
    """Sum the similarity of all windows: whole numbers up to the quotient, so that nothing cancels out."""
    one, other = actual.astype(np.int32), expected.astype(np.int32)
    product = one * other
    np.multiply(one, one, out=(squares := np.empty_like(one)))
    squares += other * other
    sum_one, sum_other = _window_sums(one), _window_sums(other)
    # 49 * 2 * 49 * 255² is 312 million: what follows stays within 32 bits.
    covariance = _window_sums(product)
    covariance *= 2 * _AREA
    variances = _window_sums(squares)
    variances *= _AREA
    means = sum_one * sum_other
    means *= 2
    covariance -= means
    sum_one *= sum_one
    sum_other *= sum_other
    sum_one += sum_other
    variances -= sum_one
    c1, c2 = (_K1 * 255) ** 2, (_K2 * 255) ** 2
    # Multiplied by 49² and 49 * 48, the constants take the place of dividing every term.
    return _sum_of_quotients(
        means.astype(np.float32),
        covariance.astype(np.float32),
        sum_one.astype(np.float32),
        variances.astype(np.float32),
        c1 * _AREA * _AREA,
        c2 * _PAIRS,
    )


def _similarity_of_numbers(actual: NDArray[Any], expected: NDArray[Any], data_range: float) -> float:
    # About a middle of their own, the squares do not drown the differences.
    middle = (float(actual.mean()) + float(expected.mean())) / 2
    one, other = actual - middle, expected - middle
    sum_one, sum_other = _window_sums(one), _window_sums(other)
    covariance = 2 * (_AREA * _window_sums(one * other) - sum_one * sum_other)
    variances = _AREA * _window_sums(one * one + other * other) - sum_one**2 - sum_other**2
    mean_one, mean_other = sum_one + middle * _AREA, sum_other + middle * _AREA
    return _sum_of_quotients(
        2 * mean_one * mean_other,
        covariance,
        mean_one**2 + mean_other**2,
        variances,
        (_K1 * data_range) ** 2 * _AREA * _AREA,
        (_K2 * data_range) ** 2 * _PAIRS,
    )


def _sum_of_quotients(
    means: NDArray[Any],
    covariance: NDArray[Any],
    squared_means: NDArray[Any],
    variances: NDArray[Any],
    c1: float,
    c2: float,
) -> float:
    means += c1
    covariance += c2
    squared_means += c1
    variances += c2
    means *= covariance
    squared_means *= variances
    means /= squared_means
    return float(means.sum(dtype=np.float64))


def _window_sums(plane: NDArray[Any]) -> NDArray[Any]:
    """Return the sums of all windows of 7 x 7: first down, then across, by sums of 2, 4 and 7."""
    two = plane[:-1] + plane[1:]
    seven = two[:-5] + two[2:-3]
    seven += two[4:-1]
    seven += plane[6:]
    two = seven[:, :-1] + seven[:, 1:]
    across = two[:, :-5] + two[:, 2:-3]
    across += two[:, 4:-1]
    across += seven[:, 6:]
    sums: NDArray[Any] = across
    return sums
