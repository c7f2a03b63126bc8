"""Component scores: paired, each for itself, and never what decides a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pytest_infergate.compare import (
    ObservedScore,
    Outcome,
    ScoreComparison,
    ScoreKind,
    TaskComparison,
    TaskSide,
)
from tests.compare.sides import STYLE, WER, compare, observation, plan, score, task_of

Values = Sequence["float | None"]


def with_scores(kind: ScoreKind, values: Values, said: str = "") -> TaskSide:
    return task_of(
        {
            f"s{n}": observation("P", f"s{n}", said=said, scores=[score(kind, value)])
            for n, value in enumerate(values)
        }
    )


def with_counts(counts: Sequence[tuple[float, float]]) -> TaskSide:
    """Word errors of reference words."""
    return task_of(
        {
            f"s{n}": observation(
                "P", f"s{n}", scores=[score(WER, part / whole if whole else None, (part, whole))]
            )
            for n, (part, whole) in enumerate(counts)
        }
    )


def only(found: TaskComparison) -> ScoreComparison:
    (one,) = found.scores
    return one


STEADY = [10.0, 12.0, 9.0, 14.0, 11.0] * 8
OUTCOMES: list[tuple[str, Values, Values, Outcome]] = [
    ("the same values", STEADY, STEADY, Outcome.UNCHANGED),
    ("all of them 2 more", STEADY, [v + 2 + n % 3 / 10 for n, v in enumerate(STEADY)], Outcome.IMPROVED),
    ("all of them 2 fewer", STEADY, [v - 2 - n % 3 / 10 for n, v in enumerate(STEADY)], Outcome.REGRESSED),
    ("up and down", STEADY, [v + (-1) ** n for n, v in enumerate(STEADY)], Outcome.INCONCLUSIVE),
    ("one pair", [1.0], [2.0], Outcome.INCONCLUSIVE),
    ("two pairs with one and the same gain", [1.0, 2.0], [2.0, 3.0], Outcome.INCONCLUSIVE),
    ("five pairs with one and the same gain: 1 chance in 16", [1.0] * 5, [2.0] * 5, Outcome.INCONCLUSIVE),
    ("six of them: 1 in 32", [1.0] * 6, [2.0] * 6, Outcome.IMPROVED),
    ("yes and no, 30 of 40 lost", [1.0] * 40, [0.0] * 30 + [1.0] * 10, Outcome.REGRESSED),
    ("yes and no, 1 of 40 lost", [1.0] * 40, [0.0] + [1.0] * 39, Outcome.INCONCLUSIVE),
    ("missing everywhere on one side", [1.0, 2.0], [None, None], Outcome.INCONCLUSIVE),
]


@pytest.mark.parametrize(
    ("base", "candidate", "outcome"), [r[1:] for r in OUTCOMES], ids=[r[0] for r in OUTCOMES]
)
def test_outcome(base: Values, candidate: Values, outcome: Outcome) -> None:
    found = compare(with_scores(STYLE, base), with_scores(STYLE, candidate))
    assert only(found).outcome is outcome
    # Replies and verdicts are the same: what a component does is its own.
    assert found.outcome is Outcome.UNCHANGED


def test_where_less_is_better_a_rise_is_a_regression() -> None:
    more = [v + 2 + n % 3 / 10 for n, v in enumerate(STEADY)]
    found = only(compare(with_scores(WER, STEADY), with_scores(WER, more)))
    assert (found.outcome, found.higher_is_better) == (Outcome.REGRESSED, False)
    assert found.difference is not None
    assert found.difference.value > 0


def test_means_are_over_the_pairs_that_have_both_values() -> None:
    found = only(
        compare(with_scores(STYLE, [1.0, 3.0, None, 9.0]), with_scores(STYLE, [2.0, 6.0, 9.0, None]))
    )
    assert (found.planned, found.pairs, found.base, found.candidate) == (4, 2, 2.0, 4.0)


def test_counts_are_pooled_and_never_averaged() -> None:
    """Ten words with one error and 1,000 with none: 1 of 1,010, not a mean of 10 % and 0 %."""
    base, candidate = with_counts([(1, 10), (0, 1000)]), with_counts([(0, 10), (5, 1000)])
    found = only(compare(base, candidate))
    assert (found.base, found.candidate) == (1 / 1010, 5 / 1010)
    assert found.difference is not None
    assert found.difference.value == pytest.approx(4 / 1010)


def test_errors_over_nothing_count_in_the_sum() -> None:
    found = only(compare(with_counts([(0, 0), (1, 10)]), with_counts([(5, 0), (1, 10)])))
    assert (found.base, found.candidate, found.pairs) == (0.1, 0.6, 2)


def test_counts_without_a_whole_are_no_rate() -> None:
    found = only(compare(with_counts([(0, 0), (0, 0)]), with_counts([(1, 0), (1, 0)])))
    assert (found.outcome, found.base, found.difference) == (Outcome.INCONCLUSIVE, None, None)
    assert found.detail == "the counts have no whole on one side"


def test_many_pairs_that_show_nothing_say_what_they_could_have_shown() -> None:
    found = only(
        compare(with_scores(STYLE, STEADY), with_scores(STYLE, [v + (-1) ** n for n, v in enumerate(STEADY)]))
    )
    assert found.difference is not None
    least = (found.difference.high - found.difference.low) / 2
    assert found.detail == f"40 samples could have shown a difference of about {least:.3g}, no smaller one"
    assert 0.2 < least < 0.5


def test_a_score_on_one_side_alone_is_not_compared() -> None:
    found = only(
        compare(with_scores(STYLE, [1.0, 2.0]), task_of({f"s{n}": observation("P", f"s{n}") for n in (0, 1)}))
    )
    assert (found.outcome, found.pairs, found.planned) == (Outcome.INCONCLUSIVE, 0, 2)
    assert found.detail == "no evaluation has it on both sides"


def test_repeats_of_a_score_are_one_sample() -> None:
    def repeated(values: Sequence[Sequence[float]]) -> TaskSide:
        return TaskSide(
            plan=plan(repeat=len(values[0])),
            observations={
                (f"s{n}", repeat): observation("P", f"s{n}", scores=[score(STYLE, value)])
                for n, of in enumerate(values)
                for repeat, value in enumerate(of)
            },
        )

    once = only(compare(with_scores(STYLE, [1.0, 2.0, 3.0]), with_scores(STYLE, [2.0, 2.0, 5.0])))
    thrice = only(
        compare(
            repeated([[1, 1, 1], [2, 2, 2], [3, 3, 3]]),
            repeated([[2, 2, 2], [2, 2, 2], [5, 5, 5]]),
        )
    )
    assert thrice.difference == once.difference
    assert (once.pairs, thrice.pairs) == (3, 9)


def test_each_score_stands_for_itself_in_the_order_of_its_first_appearance() -> None:
    functional = replace(STYLE, name="functional")

    def both(style: float) -> TaskSide:
        scores: list[ObservedScore] = [score(functional, 80.0), score(STYLE, style)]
        return task_of({f"s{n}": observation("P", f"s{n}", scores=scores) for n in range(6)})

    found = compare(both(15.0), both(16.0))
    assert [(one.name, one.outcome) for one in found.scores] == [
        ("functional", Outcome.UNCHANGED),
        ("style", Outcome.IMPROVED),
    ]


def test_the_score_passed_is_the_tasks_own_row() -> None:
    assert compare(task_of({"s": observation("P", "s")}), task_of({"s": observation("P", "s")})).scores == ()
