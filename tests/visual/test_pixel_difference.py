"""Which pixels differ, and which are forgiven."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image, ImageDraw
from pixelmatch import pixelmatch

from pytest_infergate.visual.pixel_difference import pixel_difference

SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12), st.just(4))
PAIRS = SHAPES.flatmap(lambda shape: st.tuples(arrays(np.uint8, shape), arrays(np.uint8, shape)))


def row(*pixels: tuple[int, int, int, int]) -> np.ndarray:
    return np.array([pixels], np.uint8)


def distance(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The rule, one pixel at a time and in fractions of a level."""
    worst = np.zeros(one.shape[:2])
    for background in (0, 255):
        seen = [
            p[..., :3] * (p[..., 3:] / 255) + background * (1 - p[..., 3:] / 255)
            for p in (one.astype(float), other.astype(float))
        ]
        worst = np.maximum(worst, np.abs(seen[0] - seen[1]).max(axis=2))
    return worst


RED, CLEAR = (220, 20, 20, 255), (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("one", "other", "tolerance", "count", "why"),
    [
        (row(RED), row(RED), 0, 0, "the same"),
        (row(RED), row((220, 20, 21, 255)), 0, 1, "one level of one channel"),
        (row(RED), row((220, 20, 21, 255)), 1, 0, "within the tolerance"),
        (row(RED, RED), row(RED, (220, 20, 20, 90)), 0, 1, "alpha alone"),
        (row((0, 0, 0, 255)), row(CLEAR), 0, 1, "black and nothing differ on white"),
        (row((255, 255, 255, 255)), row((255, 255, 255, 0)), 0, 1, "white and nothing differ on black"),
        (row((9, 9, 9, 0)), row((200, 0, 0, 0)), 0, 0, "the colour of what cannot be seen"),
        (row((9, 9, 9, 255)), row((9, 9, 9, 254)), 0, 1, "one level of alpha"),
        (row((0, 0, 255, 255)), row((255, 0, 0, 255)), 254, 1, "another colour of some brightness"),
        (row((0, 0, 0, 255)), row((255, 255, 255, 255)), 255, 0, "nothing differs by more than all"),
    ],
)
def test_what_differs(one: np.ndarray, other: np.ndarray, tolerance: float, count: int, why: str) -> None:
    assert pixel_difference(one, other, tolerance=tolerance).count == count, why


@given(PAIRS, st.integers(0, 255), st.booleans())
def test_it_follows_its_rule(pair: tuple[np.ndarray, np.ndarray], tolerance: int, opaque: bool) -> None:
    if opaque:
        for picture in pair:
            picture[..., 3] = 255
    found = pixel_difference(*pair, tolerance=tolerance)
    by_rule = distance(*pair)
    # On the tolerance itself the fractions of the rule may fall on either side.
    clear = np.abs(by_rule - tolerance) > 1e-6
    assert np.array_equal(found.differs[clear], (by_rule > tolerance)[clear])
    assert found.greatest == pytest.approx(by_rule.max())
    assert found.count == found.differs.sum()


@given(PAIRS)
def test_it_is_symmetric(pair: tuple[np.ndarray, np.ndarray]) -> None:
    for forgive in (False, True):
        one = pixel_difference(*pair, forgive_antialiasing=forgive)
        other = pixel_difference(*pair[::-1], forgive_antialiasing=forgive)
        assert np.array_equal(one.differs, other.differs)


@given(PAIRS)
def test_forgiving_only_takes_away(pair: tuple[np.ndarray, np.ndarray]) -> None:
    strict = pixel_difference(*pair)
    forgiving = pixel_difference(*pair, forgive_antialiasing=True)
    assert not (forgiving.differs & ~strict.differs).any()
    assert forgiving.count + forgiving.forgiven == strict.count


def drawn(shift: float, *, colour: tuple[int, int, int] = (30, 60, 200)) -> np.ndarray:
    """A smooth disc: drawn at eight times the size."""
    large = Image.new("RGB", (400, 400), "white")
    ImageDraw.Draw(large).ellipse((80 + shift, 80, 320 + shift, 320), fill=colour)
    return np.asarray(large.reduce(8).convert("RGBA"))


def test_a_smoothed_edge_is_forgiven_and_a_changed_disc_is_not() -> None:
    moved = pixel_difference(drawn(0), drawn(2), forgive_antialiasing=True)
    assert moved.forgiven > 30
    assert moved.count <= 4
    coloured = pixel_difference(drawn(0), drawn(0, colour=(200, 60, 30)), forgive_antialiasing=True)
    assert coloured.count > 600


def test_a_line_that_is_gone_is_not_forgiven() -> None:
    blank = np.full((20, 20, 4), 255, np.uint8)
    line = blank.copy()
    line[10, :, :3] = 0
    assert pixel_difference(line, blank, forgive_antialiasing=True).count == 20


def test_the_rule_for_edges_is_pixelmatchs() -> None:
    one, other = drawn(0), drawn(3)
    height, width = one.shape[:2]
    strict = pixelmatch(one.tobytes(), other.tobytes(), width, height, threshold=0, includeAA=True)
    forgiving = pixelmatch(one.tobytes(), other.tobytes(), width, height, threshold=0, includeAA=False)
    found = pixel_difference(one, other, forgive_antialiasing=True)
    assert found.count + found.forgiven == strict
    assert found.count == pytest.approx(forgiving, abs=2)


def test_shapes_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes"):
        pixel_difference(np.zeros((2, 3, 4), np.uint8), np.zeros((3, 2, 4), np.uint8))
