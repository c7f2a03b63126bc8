"""How often a comparison says what is not so: improved, regressed, or no worse.

10,000 comparisons for each case of one task and of no worse, 1,000 of ten tasks; with repeats 3,000 of one
task and 300 of ten. What is measured here stands in docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from pytest_infergate.compare import Outcome, PairedTable
from pytest_infergate.compare.deciding import Question, decide
from pytest_infergate.compare.pairing import Paired, Resolution
from pytest_infergate.compare.statistics import power, tango
from pytest_infergate.compare.statistics.power import smallest_without_flips

from .drawing import Truth, difference_of, independent, share_of_runs

RUNS, RUNS_OF_TEN, RUNS_REPEATED, RUNS_NO_WORSE = 10_000, 1_000, 300, 10_000
#: No margin, so that a loss is not excused as no worse: the most false alarms there can be.
MARGIN = 0.0
NOTHING_CHANGED = {
    "no flips at all": Truth(0, 0),
    "1 in 1,000 flips": Truth(0.0005, 0.0005),
    "1 in 100 flips": Truth(0.005, 0.005),
    "1 in 10 flips": Truth(0.05, 0.05),
    "5 %, independent": independent(0.05, 0.05),
    "half, independent": independent(0.5, 0.5),
    "half, all flip": Truth(0.5, 0.5),
}


@pytest.fixture(autouse=True)
def _no_more_than_the_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute each table once, and no numbers of samples: it is the outcome that is counted."""
    monkeypatch.setattr(tango, "paired_difference", difference_of)
    monkeypatch.setattr(power, "samples_to_decide_repeated", lambda *of_task: None)


def question(lost: int, gained: int, means: tuple[float, ...], repeats: int = 1) -> Question:
    resolution = Resolution(lost=lost, gained=gained, means=means)
    pairs = len(means) * repeats
    return Question(
        paired=Paired(
            table=PairedTable(both=pairs - lost - gained, lost=lost, gained=gained),
            samples=len(means),
            repeats=repeats,
            worst=resolution,
            best=resolution,
            flips=(),
            is_same_reply=False,
            verdict_changes=lost + gained,
            score_changes=0,
        ),
        margin=MARGIN,
        is_statistical=True,
    )


def outcomes(questions: Sequence[Question]) -> set[Outcome]:
    named = {str(number): question for number, question in enumerate(questions)}
    return {decision.outcome for decision in decide(named).values()}


@pytest.mark.parametrize("n", [20, 100, 1000])
@pytest.mark.parametrize("name", NOTHING_CHANGED)
def test_one_task_is_called_regressed_or_improved_by_chance_at_most_once_in_forty(name: str, n: int) -> None:
    lost, gained = NOTHING_CHANGED[name].draw(np.random.default_rng(n), n, RUNS)
    same = (0.0,) * n
    for outcome in (Outcome.REGRESSED, Outcome.IMPROVED):

        def is_called(lost: int, gained: int, outcome: Outcome = outcome) -> bool:
            return outcomes([question(lost, gained, same)]) == {outcome}

        assert share_of_runs(lost, gained, is_called) <= 0.025 + 0.004


@pytest.mark.parametrize("n", [20, 100, 1000])
@pytest.mark.parametrize("name", ["1 in 10 flips", "half, independent", "half, all flip"])
def test_any_of_ten_tasks_is_called_regressed_by_chance_at_most_once_in_twenty(name: str, n: int) -> None:
    lost, gained = NOTHING_CHANGED[name].draw(np.random.default_rng(n), n, (RUNS_OF_TEN, 10))
    same = (0.0,) * n
    called = sum(
        Outcome.REGRESSED in outcomes([question(*table, same) for table in zip(*of_run, strict=True)])
        for of_run in zip(lost.tolist(), gained.tolist(), strict=True)
    )
    assert called / RUNS_OF_TEN <= 0.05


@pytest.mark.parametrize("tasks", [1, 10])
@pytest.mark.parametrize("rate", [0.05, 0.5, 0.95])
def test_repeats_raise_no_more_false_alarms(rate: float, tasks: int) -> None:
    n, repeats, runs = 60, 5, RUNS_REPEATED * 10 // tasks
    random = np.random.default_rng(5)
    # Some samples are steady and some are not, as the samples of a model are.
    chances = random.beta(rate / 2, (1 - rate) / 2, (runs, tasks, n))
    means = (random.binomial(repeats, chances) - random.binomial(repeats, chances)) / repeats
    called = sum(
        Outcome.REGRESSED in outcomes([question(0, 0, tuple(task), repeats) for task in of_run])
        for of_run in means.tolist()
    )
    assert called / runs <= 0.05


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1])
def test_a_candidate_that_is_worse_by_the_margin_is_called_no_worse_in_about_one_of_twenty(
    margin: float,
) -> None:
    """Up to 7.2 % where a comparison without a flip just suffices, near 5 % from twice as many samples on."""
    smallest = smallest_without_flips(margin)
    assert smallest is not None
    for times, limit in ((1, 0.077), (2, 0.06), (4, 0.06), (16, 0.06)):
        n = smallest * times
        for gained in (0.0, 0.5 / n, 0.02, 0.2):
            truth = Truth(gained + margin, gained)
            drawn = truth.draw(np.random.default_rng(times), n, RUNS_NO_WORSE)
            called = share_of_runs(
                *drawn, lambda lost, gained, n=n: difference_of(lost, gained, n).lower_bound > -margin
            )
            assert called <= limit, (n, gained)
