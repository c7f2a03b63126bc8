"""What counts as the same text in a picture, and how a difference is counted and shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.visual.comparable_text import comparable
from pytest_infergate.visual.text_difference import text_difference

SAME = [
    # expected, read, why
    ("Hello World 2024", "HelloWorld2024", "recognisers lose spaces"),
    ("Product sales", "Productsales", "RapidAI/RapidOCR#636"),
    ("two\nlines", "two lines\n\f", "line breaks and form feeds are no text"),
    ("a\u00a0b\u3000c\u200bd", "abcd", "spaces of every kind"),
    ("café", "cafe\u0301", "composed or not"),
    ("don’t “go”", 'don\'t "go"', "quotes that fonts draw alike"),
    ("3–4 — −5", "3-4 - -5", "dashes that fonts draw alike"),
    ("ＡＢＣ１２", "ABC12", "full-width forms"),
    ("ﬁnal", "final", "a ligature shows two letters"),
    ("wait…", "wait...", "three dots in one"),
    ("❤\ufe0f", "❤", "a selector without a shape of its own"),
]
DIFFERENT = [
    # expected, read, errors, why
    ("1760", "1780", 1, "a digit"),
    ("$1,234.56", "$1.234,56", 2, "signs in a number"),
    ("10²", "102", 1, "a superscript is no digit"),
    ("½", "12", 2, "a fraction is not its digits"),
    ("①", "1", 1, "a number in a circle"),
    ("Open", "open", 1, "case"),
    ("O0", "0O", 2, "letters that look like digits"),
    ("-5", "5", 1, "a sign"),
    ("٣", "3", 1, "digits of another script"),
    ("a¨b", "äb", 2, "a spacing accent stays where it is"),
    ("rn", "m", 2, "letters that look like another"),
    ("x", "", 1, "nothing read"),
    ("x", "xyz", 2, "more than is asked for"),
]


@pytest.mark.parametrize(("expected", "read", "why"), SAME, ids=[why for *_, why in SAME])
def test_what_is_drawn_alike_is_the_same(expected: str, read: str, why: str) -> None:
    assert comparable(expected) == comparable(read)
    assert text_difference(read, expected).rate == 0


@pytest.mark.parametrize(("expected", "read", "errors", "why"), DIFFERENT, ids=[why for *_, why in DIFFERENT])
def test_what_is_drawn_otherwise_is_not(expected: str, read: str, errors: int, why: str) -> None:
    found = text_difference(read, expected)
    assert found.errors == errors
    assert found.rate == errors / len(comparable(expected))


@pytest.mark.parametrize("blank", ["", " ", " \n\f", "\u200b\u00a0\t", "\ufe0f"])
def test_white_space_is_no_text(blank: str) -> None:
    assert comparable(blank) == ""


@pytest.mark.parametrize("blank", ["", " \n\f"])
def test_a_rate_of_nothing_is_no_number(blank: str) -> None:
    with pytest.raises(ValueError, match="nothing is expected"):
        text_difference("words", blank)


@pytest.mark.parametrize(
    ("expected", "read", "aligned"),
    [
        ("Total 1760", "Total 1780", "Total17[6>8]0"),
        ("abc", "ac", "a[b>]c"),
        ("ac", "abc", "a[>b]c"),
        ("abc", "", "[abc>]"),
        ("same", "same", "same"),
    ],
)
def test_the_difference_shows_both_texts_in_one_line(expected: str, read: str, aligned: str) -> None:
    assert text_difference(read, expected).aligned == aligned


texts = st.text(max_size=30)


@given(texts)
def test_comparable_text_stays_as_it_is_and_has_no_spaces(text: str) -> None:
    once = comparable(text)
    assert comparable(once) == once
    assert not any(char.isspace() for char in once)
    assert unicodedata.is_normalized("NFC", once)


@given(texts, texts)
def test_only_equal_texts_have_no_errors(read: str, expected: str) -> None:
    if not comparable(expected):
        return
    found = text_difference(read, expected)
    assert (found.errors == 0) == (comparable(read) == comparable(expected))
    assert found.hits + found.substitutions + found.deletions == found.length
    assert found.hits + found.substitutions + found.insertions == len(comparable(read))


@given(st.lists(st.sampled_from("0123456789"), min_size=1, max_size=12), st.data())
def test_a_changed_digit_is_always_an_error(digits: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(digits) - 1))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != digits[at]]))
    read = "".join([*digits[:at], other, *digits[at + 1 :]])
    assert text_difference(read, "".join(digits)).errors >= 1
