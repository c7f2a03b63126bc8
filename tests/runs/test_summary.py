"""What a run comes to, counted record by record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import Gate, GateRule, Reason, Record, Verdict
from pytest_infergate.runs import (
    Findings,
    FlagFinding,
    MissingFinding,
    RunFolderError,
    RunLedger,
    TaskPlan,
    WrongFinding,
    summarise,
)

from .made import CAPITALS, DIGEST, EMPTY, PLANS, RECORDS, SUMS, missing, record


def test_a_run_of_each_kind() -> None:
    summary = summarise(RECORDS, [*PLANS, EMPTY])
    assert [(t.plan.name, t.tally.as_json(), t.gate.verdict) for t in summary.tasks] == [
        ("capitals", {"planned": 4, "passed": 2, "failed": 1, "missing": 1}, Verdict.PASSED),
        ("sums", {"planned": 2, "passed": 1, "failed": 0, "missing": 1}, Verdict.MISSING),
        ("nothing", {"planned": 0, "passed": 0, "failed": 0, "missing": 0}, Verdict.MISSING),
    ]
    assert summary.totals.as_json() == {"planned": 6, "passed": 3, "failed": 1, "missing": 2}
    assert summary.totals.reasons == {Reason.NO_ANSWER: 1, Reason.TIMEOUT: 1, Reason.EMPTY_DATASET: 1}
    assert summary.verdict is Verdict.MISSING


@pytest.mark.parametrize(
    ("gates", "verdict"),
    [
        ([], Verdict.PASSED),
        ([Verdict.PASSED], Verdict.PASSED),
        ([Verdict.MISSING], Verdict.MISSING),  # the server changed during the run
        ([Verdict.FAILED], Verdict.FAILED),
        ([Verdict.MISSING, Verdict.FAILED], Verdict.FAILED),
    ],
)
def test_gates_given_from_outside_count_as_well(gates: list[Verdict], verdict: Verdict) -> None:
    given_gates = [
        Gate(name="identity", task=None, rule="same", observed="", verdict=gate_verdict)
        for gate_verdict in gates
    ]
    summary = summarise([record("france")], [CAPITALS], given_gates)
    assert summary.gates[1:] == tuple(given_gates)
    assert summary.verdict is verdict


@pytest.mark.parametrize(
    "gates", [[], [Gate(name="identity", task=None, rule="", observed="", verdict=Verdict.PASSED)]]
)
def test_a_run_without_a_task_is_missing_whatever_else_passed(gates: list[Gate]) -> None:
    assert summarise([], [], gates).verdict is Verdict.MISSING


def test_a_task_of_which_no_record_came_is_missing() -> None:
    assert summarise([record("france")], PLANS).verdict is Verdict.MISSING


def test_all_workers_bring_the_same_plan() -> None:
    ledger = RunLedger([CAPITALS])
    ledger.plan(TaskPlan.from_json(CAPITALS.as_json()))
    assert ledger.plans == (CAPITALS,)


def test_two_tasks_of_one_name_are_refused() -> None:
    ledger = RunLedger([CAPITALS])
    other = TaskPlan(name="capitals", version="2", digest=DIGEST, rule=GateRule())
    with pytest.raises(RunFolderError, match="task 'capitals' is planned twice"):
        ledger.plan(other)


@pytest.mark.parametrize("plan", [CAPITALS, SUMS, EMPTY])
def test_a_plan_travels_as_json(plan: TaskPlan) -> None:
    assert TaskPlan.from_json(plan.as_json()) == plan


def test_findings_count_and_keep_the_first_example() -> None:
    ledger = RunLedger([*PLANS, EMPTY])
    for made in (
        *RECORDS,
        missing("cuba", Reason.NO_ANSWER, "another"),
        record("kenya", Verdict.FAILED, message="no"),
    ):
        ledger.count(made)
    assert ledger.findings() == Findings(
        missing=(
            MissingFinding(
                reason=Reason.EMPTY_DATASET, count=1, example="nothing", detail="the data set has no rows"
            ),
            MissingFinding(
                reason=Reason.NO_ANSWER, count=2, example="capitals/iran#0", detail="no line with text"
            ),
            MissingFinding(reason=Reason.TIMEOUT, count=1, example="sums/3+3#0", detail="no end after 300 s"),
        ),
        wrong=(
            WrongFinding(
                task="capitals",
                count=2,
                expected=0,
                is_tolerated=True,
                example="capitals/peru#0",
                message="assert 'Cusco' == 'Lima'",
            ),
        ),
        flags=(FlagFinding(flag="suspected_truncation", count=1, example="capitals/spain#0"),),
    )


def test_the_example_of_a_wrong_answer_is_one_that_nobody_expected() -> None:
    ledger = RunLedger([SUMS])
    ledger.count(record("1", Verdict.FAILED, plan=SUMS, is_expected_failure=True, message="known"))
    ledger.count(record("2", Verdict.FAILED, plan=SUMS, message="new"))
    (wrong,) = ledger.findings().wrong
    assert (wrong.count, wrong.expected, wrong.example, wrong.message) == (2, 1, "sums/2#0", "new")


@given(st.permutations(RECORDS))
def test_the_order_of_records_does_not_matter(records: list[Record]) -> None:
    assert summarise(records, PLANS).as_json() == summarise(RECORDS, PLANS).as_json()
