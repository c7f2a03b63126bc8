"""Limits: N samples or a share of them."""

from __future__ import annotations

import pytest

from pytest_infergate.evidence import InfergateError
from pytest_infergate.tasks import parse_limit

KEPT = [
    ("50", 30, 30, "no more than there are"),
    ("1", 30, 1, "the least"),
    (" 7 ", 30, 7, "white space is none of ours"),
    ("10%", 30, 3, "exactly three, not four by rounding of floats"),
    ("10%", 31, 4, "rounded up"),
    ("0.1%", 1, 1, "never rounded down to nothing"),
    ("100%", 30, 30, "all"),
    ("33.3 %", 1000, 333, "decimals"),
    ("10%", 0, 0, "nothing of nothing"),
]


@pytest.mark.parametrize(("text", "total", "kept", "why"), KEPT)
def test_keeps(text, total, kept, why):
    assert parse_limit(text).of(total) == kept, why


REFUSED = [
    "",
    "0",
    "-1",
    "1.5",
    "0%",
    "100.1%",
    "-5%",
    "ten",
    "1e3",
    "5%%",
    "٣",
    "50 samples",
    "nan%",
    "9" * 5000,
]


@pytest.mark.parametrize("text", REFUSED)
def test_refuses_with_the_accepted_form(text):
    with pytest.raises(
        InfergateError, match=r"accepted: N samples \(N >= 1\) such as 50, or P% \(0 < P <= 100\)"
    ):
        parse_limit(text)


@pytest.mark.parametrize(("text", "shown"), [("50", "50"), ("10.0%", "10%"), ("2.5%", "2.5%")])
def test_is_shown_as_it_is_written(text, shown):
    assert str(parse_limit(text)) == shown
