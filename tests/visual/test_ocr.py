"""Who reads: the first that is there, sees its canary and knows the script; any other is a fallback."""

from __future__ import annotations

import pytest

from pytest_infergate.evidence import Reason
from pytest_infergate.visual.checks.reads import reads
from pytest_infergate.visual.checks.shows_no_text import shows_no_text
from pytest_infergate.visual.ocr import Ocr
from pytest_infergate.visual.text_reader import ReaderUnavailable, Reading

from .written import TellTale, gone, line, picture

UNFIT = [
    # reader, what is said of it, why
    (gone(why="gone is not installed"), "gone is not installed", "not there"),
    (
        TellTale(canary="Quiet garden 4811\nTotal: $2,350.96"),
        "canary: read 'Quiet garden 4811",
        "a digit wrong",
    ),
    (TellTale(canary=""), "canary: read ''", "sees nothing: its silence would be no text"),
    (TellTale(canary="Some other words"), "canary: read 'Some other words'", "reads what is not there"),
    (TellTale(on_blank="Lorem"), "canary: found text in 1 places of a blank picture: 'Lorem'", "surya#385"),
    (
        TellTale(on_blank=Reading(lines=(), doubtful=(line("", 0.0),))),
        "canary: found text in 1 places of a blank picture",
        "takes nothing for text that it cannot read",
    ),
]


@pytest.mark.parametrize(("reader", "said", "why"), UNFIT, ids=[why for *_, why in UNFIT])
def test_without_a_fit_reader_nothing_is_judged(reader: TellTale, said: str, why: str) -> None:
    ocr = Ocr([reader])
    for result in (reads(picture("Hi"), "Hi", ocr=ocr), shows_no_text(picture(""), ocr=ocr)):
        assert result.passed is None
        assert result.missing is not None
        assert result.missing.reason is Reason.EVALUATOR_UNAVAILABLE
        assert said in result.detail


def test_white_space_on_the_blank_picture_is_no_text() -> None:
    reader = TellTale("Hi", on_blank=Reading(lines=(line(" \n\f"),)))
    assert reads(picture("Hi"), "Hi", ocr=Ocr([reader])).passed


def test_a_canary_is_read_once() -> None:
    reader = TellTale("Hi")
    ocr = Ocr([reader])
    for _ in range(3):
        assert reads(picture("Hi"), "Hi", ocr=ocr).passed
    assert reader.asked == 2 + 3


def test_an_unfit_reader_is_not_asked_again() -> None:
    reader = TellTale("Hi", canary="")
    ocr = Ocr([reader])
    for _ in range(3):
        assert reads(picture("Hi"), "Hi", ocr=ocr).passed is None
    assert reader.asked == 1


def test_a_fallback_is_refused_unless_it_is_allowed() -> None:
    ocr = Ocr([gone(), TellTale("Hi", engine="second")])
    refused = reads(picture("Hi"), "Hi", ocr=ocr)
    assert refused.passed is None
    assert refused.missing is not None
    assert refused.missing.reason is Reason.FALLBACK_NOT_ALLOWED
    assert "second could read it in place of gone: gone is not installed" in refused.detail
    assert "allow_fallback=True" in refused.detail


def test_an_allowed_fallback_says_in_whose_place_and_why() -> None:
    ocr = Ocr([gone(), TellTale("Hi", engine="second")])
    allowed = reads(picture("Hi"), "Hi", ocr=ocr, allow_fallback=True)
    assert allowed.passed
    score = allowed.score()
    assert score.fallback is not None
    assert score.fallback.preferred.startswith("gone 1")
    assert score.fallback.because == "gone is not installed"
    assert "second 1, m sha256:00" in str(score.evaluator.backend)


def test_a_fallback_is_another_evaluator() -> None:
    preferred = reads(picture("Hi"), "Hi", ocr=Ocr([TellTale("Hi", engine="first")]))
    fallback = reads(
        picture("Hi"), "Hi", ocr=Ocr([gone(), TellTale("Hi", engine="second")]), allow_fallback=True
    )
    assert preferred.evaluator.digest != fallback.evaluator.digest


@pytest.mark.parametrize("text", ["한국어", "Привет", "مرحبا", "नमस्ते", "Hi Привет", "Καλημέρα", "OK ✓✗"])
def test_a_script_that_no_reader_knows_is_missing(text: str) -> None:
    result = reads(picture("x"), text, ocr=Ocr([TellTale("")]))
    assert result.passed is None
    assert result.missing is not None
    assert result.missing.reason is Reason.EVALUATOR_UNAVAILABLE
    assert "script_unsupported: telltale (any) cannot read" in result.detail


def test_a_reader_that_knows_the_script_is_a_fallback_too() -> None:
    korean = TellTale("한국어", engine="korean", knows=frozenset("한국어"))
    ocr = Ocr([TellTale(""), korean])
    assert reads(picture("x"), "한국어", ocr=ocr).missing.reason is Reason.FALLBACK_NOT_ALLOWED  # type: ignore[union-attr]
    allowed = reads(picture("x"), "한국어", ocr=ocr, allow_fallback=True)
    assert allowed.passed
    assert allowed.fallback is not None
    assert "script_unsupported" in allowed.fallback.because


def test_what_is_drawn_like_a_known_letter_is_known() -> None:
    assert reads(picture("x"), "“ＡＢ” – ﬁn", ocr=Ocr([TellTale('"AB"-fin')])).passed


def test_one_that_breaks_off_has_not_seen_a_picture_without_text() -> None:
    broken = Ocr([TellTale(ReaderUnavailable("telltale broke off: out of memory"))])
    for result in (reads(picture("Hi"), "Hi", ocr=broken), shows_no_text(picture(""), ocr=broken)):
        assert result.passed is None
        assert result.missing is not None
        assert result.missing.reason is Reason.EVALUATOR_UNAVAILABLE
        assert "out of memory" in result.detail


def test_a_chain_needs_a_reader() -> None:
    with pytest.raises(ValueError, match="no text readers"):
        Ocr([])
