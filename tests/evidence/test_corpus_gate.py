"""The gate over the clips of a task together, in three words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import CorpusRule, PooledRate, Verdict, judge_corpus

RULE = CorpusRule(score="wer", max=0.1)
P, F, M = Verdict.PASSED, Verdict.FAILED, Verdict.MISSING


def rates(*pairs: tuple[int, float | None]) -> list[PooledRate]:
    return [PooledRate(measured=measured, rate=rate) for measured, rate in pairs]


@pytest.mark.parametrize(
    ("found", "planned", "max_missing", "verdict"),
    [
        pytest.param([(60, 0.1)], 60, 0.0, P, id="at the limit"),
        pytest.param([(60, 0.1001)], 60, 0.0, F, id="above it"),
        pytest.param([(59, 0.0)], 60, 0.0, M, id="one clip is missing: its words could be all wrong"),
        pytest.param([(59, 0.9)], 60, 0.0, M, id="or so many and so right that the rate is enough"),
        pytest.param([(59, 0.0)], 60, 0.02, P, id="one of 60 may be missing"),
        pytest.param([(59, 0.9)], 60, 0.02, F, id="that excuses no rate"),
        pytest.param([(58, 0.0)], 60, 0.02, M, id="two may not"),
        pytest.param([], 60, 1.0, M, id="nothing was measured"),
        pytest.param([(3, None)], 3, 1.0, M, id="nothing was to be spoken"),
        pytest.param([], 0, 1.0, M, id="nothing was planned"),
        pytest.param([(30, 0.05), (30, 0.09)], 60, 0.0, P, id="enough whoever heard"),
        pytest.param([(30, 0.2), (30, 0.3)], 60, 0.0, F, id="too much whoever heard"),
        pytest.param([(59, 0.05), (1, 0.9)], 60, 0.0, M, id="two evaluators that do not agree"),
    ],
)
def test_what_the_gate_says(
    found: list[tuple[int, float | None]], planned: int, max_missing: float, verdict: Verdict
) -> None:
    gate = judge_corpus("clips", RULE, rates(*found), planned=planned, max_missing=max_missing)
    assert (gate.name, gate.task, gate.rule) == ("wer", "clips", "wer over all clips <= 0.1")
    assert gate.verdict is verdict
    assert bool(gate.detail) is (verdict is M)


@given(
    st.lists(st.tuples(st.integers(0, 50), st.none() | st.floats(0, 9)), max_size=4),
    st.integers(0, 200),
    st.floats(0, 1),
)
def test_a_pass_is_never_had_without_a_rate_or_with_too_little(
    found: list[tuple[int, float | None]], planned: int, max_missing: float
) -> None:
    gate = judge_corpus("clips", RULE, rates(*found), planned=planned, max_missing=max_missing)
    known = [rate for _, rate in found if rate is not None]
    if gate.verdict is P:
        assert known
        assert max(known) <= RULE.max
        assert planned - sum(measured for measured, _ in found) <= max_missing * planned
    if gate.verdict is F:
        assert min(known) > RULE.max
