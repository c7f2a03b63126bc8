"""Lines with a meaning to each part."""

from __future__ import annotations

from pytest_infergate.report import Segment, Style, ansi_text, line, plain_text

LINES = [line("verdict: ", Segment("passed", Style.PASSED), "  "), (), line("end")]


def test_plain_text_has_no_style_and_no_trailing_space() -> None:
    assert plain_text(LINES) == "verdict: passed\n\nend\n"


def test_colours_are_taken_back_at_once() -> None:
    assert ansi_text(LINES) == "verdict: \x1b[32mpassed\x1b[0m  \n\nend\n"
