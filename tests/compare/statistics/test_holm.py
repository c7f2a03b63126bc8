"""Holm's correction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.compare.statistics.holm import holm

p_values = st.lists(st.floats(0, 1), max_size=20)


@pytest.mark.parametrize(
    ("given_values", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),  # one task: nothing to correct
        ([0.01, 0.02, 0.03, 0.04], [0.04, 0.06, 0.06, 0.06]),  # each at least the one before it
        ([0.03, 0.01], [0.03, 0.02]),  # in the order given
        ([0.6, 0.7], [1.0, 1.0]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
    ],
)
def test_it_gives_the_known_values(given_values: list[float], adjusted: list[float]) -> None:
    assert holm(given_values) == pytest.approx(adjusted)


@given(p_values)
def test_it_is_between_the_value_and_bonferronis(values: list[float]) -> None:
    for value, adjusted in zip(values, holm(values), strict=True):
        assert value <= adjusted <= min(1.0, value * len(values))


@given(p_values, st.randoms(use_true_random=False))
def test_the_order_of_tasks_does_not_matter(values: list[float], random: object) -> None:
    order = list(range(len(values)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = holm([values[index] for index in order])
    assert sorted(shuffled) == sorted(holm(values))
    assert shuffled == [holm(values)[index] for index in order]
