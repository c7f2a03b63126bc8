"""``infergate agreement``: a judge's scores in a run against people's labels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.evidence import EvaluatorIdentity, Missing, Reason, Record, Score, Verdict

from .runs.made import CAPITALS, SUMS, record, write_run

JUDGE = EvaluatorIdentity(kind="judge", name="judge", version="1", backend="llama.cpp b1, model j")
GONE = Missing(Reason.EVALUATOR_UNAVAILABLE, "the judge abstained")


def judged(sample: str, value: float | None, name: str = "judge", **fields: Any) -> Record:
    missing = None if value is not None else GONE
    score = Score(
        name=name, value=value, unit="ratio", higher_is_better=True, evaluator=JUDGE, missing=missing
    )
    verdict = Verdict.MISSING if missing else Verdict.PASSED
    return record(sample, verdict, missing=missing, scores=(score,), **fields)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def agree(
    capsys: pytest.CaptureFixture[str], records: Sequence[Record], rows: Sequence[dict[str, Any]], *args: str
) -> tuple[int, str, str]:
    write_run(Path("run"), records)
    Path("labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    code = main(["agreement", "run", "labels.jsonl", *args])
    return code, *capsys.readouterr()


ROWS = [
    {"id": "a", "label": "pass"},
    {"id": "b", "label": True},
    {"id": "c", "label": "fail"},
    {"id": "d", "label": False},
    {"id": "e", "label": "fail"},
    {"id": "never reached", "label": "fail"},
]
RECORDS = [judged("a", 1.0), judged("b", 0.0), judged("c", 0.0), judged("d", 0.0), judged("e", None)]


def test_labels_and_verdicts_are_matched_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = agree(capsys, RECORDS, ROWS)
    assert (code, err) == (0, "")
    assert out == (
        "labels    6, judged 4, missing 2\n"
        "accuracy  0.750 (3 of 4), 95 % interval 0.301 to 0.954\n"
        "kappa     0.500, 95 % interval -0.235 to 1.000\n"
        "  people fail, judge fail: 2\n"
        "  people pass, judge fail: 1\n"
        "  people pass, judge pass: 1\n"
    )


def test_programs_get_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = agree(capsys, RECORDS, ROWS, "--json")
    value = json.loads(out)
    assert code == 0
    assert (value["planned"], value["judged"], value["missing"], value["agreed"]) == (6, 4, 2, 3)
    assert value["kappa"] == 0.5
    assert {"label": "pass", "verdict": "fail", "count": 1} in value["table"]


def test_every_repeat_is_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    records = [judged("a", 1.0), judged("a", 0.0, repeat=1), judged("b", 1.0)]
    _, out, _ = agree(capsys, records, ROWS[:2])
    assert out.startswith("labels    3, judged 3, missing 0\naccuracy  0.667 (2 of 3)")


def test_what_cannot_be_said_is_not_said(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = agree(capsys, [judged("e", None)], [ROWS[4]])
    assert out == (
        "labels    1, judged 0, missing 1\n"
        "accuracy  unknown: nothing was judged\n"
        "kappa     not defined: there is one category, or nothing was judged\n"
    )


def test_other_fields_and_scores_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": "a", "human": "pass"}]
    code, out, _ = agree(
        capsys, [judged("a", 1.0, name="polite")], rows, "--label", "human", "--score", "polite"
    )
    assert code == 0
    assert "1 of 1" in out


BAD = [
    ([{"id": "a", "label": "good"}], "labels.jsonl:1: label='good' is no label; accepted: pass, fail, tie, "),
    ([{"id": "a"}], "labels.jsonl:1: label=None is no label; "),
    ([{"id": "a", "label": 1}], "labels.jsonl:1: label=1 is no label; "),
    ([], "labels.jsonl: no rows, so there is nothing to agree with"),
    ([{"id": "z", "label": "pass"}], "no row of the labels has a score 'judge' in 'run'; scores of a judge "),
]


@pytest.mark.parametrize(("rows", "line"), BAD)
def test_labels_that_do_not_fit_are_one_line(
    capsys: pytest.CaptureFixture[str], rows: list[dict[str, Any]], line: str
) -> None:
    code, out, err = agree(capsys, RECORDS, rows)
    assert (code, out) == (2, "")
    assert err.startswith(f"infergate: {line}")
    assert err.count("\n") == 1


def test_a_score_that_is_no_verdict_is_not_taken_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = agree(capsys, [judged("a", 0.7)], ROWS)
    assert code == 2
    assert "capitals/a#0: the score 'judge' is 0.7, which is no verdict of a judge" in err


def test_ids_that_two_tasks_share_are_not_mixed(capsys: pytest.CaptureFixture[str]) -> None:
    records = [judged("a", 1.0, plan=CAPITALS), judged("a", 0.0, plan=SUMS)]
    code, _, err = agree(capsys, records, ROWS)
    assert code == 2
    assert "the rows are in several tasks of 'run': capitals, sums" in err
