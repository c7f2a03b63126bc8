"""Real input with a known answer: the published GSM8K outputs of two models, served over real HTTP."""

from __future__ import annotations

import json

import pytest

from pytest_infergate.cli import main

from .gsm8k import LARGE, NEEDS_DATA, SMALL, read_rows, serving, write_suite

PUBLISHED = [
    # model, passed, failed, missing for no_answer
    (SMALL, 286, 1029, 4),
    (LARGE, 742, 576, 1),
]


@NEEDS_DATA
@pytest.mark.parametrize(("model", "passed", "failed", "missing"), PUBLISHED)
def test_published_solutions_come_to_their_published_verdicts(
    pytester: pytest.Pytester, model: str, passed: int, failed: int, missing: int
) -> None:
    rows = read_rows()
    write_suite(pytester, rows)
    with serving(model, rows) as server:
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
