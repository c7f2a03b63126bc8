"""The code of how a picture looks from afar is that of ImageHash."""

from __future__ import annotations

import imagehash
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image
from skimage import data

from pytest_infergate.visual.perceptual_hash import hash_distance, perceptual_hash


@pytest.mark.parametrize("name", ["camera", "coins", "moon", "page", "text"])
def test_it_is_what_imagehash_computes(name: str) -> None:
    grey = getattr(data, name)()
    assert f"{perceptual_hash(grey):016x}" == str(imagehash.phash(Image.fromarray(grey)))


@given(arrays(np.uint8, st.tuples(st.integers(1, 40), st.integers(1, 40))))
def test_any_plane_has_one_of_64_bits(grey: np.ndarray) -> None:
    assert 0 <= perceptual_hash(grey) < 2**64


def test_it_stays_where_a_picture_is_scaled_and_differs_for_another() -> None:
    camera = Image.fromarray(data.camera())
    half = np.asarray(camera.resize((256, 256), Image.Resampling.LANCZOS))
    assert hash_distance(perceptual_hash(data.camera()), perceptual_hash(half)) <= 2
    assert hash_distance(perceptual_hash(data.camera()), perceptual_hash(data.coins())) > 20
