"""What a comparison is to a gate: its outcomes in three words; what is absent never turns it green."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.compare import (
    ExitCode,
    FieldDifference,
    Outcome,
    PairedTable,
    RunComparison,
    RunSide,
    TaskComparison,
    TaskSide,
)
from pytest_infergate.compare.gating import (
    comparison_gates,
    selected_part,
    uncompared_gate,
    unsaved_gate,
    with_note,
)
from pytest_infergate.evidence import Verdict, combine_verdicts
from tests.runs.made import CAPITALS, SUMS


def comparison(*tasks: TaskComparison, **fields: Any) -> RunComparison:
    return RunComparison(
        base="main.json", candidate="run", base_id="1", candidate_id="2", tasks=tasks, **fields
    )


def task(outcome: Outcome, name: str = "capitals", **fields: Any) -> TaskComparison:
    table = PairedTable(both=90, lost=6, gained=4)
    return TaskComparison(
        **{"task": name, "outcome": outcome, "margin": 0.05, "table": table, "detail": "why", **fields}
    )


@pytest.mark.parametrize(
    ("outcome", "fails_inconclusive", "verdict"),
    [
        (Outcome.UNCHANGED, True, Verdict.PASSED),
        (Outcome.IMPROVED, True, Verdict.PASSED),
        (Outcome.NO_WORSE, True, Verdict.PASSED),
        (Outcome.REGRESSED, True, Verdict.FAILED),
        (Outcome.INCONCLUSIVE, True, Verdict.MISSING),
        (Outcome.INCOMPARABLE, True, Verdict.MISSING),
        (Outcome.MISSING, True, Verdict.MISSING),
        (Outcome.INCONCLUSIVE, False, Verdict.PASSED),
        (Outcome.REGRESSED, False, Verdict.FAILED),
        (Outcome.INCOMPARABLE, False, Verdict.MISSING),
        (Outcome.MISSING, False, Verdict.MISSING),
    ],
)
def test_an_outcome_in_three_words(outcome: Outcome, fails_inconclusive: bool, verdict: Verdict) -> None:
    found = comparison(task(outcome))
    (gate,) = comparison_gates(found, fails_inconclusive=fails_inconclusive)
    assert (gate.name, gate.task, gate.verdict) == ("baseline", "capitals", verdict)
    if fails_inconclusive:
        assert gate.verdict is found.verdict


@pytest.mark.parametrize("outcomes", [[a, b] for a in Outcome for b in Outcome])
def test_the_gates_together_say_what_the_comparison_says(outcomes: list[Outcome]) -> None:
    found = comparison(*(task(outcome, f"task{n}") for n, outcome in enumerate(outcomes)))
    gates = comparison_gates(found, fails_inconclusive=True)
    assert combine_verdicts(gate.verdict for gate in gates) is found.verdict
    assert (found.exit_code is ExitCode.PASSED) == (found.verdict is Verdict.PASSED)


@pytest.mark.parametrize(
    ("found", "rule", "observed", "detail"),
    [
        (
            task(Outcome.NO_WORSE),
            "no worse than main.json by more than 0.05",
            "no worse against main.json, lost 6 and gained 4 of 100 pairs",
            "why",
        ),
        (
            task(Outcome.REGRESSED, is_statistical=False),
            "nothing that passed in main.json is lost",
            "regressed against main.json, lost 6 and gained 4 of 100 pairs",
            "why",
        ),
        (
            task(Outcome.MISSING, table=None),
            "no worse than main.json by more than 0.05",
            "missing against main.json",
            "why",
        ),
        (
            task(
                Outcome.INCOMPARABLE,
                table=None,
                refusals=(
                    FieldDifference(field="task digest", base="a" * 80, candidate=None),
                    *(FieldDifference(field=f"f{n}", base="1", candidate="2") for n in range(4)),
                ),
            ),
            "no worse than main.json by more than 0.05",
            f"incomparable against main.json, task digest: {'a' * 59}… there, unknown here; f0: 1 there, "
            "2 here; f1: 1 there, 2 here; and 2 more",
            "why",
        ),
    ],
)
def test_what_a_gate_says(found: TaskComparison, rule: str, observed: str, detail: str) -> None:
    (gate,) = comparison_gates(comparison(found), fails_inconclusive=True)
    assert (gate.rule, gate.observed, gate.detail) == (rule, observed, detail)


def test_what_is_let_through_says_so() -> None:
    (gate,) = comparison_gates(comparison(task(Outcome.INCONCLUSIVE)), fails_inconclusive=False)
    assert gate.observed.startswith("inconclusive (let through) against main.json, ")
    assert gate.detail == "why; --infer-on-inconclusive=pass lets it through"


def test_nothing_compared_is_missing() -> None:
    gates = [
        *comparison_gates(comparison(), fails_inconclusive=False),
        unsaved_gate("main.json", "runs/1"),
        uncompared_gate("main.json", "why"),
    ]
    for gate in gates:
        assert (gate.name, gate.task, gate.verdict) == ("baseline", None, Verdict.MISSING)
        assert gate.rule == "no worse than main.json"
    assert gates[1].detail == "keep this run as the baseline: infergate baseline save runs/1 -o main.json"


BASE = RunSide(
    label="main.json",
    run_id="1",
    schema="infergate.record/1",
    is_finished=True,
    tasks={plan.name: TaskSide(plan=plan, observations={}) for plan in (CAPITALS, SUMS)},
)


@pytest.mark.parametrize(
    ("candidate", "left_out", "kept"),
    [
        (["capitals"], ["capitals", "sums"], ["capitals"]),
        (["capitals"], ["sums"], ["capitals"]),
        (["capitals"], [], ["capitals", "sums"]),
        (["capitals"], ["additions"], ["capitals", "sums"]),  # it was renamed
        (["capitals"], None, ["capitals"]),
        (["capitals", "sums", "new"], None, ["capitals", "sums"]),
        (["new"], None, []),
        (["new"], ["new"], ["capitals", "sums"]),
    ],
)
def test_a_task_is_left_out_only_where_a_person_left_it_out(
    candidate: list[str], left_out: list[str] | None, kept: list[str]
) -> None:
    part = selected_part(BASE, candidate, left_out=left_out)
    assert list(part.tasks) == kept
    found = with_note(comparison(*(task(Outcome.UNCHANGED, name) for name in kept)), BASE)
    left_out = ", ".join(name for name in BASE.tasks if name not in kept)
    assert found.notes == ((f"not selected, so not compared: {left_out}",) if left_out else ())
