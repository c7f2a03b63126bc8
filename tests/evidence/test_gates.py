"""The task gate: hi < min failed; lo >= min and little missing beyond the model passed; else missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import Gate, GateRule, Reason, Tally, Verdict, judge_task

P, F, M = Verdict.PASSED, Verdict.FAILED, Verdict.MISSING
STRICT = GateRule()


def counts(passed: int = 0, failed: int = 0, expected: int = 0, **missing: int) -> Tally:
    reasons = {Reason(name): n for name, n in missing.items()}
    return Tally(
        passed=passed,
        failed=failed,
        missing=sum(missing.values()),
        expected_failures=expected,
        reasons=reasons,
    )


@pytest.mark.parametrize(
    ("tally", "rule", "verdict"),
    [
        # Without min_pass_rate every sample gates.
        (counts(10), STRICT, P),
        (counts(9, 1), STRICT, F),
        (counts(9, timeout=1), STRICT, M),
        (counts(9, no_answer=1), STRICT, M),
        (counts(8, 1, timeout=1), STRICT, F),  # one known wrong: 1 cannot be reached any more
        # hi < min: not even if all that is missing had passed.
        (counts(6, 4), GateRule(min_pass_rate=0.7), F),
        (counts(6, 3, timeout=1), GateRule(min_pass_rate=0.8), F),
        (counts(6, 3, no_answer=1), GateRule(min_pass_rate=0.7), M),  # 0.6 to 0.7 holds 0.7
        (counts(7, 3), GateRule(min_pass_rate=0.7), P),  # equal is enough
        (counts(0, 10), GateRule(min_pass_rate=0.0), P),
        # lo >= min, and yet too much is missing beyond the model.
        (counts(9, timeout=1), GateRule(min_pass_rate=0.8), M),
        (counts(9, timeout=1), GateRule(min_pass_rate=0.8, max_missing=0.1), P),  # equal is enough
        (counts(8, timeout=1, not_run=1), GateRule(min_pass_rate=0.8, max_missing=0.1), M),
        (counts(8, evaluator_error=2), GateRule(min_pass_rate=0.8, max_missing=0.2), P),
        # What the model did not deliver counts through lo alone.
        (counts(9, no_answer=1), GateRule(min_pass_rate=0.8), P),
        (counts(7, empty_reply=1, truncated=1, refused=1), GateRule(min_pass_rate=0.7), P),
        (counts(7, no_answer=3), GateRule(min_pass_rate=0.8), M),
        # max_missing cannot buy a rate that is not there.
        (counts(5, timeout=5), GateRule(min_pass_rate=0.8, max_missing=1.0), M),
        # Nothing at all.
        (counts(), STRICT, M),
        (counts(), GateRule(min_pass_rate=0.0, max_missing=1.0), M),
        (Tally(reasons={Reason.EMPTY_DATASET: 1}), GateRule(min_pass_rate=0.0, max_missing=1.0), M),
        (
            counts(timeout=4),
            GateRule(min_pass_rate=0.0, max_missing=1.0),
            P,
        ),  # asked for nothing, got nothing
        # An announced wrong answer does not gate, a missing one stays red.
        (counts(9, 1, expected=1), STRICT, P),
        (counts(8, 2, expected=1), STRICT, F),
        (counts(8, 1, expected=1, timeout=1), STRICT, M),
        (counts(0, 3, expected=3), STRICT, P),
    ],
)
def test_the_verdict_of_a_task(tally: Tally, rule: GateRule, verdict: Verdict) -> None:
    assert judge_task("t", tally, rule).verdict is verdict


missing_counts = st.dictionaries(st.sampled_from(Reason), st.integers(1, 5), max_size=4)
rules = st.builds(GateRule, min_pass_rate=st.none() | st.floats(0, 1), max_missing=st.floats(0, 1))


@given(st.integers(0, 20), st.integers(0, 20), missing_counts, rules)
def test_a_passed_gate_would_have_passed_however_the_missing_had_gone_and_a_failed_one_failed(
    passed: int, failed: int, reasons: dict[Reason, int], rule: GateRule
) -> None:
    missing = sum(reasons.values())
    tally = Tally(passed=passed, failed=failed, missing=missing, reasons=reasons)
    verdict = judge_task("t", tally, rule).verdict
    if not tally.planned:
        assert verdict is M
        return
    full = {
        judge_task("t", Tally(passed=passed + n, failed=failed + missing - n), rule).verdict
        for n in range(missing + 1)
    }
    if verdict is not M:
        assert full == {verdict}


@given(st.integers(0, 20), st.integers(0, 20), missing_counts, rules)
def test_one_more_wrong_answer_never_helps(
    passed: int, failed: int, reasons: dict[Reason, int], rule: GateRule
) -> None:
    def judged(failed: int) -> Verdict:
        missing = sum(reasons.values())
        tally = Tally(passed=passed, failed=failed, missing=missing, reasons=reasons)
        return judge_task("t", tally, rule).verdict

    if judged(failed) is F:
        assert judged(failed + 1) is F


def test_a_gate_says_what_was_asked_and_what_was_seen() -> None:
    gate = judge_task("sums", counts(6, 3, timeout=1), GateRule(min_pass_rate=0.65, max_missing=0.05))
    assert gate == Gate(
        name="task",
        task="sums",
        rule="delivered >= 0.65, missing beyond the model <= 0.05",
        observed="6 of 10 passed, 1 missing",
        verdict=M,
        detail="the true rate lies in 0.6 to 0.7, 0.65 is asked",
    )
    assert Gate.from_json(gate.as_json()) == gate
