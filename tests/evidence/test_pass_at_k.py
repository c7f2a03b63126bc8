"""The chance that one of k tries succeeds, estimated without bias."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import pass_at_k

TABLE = [
    (1, 1, 1, 1.0),
    (1, 0, 1, 0.0),
    (10, 3, 1, 0.3),  # pass@1 is the share that passed
    (5, 2, 2, 0.7),  # 1 - C(3,2)/C(5,2) = 1 - 3/10; the biased 1 - (1 - 2/5)**2 would be 0.64
    (4, 2, 3, 1.0),  # two wrong ones cannot fill three tries
    (200, 1, 100, 0.5),
    (1000, 1, 1000, 1.0),
]


@pytest.mark.parametrize(("n", "c", "k", "expected"), TABLE)
def test_known_values(n: int, c: int, k: int, expected: float) -> None:
    assert pass_at_k(n, c, k) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("n", "c", "k"), [(3, 1, 4), (0, 0, 1), (3, 1, 0), (3, 4, 1), (3, -1, 1), (3, 1, -1)]
)
def test_what_repeats_cannot_say_is_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match=rf"pass@{k} of {c} passed in {n} repeats: accepted are 1 <= k <= n"):
        pass_at_k(n, c, k)


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_it_is_the_share_of_the_choices_of_k_that_hold_a_pass(case: tuple[int, int, int]) -> None:
    n, c, k = case
    choices = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(any(one) for one in choices) / len(choices))


@given(st.integers(2, 400).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n - 1))))
def test_more_tries_never_lower_it(case: tuple[int, int, int]) -> None:
    n, c, k = case
    assert 0 <= pass_at_k(n, c, k) <= pass_at_k(n, c, k + 1) <= 1
