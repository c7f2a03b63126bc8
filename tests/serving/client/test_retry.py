"""When to ask again, and after how long."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.serving.retry import RETRIED_STATUSES, backoff, parse_retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("5", 5.0),
        (" 5 ", 5.0),
        ("1.5", 1.5),
        ("86400", 86400.0),
        (None, None),
        ("", None),
        ("-100", None),
        ("-0.5", None),
        ("86401", None),
        ("1e30", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", None),
        ("Wed, 99 Oct 2099 07:28:00 GMT", None),
        ("Fri, 31 Dec 9999 23:59:59 GMT", None),
        ("5, 10", None),
        ("1_0", None),
        ("+5", None),
        ("\u0665", None),
    ],
)
def test_only_a_usable_retry_after_counts(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value) == seconds


@pytest.mark.parametrize(
    "form",
    [
        pytest.param("%a, %d %b %Y %H:%M:%S GMT", id="the form of today"),
        pytest.param("%a, %d %b %Y %H:%M:%S -0000", id="without a name for UTC"),
        pytest.param("%A, %d-%b-%y %H:%M:%S GMT", id="RFC 850"),
        pytest.param("%a %b %d %H:%M:%S %Y", id="asctime, which names no zone"),
    ],
)
def test_a_date_is_read_as_the_seconds_until_then(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        seconds = parse_retry_after(time.strftime(form, time.gmtime(time.time() + 600)))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert seconds is not None
    assert 590 < seconds <= 600


@given(st.text(max_size=40))
def test_no_header_raises(value: str) -> None:
    seconds = parse_retry_after(value)
    assert seconds is None or 0 <= seconds <= 86400


@given(st.integers(1, 10_000))
def test_the_own_backoff_is_positive_and_bounded(attempt: int) -> None:
    assert 0.25 <= backoff(attempt) <= 8.0


def test_the_own_backoff_doubles() -> None:
    assert max(backoff(1) for _ in range(100)) <= 0.5 <= min(backoff(3) for _ in range(100)) / 2


def test_the_own_backoff_leaves_the_random_numbers_of_the_tests_alone() -> None:
    state = random.getstate()
    backoff(1)
    assert random.getstate() == state


def test_only_answers_that_may_pass_are_retried() -> None:
    assert {429, 502, 503, 504} == RETRIED_STATUSES
