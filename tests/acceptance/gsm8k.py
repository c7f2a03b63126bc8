"""The published GSM8K outputs of two models, served as those models would answer.

The data is read in place from the folder ``shared`` beside the project and is no part of it.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import ScriptedServer

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "gsm8k_model_solutions.jsonl.gz"
SMALL, LARGE = "6b_finetuning", "175b_verification"
NEEDS_DATA = pytest.mark.skipif(
    not DATA.exists(), reason=f"{DATA.name} is not beside the project on this machine"
)
SUITE = """
import pytest
from pytest_infergate import extract

answer_line = extract.regex(r"(?m)^A: ([^\\n]*)$")

@pytest.mark.infer_task(dataset="gsm8k.jsonl", prompt="{question}", min_pass_rate=0.2)
@pytest.mark.infer_extract(answer_line)
def test_grade_school_math(answer, sample):
    assert extract.number(answer) == extract.number.parse(sample["gold"])
"""

Rows = Sequence[dict[str, Any]]


def read_rows() -> Rows:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def write_suite(pytester: pytest.Pytester, rows: Rows) -> None:
    data_set = [{"id": str(row["id"]), "question": row["question"], "gold": row["gold"]} for row in rows]
    (pytester.path / "gsm8k.jsonl").write_text("".join(json.dumps(row) + "\n" for row in data_set))
    pytester.makepyfile(SUITE)


def serving(model: str, rows: Rows) -> ScriptedServer:
    """Return a server that gives the solutions of ``model``."""
    solutions = {row["question"]: row[model]["solution"] for row in rows}
    return ScriptedServer.answering(lambda body: solutions[body["messages"][-1]["content"]], model=model)
