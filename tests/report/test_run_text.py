"""What a person is told at the end of a run: whole blocks, as printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_infergate.evidence import Gate, GateRule, Missing, Reason, Record, Verdict
from pytest_infergate.evidence.width import text_width
from pytest_infergate.report import REMEDIES, RunView, plain_text, run_lines
from pytest_infergate.report.remedies import REPLAY_REMEDIES
from pytest_infergate.runs import Rescored, RunLedger, TaskPlan
from tests.runs.made import CAPITALS, EMPTY, PLANS, RECORDS, SUMS, missing, record
from tests.terminal import block


def told(records: Any = RECORDS, plans: Any = PLANS, width: int = 80, gates: Any = (), **fields: Any) -> str:
    ledger = RunLedger(plans)
    for made in records:
        ledger.count(made)
    view = RunView(
        summary=ledger.summary(gates), findings=ledger.findings(), **{"folder": "runs/a", **fields}
    )
    return plain_text(run_lines(view, width))


def test_a_run_of_each_kind() -> None:
    assert told(plans=[*PLANS, EMPTY]) == block("""
        task          planned  passed  failed  missing  delivered    95 % interval
        capitals            4       2       1        1     50.0 %  15.0 % – 85.0 %
          extractor last_line v1
        sums                2       1       0        1     50.0 %   9.5 % – 90.5 %
          test v2 4a1933b0
        nothing             0       0       0        0          –                –
          test v1 4a1933b0
        total               6       3       1        2

        missing evidence, one example for each reason
          1  empty_dataset  nothing: the data set has no rows
          1  no_answer      capitals/iran#0: no line with text
          1  timeout        sums/3+3#0: no end after 300 s

        wrong answers, one example for each task
          1  capitals (tolerated up to its gate)
             capitals/peru#0: assert 'Cusco' == 'Lima'

        worth a look, though no verdict follows from it
          1  suspected_truncation  capitals/spain#0

        gates
          passed   task capitals: 2 of 4 passed, 1 missing
          missing  task sums: 1 of 2 passed, 1 missing
                   asked: delivered >= 1, missing beyond the model <= 0
                   the true rate lies in 0.5 to 1, 1 is asked
          missing  task nothing: 0 of 0 passed, 0 missing
                   asked: delivered >= 1, missing beyond the model <= 0
                   nothing was evaluated (empty_dataset)

        verdict: missing

        what to do next
          empty_dataset: add rows to the data set, or correct its path
          no_answer: look at the raw reply with infergate show; state the answer's
            form in the prompt, or use the extractor that fits it
          timeout: raise --infer-timeout, or lower --infer-concurrency or max_tokens
          infergate show runs/a
          infergate show runs/a --sample 'capitals/iran#0'
    """)


def test_a_run_that_passed_says_little() -> None:
    assert told([record("france")], [CAPITALS], width=100) == block("""
        task          planned  passed  failed  missing  delivered     95 % interval  evaluator
        capitals            1       1       0        0    100.0 %  20.7 % – 100.0 %  extractor last_line v1

        gates
          passed   task capitals: 1 of 1 passed, 0 missing

        verdict: passed

        what to do next
          infergate show runs/a
    """)


def test_a_narrow_terminal_puts_below_what_has_no_room() -> None:
    plan = replace(CAPITALS, name="evals/test_geography.py::test_capitals")
    assert told([record("france", Verdict.FAILED, plan=plan)], [plan], width=60) == block("""
        task             planned  passed  failed  missing  delivered
        evals/t…apitals        1       0       1        0      0.0 %
          95 % interval 0.0 % – 79.3 %, extractor last_line v1

        wrong answers, one example for each task
          1  evals/test_geo…test_capitals (tolerated up to its gate)
             evals/test_geography.py::test_capitals/france#0

        gates
          failed   task evals/…st_capitals: 0 of 1 passed, 0 missing
                   asked: delivered >= 0.5, missing beyond the model
                   <= 0
                   at most 0 can be reached, 0.5 is asked

        verdict: failed

        what to do next
          infergate show runs/a
          infergate show runs/a --sample 'evals/test_geography.py::test_capitals/france#0'
    """)


def test_a_partial_run_says_so_first_and_last() -> None:
    text = told([record("france")], [CAPITALS], partial=("-k capitals", "--infer-limit=10"))
    assert text.startswith("partial run, by -k capitals, --infer-limit=10\n\ntask ")
    assert "\nverdict: passed (partial run)\n" in text


def test_an_unfinished_run_has_no_rate_and_no_verdict_but_missing() -> None:
    assert told([record("france")], [CAPITALS], is_finished=False, is_stored=True) == block("""
        not finished; records on disk: 1; what was planned beyond them is unknown

        task          judged  passed  failed  missing  delivered  95 % interval
        capitals           1       1       0        0          –              –
          extractor last_line v1

        verdict: missing (the run is not finished)

        what to do next
          not finished: go on with --infer-resume=RUN; a verdict needs a finished run
    """)


def test_nothing_evaluated_is_told() -> None:
    assert told([], [], folder=None) == block("""
        task          planned  passed  failed  missing  delivered  95 % interval

        verdict: missing

        what to do next
          nothing evaluated: select at least one evaluation, a test with infer_task
    """)


def test_what_a_model_said_cannot_act_on_the_terminal() -> None:
    text = told(
        [record("\x1b[2Jfrance", Verdict.FAILED, message="assert '\x1b[31m\u202eLyon'\nsecond")], [CAPITALS]
    )
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"capitals/\x1b[2Jfrance#0: assert '\x1b[31m\u202eLyon' …" in text


def test_expected_failures_are_told_as_such() -> None:
    text = told([record("1", Verdict.FAILED, plan=SUMS, is_expected_failure=True)], [SUMS])
    assert "  1  sums (1 expected)  sums/1#0\n" in text
    assert "\nverdict: passed\n" in text


def test_of_many_gates_those_that_passed_are_counted() -> None:
    plans = [replace(SUMS, name=f"task{number}") for number in range(20)]
    records = [record("a", plan=plan) for plan in plans[1:]]
    text = told(records, plans)
    assert (
        block("""
        gates
          missing  task task0: 0 of 0 passed, 0 missing
                   asked: delivered >= 1, missing beyond the model <= 0
                   nothing was evaluated (nothing planned)
          passed   19 more
    """)
        in text
    )


def test_a_gate_over_the_run_is_told() -> None:
    gate = Gate(
        name="identity",
        task=None,
        rule="the server stays the same",
        observed="model: a before, b after",
        verdict=Verdict.MISSING,
        detail="the run proves nothing",
    )
    text = told([record("france")], [CAPITALS], gates=[gate])
    assert (
        block("""
        gates
          passed   task capitals: 1 of 1 passed, 0 missing
          missing  identity: model: a before, b after
                   asked: the server stays the same
                   the run proves nothing
    """)
        in text
    )


@pytest.mark.parametrize("width", [20, 60, 61, 79, 80, 99, 100, 140])
@pytest.mark.parametrize("name", ["t", "a_long_name_" * 8, "首都和国家" * 8])
def test_no_line_but_a_command_exceeds_the_terminal(width: int, name: str) -> None:
    plan = TaskPlan(name=name, version="1", digest=CAPITALS.digest, rule=GateRule(min_pass_rate=0.9))
    records = [
        record("a" * 200, Verdict.FAILED, plan=plan, message="wrong " * 100),
        *(missing(f"{reason}" * 20, reason, "because " * 50, plan=plan) for reason in Reason),
    ]
    for line in told(records, [plan, SUMS], width=width).splitlines():
        assert text_width(line) <= max(width, 60) or line.startswith("  infergate show "), line


@pytest.mark.parametrize(
    ("passed", "planned", "shown"),
    [
        (1999, 2000, "> 99.9 %"),  # one wrong of two thousand is not all
        (1998, 2000, "  99.9 %"),
        (2000, 2000, " 100.0 %"),
        (1, 20000, " < 0.1 %"),  # one right is not none
        (0, 20000, "   0.0 %"),
    ],
)
def test_a_share_is_never_rounded_to_all_or_nothing(passed: int, planned: int, shown: str) -> None:
    ledger = RunLedger([CAPITALS])
    right, wrong = record("1"), record("2", Verdict.FAILED)
    for number in range(planned):
        ledger.count(right if number < passed else wrong)
    view = RunView(summary=ledger.summary(), findings=ledger.findings(), folder=None)
    row = plain_text(run_lines(view, 60)).splitlines()[1]
    assert row.endswith(shown)


def test_every_reason_has_one_remedy() -> None:
    assert set(REMEDIES) == set(Reason)
    assert all("\n" not in remedy and not remedy.endswith(".") for remedy in REMEDIES.values())


@pytest.mark.parametrize("reason", Reason)
def test_the_remedy_of_each_reason_is_told_where_it_occurs(reason: Reason) -> None:
    made: Record = record("a", Verdict.MISSING, missing=Missing(reason, "seen"))
    text = " ".join(told([made], [CAPITALS]).split())
    assert f"{reason.value}: {REMEDIES[reason]}" in text


@pytest.mark.parametrize("reason", [Reason.NOT_RUN, Reason.UNREACHABLE])
def test_a_run_of_stored_replies_is_not_gone_on_with(reason: Reason) -> None:
    """Nobody was asked, so there is nothing to resume: the same replies are judged again."""
    made: Record = record("a", Verdict.MISSING, missing=Missing(reason, "seen"))
    rescored = Rescored(run="20260101T000000Z-aaaaaa", tasks=())
    text = " ".join(told([made], [CAPITALS], rescored=rescored).split())
    assert f"{reason.value}: {REPLAY_REMEDIES[reason]}" in text
    assert "--infer-resume" not in text
