"""What was heard right, wrong, not at all, or made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.speech.alignment import (
    Alignment,
    AlignmentError,
    Operation,
    Unit,
    align,
    align_tokens,
)
from pytest_infergate.speech.normalizing import Normalizer, parse_normalizer

NONE, BASIC, ENGLISH, WHISPER = map(parse_normalizer, ("none", "basic", "english", "whisper-english"))


@pytest.mark.parametrize(
    ("reference", "hypothesis", "rate", "reason"),
    [
        ("open the gate", "open the gate", 0, "all right"),
        ("hello world", "", 1, "nothing heard is a rate of 1, where the transcriber hears"),
        ("yes", "thank you for watching please subscribe", 6, "never clipped at 1"),
        ("kept me honest", "kept me me honest", 1 / 3, "one insertion of three words"),
        ("we have", "we hage", 1 / 2, "one substitution of two words"),
        ("has fifty turns", "has 50 turns", 1 / 3, "basic does not rewrite numbers"),
        ("we don't know", "we don’t know", 0, "one apostrophe"),
        ("das licht ist an", "the light is on", 1, "a translation is a wrong transcript"),
        ("안녕하세요 세계", "안녕하세요 세상", 1 / 2, "Korean has spaces"),
        ("नमस्ते दुनिया", "नमस्ते दुनिया", 0, "marks are kept"),
        ("the temperature is -5", "the temperature is 5", 1 / 4, "a sign is spoken"),
    ],
)
def test_word_error_rates(reference: str, hypothesis: str, rate: float, reason: str) -> None:
    assert align(reference, hypothesis, BASIC).rate == pytest.approx(rate), reason


@pytest.mark.parametrize(
    ("reference", "hypothesis", "rate", "length", "reason"),
    [
        ("今天天气很好", "今天天气真好", 1 / 6, 6, "one character of six"),
        ("我喜欢苹果", "我喜欢平果", 1 / 5, 5, "one of five"),
        ("我喜欢苹果", "我 喜欢 苹果", 0, 5, "spaces between Han characters are the typist's"),
        ("我 喜欢 苹果", "我喜欢苹果", 0, 5, "on either side"),
        ("我用 Python 写 code", "我用Python写code", 0, 13, "and beside Latin words"),
        ("สวัสดี ครับ", "สวัสดีครับ", 0, 10, "Thai, with its marks as characters of their own"),
        ("မင်္ဂလာပါ", "မင်္ဂလာပါ", 0, 9, "Burmese"),
        ("a cat", "acat", 1 / 5, 5, "between Latin words the space is a character"),
        ("a  cat", "a\tcat", 0, 5, "one, however much of it"),
        ("안녕 세계", "안녕세계", 1 / 5, 5, "and between Korean words"),
        ("cafe\u0301", "café", 0, 4, "code points of the composed text"),
        ("Cat!", "cat", 0, 3, "normalized like words"),
    ],
)
def test_character_error_rates(
    reference: str, hypothesis: str, rate: float, length: int, reason: str
) -> None:
    found = align(reference, hypothesis, BASIC, Unit.CHARACTER)
    assert (found.rate, found.reference_length) == (pytest.approx(rate), length), reason


def test_two_normalizers_are_two_measures() -> None:
    assert align("has fifty turns", "has 50 turns", ENGLISH).rate == 0
    assert align("minus five", "-5", ENGLISH).rate == 0
    assert align("-5", "5", ENGLISH).rate == 1
    assert align("-5", "5", WHISPER).rate == 0  # known of its rules: it loses the sign


@pytest.mark.parametrize("reference", ["", "  ", "...", "um hmm uh"])
def test_an_empty_reference_has_no_rate_and_its_insertions_count(reference: str) -> None:
    found = align(reference, "thank you", ENGLISH)
    assert (found.rate, found.reference_length, found.insertions, found.errors) == (None, 0, 2, 2)
    assert found.match_error_rate == 1
    assert [chunk.operation for chunk in found.chunks] == [Operation.INSERTION]


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("normalizer", [NONE, BASIC, ENGLISH, WHISPER], ids=lambda one: one.name)
@pytest.mark.parametrize(
    "text", [".", "...", "…", "— —", "👍", "♪ ♪", "\ufeff", "\u200b", "\x00", "\ud800", "'"]
)
def test_what_nobody_can_say_is_an_empty_reference_with_every_normalizer(
    text: str, normalizer: Normalizer, unit: Unit
) -> None:
    """A transcriber says ``.`` of a tone; against a script that is ``.`` to a normalizer, that is no hit."""
    assert align(text, text, normalizer, unit).rate is None
    assert align("", text, normalizer, unit).insertions == 0, "nor a word in silence"
    assert align("hello", text, normalizer, unit).substitutions == 0, "nor another word"


@pytest.mark.parametrize("text", ["a", "5", "日", "न", "ا", "٣"])
def test_a_letter_or_a_digit_is_a_word(text: str) -> None:
    assert align(text, text, NONE).rate == 0


@pytest.mark.parametrize("text", ["+", "%", "$", "&", "="])
def test_a_sign_that_is_spoken_is_a_word(text: str) -> None:
    assert align(text, text, NONE).rate == align(text, text, BASIC).rate == 0


def test_silence_on_silence_has_no_errors_and_no_rate() -> None:
    found = align("", "", BASIC)
    assert (found.rate, found.match_error_rate, found.errors, found.chunks) == (None, None, 0, ())


def test_the_match_error_rate_ends_at_1() -> None:
    found = align("yes", "thank you for watching", BASIC)
    assert (found.rate, found.match_error_rate) == (4, 1)
    assert align("a b c d", "a b c x y", BASIC).match_error_rate == pytest.approx(2 / 5)


@pytest.mark.parametrize(
    ("reference", "stretch"),
    [
        ("我喜欢苹果", "我喜欢苹果"),
        ("今日は", "今日は"),
        ("カタカナ", "カタカナ"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("สวัสดีครับ", "สวัสดีครับ"),
        ("ສະບາຍດີ", "ສະບາຍດີ"),
        ("សួស្តី", "សួស្តី"),
        ("မင်္ဂလာပါ", "မင်္ဂလာပါ"),
        ("བཀྲ་ཤིས", "བཀྲ"),
        ("我用 Python 写 code", "我用"),
        ("they went to 北京 by train", "北京"),
        ("我们 喜欢 苹果", "我们"),
    ],
)
def test_words_of_a_script_without_spaces_are_refused(reference: str, stretch: str) -> None:
    with pytest.raises(AlignmentError) as caught:
        align(reference, reference, BASIC)
    assert str(caught.value) == (
        f"the reference holds {stretch!r}, in a script without spaces between words: nobody knows how many"
        " words that is, so it has no word error rate; use metric='cer'"
    )


@pytest.mark.parametrize(
    "reference", ["안녕하세요 세계", "xin chào thế giới", "مرحبا بالعالم", "שלום עולם", "नमस्ते दुनिया"]
)
def test_words_of_a_script_with_spaces_are_measured(reference: str) -> None:
    assert align(reference, reference, BASIC).rate == 0


def test_one_character_alone_is_one_word() -> None:
    assert align("the character 我 means I", "the character 我 means I", BASIC).rate == 0


def test_a_transcript_in_the_wrong_script_is_a_wrong_transcript() -> None:
    found = align("hello there world", "我喜欢苹果", BASIC)
    assert (found.errors, found.rate) == (3, 1)


@pytest.mark.parametrize("reference", ["नमस्ते दुनिया", "สวัสดี ครับ", "مَرحبا", "שָׁלוֹם"])
def test_a_normalizer_that_leaves_out_vowels_is_refused(reference: str) -> None:
    with pytest.raises(AlignmentError, match=r"leaves out marks, .*; use normalizer='basic'"):
        align(reference, reference, WHISPER)


def test_accents_are_no_reason_to_refuse() -> None:
    assert align("a résumé", "a resume", WHISPER).rate == 0
    assert align("hello", "नमस्ते", WHISPER).rate == 1


@pytest.mark.parametrize("value", [None, 5, ("a",), ["a", "b"], b"a"])
def test_what_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(AlignmentError) as caught:
        align(value, "a", BASIC)  # type: ignore[arg-type]
    assert str(caught.value) == f"the reference is {value!r}; accepted: one text (str)"
    with pytest.raises(AlignmentError, match="the hypothesis is"):
        align("a", value, BASIC)  # type: ignore[arg-type]


def test_what_is_refused_is_shown_short() -> None:
    with pytest.raises(AlignmentError) as caught:
        align("字" * 10_000, "", BASIC)
    assert len(str(caught.value)) < 300


tokens = st.lists(st.sampled_from(["a", "b", "c", "dd", "é", "*", ""]), max_size=12).map(tuple)


@given(tokens, tokens)
def test_every_token_is_accounted_for_once(reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> None:
    found = align_tokens(reference, hypothesis, Unit.WORD)
    assert found.hits + found.substitutions + found.deletions == len(reference)
    assert found.hits + found.substitutions + found.insertions == len(hypothesis)
    assert abs(len(reference) - len(hypothesis)) <= found.errors <= max(len(reference), len(hypothesis))
    assert (found.errors == 0) == (reference == hypothesis)
    assert_chunks_tile(found)


@given(tokens, tokens)
def test_the_fewest_errors_are_found(reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> None:
    found = align_tokens(reference, hypothesis, Unit.WORD)
    assert found.errors == edit_distance(reference, hypothesis)
    assert found.errors == align_tokens(hypothesis, reference, Unit.WORD).errors


def assert_chunks_tile(found: Alignment) -> None:
    """The chunks cover both texts in order, without a gap, and say what the counts say."""
    at, heard = 0, 0
    counts = dict.fromkeys(Operation, 0)
    for chunk in found.chunks:
        assert (chunk.reference_start, chunk.hypothesis_start) == (at, heard)
        at, heard = chunk.reference_end, chunk.hypothesis_end
        counts[chunk.operation] += max(at - chunk.reference_start, heard - chunk.hypothesis_start)
        if chunk.operation is Operation.HIT:
            assert (
                found.reference[chunk.reference_start : at]
                == found.hypothesis[chunk.hypothesis_start : heard]
            )
    assert (at, heard) == (len(found.reference), len(found.hypothesis))
    assert list(counts.values()) == [found.hits, found.substitutions, found.deletions, found.insertions]


def edit_distance(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Levenshtein's distance by the textbook table."""
    row = list(range(len(other) + 1))
    for at, token in enumerate(one, 1):
        before, row[0] = row[0], at
        for column, heard in enumerate(other, 1):
            before, row[column] = (
                row[column],
                min(row[column] + 1, row[column - 1] + 1, before + (token != heard)),
            )
    return row[-1]
