"""What repeats of the same samples say together."""

from __future__ import annotations

import random
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import (
    RepeatOutcome,
    Verdict,
    clustered_interval,
    pass_at_k,
    summarise_repeats,
)

P, F, M = Verdict.PASSED, Verdict.FAILED, Verdict.MISSING


def outcomes(text: str) -> list[list[RepeatOutcome]]:
    """Samples apart by spaces; a repeat is a verdict (p, f, m) and the digit of its answer, if any."""
    verdicts = {"p": P, "f": F, "m": M}
    samples = []
    for sample in text.split():
        pairs = zip(sample[::2], sample[1::2], strict=True)
        samples.append([RepeatOutcome(verdict=verdicts[v], answer=None if a == "-" else a) for v, a in pairs])
    return samples


CASES = [
    # samples, pass@1, pass@n, all n pass, agreement, majority (passed, failed, missing), why
    ("p1p1p1", 1.0, 1.0, 1.0, 1.0, (1, 0, 0), "all right and alike"),
    ("p1p1f2", 2 / 3, 1.0, 0.0, 1 / 3, (1, 0, 0), "two of three agree on the right answer"),
    ("p1f2f2", 1 / 3, 1.0, 0.0, 1 / 3, (0, 1, 0), "two of three agree on a wrong answer"),
    ("p1f2f3", 1 / 3, 1.0, 0.0, 0.0, (0, 0, 1), "three answers, no majority"),
    ("p1f2m-", 1 / 3, 1.0, 0.0, 0.0, (0, 0, 1), "a tie decides nothing"),
    (
        "p1p1m-",
        2 / 3,
        1.0,
        0.0,
        1.0,
        (1, 0, 0),
        "a missing repeat neither agrees nor votes, and has not passed",
    ),
    ("m-m-m-", 0.0, 0.0, 0.0, None, (0, 0, 1), "nothing delivered"),
    ("p-p-f-", 2 / 3, 1.0, 0.0, 1 / 3, (1, 0, 0), "without answers the verdicts are compared"),
    ("p1p1p1 f2f2f2", 0.5, 0.5, 0.5, 1.0, (1, 1, 0), "samples differ, repeats do not"),
]


@pytest.mark.parametrize(("samples", "one", "any_", "all_", "agreement", "voted", "why"), CASES)
def test_figures(
    samples: str,
    one: float,
    any_: float,
    all_: float,
    agreement: float | None,
    voted: tuple[int, int, int],
    why: str,
) -> None:
    found = summarise_repeats(outcomes(samples), repeats=3, judged_by="sha256:x")
    assert found is not None
    assert found.pass_at_1 == pytest.approx(one), why
    assert found.pass_at[1] == pytest.approx(one), why
    assert found.pass_at[3] == pytest.approx(any_), why
    assert found.pass_all[3] == pytest.approx(all_), why
    assert found.agreement == (None if agreement is None else pytest.approx(agreement)), why
    assert tuple(found.voted.get(verdict, 0) for verdict in (P, F, M)) == voted, why


def test_no_samples_have_no_figures() -> None:
    assert summarise_repeats([], repeats=3, judged_by="sha256:x") is None


def test_the_majority_has_an_identity_of_its_own() -> None:
    found = summarise_repeats(outcomes("p1p1p1"), repeats=3, judged_by="sha256:x")
    assert found is not None
    assert str(found.vote_evaluator) == "vote majority v1"
    assert found.vote_evaluator.settings == {"repeats": 3, "judged_by": "sha256:x"}


@pytest.mark.parametrize(("n", "c", "k"), [(5, 2, 6), (5, 2, 0), (5, 6, 1), (5, -1, 1)])
def test_pass_at_k_of_more_than_there_is_is_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="accepted are 1 <= k <= n"):
        pass_at_k(n, c, k)


@given(n=st.integers(1, 12), data=st.data())
def test_pass_at_k_is_the_share_of_subsets_with_a_success(n: int, data: st.DataObject) -> None:
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    without = sum(1 for i in range(1 << n) if i.bit_count() == k and not i & ((1 << c) - 1))
    assert pass_at_k(n, c, k) == pytest.approx(1 - without / comb(n, k))


@pytest.mark.parametrize("spread", [0.0, 0.2, 0.45], ids=["none", "some", "most"])
def test_the_clustered_interval_covers(spread: float) -> None:
    """2,000 seeded runs of 60 samples with 5 repeats: the true rate lies inside in at least 93 %."""
    dice = random.Random(20260101)
    truth, covered, runs = 0.5, 0, 2000
    for _ in range(runs):
        rates = []
        for _ in range(60):
            p = truth + dice.choice((-1, 1)) * spread
            rates.append(sum(dice.random() < p for _ in range(5)) / 5)
        low, high = clustered_interval(rates, 5)
        covered += low <= truth <= high
    assert covered / runs >= 0.93


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30))
def test_the_clustered_interval_holds_the_rate(passed: list[int]) -> None:
    rates = [count / 4 for count in passed]
    low, high = clustered_interval(rates, 4)
    assert 0 <= low <= sum(rates) / len(rates) + 1e-12
    assert sum(rates) / len(rates) - 1e-12 <= high <= 1
