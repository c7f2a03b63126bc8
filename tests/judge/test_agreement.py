"""Agreement with people: against published figures, and against a simulation."""

from __future__ import annotations

import random
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.judge import cohen_kappa, measure_agreement


def pairs_of(table: list[list[int]]) -> list[tuple[str, str]]:
    return [
        (str(i), str(j)) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)
    ]


PUBLISHED = [
    # table, kappa, standard error, digits that are given, where
    ([[0, 4, 1], [0, 8, 0], [0, 1, 5]], 0.4842, 0.1380, 4, "printed by SAS PROC FREQ"),
    ([[794, 150], [86, 570]], 0.700, 0.018, 3, "Agresti, Categorical Data Analysis, approval ratings"),
    ([[24, 8, 13], [8, 13, 11], [10, 9, 64]], 0.389, 0.060, 3, "the same book, Siskel's and Ebert's reviews"),
]


@pytest.mark.parametrize(("table", "kappa", "error", "digits", "where"), PUBLISHED)
def test_kappa_and_its_error_are_as_published(
    table: list[list[int]], kappa: float, error: float, digits: int, where: str
) -> None:
    found = cohen_kappa(pairs_of(table))
    assert found is not None
    assert found.standard_error is not None
    assert found.value == pytest.approx(kappa, abs=0.6 * 10**-digits), where
    assert found.standard_error == pytest.approx(error, abs=0.6 * 10**-digits), where


@pytest.mark.parametrize("table", [[[794, 150], [86, 570]], [[750, 10, 40], [50, 40, 10], [0, 0, 100]]])
def test_the_error_is_the_one_of_leaving_out_one_pair_at_a_time(table: list[list[int]]) -> None:
    pairs = pairs_of(table)
    found, n = cohen_kappa(pairs), len(pairs)
    left = {pair: pairs[: pairs.index(pair)] + pairs[pairs.index(pair) + 1 :] for pair in set(pairs)}
    without = {pair: cohen_kappa(rest) for pair, rest in left.items()}
    values = [kappa.value for pair in pairs if (kappa := without[pair]) is not None]
    mean = sum(values) / n
    jackknife = sqrt((n - 1) / n * sum((value - mean) ** 2 for value in values))
    assert found is not None
    assert found.standard_error == pytest.approx(jackknife, rel=0.01)


def test_the_interval_is_as_published() -> None:
    found = cohen_kappa(pairs_of([[0, 4, 1], [0, 8, 0], [0, 1, 5]]))
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(0.2137, abs=1e-4), pytest.approx(0.7547, abs=1e-4))


def test_the_interval_holds_the_true_kappa_as_often_as_it_says() -> None:
    draw = random.Random(20260102)
    cells = [(("pass", "pass"), 0.5), (("fail", "fail"), 0.25), (("pass", "fail"), 0.15)]
    cells.append((("fail", "pass"), 0.1))
    chance = 0.65 * 0.6 + 0.35 * 0.4
    true = (0.75 - chance) / (1 - chance)
    names, weights = zip(*cells, strict=True)
    rounds, held = 1000, 0
    for _ in range(rounds):
        found = cohen_kappa(draw.choices(names, weights, k=200))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= true <= found.high
    # Four standard errors of the simulation about 95 %.
    assert abs(held / rounds - 0.95) < 4 * sqrt(0.95 * 0.05 / rounds)


def test_where_kappa_is_not_defined_or_its_interval_is_not() -> None:
    assert cohen_kappa([]) is None
    assert cohen_kappa([("pass", "pass")] * 20) is None  # chance alone agrees on everything
    perfect = cohen_kappa([("pass", "pass")] * 10 + [("fail", "fail")] * 10)
    assert perfect is not None
    assert (perfect.value, perfect.low, perfect.high) == (1.0, None, None)
    # One side knows one word alone: agreement is what chance gives.
    constant = cohen_kappa([("pass", "pass")] * 15 + [("fail", "pass")] * 5)
    assert constant is not None
    assert constant.value == pytest.approx(0.0)


@given(st.lists(st.tuples(st.sampled_from("pfx"), st.sampled_from("pfx")), min_size=1, max_size=60))
def test_kappa_stays_in_its_range_and_has_no_sides(pairs: list[tuple[str, str]]) -> None:
    found, mirrored = cohen_kappa(pairs), cohen_kappa([(right, left) for left, right in pairs])
    assert (found is None) == (mirrored is None)
    if found is not None and mirrored is not None:
        assert -1 <= found.value <= 1
        assert found.value == pytest.approx(mirrored.value)
        if found.low is not None and found.high is not None:
            assert -1 <= found.low <= found.value <= found.high <= 1


def test_what_is_missing_neither_agrees_nor_disagrees_and_is_counted() -> None:
    found = measure_agreement(
        [("pass", "pass"), ("fail", "fail"), ("fail", "pass"), ("pass", None), ("fail", None)]
    )
    assert (found.planned, found.judged, found.missing, found.agreed) == (5, 3, 2, 2)
    assert found.accuracy == pytest.approx(2 / 3)
    assert found.accuracy_interval == (pytest.approx(0.2077, abs=1e-4), pytest.approx(0.9385, abs=1e-4))
    assert found.table == {("pass", "pass"): 1, ("fail", "fail"): 1, ("fail", "pass"): 1}


def test_nothing_judged_is_unknown_and_not_zero() -> None:
    found = measure_agreement([("pass", None)])
    assert (found.accuracy, found.accuracy_interval, found.kappa) == (None, None, None)
    assert found.as_json()["accuracy"] is None
