"""Real input with a known answer: the published GSM8K outputs of two models, served over real HTTP.

The data is read in place from the folder ``shared`` beside the project and is no part of it.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from tests.scripted import ScriptedServer

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "gsm8k_model_solutions.jsonl.gz"

SUITE = """
import pytest
from pytest_infergate import extract

answer_line = extract.regex(r"(?m)^A: ([^\\n]*)$")

@pytest.mark.infer_task(dataset="gsm8k.jsonl", prompt="{question}", min_pass_rate=0.2)
@pytest.mark.infer_extract(answer_line)
def test_grade_school_math(answer, sample):
    assert extract.number(answer) == extract.number.parse(sample["gold"])
"""

PUBLISHED = [
    # model, passed, failed, missing for no_answer
    ("6b_finetuning", 286, 1029, 4),
    ("175b_verification", 742, 576, 1),
]


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA.name} is not beside the project on this machine")
@pytest.mark.parametrize(("model", "passed", "failed", "missing"), PUBLISHED)
def test_published_solutions_come_to_their_published_verdicts(
    pytester: pytest.Pytester, model: str, passed: int, failed: int, missing: int
) -> None:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    solutions = {row["question"]: row[model]["solution"] for row in rows}
    data_set = [{"id": str(row["id"]), "question": row["question"], "gold": row["gold"]} for row in rows]
    (pytester.path / "gsm8k.jsonl").write_text("".join(json.dumps(row) + "\n" for row in data_set))
    pytester.makepyfile(SUITE)

    def answer(body: dict[str, Any]) -> str:
        return solutions[body["messages"][-1]["content"]]

    with ScriptedServer.answering(answer, model=model) as server:
        result = pytester.runpytest_subprocess("-q", f"--infer-server={server.url}", "--infer-run=run")
        assert len(server.posts) == len(rows) == 1319
    run = json.loads((pytester.path / "run" / "run.json").read_text())
    (task,) = run["tasks"]
    assert task["totals"] == {"planned": 1319, "passed": passed, "failed": failed, "missing": missing}
    assert task["reasons"] == {"no_answer": missing}
    assert run["verdict"] == "passed"
    assert result.ret == 0
    assert main(["validate", str(pytester.path / "run")]) == 0
    published = {str(row["id"]): row[model]["is_correct"] for row in rows}
    with open(pytester.path / "run" / "records.jsonl", encoding="utf-8") as file:
        judged = {record["sample"]["id"]: record["verdict"] for record in map(json.loads, file)}
    disagreements = [id for id, is_correct in published.items() if (judged[id] == "passed") != is_correct]
    assert disagreements == []
