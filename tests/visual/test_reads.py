"""What is read on a picture or a clip, against what is to be read: the rules, with a reader that is told."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from numpy.typing import NDArray

from pytest_infergate.evidence import Reason
from pytest_infergate.visual.check import CheckError
from pytest_infergate.visual.checks.reads import reads
from pytest_infergate.visual.checks.shows_no_text import shows_no_text
from pytest_infergate.visual.ocr import Ocr
from pytest_infergate.visual.text_reader import Reading

from .written import TellTale, clip, line, picture


def saying(what: Any) -> Ocr:
    return Ocr([TellTale(what)])


RATES = [
    # read, expected, rate, why
    ("HelloWorld2024", "Hello World 2024", 0.0, "spaces do not count"),
    ("Hello\nWorld 2024", "Hello World 2024", 0.0, "nor do lines"),
    ("", "Hello", 1.0, "the canary was read, so nothing is written"),
    ("Total 1780", "Total 1760", 1 / 9, "one digit"),
    ("abcabc", "abc", 1.0, "twice is once too much"),
    ("xxxxxx", "ab", 3.0, "a rate may be above 1"),
]


@pytest.mark.parametrize(("read", "expected", "rate", "why"), RATES, ids=[why for *_, why in RATES])
def test_the_value_is_the_character_error_rate(read: str, expected: str, rate: float, why: str) -> None:
    result = reads(picture("x"), expected, ocr=saying(read))
    assert result.value == pytest.approx(rate)
    assert result.passed is (rate == 0)
    assert result.score().unit == "cer"


def test_a_tolerance_is_a_rate_and_holds_on_itself() -> None:
    assert reads(picture("x"), "abcd", 0.25, ocr=saying("abcx")).passed
    assert not reads(picture("x"), "abcd", 0.24, ocr=saying("abcx")).passed


def test_what_differs_is_shown_with_its_place() -> None:
    result = reads(picture("x"), "Total 1760", ocr=saying("Total 1780"))
    assert result.detail == (
        "1 of 9 characters wrong: read 'Total 1780' for 'Total 1760', [expected>read] Total17[6>8]0; "
        "lines: 'Total 1780' at 1, 2, 30, 12"
    )
    details = result.score().details
    assert details is not None
    assert details["seen"]["expected"] == "Total 1760"
    assert details["seen"]["lines"] == [
        {"text": "Total 1780", "confidence": 0.99, "box": [1, 2, 30, 12], "likeness": 0.9}
    ]


@pytest.mark.parametrize("blank", ["", "  ", "\n\f", "\u200b"])
def test_nothing_to_read_is_missing_and_never_a_pass(blank: str) -> None:
    result = reads(picture(""), blank, ocr=saying(""))
    assert result.passed is None
    assert result.missing is not None
    assert result.missing.reason is Reason.EMPTY_REFERENCE
    assert "shows_no_text" in result.detail


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"text": 5}, "text is 5"),
    ({"text": None}, "text is None"),
    ({"text": "a", "tolerance": -0.1}, "tolerance is -0.1"),
    ({"text": "a", "tolerance": 1}, "tolerance is 1; accepted: 0 or more, less than 1"),
    ({"text": "a", "tolerance": float("nan")}, "tolerance is nan"),
    ({"text": "a", "tolerance": True}, "tolerance is True"),
    ({"text": "a", "frames": "some"}, "frames is 'some'; accepted: 'any', 'all'"),
    ({"text": "a", "samples": 0}, "samples is 0"),
    ({"text": "a", "samples": 2.5}, "samples is 2.5"),
]


@pytest.mark.parametrize(("settings", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_settings_that_do_not_exist_are_an_error(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(CheckError, match=f"^reads: {said}"):
        reads(picture("x"), ocr=saying(""), **settings)


@pytest.mark.parametrize(
    "settings", [{"tolerance": -1}, {"tolerance": 1000}, {"samples": 0}, {"tolerance": "none"}]
)
def test_so_they_are_for_no_text(settings: dict[str, Any]) -> None:
    with pytest.raises(CheckError, match=r"^shows_no_text: "):
        shows_no_text(picture("x"), ocr=saying(""), **settings)


def test_who_reads_is_in_the_identity_and_the_text_is_not() -> None:
    """Scores of one check over a data set have one evaluator, whatever each sample is to say."""
    one = reads(picture("x"), "one", ocr=saying("one")).evaluator
    other = reads(picture("y"), "other", ocr=saying("other")).evaluator
    assert one == other
    assert one.settings["text_rule"] == "no-spaces/1"
    assert one.settings["canary"].startswith("sha256:")


def ink_is_light(rgb: NDArray[numpy.uint8]) -> str:
    """Read a picture that has white letters: only on black is there anything to see."""
    return "Clear" if rgb.min() != rgb.max() else ""


def test_text_that_shows_on_one_background_is_written() -> None:
    see_through = picture("Clear", ink=(255, 255, 255, 255), ground=(255, 255, 255, 0), mode="RGBA")
    assert reads(see_through, "Clear", ocr=saying(ink_is_light)).passed
    assert shows_no_text(see_through, ocr=saying(ink_is_light)).value == 5


def brightness(rgb: NDArray[numpy.uint8]) -> str:
    """Read the text of a clip off the grey of its frames: 'a' black, 'b' grey, 'c' white."""
    return "abc"[min(2, int(rgb.mean()) // 86)]


def shades(*levels: int) -> Any:
    from pytest_infergate.visual.clip import open_clip

    from .made import encoded

    frames = [numpy.full((32, 48, 3), level, numpy.uint8) for level in levels for _ in range(5)]
    return open_clip(encoded(frames, rate=10))


SAMPLED: list[tuple[dict[str, Any], bool, int, str]] = [
    # settings, passes, frames read, why
    ({"text": "a"}, True, 1, "the first is right and ends the reading"),
    ({"text": "c"}, True, 3, "any of three: the last"),
    ({"text": "c", "samples": 1}, False, 1, "only the middle one"),
    ({"text": "b", "samples": 1}, True, 1, "the middle"),
    ({"text": "b", "frames": "all"}, False, 3, "all: not the first"),
    ({"text": "b", "frames": "all", "samples": 1}, True, 1, "all of one"),
    ({"text": "z", "samples": 100}, False, 15, "a frame is read once"),
]


@pytest.mark.parametrize(("settings", "passes", "count", "why"), SAMPLED, ids=[why for *_, why in SAMPLED])
def test_frames_of_a_clip_are_spread_over_its_time(
    settings: dict[str, Any], passes: bool, count: int, why: str
) -> None:
    result = reads(shades(0, 128, 255), ocr=saying(brightness), **settings)
    assert result.passed is passes
    assert result.frames is not None
    assert result.frames["count"] == count
    assert f"of {settings.get('samples', 3)}, middles of equal parts" in result.frames["rule"]
    assert result.evaluator.settings["samples"] == settings.get("samples", 3)


def test_the_record_says_which_frames_were_read_and_what_was_on_them() -> None:
    result = reads(shades(0, 128, 255), "b", frames="all", ocr=saying(brightness))
    assert result.frames is not None
    assert [one["index"] for one in result.frames["read"]] == [2, 7, 12]
    assert [one["lines"][0]["text"] for one in result.frames["read"]] == ["a", "b", "c"]


def test_text_on_any_frame_is_text() -> None:
    only_at_the_end = saying(lambda rgb: "c" if rgb.mean() > 200 else "")
    result = shows_no_text(shades(0, 128, 255), ocr=only_at_the_end)
    assert result.passed is False
    assert result.value == 1


LINES = [
    # reading, passed, characters, why
    (Reading(lines=()), True, 0, "nothing"),
    (Reading(lines=(line(" \n\f"),)), True, 0, "white space and form feeds are no text"),
    (Reading(lines=(line(" ", 0.3),)), None, None, "something that looks like text and is hardly read"),
    (Reading(lines=(line("A"),)), False, 1, "a single letter"),
    (Reading(lines=(line("8", 0.89, 0.69),)), True, 0, "a cup that is a little like an 8"),
    (Reading(lines=(line("8", 0.89, 0.86),)), None, None, "it looks like a letter, and is not surely read"),
    (Reading(lines=(line("8", 0.98, 0.65),)), False, 1, "a small digit that is surely read"),
    (Reading(lines=(line("88", 0.89, 0.69),)), False, 2, "two of them"),
    (Reading(lines=(line("Hello World"), line("2024"))), False, 14, "without the space"),
    (Reading(lines=(line("ap", 0.58, 0.67),)), True, 0, "fur that is a little like letters"),
    (Reading(lines=(line("ap", 0.58, 0.85),)), None, None, "it looks like text, and is not surely read"),
    (Reading(lines=(), doubtful=(line("", 0.0, 0.8),)), None, None, "a script that cannot be read"),
    (Reading(lines=(), doubtful=(line("T", 0.42, 0.83),)), True, 0, "a horse that is a little like a T"),
    (Reading(lines=(), doubtful=(line("茶", 0.1, 0.9),)), None, None, "one sign of a script that it lacks"),
    (Reading(lines=(line("unt ee e ee e eune", 0.6, 0.65),)), None, None, "letters that are none"),
    (Reading(lines=(), doubtful=(line("", 0.0, None),)), None, None, "of unknown likeness"),
    (Reading(lines=(line("Hi"),), doubtful=(line("", 0.0, 0.8),)), False, 2, "what is read is enough"),
]


@pytest.mark.parametrize(("reading", "passed", "count", "why"), LINES, ids=[why for *_, why in LINES])
def test_no_text_is_said_only_of_what_has_none(
    reading: Reading, passed: bool | None, count: int | None, why: str
) -> None:
    result = shows_no_text(picture("x"), ocr=saying(reading))
    assert result.passed is passed
    assert result.value == count
    if passed is None:
        assert result.missing is not None
        assert result.missing.reason is Reason.EVALUATOR_UNAVAILABLE


def test_some_characters_may_be_allowed() -> None:
    assert shows_no_text(picture("x"), 4, ocr=saying("2024")).passed
    assert not shows_no_text(picture("x"), 3, ocr=saying("2024")).passed


def test_a_clip_of_text_opens() -> None:
    """The clips that the tests with real readers make have the frames that are asked for."""
    assert clip(["one", "two"]).frame_count == 10
