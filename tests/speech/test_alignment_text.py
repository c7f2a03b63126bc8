"""Aligned words as a person reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence.width import text_width
from pytest_infergate.speech.alignment import Unit, align, align_tokens
from pytest_infergate.speech.alignment_text import aligned_text
from pytest_infergate.speech.normalizing import parse_normalizer

NONE, BASIC = parse_normalizer("none"), parse_normalizer("basic")


def test_each_error_stands_below_its_words() -> None:
    found = align("ask not what your country can do", "ask what your county can do please", BASIC)
    assert aligned_text(found) == [
        "REF  ask not what your country can do",
        "HYP  ask     what your county  can do please",
        "         D             S              I",
    ]


def test_words_far_from_errors_are_left_out() -> None:
    found = align("a b c d e f g h i j k l m n", "a b c d e f x h i j k l m n", BASIC)
    assert aligned_text(found, context=2) == [
        "REF  … e f g h i …",
        "HYP  … e f x h i …",
        "           S",
    ]


def test_one_word_is_not_worth_leaving_out() -> None:
    found = align("a b c d", "a b c x", BASIC)
    assert aligned_text(found, context=2)[0] == "REF  a b c d"


def test_long_texts_are_folded_and_what_is_left_is_counted() -> None:
    found = align_tokens(["right"] * 3 + ["old"] * 40, ["right"] * 3 + ["new"] * 40, Unit.WORD)
    assert aligned_text(found, width=30, rows=2) == [
        "REF  right right right old old",
        "HYP  right right right new new",
        "                       S   S",
        "REF  old old old old old old",
        "HYP  new new new new new new",
        "     S   S   S   S   S   S",
        "… 32 more errors",
    ]


def test_wide_characters_take_two_columns() -> None:
    found = align("我喜欢苹果", "我喜欢平果x", BASIC, Unit.CHARACTER)
    assert aligned_text(found) == ["REF  我喜欢苹果", "HYP  我喜欢平果x", "           S   I"]


def test_a_mark_alone_stands_on_a_dotted_circle() -> None:
    found = align("สวัสดี", "สวสดี", BASIC, Unit.CHARACTER)
    assert aligned_text(found) == ["REF  สว◌ัสด◌ี", "HYP  สว สด◌ี", "       D"]


def test_a_space_that_counts_is_seen() -> None:
    found = align("a cat", "acat", BASIC, Unit.CHARACTER)
    assert aligned_text(found) == ["REF  a␣cat", "HYP  a cat", "      D"]


def test_nothing_said_and_nothing_heard() -> None:
    assert aligned_text(align("", "thank you", BASIC)) == ["REF", "HYP  thank you", "     I     I"]
    assert aligned_text(align("thank you", "", BASIC)) == ["REF  thank you", "HYP", "     D     D"]


def test_without_an_error_there_is_nothing_to_show() -> None:
    assert aligned_text(align("a b", "a b", BASIC)) == []
    assert aligned_text(align("", "", BASIC)) == []


def test_what_a_terminal_would_obey_is_not_sent_to_it() -> None:
    text = "\n".join(aligned_text(align("a\x1b[31m b", "a c", NONE)))
    assert "\x1b" not in text
    assert "a\ufffd[31m" in text


words = st.lists(
    st.sampled_from(["a", "bb", "我", "é", "ี", "e\u0301", "longer-than-all-others"]), max_size=30
)


@given(words, words, st.integers(20, 60), st.integers(0, 4), st.sampled_from(Unit))
def test_no_line_is_wider_than_asked_and_every_error_is_marked(
    reference: list[str], hypothesis: list[str], width: int, context: int, unit: Unit
) -> None:
    found = align_tokens(reference, hypothesis, unit)
    lines = aligned_text(found, width=width, context=context, rows=1000)
    assert all(text_width(line) <= width for line in lines)
    marks = "".join(lines[2::3])
    assert (marks.count("S"), marks.count("D"), marks.count("I")) == (
        found.substitutions,
        found.deletions,
        found.insertions,
    )


@pytest.mark.parametrize("width", [0, 1, 19])
def test_a_terminal_that_is_too_narrow_gets_twenty_columns(width: int) -> None:
    found = align("a few words that fill a line", "nothing of it", BASIC)
    assert aligned_text(found, width=width) == aligned_text(found, width=20)
