"""Structural similarity: that of scikit-image, in less time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from skimage import data
from skimage.metrics import structural_similarity as of_skimage

from pytest_infergate.visual.check import CheckError
from pytest_infergate.visual.ssim import structural_similarity

PLANES = st.tuples(st.integers(7, 40), st.integers(7, 40)).flatmap(
    lambda shape: st.tuples(arrays(np.uint8, shape), arrays(np.uint8, shape))
)


@given(PLANES)
def test_it_is_what_scikit_image_computes(planes: tuple[np.ndarray, np.ndarray]) -> None:
    assert structural_similarity(*planes) == pytest.approx(of_skimage(*planes), abs=1e-5)


@pytest.mark.parametrize("sigma", [1, 8, 60])
def test_it_is_so_for_a_photograph_with_noise(sigma: float) -> None:
    photo = data.camera()
    noisy = np.clip(photo + np.random.default_rng(7).normal(0, sigma, photo.shape), 0, 255).astype(np.uint8)
    assert structural_similarity(photo, noisy) == pytest.approx(of_skimage(photo, noisy), abs=1e-6)


@pytest.mark.parametrize("shape", [(7, 7), (7, 40_000), (40_000, 7), (1080, 61)], ids=str)
def test_bands_leave_no_seam(shape: tuple[int, int]) -> None:
    one, other = np.random.default_rng(1).integers(0, 256, (2, *shape), np.uint8)
    assert structural_similarity(one, other) == pytest.approx(of_skimage(one, other), abs=1e-6)


@pytest.mark.parametrize("data_range", [1.0, 255.0])
def test_numbers_of_any_range_are_compared_as_bytes_are(data_range: float) -> None:
    photo = data.camera()
    other = np.roll(photo, 3, axis=1)
    scaled = structural_similarity(photo / 255 * data_range, other / 255 * data_range, data_range=data_range)
    assert scaled == pytest.approx(structural_similarity(photo, other), abs=1e-6)


@given(PLANES)
def test_it_is_symmetric_and_1_for_the_same(planes: tuple[np.ndarray, np.ndarray]) -> None:
    one, other = planes
    assert structural_similarity(one, one) == pytest.approx(1, abs=1e-6)
    assert structural_similarity(one, other) == structural_similarity(other, one)
    assert structural_similarity(one, other) <= 1 + 1e-6


ZEROS = np.zeros((9, 9))


@pytest.mark.parametrize(
    ("actual", "expected", "data_range", "message"),
    [
        (ZEROS, ZEROS, None, "the data range of float64 cannot be known"),
        (ZEROS, np.full((9, 9), np.nan), 1.0, "no finite numbers"),
        (ZEROS, np.full((9, 9), np.inf), 1.0, "no finite numbers"),
        (ZEROS, ZEROS, 0.0, "data_range is 0.0"),
        (ZEROS, ZEROS, float("nan"), "data_range is nan"),
        (ZEROS, np.zeros((9, 10)), 1.0, "the shapes (9, 9) and (9, 10)"),
        (np.zeros((9, 9, 3)), np.zeros((9, 9, 3)), 1.0, "accepted: two of one shape (H, W)"),
        (np.zeros((6, 9), np.uint8), np.zeros((6, 9), np.uint8), None, "smaller than the window of 7 x 7"),
        (ZEROS, np.zeros((9, 9), np.uint8), 1.0, "cannot compare float64 with uint8"),
    ],
)
def test_what_has_no_similarity_is_refused_and_never_a_number(
    actual: np.ndarray, expected: np.ndarray, data_range: float | None, message: str
) -> None:
    with pytest.raises(CheckError) as caught:
        structural_similarity(actual, expected, data_range=data_range)
    assert message in str(caught.value)
