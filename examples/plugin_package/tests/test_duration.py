"""The extractor keeps the contract of pytest-infergate, and reads what its rule says."""

from __future__ import annotations

import pytest
from infergate_recipes import LineWidth, duration

from pytest_infergate import NoAnswer
from pytest_infergate.strategies import EVERY_WRAPPING, Wrapping, check_extractor

ANSWERS = {"45 minutes": 45, "1 h 30 min": 90, "2 hours": 120}


def test_the_contract_is_kept() -> None:
    # A duration has its unit already, and is no number that other countries write otherwise.
    check_extractor(duration, ANSWERS, finds=EVERY_WRAPPING - {Wrapping.UNIT, Wrapping.LOCALE})


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("Bake it for 1 hour and 5 minutes.", 65),
        ("Rest 20min, then bake 1h 10m", 70),
        ("90 MIN", 90),
        ("Add 3 mints and wait 10 minutes.", 10),
    ],
)
def test_a_duration_is_read(text: str, minutes: int) -> None:
    assert duration(text) == minutes


@pytest.mark.parametrize("text", ["Until it is done.", "At 180 °C.", "1.5 h", "3 days"])
def test_what_is_no_duration_is_none(text: str) -> None:
    with pytest.raises(NoAnswer):
        duration(text)


def test_the_evaluator_measures() -> None:
    LineWidth(40).check_canary()
    assert LineWidth(5).measure("short\nmuch too long") == 0.5
