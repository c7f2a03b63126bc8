"""HumanEval with known answers: canonical solutions pass, empty bodies do not; and the example, for real.

The data is read in place from the folder ``shared`` beside the project and is no part of it.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.sandbox import EndReason, Job, Sandbox, choose_backend
from tests.examples.embedded_session import run_embedded

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "HumanEval.jsonl.gz"
SUITE = Path(__file__).resolve().parents[2] / "examples" / "humaneval"

#: With ``return None`` for a body none passes: every check compares at least one result with something else.
EMPTY_BODIES_THAT_PASS = 0
#: How many problems the embedded model is asked: those with the shortest canonical solutions. A model of this
#: size solves next to none of the others, and a rate of 0 would not tell it from a suite that is broken.
ASKED = 20
#: How many of them it solves, with room for engines that round otherwise; the example's README has the rate.
SOLVED = range(2, 9)

pytestmark = pytest.mark.skipif(
    not DATA.exists(), reason=f"{DATA.name} is not beside the project on this machine"
)


@pytest.fixture(scope="module")
def problems() -> list[dict[str, Any]]:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return choose_backend("bubblewrap")


def job(problem: dict[str, Any], body: str) -> Job:
    tests = f"{problem['test']}\ncheck({problem['entry_point']})\n"
    return Job(code=problem["prompt"] + body, tests=tests, timeout=60)


def test_every_canonical_solution_passes(sandbox: Sandbox, problems: list[dict[str, Any]]) -> None:
    outcomes = sandbox.map(job(problem, problem["canonical_solution"]) for problem in problems)
    wrong = [(p["task_id"], o) for p, o in zip(problems, outcomes, strict=True) if not o.ok]
    assert wrong == []
    assert len(outcomes) == 164


def test_empty_bodies_score_what_they_should(sandbox: Sandbox, problems: list[dict[str, Any]]) -> None:
    outcomes = sandbox.map(job(problem, "    return None\n") for problem in problems)
    assert sum(outcome.ok for outcome in outcomes) == EMPTY_BODIES_THAT_PASS
    assert {outcome.reason for outcome in outcomes} == {EndReason.EXIT}


@pytest.mark.parametrize("body", ["    raise SystemExit(0)\n", "    import os; os._exit(0)\n"])
def test_solutions_that_leave_do_not_pass(
    sandbox: Sandbox, problems: list[dict[str, Any]], body: str
) -> None:
    outcomes = sandbox.map(job(problem, body) for problem in problems[::8])
    assert {outcome.reason for outcome in outcomes} == {EndReason.LEFT_EARLY}


@pytest.mark.xdist_group("embedded")
def test_the_example_measures_a_small_model(
    problems: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortest = sorted(problems, key=lambda row: (len(row["canonical_solution"]), row["task_id"]))[:ASKED]
    (tmp_path / "short.jsonl").write_text("".join(json.dumps(row) + "\n" for row in shortest), "utf-8")
    monkeypatch.setenv("HUMANEVAL", str(tmp_path / "short.jsonl"))
    session = run_embedded(SUITE, cwd=tmp_path)
    (totals,) = session.totals.values()
    assert (totals["planned"], totals["missing"]) == (ASKED, 0), session.output
    assert totals["passed"] in SOLVED
    assert session.status == 0, session.output
    records = [
        json.loads(line) for line in (session.folder / "records.jsonl").read_text("utf-8").splitlines()
    ]
    for record in records:
        score = next(score for score in record["scores"] if score["name"] == "functional")
        assert score["value"] == (record["verdict"] == "passed")
        assert score["evaluator"]["kind"] == "sandbox"
        assert score["evaluator"]["backend"].startswith("bubblewrap ")
