"""What holds for any two sides."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_infergate.compare import ExitCode, Outcome, PairedTable, RunSide, TaskSide, compare_runs
from tests.compare.sides import LETTERS, compare, side, task

RESOLVED = st.sampled_from("PFXTR")
ANY = st.sampled_from("".join(LETTERS))

#: From the best news to none: improved, no worse or unchanged, then the rest.
GOOD = {Outcome.IMPROVED: 2, Outcome.UNCHANGED: 1, Outcome.NO_WORSE: 1}


@st.composite
def two_tasks(draw: st.DrawFn, letters: st.SearchStrategy[str] = ANY) -> tuple[TaskSide, TaskSide]:
    repeat = draw(st.integers(1, 3))
    count = draw(st.integers(1, 30)) * repeat
    # Long runs of one letter, so that all outcomes occur.
    factor = draw(st.sampled_from([1, 1, 10]))
    has_dataset = draw(st.booleans())
    made = []
    for said in ("", draw(st.sampled_from(["", "other "]))):
        text = "".join(draw(st.lists(letters, min_size=count, max_size=count))) * factor
        made.append(task(text, said=said, repeat=repeat, has_dataset=has_dataset))
    return made[0], made[1]


@given(two_tasks(RESOLVED))
@settings(max_examples=150, deadline=None)
def test_swapping_the_sides_mirrors_the_comparison(pair: tuple[TaskSide, TaskSide]) -> None:
    there, back = compare(*pair, margin=0), compare(*reversed(pair), margin=0)
    assert there.table is not None
    assert back.table is not None
    assert (there.table.lost, there.table.gained) == (back.table.gained, back.table.lost)
    assert (there.table.both, there.table.neither) == (back.table.both, back.table.neither)
    mirrored = {Outcome.IMPROVED: Outcome.REGRESSED, Outcome.REGRESSED: Outcome.IMPROVED}
    if there.is_statistical:
        # With a margin of 0 a comparison is improved, regressed, unchanged, or neither this way nor that.
        swapped = mirrored.get(there.outcome, there.outcome)
        assert back.outcome is swapped or {back.outcome, swapped} == {Outcome.NO_WORSE, Outcome.INCONCLUSIVE}
    if there.difference is not None and back.difference is not None:
        assert abs(there.difference.value + back.difference.value) < 1e-9
        assert abs(there.difference.low + back.difference.high) < 1e-6
        assert abs(there.difference.p_value - back.difference.p_value) < 1e-9


@given(st.lists(RESOLVED, min_size=1, max_size=40), st.booleans())
@settings(deadline=None)
def test_a_side_with_itself_is_unchanged(letters: list[str], has_dataset: bool) -> None:
    one = task("".join(letters), has_dataset=has_dataset)
    assert compare(one, one).outcome is Outcome.UNCHANGED


@given(two_tasks(RESOLVED), st.data())
@settings(max_examples=150, deadline=None)
def test_evidence_that_goes_missing_never_makes_a_verdict_better(
    pair: tuple[TaskSide, TaskSide], data: st.DataObject
) -> None:
    base, candidate = pair
    whole = compare(base, candidate)
    keys = list(candidate.observations)
    lost = set(data.draw(st.lists(st.sampled_from(keys), min_size=1, max_size=len(keys))))
    side_ = data.draw(st.sampled_from(["base", "candidate"]))
    gone = task("n").observations["s0", 0]

    def without(of: TaskSide) -> TaskSide:
        return replace(
            of,
            observations={
                key: replace(gone, sample_digest=one.sample_digest) if key in lost else one
                for key, one in of.observations.items()
            },
        )

    less = compare(without(base), candidate) if side_ == "base" else compare(base, without(candidate))
    assert less.outcome is not Outcome.UNCHANGED
    assert less.outcome is not Outcome.INCOMPARABLE
    # Unknown evidence may leave a claim standing, never make one.
    if less.outcome in GOOD:
        assert whole.outcome in GOOD
        assert GOOD[less.outcome] <= GOOD[whole.outcome]
    if less.outcome is Outcome.REGRESSED:
        assert whole.outcome is Outcome.REGRESSED


@given(two_tasks(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_records_says_nothing(pair: tuple[TaskSide, TaskSide], rng: random.Random) -> None:
    def shuffled(of: TaskSide) -> TaskSide:
        items = list(of.observations.items())
        rng.shuffle(items)
        return replace(of, observations=dict(items))

    assert compare(*pair) == compare(shuffled(pair[0]), shuffled(pair[1]))


@given(two_tasks())
@settings(max_examples=150, deadline=None)
def test_every_evaluation_is_counted_once_and_nothing_green_lacks_evidence(
    pair: tuple[TaskSide, TaskSide],
) -> None:
    base, candidate = pair
    found = compare(base, candidate)
    table = found.table
    assert table is not None
    assert table.pairs == len(base.observations)
    assert len(found.flips) == table.lost + table.gained
    if found.outcome.is_good:
        assert table.pairs > table.unresolved
        assert found.is_statistical or not table.lost
    if found.outcome is Outcome.UNCHANGED:
        assert (table.lost, table.gained, table.unresolved) == (0, 0, 0)
    if found.outcome is Outcome.MISSING:
        assert table.unresolved


@given(st.lists(two_tasks(), max_size=4))
@settings(max_examples=50, deadline=None)
def test_a_comparison_passes_only_where_every_task_is_good(pairs: list[tuple[TaskSide, TaskSide]]) -> None:
    def named(which: int) -> RunSide:
        renamed = [
            replace(pair[which], plan=replace(pair[which].plan, name=f"t{n}")) for n, pair in enumerate(pairs)
        ]
        return side(*renamed, label=f"side {which}")

    found = compare_runs(named(0), named(1))
    is_good = bool(pairs) and all(task.outcome.is_good for task in found.tasks)
    assert (found.exit_code is ExitCode.PASSED) is is_good


def test_an_empty_table_has_no_pairs() -> None:
    assert PairedTable().pairs == 0
