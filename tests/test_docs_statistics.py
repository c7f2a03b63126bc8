"""What docs/statistics.md computes is what the procedures give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_infergate.compare.statistics.mcnemar import mcnemar_exact
from pytest_infergate.compare.statistics.power import power_of, samples_to_decide, smallest_without_flips
from pytest_infergate.compare.statistics.tango import paired_difference

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "statistics.md").read_text("utf-8")
RATES = (0.01, 0.05, 0.1, 0.2)
ROWS = re.findall(r"^\| (0\.\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)


def test_every_margin_of_the_table_is_read() -> None:
    assert [row[0] for row in ROWS] == ["0.01", "0.02", "0.05", "0.1"]
    assert "| margin | without a flip | 1 % flip | 5 % | 10 % | 20 % |" in PAGE


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_table_of_samples_is_what_is_computed(row: tuple[str, ...]) -> None:
    margin = float(row[0])
    assert int(row[1]) == smallest_without_flips(margin)
    assert [int(cell) for cell in row[2:]] == [
        samples_to_decide(margin=margin, discordant_rate=rate) for rate in RATES
    ]


def test_the_examples_in_the_text_are_so() -> None:
    assert "five losses and no gain put the interval below 0 while p = 0.06" in " ".join(PAGE.split())
    assert paired_difference(5, 0, 200).high < 0
    assert round(mcnemar_exact(5, 0), 2) == 0.06
    assert "0.95⁵² = 6.9 %" in PAGE
    assert round(100 * 0.95**52, 1) == 6.9
    assert "87 samples have 93 %, 86 have less than 80 %" in " ".join(PAGE.split())
    assert round(power_of(87, margin=0.05, discordant_rate=0.01), 2) == 0.93
    assert power_of(86, margin=0.05, discordant_rate=0.01) < 0.8
