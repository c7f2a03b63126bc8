"""Words that a transcript says again and the speaker did not."""

from __future__ import annotations

import pytest

from pytest_infergate.speech.alignment import Unit, align
from pytest_infergate.speech.normalizing import parse_normalizer
from pytest_infergate.speech.repetition import find_repetition

BASIC = parse_normalizer("basic")
LOOP = "thank you for watching "


@pytest.mark.parametrize(
    ("reference", "hypothesis", "tokens", "times", "reason"),
    [
        ("kept me honest", "kept me me honest", ("me",), 2, "one word twice, as at the cut of two chunks"),
        ("he left", "he left he left", ("he", "left"), 2, "two words twice"),
        ("hello", LOOP * 5, tuple(LOOP.split()), 5, "a loop"),
        ("no no", "no no no no", ("no",), 4, "more often than it was said"),
        ("a b", "x x y y y", ("y",), 3, "the longer of two"),
    ],
)
def test_a_repetition_is_found(
    reference: str, hypothesis: str, tokens: tuple[str, ...], times: int, reason: str
) -> None:
    found = find_repetition(align(reference, hypothesis, BASIC))
    assert found is not None, reason
    assert (found.tokens, found.times) == (tokens, times), reason
    assert 0 < found.share < 1


@pytest.mark.parametrize(
    ("reference", "hypothesis", "reason"),
    [
        ("that that is is", "that that is is", "the speaker said it twice"),
        ("very very good", "very very god", "said twice, and wrong elsewhere"),
        ("no no no", "no no", "said oftener than heard"),
        ("b a b a", "a b a b", "the same turn, begun elsewhere"),
        ("a b c", "a c b", "no repetition"),
        ("a", "", "nothing"),
    ],
)
def test_what_the_speaker_repeats_is_none(reference: str, hypothesis: str, reason: str) -> None:
    assert find_repetition(align(reference, hypothesis, BASIC)) is None, reason


def test_doubled_characters_are_spelling_and_four_are_a_loop() -> None:
    assert find_repetition(align("谢谢你", "谢谢谢你", BASIC, Unit.CHARACTER)) is None
    found = find_repetition(align("谢谢你", "谢谢谢谢谢谢你", BASIC, Unit.CHARACTER))
    assert found is not None
    assert (found.tokens, found.times, found.share) == (("谢",), 6, pytest.approx(4 / 7))
