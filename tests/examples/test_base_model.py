"""The example for base models, for real on the embedded one, held against what its README states."""

from __future__ import annotations

import json
import re
import runpy
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .embedded_session import infergate, run_embedded

SUITE = Path(__file__).resolve().parents[2] / "examples" / "base_model"
PLANNED = {
    "test_capitals.test_capital": 101,
    "test_records.test_record": 24,
    "test_yes_no.test_recommended": 48,
}
#: Module → its data set, and the field of a row that must not stand in the prompt already.
ASKED = {
    "test_capitals.py": ("capitals.jsonl", "country"),
    "test_records.py": ("people.jsonl", "text"),
    "test_yes_no.py": ("reviews.jsonl", "review"),
}
_ROW = re.compile(r"^(test_\S+) +\d+ +\d+ +\d+ +\d+ +[\d.]+ % +([\d.]+) % – +([\d.]+) %$", re.MULTILINE)


def rows(dataset: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SUITE / dataset).read_text(encoding="utf-8").splitlines()]


def stated_intervals() -> dict[str, tuple[float, float]]:
    """Task → the 95 % interval that the README shows, as shares."""
    text = (SUITE / "README.md").read_text(encoding="utf-8")
    return {name: (float(low) / 100, float(high) / 100) for name, low, high in _ROW.findall(text)}


@pytest.mark.xdist_group("embedded")
def test_the_suite_is_green_on_the_embedded_model_at_the_rates_of_its_readme(tmp_path: Path) -> None:
    """One test, since its session takes a minute."""
    session = run_embedded(SUITE, cwd=tmp_path)
    assert session.status == 0, session.output
    assert session.run["verdict"] == "passed"
    assert session.gates == dict.fromkeys(PLANNED, "passed")
    assert {task: totals["planned"] for task, totals in session.totals.items()} == PLANNED
    assert {task: totals["missing"] for task, totals in session.totals.items()} == dict.fromkeys(PLANNED, 0)
    rates = {task: session.totals[task]["passed"] / planned for task, planned in PLANNED.items()}
    stated = stated_intervals()
    assert stated.keys() == PLANNED.keys()
    assert {task: low <= rates[task] <= high for task, (low, high) in stated.items()} == dict.fromkeys(
        PLANNED, True
    )
    done = infergate("validate", session.folder, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("module", "dataset", "field"), [(m, *asked) for m, asked in ASKED.items()])
def test_no_row_is_one_of_the_prompts_examples(module: str, dataset: str, field: str) -> None:
    prompt = runpy.run_path(str(SUITE / module))["PROMPT"]
    assert [row[field] for row in rows(dataset) if row[field] in prompt] == []


def test_as_many_reviews_are_good_as_bad() -> None:
    """So that always saying the same word is worth 50 %, as the example says."""
    assert Counter(row["recommend"] for row in rows("reviews.jsonl")) == {"yes": 24, "no": 24}
