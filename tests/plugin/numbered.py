"""What the tests of two servers share: samples that are asked ``say N`` and must be answered with N."""

from __future__ import annotations

import json

import pytest

from .conftest import Outcome

PROMPTED = """
import pytest
from pytest_infergate import extract

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {{n}}"{arguments})
@pytest.mark.infer_extract(extract.last_line)
def test_it(answer, sample):
    assert answer == sample["n"]
"""
FREE = """
import pytest

@pytest.mark.infer_task(dataset="rows.jsonl"{arguments})
def test_it(infer, sample):
    assert infer.chat(f"say {{sample['n']}}").text == sample["n"]
"""
SUITES = pytest.mark.parametrize("source", [PROMPTED, FREE], ids=["prompted", "free"])


def suite(source: str = FREE, arguments: str = "") -> str:
    return source.format(arguments=f", {arguments}" if arguments else "")


def write_rows(pytester: pytest.Pytester, count: int) -> None:
    lines = [json.dumps({"id": f"s{n}", "n": str(n)}) for n in range(count)]
    (pytester.path / "rows.jsonl").write_text("\n".join(lines))


def base_of(outcome: Outcome) -> Outcome:
    """Return what the base server came to, beside the candidate."""
    return Outcome(outcome.result, outcome.folder.with_name(f"{outcome.folder.name}-base"))
