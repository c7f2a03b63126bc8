"""RapidOCR and Tesseract as they are: what they read, what they do not, and how their trouble shows."""

from __future__ import annotations

import builtins
import hashlib
import logging
from collections.abc import Iterator
from importlib.metadata import files
from pathlib import Path
from typing import Any

import numpy
import pytest
from PIL import Image
from skimage import data

from pytest_infergate.evidence import Reason
from pytest_infergate.visual import rapidocr_backend
from pytest_infergate.visual.checks.reads import reads
from pytest_infergate.visual.checks.shows_no_text import shows_no_text
from pytest_infergate.visual.comparable_text import comparable
from pytest_infergate.visual.ocr import Ocr, installed_ocr
from pytest_infergate.visual.ocr_canary import ocr_canary_problem
from pytest_infergate.visual.picture import Picture, open_picture
from pytest_infergate.visual.rapidocr_backend import RapidOcr
from pytest_infergate.visual.tesseract_backend import Tesseract
from pytest_infergate.visual.text_reader import ReaderUnavailable, TextLine, TextReader

from .made import saved
from .written import clip, drawn, gone, picture

#: Its models take seconds to load.
RAPID = RapidOcr()


@pytest.fixture(scope="module")
def rapid() -> Ocr:
    return Ocr([RAPID, Tesseract()])


@pytest.fixture(scope="module")
def tesseract() -> Ocr:
    return Ocr([gone(), Tesseract()])


WRITTEN = [
    # text, how it is drawn, why
    ("Hello World 2024", {}, "plain"),
    ("Invoice total: $1,234.56", {"px": 14}, "small, with signs and digits"),
    ("Gate 7\nBoarding 18:45", {}, "two lines"),
    ("Night mode 42", {"ink": "white", "ground": "black"}, "light on dark"),
    ("Grey 150 on 128", {"ink": (150, 150, 150), "ground": (128, 128, 128)}, "little contrast"),
    ("A", {"px": 60}, "a single letter"),
]


@pytest.mark.parametrize(("text", "how", "why"), WRITTEN, ids=[why for *_, why in WRITTEN])
def test_what_is_written_is_read(rapid: Ocr, text: str, how: dict[str, Any], why: str) -> None:
    result = reads(picture(text, **how), text, ocr=rapid)
    assert (result.passed, result.value) == (True, 0.0), result.detail


def test_text_upside_down_is_read(rapid: Ocr) -> None:
    turned = open_picture(saved(drawn("Hello World 2024").rotate(180)))
    assert reads(turned, "Hello World 2024", ocr=rapid).passed


MERGED = [
    # places read upright, read turned, the merged ones, why
    ("ab", "ab", "ab", "the same places"),
    ("ac", "abc", "abc", "one that reads as nothing upright"),
    ("bc", "ab", "abc", "and one that reads as nothing turned"),
    ("", "ab", "ab", "nothing upright"),
    ("ab", "", "ab", "nothing turned"),
]


@pytest.mark.parametrize(("upright", "turned", "merged", "why"), MERGED, ids=[why for *_, why in MERGED])
def test_places_keep_their_order(upright: str, turned: str, merged: str, why: str) -> None:
    def lines(places: str, confidence: float) -> list[TextLine]:
        return [
            TextLine(text=place, confidence=confidence, box=(0, ord(place), 9, ord(place) + 9))
            for place in places
        ]

    found = rapidocr_backend._surest(lines(upright, 0.4), lines(turned, 0.9))
    assert [line.text for line in found] == list(merged)
    assert {line.text for line in found if line.confidence == 0.9} == set(turned)


def test_one_wrong_digit_is_seen(rapid: Ocr) -> None:
    result = reads(picture("Total 1780"), "Total 1760", ocr=rapid)
    assert result.passed is False
    assert result.value == pytest.approx(1 / 9)
    assert "17[6>8]0" in result.detail
    assert result.seen is not None
    (line,) = result.seen["lines"]
    assert line["confidence"] > 0.8
    left, top, right, bottom = line["box"]
    assert 0 <= left < 30 < 120 < right < 288
    assert 0 <= top < 30 < bottom < 70


def test_nothing_written_is_an_error_rate_of_one(rapid: Ocr) -> None:
    blank = picture("")
    assert reads(blank, "Hello", ocr=rapid).value == 1.0
    assert shows_no_text(blank, ocr=rapid).passed


def test_a_script_that_the_model_lacks_is_missing_whatever_is_drawn(rapid: Ocr) -> None:
    result = reads(picture("Hello"), "안녕하세요", ocr=rapid)
    assert result.passed is None
    assert "script_unsupported: rapidocr" in result.detail
    assert "script_unsupported: tesseract (eng)" in result.detail


def test_a_script_that_cannot_be_read_is_not_no_text(rapid: Ocr) -> None:
    """Boxes stand in for letters that Pillow's own font lacks: they look like text and say nothing."""
    result = shows_no_text(picture("Привет, мир", size=(320, 112)), ocr=rapid)
    assert result.passed is None
    assert result.missing is not None
    assert result.missing.reason is Reason.EVALUATOR_UNAVAILABLE
    assert "could not be read" in result.detail


def _small(pixels: Any) -> Picture:
    levels = pixels.astype(numpy.uint8) * 255 if pixels.dtype == bool else pixels
    image = Image.fromarray(levels).convert("RGB")
    return open_picture(saved(image.resize((image.width // 2, image.height // 2))))


@pytest.mark.parametrize("name", ["astronaut", "chelsea", "camera", "horse", "grass"])
def test_photographs_without_text_have_none(rapid: Ocr, name: str) -> None:
    assert shows_no_text(_small(getattr(data, name)()), ocr=rapid).passed


def test_a_cup_seen_from_above_is_no_digit(rapid: Ocr) -> None:
    assert shows_no_text(open_picture(saved(Image.fromarray(data.coffee()))), ocr=rapid).passed


@pytest.mark.parametrize("char", "A8&")
@pytest.mark.parametrize("px", [14, 60])
def test_a_lone_character_is_text(rapid: Ocr, char: str, px: int) -> None:
    assert shows_no_text(picture(char, px=px), ocr=rapid).value == 1


def test_noise_and_shades_are_no_text(rapid: Ocr) -> None:
    noise = numpy.random.default_rng(0).integers(0, 256, (256, 256, 3), dtype=numpy.uint8)
    assert shows_no_text(_small(noise), ocr=rapid).passed
    assert shows_no_text(_small(numpy.tile(numpy.arange(256, dtype=numpy.uint8), (256, 1))), ocr=rapid).passed


def test_text_on_some_frames_of_a_clip_is_read(rapid: Ocr) -> None:
    two = clip(["Exit 12", "Exit 34"])
    assert reads(two, "Exit 12", samples=2, ocr=rapid).passed
    assert reads(two, "Exit 34", samples=2, frames="all", ocr=rapid).value == pytest.approx(2 / 6)
    assert shows_no_text(two, samples=1, ocr=rapid).value == 6


def test_slim_pictures_are_read_in_bounded_memory(rapid: Ocr) -> None:
    """RapidOCR alone would enlarge two thousand rows of twelve pixels to fifty thousand."""
    strip = picture("", size=(12, 2000))
    assert shows_no_text(strip, ocr=rapid).passed


def test_what_would_be_shrunk_until_letters_are_gone_is_refused(rapid: Ocr) -> None:
    result = reads(picture("Hello", size=(4200, 600)), "Hello", ocr=rapid)
    assert result.passed is None
    assert "at most 4096 pixels a side and 9,000,000 in all; this one has 4200 x 600" in result.detail


def test_the_identity_names_the_models_of_the_wheel(rapid: Ocr) -> None:
    identity = RapidOcr().identity
    shipped = [Path(str(file.locate())) for file in files("rapidocr") or () if file.name.endswith(".onnx")]
    assert identity.models == {
        path.name: f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}" for path in shipped
    }
    backend = reads(picture("Hi"), "Hi", ocr=rapid).evaluator.backend
    assert backend is not None
    assert all(digest in backend for digest in identity.models.values())
    assert str(identity.version) in backend


def test_the_models_are_loaded_once(rapid: Ocr, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reads(picture("Hi"), "Hi", ocr=rapid).passed
    monkeypatch.setattr(rapidocr_backend, "_load", lambda: pytest.fail("a second time"))
    assert reads(picture("Ho"), "Ho", ocr=rapid).passed


def test_nothing_is_said_on_the_way(rapid: Ocr, capfd: pytest.CaptureFixture[str]) -> None:
    reads(picture(""), "Hi", ocr=rapid)
    RapidOcr().read(numpy.full((112, 288, 3), 255, numpy.uint8))
    assert capfd.readouterr() == ("", "")
    assert logging.getLogger("RapidOCR").level == logging.CRITICAL


class _Engine:
    """What RapidOCR does inside, gone wrong."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def __call__(self, bgr: Any, **steps: Any) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


class _FoundButNotRead:
    """What it returns when recognising broke off and was logged: places without text."""

    boxes = numpy.zeros((1, 4, 2))
    scores = (0.9,)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (RuntimeError("onnxruntime: bad allocation"), "rapidocr broke off: onnxruntime: bad allocation"),
        (ZeroDivisionError(), "rapidocr broke off: ZeroDivisionError"),
        (_FoundButNotRead(), "found text and broke off before it had read it"),
    ],
)
def test_an_error_inside_is_not_a_picture_without_text(
    monkeypatch: pytest.MonkeyPatch, answer: Any, said: str
) -> None:
    monkeypatch.setattr(rapidocr_backend, "_load", lambda: _Engine(answer))
    with pytest.raises(ReaderUnavailable, match=said):
        RapidOcr().read(numpy.full((80, 80, 3), 255, numpy.uint8))


@pytest.fixture
def without_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    plain = builtins.__import__

    def importing(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "onnxruntime":
            raise ImportError("No module named 'onnxruntime'")
        return plain(name, *rest, **more)

    rapidocr_backend._alphabet.cache_clear()
    monkeypatch.setattr(builtins, "__import__", importing)
    yield
    rapidocr_backend._alphabet.cache_clear()


@pytest.mark.usefixtures("without_onnxruntime")
def test_without_its_library_it_is_not_there() -> None:
    result = reads(picture("Hi"), "Hi", ocr=Ocr([RapidOcr()]))
    assert result.passed is None
    assert result.missing is not None
    assert result.missing.reason is Reason.EVALUATOR_UNAVAILABLE
    assert "No module named 'onnxruntime'" in result.detail


def test_tesseract_reads_in_its_place_where_that_is_allowed(tesseract: Ocr) -> None:
    result = reads(picture("Total 1760"), "Total 1760", ocr=tesseract, allow_fallback=True)
    assert result.passed, result.detail
    assert result.fallback is not None
    assert result.fallback.because == "gone is not installed"
    backend = str(result.evaluator.backend)
    assert "tesseract 5" in backend
    assert "eng.traineddata sha256:" in backend


def test_tesseract_sees_a_single_letter_where_any_is_asked_for(tesseract: Ocr) -> None:
    assert shows_no_text(picture("A", px=60), ocr=tesseract, allow_fallback=True).value == 1
    assert shows_no_text(picture(""), ocr=tesseract, allow_fallback=True).passed


def test_tesseract_knows_what_its_data_can_read(tesseract: Ocr) -> None:
    known = {char for entry in Tesseract().alphabet() for char in comparable(entry)}
    assert set("ABCxyz0123456789$,.:%") <= known
    assert not set("가Яعü") & known
    result = reads(picture("x"), "Größe", ocr=tesseract, allow_fallback=True)
    assert result.passed is None
    assert "script_unsupported: tesseract (eng) cannot read 'ß', 'ö'" in result.detail


def test_trained_data_that_are_not_there_are_named() -> None:
    with pytest.raises(ReaderUnavailable, match=r"no trained data for 'tlh'; it has .*eng"):
        Tesseract("tlh").alphabet()


def test_a_machine_without_the_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    reader = Tesseract("eng")
    with pytest.raises(ReaderUnavailable, match="there is no program 'tesseract'"):
        reader.read(numpy.full((80, 80, 3), 255, numpy.uint8))


def test_a_program_that_breaks_off_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "tesseract"
    program.write_text("#!/bin/sh\necho 'out of memory' >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReaderUnavailable, match="tesseract ended with 3: out of memory"):
        Tesseract("eng").read(numpy.full((80, 80, 3), 255, numpy.uint8))


@pytest.mark.parametrize("reader", [RAPID, Tesseract()], ids=repr)
def test_both_see_the_canary_and_no_text_on_a_single_pixel(reader: TextReader) -> None:
    assert ocr_canary_problem(reader) is None
    assert reader.read(numpy.asarray(drawn("", size=(1, 1)))).lines == ()


def test_the_readers_of_a_process_are_shared() -> None:
    assert installed_ocr() is installed_ocr()
    assert reads(picture("Hi"), "한", ocr=None).passed is None
