"""Columns of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence.width import fit, shorten_end, shorten_middle, text_width, wrap


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("abc", 3),
        ("首都", 4),
        ("ｆｕｌｌ", 8),
        ("ﾊﾝｶｸ", 4),
        ("e\u0301", 1),
        ("한국", 4),
        ("😀", 2),
        ("é–…", 3),
        ("", 0),
    ],
)
def test_wide_characters_take_two_columns_and_marks_none(text: str, columns: int) -> None:
    assert text_width(text) == columns


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("capitals", 8, "capitals"),
        ("capitals", 7, "cap…als"),
        ("capitals", 1, "…"),
        ("首都首都首都", 7, "首…都"),  # 6 columns cannot be split into 3 and 3 by wide characters
        ("test_long.py::test_it", 12, "test_l…st_it"),
    ],
)
def test_a_long_name_keeps_both_ends(text: str, width: int, shown: str) -> None:
    assert shorten_middle(text, width) == shown


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)


@given(texts, st.integers(1, 30))
def test_what_is_fitted_takes_exactly_its_room(text: str, width: int) -> None:
    assert text_width(fit(text, width)) == width
    assert text_width(shorten_end(text, width)) <= width


@given(texts, st.integers(1, 30))
def test_wrapping_changes_only_spaces_into_line_breaks(text: str, width: int) -> None:
    rows = wrap(text, width)
    assert " ".join(rows) == text
    assert all(text_width(row) <= width or " " not in row for row in rows)
