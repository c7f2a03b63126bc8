"""Model output is shown, never obeyed."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence.width import text_width
from pytest_infergate.report import visible_block, visible_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("title\x1b]0;owned\x07", r"title\x1b]0;owned\x07"),  # would set the terminal's title
        ("\x9b31m", r"\x9b31m"),  # the one-byte form of the same
        ("\x00\x08\x7f", r"\x00\x08\x7f"),
        ("one\ntwo\r\tthree", r"one\ntwo\r\tthree"),
        ("\u202egnp.exe", r"\u202egnp.exe"),  # turns the direction
        ("\u2066a\u2069", r"\u2066a\u2069"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("soft\u00adhyphen", r"soft\xadhyphen"),
        ("line\u2028and\u2029paragraph\x85", r"line\u2028and\u2029paragraph\x85"),
        ("no\u00a0break", r"no\xa0break"),  # looks like a space and compares as none
        ("fille\u3164r\u115f", r"fille\u3164r\u115f"),  # letters that show nothing
        ("heart\u2764\ufe0f", r"heart❤\ufe0f"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("lone\ud800", r"lone\ud800"),  # cannot even be written in UTF-8
        ("private\ue000", r"private\ue000"),
        ("naïve 首都 e\u0301 😀", "naïve 首都 e\u0301 😀"),
        (r"\frac{1}{2}", r"\frac{1}{2}"),  # LaTeX stays readable
        ("", ""),
    ],
)
def test_what_acts_or_hides_is_spelled(text: str, shown: str) -> None:
    assert visible_line(text) == shown


any_text = st.text(st.characters(exclude_categories=()))


@given(any_text, st.integers(1, 80))
def test_a_line_never_holds_what_a_terminal_obeys_and_never_exceeds_its_width(text: str, width: int) -> None:
    shown = visible_line(text, width)
    assert text_width(shown) <= width
    assert not [char for char in shown if category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    shown.encode("utf-8")


@given(any_text, st.integers(12, 80), st.integers(1, 5))
def test_a_block_has_so_many_lines_of_such_a_width(text: str, width: int, lines: int) -> None:
    rows = visible_block(text, width=width, lines=lines)
    assert len(rows) <= lines + 1
    for row in rows[:lines]:
        assert text_width(row) <= width
        assert not [char for char in row if category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


@given(st.text("abc \n", max_size=200), st.integers(10, 20))
def test_a_block_loses_nothing(text: str, width: int) -> None:
    assert "".join(visible_block(text, width=width)) == text.replace("\n", "")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", []),
        ("one\r\ntwo\n", ["one", "two"]),
        ("one\n\ntwo", ["one", "", "two"]),
        ("a\tb", [r"a\tb"]),
        ("abcdefghijklm", ["abcdefghij", "klm"]),
        ("首都首都首都", ["首都首都首", "都"]),
        ("1\n2\n3\n4\n5\n6\n", ["1", "2", "3", "4", "… 3 more characters"]),
    ],
)
def test_a_block_keeps_lines(text: str, rows: list[str]) -> None:
    assert visible_block(text, width=10, lines=4) == rows


def test_a_long_reply_is_cut_and_marked() -> None:
    assert visible_line("a" * 10_000_000, 10) == "aaaaaaaaa…"
    assert visible_block("a" * 10_000_000, width=10, lines=2) == [
        "a" * 10,
        "a" * 10,
        "… 9999980 more characters",
    ]
