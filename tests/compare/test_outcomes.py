"""The outcome of a task: a table for every rule, each with its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_infergate.compare import ExitCode, Flip, Outcome, PairedTable
from tests.compare.sides import compare, compare_sides, observation, task, task_of

#: base, candidate, outcome. What the model said always differs but for the first group.
OUTCOMES = [
    # why, base, candidate, outcome
    ("every reply and verdict is the same", "PF" * 10, "PF" * 10, Outcome.UNCHANGED),
    ("a cut reply that is the same again is no change", "PT" * 10, "PT" * 10, Outcome.UNCHANGED),
    ("an expected failure is no change", "PX" * 10, "PX" * 10, Outcome.UNCHANGED),
    ("30 more of 100", "P" * 40 + "F" * 60, "P" * 70 + "F" * 30, Outcome.IMPROVED),
    ("30 fewer of 100", "P" * 70 + "F" * 30, "P" * 40 + "F" * 60, Outcome.REGRESSED),
    ("cut by the limit is not delivered", "P" * 70 + "F" * 30, "P" * 40 + "T" * 60, Outcome.REGRESSED),
    ("refused is not delivered", "P" * 70 + "F" * 30, "P" * 40 + "R" * 60, Outcome.REGRESSED),
    ("expected failures count as 0", "P" * 70 + "F" * 30, "P" * 40 + "X" * 60, Outcome.REGRESSED),
    ("8 lost and none gained of 20", "P" * 20, "P" * 12 + "F" * 8, Outcome.REGRESSED),
    ("5 lost: the exact test is not below 5 %", "P" * 100, "P" * 95 + "F" * 5, Outcome.INCONCLUSIVE),
    ("6 lost: it is, and the interval is below 0", "P" * 100, "P" * 94 + "F" * 6, Outcome.REGRESSED),
    ("small losses inside the margin", "P" * 1000, "P" * 990 + "F" * 10, Outcome.NO_WORSE),
    ("nothing lost of 1,000", "P" * 1000, "P" * 1000, Outcome.NO_WORSE),
    ("nothing lost of 52, the fewest that do", "P" * 52, "P" * 52, Outcome.NO_WORSE),
    ("nothing lost of 51 says too little", "P" * 51, "P" * 51, Outcome.INCONCLUSIVE),
    ("one sample says nothing", "P", "F", Outcome.INCONCLUSIVE),
    # Missing evidence, resolved both ways.
    ("all timed out", "P" * 100, "s" * 100, Outcome.MISSING),
    ("all never ran, where nothing could be lost", "F" * 100, "n" * 100, Outcome.MISSING),
    ("all without an evaluator on the base", "e" * 100, "P" * 100, Outcome.MISSING),
    ("nothing resolved, however few", "FF", "ss", Outcome.MISSING),
    ("one of 1,000 changes nothing", "P" * 1000, "P" * 999 + "s", Outcome.NO_WORSE),
    ("one of 52 does", "P" * 52, "P" * 51 + "s", Outcome.MISSING),
    ("a clear loss stays one", "P" * 100, "P" * 40 + "F" * 55 + "s" * 5, Outcome.REGRESSED),
    ("a clear gain stays one", "F" * 100, "F" * 40 + "P" * 55 + "s" * 5, Outcome.IMPROVED),
    ("a gain that may be none", "F" * 100, "F" * 92 + "P" * 5 + "s" * 3, Outcome.MISSING),
    ("99 of 100 timed out, where nothing could be lost", "F" * 100, "F" + "s" * 99, Outcome.MISSING),
    ("too few either way", "P" * 20 + "s", "P" * 20 + "s", Outcome.INCONCLUSIVE),
]


@pytest.mark.parametrize(
    ("base", "candidate", "outcome"), [row[1:] for row in OUTCOMES], ids=[r[0] for r in OUTCOMES]
)
def test_outcome(base: str, candidate: str, outcome: Outcome) -> None:
    said = "" if outcome is Outcome.UNCHANGED else "other "
    found = compare(task(base), task(candidate, said=said))
    assert found.outcome is outcome, found
    assert found.detail


#: Without a data set flips alone decide.
BY_FLIPS = [
    ("the same reply", "P", "P", "", Outcome.UNCHANGED),
    ("another reply, the same verdict", "P", "P", "other ", Outcome.NO_WORSE),
    ("wrong before and after", "F", "F", "other ", Outcome.NO_WORSE),
    ("any loss", "P", "F", "", Outcome.REGRESSED),
    ("a loss by refusing", "P", "R", "", Outcome.REGRESSED),
    ("a gain", "F", "P", "", Outcome.IMPROVED),
    ("a loss weighs more than gains", "PFFF", "FPPP", "", Outcome.REGRESSED),
    ("nothing came back, where nothing could be lost", "F", "s", "", Outcome.MISSING),
    ("nothing came back, where something could", "P", "s", "", Outcome.MISSING),
    ("the base has nothing", "n", "P", "", Outcome.MISSING),
    ("neither has anything", "s", "s", "", Outcome.MISSING),
    ("one missing beside a gain that cannot be a loss", "FF", "Ps", "", Outcome.IMPROVED),
    ("one missing beside a loss", "PP", "Fs", "", Outcome.REGRESSED),
]


@pytest.mark.parametrize(
    ("base", "candidate", "said", "outcome"), [row[1:] for row in BY_FLIPS], ids=[r[0] for r in BY_FLIPS]
)
def test_without_a_data_set_flips_decide_and_nothing_statistical_is_claimed(
    base: str, candidate: str, said: str, outcome: Outcome
) -> None:
    found = compare(task(base, has_dataset=False), task(candidate, said=said, has_dataset=False))
    assert found.outcome is outcome
    assert (found.is_statistical, found.difference, found.adjusted_p, found.needed) == (
        False,
        None,
        None,
        None,
    )


def test_the_paired_table_says_what_became_of_each_evaluation() -> None:
    found = compare(task("PPPFFFs" + "P" * 93), task("PFTPFRP" + "P" * 92 + "s"))
    assert found.table == PairedTable(both=93, lost=2, gained=1, neither=2, unresolved=2)
    assert found.table.pairs == 100
    assert found.samples == 100
    assert found.flips == (
        Flip(sample="s1", repeat=0, base="passed", candidate="failed"),
        Flip(sample="s2", repeat=0, base="passed", candidate="missing, truncated"),
        Flip(sample="s3", repeat=0, base="failed", candidate="passed"),
    )


def test_the_difference_is_candidate_less_base() -> None:
    found = compare(task("P" * 40 + "F" * 60), task("P" * 70 + "F" * 30))
    assert found.difference is not None
    assert found.difference.value == pytest.approx(0.30)
    assert 0 < found.difference.low < 0.30 < found.difference.high
    assert found.adjusted_p == found.difference.p_value < 1e-6


def test_what_is_missing_counts_against_the_outcome_in_the_difference() -> None:
    better = compare(task("F" * 100), task("F" * 40 + "P" * 55 + "s" * 5))
    worse = compare(task("P" * 100), task("P" * 40 + "F" * 55 + "s" * 5))
    open_ = compare(task("P" * 52), task("P" * 51 + "s"))
    assert better.difference is not None
    assert worse.difference is not None
    assert better.difference.value == pytest.approx(0.55)
    assert worse.difference.value == pytest.approx(-0.55)
    assert (open_.difference, open_.adjusted_p) == (None, None)
    assert "1 of 52 pairs are missing on a side (1 timeout)" in open_.detail
    assert "the outcome is the same whichever way they would have gone" in better.detail


def test_inconclusive_names_the_samples_that_would_decide() -> None:
    found = compare(task("P" * 20), task("P" * 20, said="other "))
    assert (found.outcome, found.needed) == (Outcome.INCONCLUSIVE, 52)
    assert found.detail.endswith("about 52 samples would decide")


def test_identical_replies_with_other_verdicts_are_the_evaluators_doing() -> None:
    base = task_of({f"s{n}": observation("P", f"s{n}", said="same") for n in range(1000)})
    flipped = {f"s{n}": observation("P", f"s{n}", said="same") for n in range(999)}
    candidate = task_of(
        {**flipped, "s999": observation("F", "s999", exchanges=base.observations["s999", 0].exchanges)}
    )
    found = compare(base, candidate)
    assert found.outcome is Outcome.NO_WORSE
    assert "every reply is the same, yet 1 verdicts differ: it is the evaluator" in found.detail


# Holm.


def test_over_ten_tasks_a_loss_must_be_clearer_than_over_one() -> None:
    def tasks(candidate: str, said: str) -> list:
        others = [task("P" * 100, name=f"other{n}", said=said) for n in range(9)]
        return [task(candidate), *others]

    alone = compare(task("P" * 100), task("P" * 93 + "F" * 7))
    assert (alone.outcome, alone.adjusted_p) == (Outcome.REGRESSED, pytest.approx(2 / 2**7))
    among = compare_sides(tasks("P" * 100, ""), tasks("P" * 93 + "F" * 7, "other ")).tasks[0]
    assert (among.outcome, among.adjusted_p) == (Outcome.INCONCLUSIVE, pytest.approx(10 * 2 / 2**7))
    assert "the exact test over all tasks does not (p = 0.16)" in among.detail


def test_a_task_whose_replies_are_all_the_same_is_not_tested() -> None:
    same = [task("P" * 100, name=f"other{n}") for n in range(9)]
    found = compare_sides([task("P" * 100), *same], [task("P" * 93 + "F" * 7), *same]).tasks
    assert found[0].outcome is Outcome.REGRESSED
    assert {one.outcome for one in found[1:]} == {Outcome.UNCHANGED}


# Margins.


def test_the_candidates_own_margin_comes_before_the_option() -> None:
    base, candidate = "P" * 1000, "P" * 990 + "F" * 10
    assert compare(task(base), task(candidate), margin=0.001).outcome is Outcome.REGRESSED
    loose = compare(task(base, margin=0.3), task(candidate, margin=0.3), margin=0.001)
    assert (loose.outcome, loose.margin) == (Outcome.NO_WORSE, 0.3)


def test_a_margin_that_changed_is_told() -> None:
    found = compare(task("P" * 1000, margin=0.01), task("P" * 1000, said="other ", margin=0.2))
    assert found.margin == 0.2
    assert found.detail.endswith("the task's own margin was 1 % and is 20 % now")
    dropped = compare(task("P" * 1000, margin=0.01), task("P" * 1000, said="other "))
    assert dropped.margin == 0.05
    assert dropped.detail.endswith("was 1 % and is not given now")


@pytest.mark.parametrize(
    ("base", "candidate", "said", "is_told"),
    [
        ("F" * 60, "F" * 60, "other ", True),
        ("F" * 60, "F" * 60, "", True),  # unchanged: nobody would notice a worse one
        ("X" * 60, "X" * 60, "other ", True),  # all are expected to fail
        ("F" * 60, "F" * 59 + "P", "", True),
        ("F" * 60, "P" * 60, "", False),  # it improved
        ("F" * 59 + "P", "F" * 59 + "P", "other ", False),
        ("F" * 60, "F" * 59 + "s", "", False),  # what is missing is told
    ],
)
def test_a_base_that_passed_nothing_had_nothing_to_lose_and_that_is_told(
    base: str, candidate: str, said: str, is_told: bool
) -> None:
    found = compare(task(base), task(candidate, said=said))
    assert ("the base passed none of them, so nothing could be lost" in found.detail) is is_told


def test_a_margin_of_nothing_is_reached_by_gaining_alone() -> None:
    assert (
        compare(task("P" * 1000), task("P" * 1000, said="other "), margin=0).outcome is Outcome.INCONCLUSIVE
    )
    gained = compare(task("F" * 100), task("P" * 100), margin=0)
    assert gained.outcome is Outcome.IMPROVED


# Repeats.


def test_repeats_are_clustered_by_sample() -> None:
    once = compare(task("P" * 30), task("F" * 7 + "P" * 23))
    thrice = compare(task("P" * 90, repeat=3), task("FFF" * 7 + "PPP" * 23, repeat=3))
    assert (once.samples, thrice.samples) == (30, 30)
    assert thrice.table == PairedTable(both=69, lost=21)
    assert once.difference is not None
    assert thrice.difference is not None
    # Three times the same says no more than once: the interval and the test are those of samples.
    assert thrice.difference.value == once.difference.value
    assert thrice.difference.high == pytest.approx(once.difference.high)
    assert thrice.difference.p_value == pytest.approx(once.difference.p_value)


def test_a_missing_repeat_is_resolved_both_ways() -> None:
    found = compare(task("P" * 300, repeat=3), task("s" + "P" * 299, repeat=3))
    assert found.outcome is Outcome.NO_WORSE
    assert found.difference is not None
    assert found.difference.value == pytest.approx(-1 / 300)
    assert found.table == PairedTable(both=299, unresolved=1)
    whole = compare(task("P" * 90, repeat=3), task("s" * 90, repeat=3))
    assert whole.outcome is Outcome.MISSING


def test_flips_of_repeats_say_which() -> None:
    found = compare(task("PPPP", repeat=2), task("PFPP", repeat=2))
    assert [(flip.sample, flip.repeat) for flip in found.flips] == [("s0", 1)]


def test_flips_come_in_the_order_a_person_counts() -> None:
    found = compare(task("P" * 12), task("F" * 12))
    assert [flip.sample for flip in found.flips] == [f"s{n}" for n in range(12)]


# Confirming losses.

FLIPPED = {("math", f"s{n}", 0): n % 2 == 0 for n in range(8)}


def test_a_regression_that_asking_again_confirms_stays_one() -> None:
    found = compare(task("P" * 20), task("F" * 8 + "P" * 12), confirmed=dict.fromkeys(FLIPPED, True))
    assert found.outcome is Outcome.REGRESSED
    assert [flip.confirmed for flip in found.flips] == [True] * 8
    assert "8 of 8 flips were confirmed" in found.detail


def test_a_regression_that_hangs_on_what_was_not_confirmed_is_inconclusive_and_no_better() -> None:
    for confirmed in (FLIPPED, dict.fromkeys(FLIPPED, False)):
        found = compare(task("P" * 20), task("F" * 8 + "P" * 12), confirmed=confirmed)
        assert found.outcome is Outcome.INCONCLUSIVE
        assert found.table == PairedTable(both=12, lost=8)
        assert {flip.confirmed for flip in found.flips} == set(confirmed.values())
    assert "8 of 8 flips were not confirmed" in found.detail


def test_losses_that_were_not_asked_again_count_as_they_were() -> None:
    found = compare(task("P" * 30), task("F" * 16 + "P" * 14), confirmed=FLIPPED)
    assert found.outcome is Outcome.REGRESSED
    assert [flip.confirmed for flip in found.flips] == [True, False] * 4 + [None] * 8


def test_asking_again_changes_nothing_where_nothing_had_regressed() -> None:
    found = compare(task("P" * 100), task("F" + "P" * 99), confirmed={("math", "s0", 0): False})
    plain = compare(task("P" * 100), task("F" + "P" * 99))
    assert [flip.confirmed for flip in found.flips] == [False]
    assert replace(found, flips=plain.flips) == plain


def test_a_lost_probe_that_was_not_confirmed_is_inconclusive() -> None:
    base, candidate = task("P", has_dataset=False), task("F", has_dataset=False)
    found = compare(base, candidate, confirmed={("math", "s0", 0): False})
    assert found.outcome is Outcome.INCONCLUSIVE


def test_what_was_confirmed_of_another_task_says_nothing() -> None:
    other = {("other", sample, repeat): False for _, sample, repeat in FLIPPED}
    found = compare(task("P" * 20), task("F" * 8 + "P" * 12), confirmed=other)
    assert found.outcome is Outcome.REGRESSED


# Exit codes.

CODES = [
    ("no task at all", [], ExitCode.MISSING),
    ("all good", [("P" * 60, "P" * 60)], ExitCode.PASSED),
    ("one regressed, one missing", [("P" * 20, "F" * 20), ("P" * 20, "s" * 20)], ExitCode.FAILED),
    ("one missing, one inconclusive", [("P" * 20, "s" * 20), ("P", "F")], ExitCode.MISSING),
    ("one inconclusive, one good", [("P", "F"), ("P" * 60, "P" * 60)], ExitCode.INCONCLUSIVE),
]


@pytest.mark.parametrize(("pairs", "code"), [row[1:] for row in CODES], ids=[row[0] for row in CODES])
def test_the_exit_code_is_the_first_of_1_4_5_3(pairs: list[tuple[str, str]], code: ExitCode) -> None:
    base = [task(one, name=f"task{n}") for n, (one, _) in enumerate(pairs)]
    candidate = [task(other, name=f"task{n}", said="other ") for n, (_, other) in enumerate(pairs)]
    assert compare_sides(base, candidate).exit_code is code


def test_incomparable_comes_before_missing_and_after_regressed() -> None:
    base = [task("P" * 20, name=name) for name in ("lost", "changed", "missing")]
    candidate = [
        task("F" * 20, name="lost"),
        task("P" * 20, name="changed", version="2"),
        task("s" * 20, name="missing"),
    ]
    assert compare_sides(base[1:], candidate[1:]).exit_code is ExitCode.INCOMPARABLE
    assert compare_sides(base, candidate).exit_code is ExitCode.FAILED
