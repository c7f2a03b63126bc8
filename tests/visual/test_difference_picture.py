"""The picture that shows a person where two others differ."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from pytest_infergate.visual.difference_picture import difference_picture, png_of

RED = (255, 0, 0)


def panels(sheet: bytes, width: int) -> list[np.ndarray]:
    pixels = np.asarray(Image.open(io.BytesIO(sheet)))
    return [pixels[:, left : left + width] for left in range(0, pixels.shape[1], width + 8)]


def picture(height: int, width: int, level: int, alpha: int = 255) -> np.ndarray:
    pixels = np.full((height, width, 4), level, np.uint8)
    pixels[..., 3] = alpha
    return pixels


def test_it_shows_actual_expected_and_what_differs_in_red() -> None:
    differs = np.zeros((4, 6), np.bool_)
    differs[1, 2] = True
    actual, expected, marked = panels(difference_picture(picture(4, 6, 10), picture(4, 6, 20), differs), 6)
    assert (actual == 10).all()
    assert (expected == 20).all()
    assert tuple(marked[1, 2]) == RED
    assert (marked == RED).all(axis=2).sum() == 1
    assert marked[0, 0].min() > 190, "the rest is faded"


def test_of_unequal_sizes_it_shows_both_whole_and_no_difference() -> None:
    sheet = Image.open(io.BytesIO(difference_picture(picture(9, 5, 0), picture(4, 7, 255), None)))
    assert sheet.size == (5 + 8 + 7, 9)
    pixels = np.asarray(sheet)
    assert (pixels[:, :5] == 0).all()
    assert (pixels[:4, 13:] == 255).all()
    assert (pixels[4:, 13:] == (119, 136, 153)).all(), "nothing is stretched to fill it"


def test_what_is_transparent_is_shown_on_white() -> None:
    actual, _, _ = panels(
        difference_picture(picture(3, 3, 0, 0), picture(3, 3, 0), np.ones((3, 3), np.bool_)), 3
    )
    assert (actual == 255).all()


@pytest.mark.parametrize("channels", [3, 4])
def test_a_png_holds_the_pixels(channels: int) -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (5, 7, channels), np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png_of(pixels)))), pixels)
