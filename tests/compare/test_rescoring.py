"""What judging the same replies again changed, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.compare import Observation, ObservedScore, ScoreKind, TaskSide, rescore
from pytest_infergate.evidence import EvaluatorIdentity, Fallback, digest
from pytest_infergate.runs.rescored import MOST_CHANGES, Cause, Rescored, TaskRescored

from .sides import LETTERS, PASSED, STYLE, TEST, exchange, observation, side, task_of

JUDGE = ScoreKind(
    name="judge",
    unit="ratio",
    higher_is_better=True,
    evaluator=EvaluatorIdentity(
        kind="judge", name="judge", version="1", backend="model a", settings={"votes": 1, "criteria": "c1"}
    ),
    fallback=None,
)


def seen(
    letter: str, *replies: str, of: str = "s", scores: Any = (), passed: ScoreKind = PASSED
) -> Observation:
    """An evaluation whose exchanges are ``replies``, whatever was judged of them."""
    exchanges = [exchange(f"ask {n}", reply) for n, reply in enumerate(replies)]
    return observation(letter, of, exchanges=exchanges, scores=scores, passed=passed)


def one(before: Observation, after: Observation, **changes: Any) -> TaskRescored:
    """Rescore a task of one evaluation; ``changes`` are of the new plan."""
    (task,) = rescore(side(task_of({"a": before})), side(task_of({"a": after}, **changes), label="new")).tasks
    return task


def with_extractors(*extractors: tuple[str, str, dict[str, Any]], code: str = "code") -> EvaluatorIdentity:
    listed = [{"name": name, "version": version, "settings": of} for name, version, of in extractors]
    return replace(TEST, settings={"extractors": listed}, digest=digest(code))


NEW_CODE = with_extractors(code="new code")


@pytest.mark.parametrize(
    ("before", "after", "evaluator", "cause"),
    [
        # The same reply is right now: only what judges it can have made it so.
        (seen("F", "x"), seen("P", "x"), NEW_CODE, Cause.EVALUATOR),
        (seen("e", "x"), seen("P", "x"), NEW_CODE, Cause.EVALUATOR),
        # Reading fewer of the replies is still reading the same.
        (seen("F", "x", "y"), seen("P", "x"), NEW_CODE, Cause.EVALUATOR),
        # A new row and new code at once: the code alone cannot be held to have done it.
        (seen("F", "x"), seen("P", "x", of="other"), NEW_CODE, Cause.SAMPLE),
        # A request that was not there before, whatever else changed.
        (seen("P", "x"), seen("s", "x", "none:unreachable"), NEW_CODE, Cause.NO_REPLY),
        (seen("n"), seen("s", "none:unreachable"), TEST, Cause.NO_REPLY),
        # The same request once more.
        (seen("P", "x"), observation("s", "s", exchanges=[exchange("ask 0", "x")] * 2), TEST, Cause.NO_REPLY),
        # Nothing that is known of differs.
        (seen("F", "x"), seen("P", "x"), TEST, Cause.UNKNOWN),
        (seen("T", "x"), seen("R", "x"), TEST, Cause.UNKNOWN),  # another reason is another verdict
    ],
)
def test_a_changed_verdict_has_one_cause(
    before: Observation, after: Observation, evaluator: EvaluatorIdentity, cause: Cause
) -> None:
    task = one(before, after, evaluator=evaluator)
    assert task.causes == {cause: 1}
    assert task.changes[0].cause is cause


def test_a_verdict_that_stayed_has_none_though_all_else_changed() -> None:
    task = one(seen("P", "x"), seen("P", "y", of="other"), evaluator=NEW_CODE)
    assert (task.causes, task.changes) == ({}, ())
    assert task.evaluator


def test_another_judge_of_one_evaluation_says_nothing_of_the_others() -> None:
    other = replace(JUDGE, evaluator=replace(JUDGE.evaluator, backend="model b", digest=""))
    judged = [ObservedScore(kind, 1.0) for kind in (JUDGE, other)]
    before = {"a": seen("F", "x", scores=[judged[0]]), "b": seen("F", "x")}
    after = {"a": seen("P", "x", scores=[judged[1]]), "b": seen("P", "x")}
    (task,) = rescore(side(task_of(before)), side(task_of(after))).tasks
    assert task.causes == {Cause.EVALUATOR: 1, Cause.UNKNOWN: 1}
    assert [change.as_json() for change in task.evaluator] == [
        {"field": "backend of the judge judge", "before": "model a", "after": "model b"}
    ]


def test_a_score_that_one_side_lacks_is_no_other_evaluator() -> None:
    task = one(seen("e", "x"), seen("P", "x", scores=[ObservedScore(JUDGE, 1.0)]))
    assert (task.evaluator, task.causes) == ((), {Cause.UNKNOWN: 1})


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ([("number", "1", {})], [("number", "2", {})], {"extractor number": ("v1", "v2")}),
        (
            [("choice", "1", {"options": "AB"})],
            [("choice", "1", {"options": "ABC"})],
            {"settings of extractor choice": ('{"options":"AB"}', '{"options":"ABC"}')},
        ),
        (
            [("number", "1", {})],
            [("boxed", "3", {})],
            {"extractor boxed": (None, "v3"), "extractor number": ("v1", None)},
        ),
        # Two of a name, of which one stayed.
        (
            [("regex", "1", {"pattern": "a"}), ("regex", "1", {"pattern": "b"})],
            [("regex", "1", {"pattern": "a"}), ("regex", "1", {"pattern": "c"})],
            {"settings of extractor regex": ('{"pattern":"b"}', '{"pattern":"c"}')},
        ),
        ([("number", "1", {})], [("number", "1", {})], {}),
    ],
)
def test_extractors_are_told_by_name(
    then: Any, now: Any, told: dict[str, tuple[str | None, str | None]]
) -> None:
    before = side(task_of({"a": seen("F", "x")}, evaluator=with_extractors(*then)))
    after = side(task_of({"a": seen("P", "x")}, evaluator=with_extractors(*now)))
    (task,) = rescore(before, after).tasks
    assert {change.field: (change.before, change.after) for change in task.evaluator} == told


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"version": "2"}, {"version of the judge judge": ("1", "2")}),
        ({"settings": {"votes": 3, "criteria": "c1"}}, {"votes of the judge judge": ("1", "3")}),
        ({"settings": {"votes": 1}}, {"criteria of the judge judge": ("c1", None)}),
        (
            {"name": "other"},
            {"evaluator of judge": ("judge judge v1 on model a", "judge other v1 on model a")},
        ),
        (
            {"settings": {"votes": 1, "criteria": "c" * 500}},
            {"criteria of the judge judge": ("c1", "c" * 78 + " …")},
        ),
    ],
)
def test_each_field_of_an_evaluator_is_told_with_both_values(changes: Any, told: Any) -> None:
    other = replace(JUDGE, evaluator=replace(JUDGE.evaluator, **changes, digest=""))
    task = one(
        seen("F", "x", scores=[ObservedScore(JUDGE, 0.0)]), seen("P", "x", scores=[ObservedScore(other, 1.0)])
    )
    assert {change.field: (change.before, change.after) for change in task.evaluator} == told


def test_a_fallback_is_told() -> None:
    other = replace(STYLE, fallback=Fallback(preferred="large", because="not installed"))
    task = one(
        seen("F", "x", scores=[ObservedScore(STYLE, 0.0)]), seen("P", "x", scores=[ObservedScore(other, 1.0)])
    )
    assert [change.as_json() for change in task.evaluator] == [
        {"field": "fallback of style", "before": None, "after": "in place of large"}
    ]
    assert task.causes == {Cause.EVALUATOR: 1}


def test_an_interrupted_run_names_its_test_by_its_scores() -> None:
    """It has no plan to name it by."""
    new = replace(PASSED, evaluator=replace(TEST, digest=digest("new")))
    before = side(task_of({"a": seen("F", "x")}, evaluator=None), is_finished=False)
    after = side(task_of({"a": seen("P", "x", passed=new)}, evaluator=new.evaluator))
    (task,) = rescore(before, after).tasks
    assert [change.field for change in task.evaluator] == ["code of the test"]
    assert task.causes == {Cause.EVALUATOR: 1}


def test_tasks_and_evaluations_of_one_run_alone_are_counted_apart() -> None:
    before = side(
        task_of({"a": seen("P", "x"), "b": seen("P", "x")}), task_of({"a": seen("P", "x")}, name="old")
    )
    after = side(task_of({"b": seen("F", "x"), "c": seen("s")}), task_of({"a": seen("s")}, name="new"))
    math, new = rescore(before, after).tasks
    assert (math.before.as_json(), math.after.as_json()) == (
        {"planned": 1, "passed": 1, "failed": 0, "missing": 0},
        {"planned": 1, "passed": 0, "failed": 1, "missing": 0},
    )
    assert (math.added, math.left_out) == (1, 1)
    assert (new.before.planned, new.added, new.evaluator) == (0, 1, ())
    assert rescore(before, after).absent == ("old",)


letters = st.dictionaries(
    st.text("abc", min_size=1, max_size=3), st.sampled_from(sorted(LETTERS)), max_size=30
)


@given(letters, letters)
def test_every_change_is_counted_once_and_json_keeps_all(then: dict[str, str], now: dict[str, str]) -> None:
    def of(made: dict[str, str]) -> TaskSide:
        return task_of({id: seen(letter, "x", of=id) for id, letter in made.items()})

    told = rescore(side(of(then)), side(of(now)))
    (task,) = told.tasks
    shared = then.keys() & now.keys()
    # X is F, announced.
    changed = [id for id in shared if LETTERS[then[id]] != LETTERS[now[id]]]
    assert task.changed == len(changed)
    assert task.before.planned == task.after.planned == len(shared)
    assert (task.added, task.left_out) == (len(now) - len(shared), len(then) - len(shared))
    assert [change.sample for change in task.changes] == [id for id in now if id in changed][:MOST_CHANGES]
    assert Rescored.from_json(told.as_json()) == told


@given(letters)
def test_a_run_beside_itself_changed_nothing(made: dict[str, str]) -> None:
    run = side(task_of({id: seen(letter, "x", of=id) for id, letter in made.items()}))
    (task,) = rescore(run, run).tasks
    assert (task.changed, task.evaluator, task.before) == (0, (), task.after)


def test_another_reference_is_what_judged_it_anew() -> None:
    then, now = (ObservedScore(STYLE, 1.0, against=letter * 16) for letter in "ab")
    task = one(seen("F", "x", scores=[then]), seen("P", "x", scores=[now]))
    assert task.causes == {Cause.EVALUATOR: 1}
    assert [change.as_json() for change in task.evaluator] == [
        {"field": "reference of style", "before": "a" * 16, "after": "b" * 16}
    ]
