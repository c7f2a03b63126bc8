"""The clip with known words and the one of silence."""

from __future__ import annotations

from pathlib import Path

import pytest

import pytest_infergate.speech
from pytest_infergate.evidence import digest
from pytest_infergate.speech import FasterWhisper, canary_digest, open_audio
from pytest_infergate.speech.canary import CANARY_WORDS, canary_problem

from .scripted_transcriber import ScriptedTranscriber

CLIP = Path(pytest_infergate.speech.__file__).with_name("canary.ogg")


def test_a_transcriber_that_hears_passes() -> None:
    assert canary_problem(ScriptedTranscriber()) is None


@pytest.mark.parametrize(
    ("heard", "problem"),
    [
        # Ten of fifteen words are enough: case and punctuation do not count.
        ("please open the window because the evening air is cool and", None),
        ("PLEASE OPEN THE WINDOW BECAUSE THE EVENING AIR IS COOL", None),
        ("please open the window because the evening air is", "heard 'please open the window because"),
        ("", "heard nothing"),
        (" ... ♪", "heard nothing"),
        ("Bitte öffne das Fenster, denn die Abendluft ist kühl und der Garten still.", "heard 'Bitte"),
        (f"{CANARY_WORDS} Thank you for watching, subscribe.", None),
        (f"{CANARY_WORDS} {CANARY_WORDS}", "heard 'Please open"),
    ],
)
def test_a_third_of_the_words_may_be_wrong(heard: str, problem: str | None) -> None:
    found = canary_problem(ScriptedTranscriber(canary=heard))
    if problem is None:
        assert found is None
    else:
        assert found is not None
        assert found.startswith(f"canary: {problem}")


@pytest.mark.parametrize("words", ["You", "Thank you.", "MBC 뉴스 이덕영입니다.", "7"])
def test_words_for_silence_are_made_up(words: str) -> None:
    assert canary_problem(ScriptedTranscriber(silence=words)) == (
        f"canary: heard {words!r} in 5 s of silence; turn its voice activity detection on"
    )


@pytest.mark.parametrize("nothing", ["", " ", "...", "♪"])
def test_silence_may_be_anything_without_words(nothing: str) -> None:
    assert canary_problem(ScriptedTranscriber(silence=nothing)) is None


def test_real_models_pass(tiny_en: FasterWhisper, base: FasterWhisper) -> None:
    assert [canary_problem(tiny_en), canary_problem(base)] == [None, None]


def test_the_clip_is_small_and_its_licence_beside_it() -> None:
    assert CLIP.stat().st_size < 60_000
    said = CLIP.with_suffix(".txt").read_text(encoding="utf-8")
    assert CANARY_WORDS in said
    assert "licence" in said


def test_its_digest_covers_the_clip() -> None:
    assert canary_digest() == canary_digest()
    assert canary_digest() != digest([])
    assert open_audio(CLIP).duration_s == pytest.approx(5.69, abs=0.02)
