"""Whether a transcript goes on to the end of what is spoken."""

from __future__ import annotations

from functools import lru_cache

import numpy
import pytest

from pytest_infergate.evidence import Missing, Reason
from pytest_infergate.speech import Audio, Segment, Transcript, open_audio
from pytest_infergate.speech.audio import RATE
from pytest_infergate.speech.completeness import find_cut, speech_after

from .clips import tone, wav_at_16k
from .espeak import spoken
from .scripted_transcriber import clip, transcript

WORDS = (
    "The ferry leaves the harbour early in the morning and comes back late in the evening, "
    "but on Sunday it stays where it is."
)


@lru_cache(maxsize=1)
def speech() -> Audio:
    return open_audio(spoken(WORDS))


def followed_by(level: float, seconds: float = 8.0) -> Audio:
    """The speech, and then a tone of that level; 0: silence."""
    after = (
        tone(seconds, level=level, rate=RATE) if level else numpy.zeros(int(seconds * RATE), numpy.float32)
    )
    return open_audio(wav_at_16k(numpy.concatenate([speech().samples(), after])))


def ending_at(*ends: float, text: str = "words") -> Transcript:
    segments = tuple(Segment(start_s=0.0, end_s=end, text=text) for end in ends)
    return transcript(text, segments=segments)


def test_words_to_the_end_are_whole() -> None:
    audio = speech()
    for ends in ((audio.duration_s,), (audio.duration_s - 1.5,), (1.0, audio.duration_s + 3)):
        assert find_cut(ending_at(*ends), audio) is None


def test_words_that_end_before_the_speech_does_are_cut_off() -> None:
    audio = speech()
    cut = find_cut(ending_at(1.0, 2.0), audio)
    assert cut is not None
    assert cut.reason is Reason.TRUNCATED
    assert cut.detail.startswith(f"the transcript ends at 2.00 s of {audio.duration_s:.2f} s, and ")
    assert cut.detail.endswith(" s of the rest is speech")


@pytest.mark.parametrize("level", [pytest.param(0.0, id="silence"), pytest.param(0.3, id="a tone")])
def test_what_is_no_speech_need_not_be_heard(level: float) -> None:
    assert find_cut(ending_at(speech().duration_s), followed_by(level)) is None


def test_a_segment_without_words_does_not_hide_it() -> None:
    audio = speech()
    said = Segment(start_s=0, end_s=2, text="words")
    blank = Segment(start_s=2, end_s=audio.duration_s, text=" ")
    assert find_cut(transcript("words", segments=(said, blank)), audio) is not None


def test_no_words_at_all_is_a_transcript_that_heard_nothing() -> None:
    assert find_cut(transcript("", segments=()), speech()) is None
    assert find_cut(transcript("..."), speech()) is None


def test_where_no_times_are_told_nothing_can_be_known() -> None:
    assert find_cut(transcript("words"), speech()) is None


@pytest.mark.parametrize(
    ("heard", "missing"),
    [
        (0.9, Missing(Reason.TRUNCATED, "the transcriber got 0.90 s of audio, the clip has 2.00 s")),
        (1.5, None),  # within what durations are rounded by
        (2.0, None),
        (30.0, None),  # a transcriber that pads
        (0.0, None),  # one that does not tell
    ],
)
def test_a_transcriber_that_got_less_audio_than_there_is_says_so_itself(
    heard: float, missing: Missing | None
) -> None:
    assert find_cut(transcript("words", audio_duration_s=heard), clip()) == missing


def test_speech_is_counted_from_where_it_is_asked_for() -> None:
    audio = speech()
    whole = speech_after(audio, 0)
    assert 0.7 * audio.duration_s < whole <= audio.duration_s
    assert speech_after(audio, audio.duration_s / 2) == pytest.approx(whole / 2, abs=0.8)
    assert speech_after(audio, audio.duration_s + 1) == 0
    assert speech_after(clip(), 0) == 0
