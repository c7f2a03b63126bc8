"""``verdict.json``: what a run came to, for other tools, and held against the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.evidence import Gate, Verdict, digest
from pytest_infergate.runs import RunLedger, RunWriter, Secrets
from pytest_infergate.runs.schemas import load_schema, schema_problem_of_verdict
from pytest_infergate.runs.validate import validate_run

from .made import FINISHED, HEAD, PLANS, RECORDS, line_of, record, write_run
from .test_schemas import objects_of

SUMS = PLANS[1]


def gate(verdict: Verdict, task: str | None = "capitals", name: str = "baseline") -> Gate:
    return Gate(name=name, task=task, rule="no worse than main", observed="seen", verdict=verdict)


def comparison(exit_code: int, **fields: Any) -> dict[str, Any]:
    return {
        "base": {"label": "main.json", "run_id": "1"},
        "candidate": {"label": "run", "run_id": "2"},
        "exit_code": exit_code,
        "verdict": {0: "passed", 1: "failed"}.get(exit_code, "missing"),
        **{name: [] for name in ("treatment", "confounded", "timing", "added", "notes", "tasks")},
        **fields,
    }


def write(
    folder: Path, records: Any = RECORDS, gates: Any = (), comparisons: Any = (), secrets: Any = ()
) -> dict[str, Any]:
    ledger = RunLedger(PLANS)
    writer = RunWriter.create(folder, HEAD, Secrets(secrets))
    for made in records:
        ledger.count(made)
        writer.add(line_of(made))
    writer.finish(FINISHED, ledger.summary(gates), comparisons)
    return read(folder)


def read(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "verdict.json").read_text("ascii"))
    return value


GOOD = [record("france"), record("2+2", plan=SUMS)]
WRONG = [record("france"), record("2+2", Verdict.FAILED, plan=SUMS)]


def test_it_says_what_run_json_says(tmp_path: Path) -> None:
    value = write(tmp_path / "run")
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert value == {
        "schema": "infergate.verdict/1",
        "run_id": run["run_id"],
        "run_digest": run["digest"],
        "verdict": "missing",
        "exit_code": 5,
        "partial": [],
        "totals": {"planned": 6, "passed": 3, "failed": 1, "missing": 2},
        "tasks": [
            {
                "name": "capitals",
                "verdict": "passed",
                "totals": {"planned": 4, "passed": 2, "failed": 1, "missing": 1},
                "delivered": 0.5,
                "bounds": [0.5, 0.75],
            },
            {
                "name": "sums",
                "verdict": "missing",
                "totals": {"planned": 2, "passed": 1, "failed": 0, "missing": 1},
                "delivered": 0.5,
                "bounds": [0.5, 1.0],
            },
        ],
        "gates": run["gates"],
        "baselines": [],
        "digest": digest({name: item for name, item in value.items() if name != "digest"}),
    }
    assert schema_problem_of_verdict(value) is None
    assert validate_run(tmp_path / "run").is_valid


PASSED, FAILED, MISSING = Verdict.PASSED, Verdict.FAILED, Verdict.MISSING


@pytest.mark.parametrize(
    ("records", "gates", "comparisons", "code", "why"),
    [
        (GOOD, [], [], 0, "passed"),
        (WRONG, [], [], 1, "a task failed"),
        (RECORDS, [], [], 5, "a task is missing"),
        (GOOD, [gate(PASSED)], [comparison(0)], 0, "no worse"),
        (GOOD, [gate(FAILED)], [comparison(1)], 1, "regressed"),
        (GOOD, [gate(MISSING)], [comparison(3)], 3, "inconclusive, and nothing else"),
        (GOOD, [gate(PASSED)], [comparison(3)], 0, "inconclusive, and that was allowed"),
        (GOOD, [gate(MISSING)], [comparison(4)], 4, "incomparable"),
        (GOOD, [gate(MISSING)], [comparison(5)], 5, "missing evidence in the comparison"),
        (GOOD, [gate(MISSING, None)], [], 5, "no baseline where one was asked for"),
        (GOOD, [gate(MISSING, None, "identity")], [], 5, "a gate over the whole run"),
        (GOOD, [gate(MISSING)] * 2, [comparison(3), comparison(4)], 4, "4 comes before 3"),
        (GOOD, [gate(MISSING)] * 2, [comparison(4), comparison(5)], 4, "4 comes before 5"),
        (GOOD, [gate(MISSING)] * 2, [comparison(5), comparison(3)], 5, "5 comes before 3"),
        (WRONG, [gate(MISSING)], [comparison(4)], 1, "1 comes before all"),
        (RECORDS, [gate(PASSED)], [comparison(0)], 5, "a task is missing though no worse"),
        (GOOD, [gate(MISSING, None)], [comparison(0)], 5, "one baseline is not there, the other is met"),
    ],
)
def test_the_exit_code(
    tmp_path: Path, records: Any, gates: Any, comparisons: Any, code: int, why: str
) -> None:
    assert write(tmp_path / "run", records, gates, comparisons)["exit_code"] == code, why
    assert validate_run(tmp_path / "run").is_valid


def test_no_secret_is_in_it(tmp_path: Path) -> None:
    found = comparison(0, notes=["asked with sk-abcdef123456"])
    write(tmp_path / "run", GOOD, [gate(PASSED)], [found], secrets=["sk-abcdef123456"])
    assert "sk-abcdef123456" not in (tmp_path / "run" / "verdict.json").read_text()


def reseal(value: dict[str, Any]) -> None:
    value["digest"] = digest({name: item for name, item in value.items() if name != "digest"})


@pytest.mark.parametrize(
    ("name", "to", "said"),
    [
        ("verdict", "passed", "$.verdict is not what run.json gives"),
        ("exit_code", 0, "$.exit_code is not what run.json gives"),
        ("run_id", "another", "$.run_id is not what run.json gives"),
        ("run_digest", digest("another"), "$.run_digest is not what run.json gives"),
        ("totals", {"planned": 6, "passed": 6, "failed": 0, "missing": 0}, "$.totals is not what"),
        ("gates", [], "$.gates is not what run.json gives"),
        ("baselines", [comparison(0)], None),
        ("schema", "infergate.verdict/2", "$.schema: 'infergate.verdict/1' was expected"),
        ("verdict", "fine", "$.verdict: 'fine' is not one of"),
    ],
)
def test_what_disagrees_with_the_run_is_not_valid(
    tmp_path: Path, name: str, to: object, said: str | None
) -> None:
    """Comparisons cannot be made again without their baselines: only an edit without the digest shows."""
    value = write(tmp_path / "run")
    value[name] = to
    for is_resealed in (False, True):
        if is_resealed:
            reseal(value)
        (tmp_path / "run" / "verdict.json").write_text(json.dumps(value))
        found = validate_run(tmp_path / "run")
        if is_resealed and said is None:
            assert found.is_valid
            continue
        (problem,) = found.problems
        assert problem.where == "verdict.json"
        assert problem.what.startswith(said or "$.digest is not what run.json gives")
        assert int(found.exit_code) == 5


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b'{"schema": NaN}', b"[]"])
def test_a_torn_one_is_not_valid(tmp_path: Path, raw: bytes) -> None:
    write(tmp_path / "run")
    (tmp_path / "run" / "verdict.json").write_bytes(raw)
    found = validate_run(tmp_path / "run")
    assert [problem.where for problem in found.problems] == ["verdict.json"]


def test_a_run_without_one_is_valid(tmp_path: Path) -> None:
    """Runs of earlier versions have none, and whoever reads one does not need it."""
    write(tmp_path / "run")
    (tmp_path / "run" / "verdict.json").unlink()
    assert validate_run(tmp_path / "run").is_valid


def test_an_unfinished_run_has_none(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", is_finished=False)
    assert not (folder / "verdict.json").exists()


def test_every_object_of_the_schema_is_closed_and_described() -> None:
    found = list(objects_of(load_schema("verdict")))
    assert len(found) >= 5
    for path, schema in found:
        assert schema["additionalProperties"] is False, path
        for field, told in schema["properties"].items():
            assert {"description", "$ref", "const"} & set(told), f"{path}.{field}"
