"""Checks of pictures: what is measured, what holds, and what could not be looked at."""

from __future__ import annotations

import base64
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image, ImageDraw, ImageFont
from skimage import data

from pytest_infergate.evidence import Reason
from pytest_infergate.visual.check import CheckError, CheckResult
from pytest_infergate.visual.checks.aspect import aspect
from pytest_infergate.visual.checks.matches import matches
from pytest_infergate.visual.checks.not_blank import not_blank
from pytest_infergate.visual.checks.size import size
from pytest_infergate.visual.picture import Picture, open_picture

CASES = Path(__file__).resolve().parents[2] / ".." / "shared" / "cases" / "cases.jsonl"
NOISE = np.random.default_rng(3)


def of(pixels: Any, file_format: str = "PNG", **how: Any) -> Picture:
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(np.asarray(pixels))
    file = io.BytesIO()
    image.save(file, file_format, **how)
    return open_picture(file.getvalue())


def flat(colour: Any, mode: str = "RGB", width: int = 80, height: int = 60) -> Image.Image:
    return Image.new(mode, (width, height), colour)


def with_text(text: str, background: int, ink: int, width: int = 800, height: int = 600) -> Image.Image:
    image = Image.new("L", (width, height), background)
    ImageDraw.Draw(image).text((100, 100), text, fill=ink, font=ImageFont.load_default(size=10))
    return image


def noisy(level: int, sigma: float) -> np.ndarray:
    return np.clip(level + NOISE.normal(0, sigma, (600, 800)), 0, 255).round().astype(np.uint8)


def transparent_photo(alpha: int) -> np.ndarray:
    photo = data.astronaut()
    return np.dstack([photo, np.full(photo.shape[:2], alpha, np.uint8)])


def logo(ink: tuple[int, int, int]) -> Image.Image:
    image = Image.new("RGBA", (80, 60), (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse((20, 10, 60, 50), fill=(*ink, 255))
    return image


GRADIENT = np.tile(np.linspace(0, 255, 800).astype(np.uint8), (600, 1))
DEEP = np.array([[1285, 64250] * 20] * 20, np.uint16)


@pytest.mark.parametrize(
    ("picture", "holds", "why"),
    [
        (of(flat("white")), False, "white"),
        (of(flat("black")), False, "black"),
        (of(flat((20, 90, 200))), False, "one colour"),
        (of(flat(0, "1")), False, "one bit"),
        (of(flat(30_000, "I;16")), False, "16 bits, one value"),
        (of(flat("white", width=1, height=1)), False, "one pixel"),
        (of(flat("white"), "JPEG"), False, "an encoder's white"),
        (of(noisy(128, 2)), False, "noise is near-flat"),
        (of(noisy(250, 3), "JPEG", quality=60), False, "noise, encoded"),
        (of(np.tile(np.linspace(126, 130, 800).astype(np.uint8), (600, 1))), False, "a slope of 4 levels"),
        (of(transparent_photo(0)), False, "a photograph that nobody can see"),
        (of(flat((255, 255, 255, 0), "RGBA")), False, "nothing at all"),
        (of(transparent_photo(255)), True, "the same, seen"),
        (of(transparent_photo(60)), True, "the same, half seen"),
        (of(logo((0, 0, 0))), True, "black on nothing is seen on white"),
        (of(logo((255, 255, 255))), True, "white on nothing is seen on black"),
        (of(DEEP), True, "16 bits are scaled, not clipped"),
        (of(GRADIENT), True, "a gradient has no edges, and is not blank"),
        (of(with_text("404 Not Found", 255, 0)), True, "99.95 % white, and a message"),
        (of(with_text("faint", 128, 160)), True, "little contrast"),
        (of(np.indices((600, 800)).sum(axis=0).astype(np.uint8) % 2 * 255), True, "finer than a block"),
        (of(np.array([[0, 255], [255, 0]], np.uint8)), True, "four pixels"),
        (of(data.camera()), True, "a photograph"),
        (of(NOISE.integers(0, 256, (600, 800), np.uint8)), True, "a screen of static is not one colour"),
    ],
)
def test_blank_is_what_shows_nothing(picture: Picture, holds: bool, why: str) -> None:
    result = not_blank(picture)
    assert result.passed is holds, f"{why}: {result.detail}"
    assert (result.value == 0) is not holds


def test_a_limit_of_0_does_not_let_a_blank_picture_pass() -> None:
    assert not_blank(of(flat("white")), limit=0).passed is False


@given(
    arrays(np.uint8, st.tuples(st.integers(1, 30), st.integers(1, 30), st.just(3))),
    st.integers(0, 255),
)
def test_what_is_transparent_all_over_is_blank_whatever_its_colours(colours: np.ndarray, level: int) -> None:
    hidden = np.dstack([colours, np.zeros(colours.shape[:2], np.uint8)])
    assert not_blank(of(hidden)).passed is False
    assert not_blank(of(np.full_like(colours, level))).passed is False


def turned(orientation: int) -> Picture:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return of(flat("red", width=800, height=600), "JPEG", exif=exif)


@pytest.mark.parametrize(
    ("picture", "asked", "value"),
    [
        (of(flat("red")), {"width": 80, "height": 60}, 0),
        (of(flat("red")), {"width": 81, "height": 60}, 1),
        (of(flat("red")), {"height": 60}, 0),
        (of(flat("red")), {"width": 100, "tolerance": 20}, 20),
        (turned(6), {"width": 600, "height": 800}, 0),
        (turned(6), {"width": 800, "height": 600}, 200),
    ],
)
def test_size_is_that_of_what_is_shown(picture: Picture, asked: dict[str, Any], value: float) -> None:
    result = size(picture, **asked)
    assert result.value == value
    assert result.passed is (value <= asked.get("tolerance", 0))


@pytest.mark.parametrize(
    ("picture", "ratio", "holds"),
    [
        (of(flat("red")), "4:3", True),
        (of(flat("red")), 4 / 3, True),
        (of(flat("red")), "16:9", False),
        (of(flat("red")), "3:4", False),
        (turned(6), "3:4", True),
        (of(flat("red", width=1366, height=768)), "16:9", True),
    ],
)
def test_aspect_is_that_of_what_is_shown(picture: Picture, ratio: str | float, holds: bool) -> None:
    assert aspect(picture, ratio).passed is holds


CAMERA = of(data.camera())


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: size(CAMERA), "neither width nor height is given"),
        (lambda: size(CAMERA, 0), "width is 0; accepted: a whole number above 0"),
        (lambda: size(CAMERA, True), "width is True"),
        (lambda: aspect(CAMERA, "wide"), "ratio is 'wide'; accepted: text such as '16:9'"),
        (lambda: aspect(CAMERA, "16:0"), "ratio is '16:0'"),
        (lambda: aspect(CAMERA, float("nan")), "ratio is nan"),
        (lambda: aspect(CAMERA, "4:3", tolerance=float("nan")), "tolerance is nan; accepted: a number"),
        (lambda: not_blank(CAMERA, limit=2), "limit is 2; accepted: a number from 0 to 1"),
        (lambda: matches(CAMERA, CAMERA, method="psnr"), "accepted: 'pixels', 'ssim', 'hash'"),
        (lambda: matches(CAMERA, CAMERA, method="ssim", tolerance=3), "leave them out for 'ssim'"),
        (lambda: matches(CAMERA, CAMERA, limit=float("nan")), "limit is nan"),
        (lambda: matches(CAMERA, CAMERA, limit=True), "limit is True"),
        (lambda: matches(CAMERA, CAMERA, forgive_antialiasing="no"), "is 'no'; accepted: True or False"),
        (lambda: size(CAMERA, 512, tolerance=512), "a picture of no pixels would do"),
        (lambda: size(CAMERA, 512, 4, tolerance=4), "accepted: from 0, less than 4"),
        (lambda: size(CAMERA, 10**400), "a whole number above 0, up to"),
        (lambda: size(CAMERA, 512, tolerance=10**400), "accepted: a finite number"),
        (lambda: aspect(CAMERA, 10**400), "accepted: text such as"),
        (lambda: aspect(CAMERA, 1e-320), "accepted: text such as"),
        (lambda: aspect(CAMERA, "1:1", tolerance=1), "a square would do for 2:1"),
        (lambda: matches(CAMERA, None), "expected is NoneType; accepted: a Picture"),  # type: ignore[arg-type]
    ],
)
def test_a_check_that_is_written_wrong_says_what_is_accepted(check: Any, message: str) -> None:
    with pytest.raises(CheckError) as caught:
        check()
    assert message in str(caught.value)


def photo_with(changed: int) -> Picture:
    photo = data.astronaut().copy()
    photo.reshape(-1, 3)[:changed] ^= 128
    return of(photo)


PHOTO = of(data.astronaut())
METHODS = ("pixels", "ssim", "hash")


@pytest.mark.parametrize("method", METHODS)
def test_a_picture_matches_itself(method: str) -> None:
    result = matches(PHOTO, PHOTO, method=method)
    assert (result.passed, result.artifacts, result.missing) == (True, (), None)
    assert result.value == pytest.approx(1 if method == "ssim" else 0, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_another_picture_does_not_and_both_are_shown_beside_the_difference(method: str) -> None:
    result = matches(of(data.astronaut()[:, ::-1]), PHOTO, method=method)
    assert result.passed is False
    assert result.value is not None
    assert [(name, suffix) for name, _, suffix in result.artifacts] == [
        ("actual", ".png"),
        ("expected", ".png"),
        ("difference", ".png"),
    ]
    actual, expected, difference = (Image.open(io.BytesIO(content)) for _, content, _ in result.artifacts)
    assert np.array_equal(np.asarray(actual)[..., :3], data.astronaut()[:, ::-1])
    assert np.array_equal(np.asarray(expected)[..., :3], data.astronaut())
    assert difference.size == (512 * 3 + 16, 512)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("one", "other"),
    [((100, 100), (50, 200)), ((800, 600), (1, 1)), ((100, 100), (100, 50)), ((100, 50), (100, 100))],
)
def test_unequal_sizes_never_match_and_nothing_is_measured(
    method: str, one: tuple[int, int], other: tuple[int, int]
) -> None:
    result = matches(of(Image.new("L", one, 255)), of(Image.new("L", other, 255)), method=method)
    assert (result.passed, result.value) == (False, None)
    assert result.detail == f"{one[0]} x {one[1]} against {other[0]} x {other[1]} pixels"
    score = result.score()
    assert score.value is None
    assert not score.gates, "the evaluation has failed, and is not to become missing"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("colour", ["white", "black", (0, 0, 255)])
def test_two_flat_pictures_that_seem_to_match_are_missing(method: str, colour: Any) -> None:
    result = matches(of(flat(colour)), of(flat(colour)), method=method)
    assert (result.passed, result.value) == (None, None)
    assert result.missing is not None
    assert result.missing.reason is Reason.EMPTY_REFERENCE
    assert "low information" in result.missing.detail


def test_hashes_of_flat_pictures_collide_and_are_no_evidence() -> None:
    assert matches(of(flat("blue")), of(flat("white")), method="hash").passed is None
    assert matches(of(flat("blue")), of(flat("white"))).passed is False, "their pixels differ"
    assert matches(of(flat("black")), of(flat("white")), method="ssim").passed is False


def test_the_share_of_pixels_is_held_against_its_limit() -> None:
    changed = photo_with(512)
    result = matches(changed, PHOTO)
    assert result.value == pytest.approx(1 / 512)
    assert result.passed is False
    assert matches(changed, PHOTO, limit=1 / 512).passed is True
    assert matches(changed, PHOTO, tolerance=128).passed is True
    assert matches(changed, PHOTO, tolerance=127).passed is False


def test_similarity_sees_a_colour_of_the_same_brightness() -> None:
    def disc(colour: tuple[int, int, int]) -> Picture:
        image = Image.new("RGB", (64, 64), "white")
        ImageDraw.Draw(image).ellipse((16, 16, 48, 48), fill=colour)
        return of(image)

    red, green = disc((200, 0, 0)), disc((0, 102, 0))
    assert matches(red, green, method="ssim").passed is False


@pytest.mark.parametrize("method", METHODS)
def test_a_change_of_opacity_is_visible(method: str) -> None:
    seen, gone = of(transparent_photo(255)), of(transparent_photo(0))
    assert matches(gone, seen, method=method).passed is not True
    assert matches(seen, gone, method=method).passed is not True


def test_files_with_unequal_numbers_of_pages_do_not_match() -> None:
    page_of = Image.fromarray(data.camera())
    one, two = of(page_of, "TIFF"), of(page_of, "TIFF", save_all=True, append_images=[page_of])
    result = matches(two, one)
    assert (result.passed, result.value) == (False, None)
    assert result.detail == "2 pages against 1; only the first ones are decoded"


def test_less_than_a_window_has_no_similarity() -> None:
    tiny = of(np.arange(36, dtype=np.uint8).reshape(6, 6) * 7)
    result = matches(tiny, tiny, method="ssim")
    assert result.missing is not None
    assert result.missing.reason is Reason.INVALID_CONDITIONS


def page(total: str) -> Picture:
    image = Image.new("L", (1200, 1600), 255)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(size=22)
    for line in range(50):
        draw.text((60, 40 + 30 * line), f"Line {line}: the quick brown fox, 1234.56", fill=0, font=font)
    draw.text((60, 1545), total, fill=0, font=font)
    return of(image)


def test_only_pixels_see_one_wrong_digit() -> None:
    """Why text is read, and not compared as a picture."""
    right, wrong = page("Total 1283.00"), page("Total 1288.00")
    assert matches(wrong, right, method="ssim").passed is True
    assert matches(wrong, right, method="hash").passed is True
    assert matches(wrong, right).passed is False


@given(
    arrays(np.uint8, st.tuples(st.integers(7, 20), st.integers(7, 20), st.just(4))),
    st.sampled_from(METHODS),
)
def test_no_picture_is_further_from_itself_than_0(pixels: np.ndarray, method: str) -> None:
    picture = of(pixels)
    assert matches(picture, picture, method=method).passed is not False


def test_settings_and_libraries_are_the_evaluators() -> None:
    strict, loose = matches(PHOTO, PHOTO), matches(PHOTO, PHOTO, tolerance=3)
    assert strict.evaluator.kind == "visual"
    assert strict.evaluator.backend is not None
    assert strict.evaluator.backend.startswith("pillow ")
    assert strict.evaluator.digest != loose.evaluator.digest
    assert strict.evaluator.digest == matches(PHOTO, PHOTO, limit=0.5).evaluator.digest, (
        "a limit measures nothing"
    )
    assert strict.score("front").name == "front"


@pytest.mark.parametrize(
    "wrong",
    [
        {"passed": True, "value": None},
        {"passed": None, "value": None},
        {"passed": True, "value": float("nan")},
        {"passed": 1, "value": 0.0},
        {"passed": True, "value": 0.4, "limit": 0.5},
        {"passed": True, "value": 0.6, "limit": 0.5, "higher_is_better": False},
        {"passed": True, "value": 0.6, "limit": float("nan")},
        {"passed": False, "value": 0.6, "limit": float("inf")},
        {"passed": True, "value": 0.6, "against": "reference.png"},
        {"passed": True, "value": True},
        {"passed": True, "value": "0.6"},
        {"passed": True, "value": 0.6, "limit": "0.5"},
        {"passed": True, "value": 0.6, "higher_is_better": "no"},
        {"passed": True, "value": 0.6, "unit": " "},
        {"passed": True, "value": 0.6, "version": None},
        {"passed": True, "value": 0.6, "detail": None},
        {"passed": True, "value": 0.6, "backend": 7},
        {"passed": None, "value": None, "missing": "because"},
        {"passed": True, "value": 0.6, "fallback": "another"},
        {"passed": True, "value": 0.6, "artifacts": "a picture"},
        {"passed": True, "value": 0.6, "artifacts": [("seen", b"", ".png")]},
        {"passed": True, "value": 0.6, "artifacts": (("seen", "no bytes", ".png"),)},
        {"passed": True, "value": 0.6, "artifacts": (("seen", b""),)},
        {"passed": True, "value": 0.6, "settings": {"model": object()}},
        {"passed": True, "value": 0.6, "settings": None, "seen": {1, 2}},
        {"passed": True, "value": 0.6, "frames": {"mean": float("nan")}},
    ],
)
def test_no_result_can_be_taken_for_one_that_holds(wrong: dict[str, Any]) -> None:
    rest = {"name": "c", "version": "1", "unit": "u", "higher_is_better": True, "limit": None, "detail": ""}
    with pytest.raises(ValueError, match="check 'c'"):
        CheckResult(**{**rest, **wrong})


def test_what_it_is_held_against_is_of_the_sample_and_not_of_the_evaluator(tmp_path: Path) -> None:
    Image.fromarray(data.astronaut()[::-1]).save(tmp_path / "other.png")
    other = open_picture(tmp_path / "other.png")
    results = [matches(PHOTO, PHOTO), matches(PHOTO, other), matches(PHOTO, of(flat("white")))]
    assert len({result.evaluator.digest for result in results}) == 1
    assert [result.score().details["against"] for result in results[:2]] == [PHOTO.sha256, other.sha256]
    made = matches(PHOTO, replace(other, source="reply"))
    assert made.against is None, "what a model made may differ from run to run"


@pytest.mark.parametrize(
    ("settings", "accepted"),
    [
        ({"limit": 1}, "from 0, less than 1"),
        ({"tolerance": 255}, "from 0, less than 255"),
        ({"method": "hash", "limit": 32}, "from 0, less than 32"),
        ({"method": "hash", "limit": 64}, "from 0, less than 32"),
        ({"method": "ssim", "limit": 0}, "above 0, up to 1"),
        ({"limit": float("nan")}, "a number of 0 or more"),
        ({"tolerance": float("nan")}, "a number of 0 or more"),
    ],
)
def test_a_limit_with_which_anything_matches_is_refused(settings: dict[str, Any], accepted: str) -> None:
    with pytest.raises(CheckError, match=accepted):
        matches(PHOTO, of(flat("white", width=PHOTO.width, height=PHOTO.height)), **settings)


@pytest.fixture(scope="module")
def cases() -> dict[str, dict[str, Any]]:
    if not CASES.exists():
        pytest.skip("the shared cases are not beside this project")
    lines = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {case["id"]: case for case in lines}


@pytest.mark.parametrize(("case", "tolerance"), [("E01", 8), ("E06", 1)])
def test_shared_cases_of_pictures(case: str, tolerance: int, cases: dict[str, dict[str, Any]]) -> None:
    given_ = {
        name: base64.b64decode(v) for name, v in cases[case]["input"].items() if name.endswith("base64")
    }
    actual, expected = (
        open_picture(content) for name, content in sorted(given_.items()) if not name.startswith("x")
    )
    assert matches(actual, expected, tolerance=tolerance).passed is cases[case]["expected"]["match"]


def test_the_shared_case_of_alpha(cases: dict[str, dict[str, Any]]) -> None:
    case = cases["E03"]
    actual, expected = (of(np.array([case["input"][side]], np.uint8)) for side in ("actual", "reference"))
    result = matches(actual, expected)
    assert result.passed is case["expected"]["match"]
    assert result.value == case["expected"]["differing_pixels"] / 2
