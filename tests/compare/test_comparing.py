"""Two runs: tasks that are absent, empty or new, runs that are partial or unfinished, what is said beside."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_infergate.compare import ExitCode, FlipRate, Outcome, RunComparison, TaskSide, compare_runs
from pytest_infergate.evidence import Verdict
from tests.compare.sides import plan, side, task


def test_a_task_that_the_candidate_does_not_have_is_missing() -> None:
    found = compare_runs(side(task("P", name="a"), task("P", name="b")), side(task("P", name="a")))
    assert [(one.task, one.outcome) for one in found.tasks] == [
        ("a", Outcome.UNCHANGED),
        ("b", Outcome.MISSING),
    ]
    assert found.tasks[1].detail == "the candidate has no such task"
    assert found.exit_code is ExitCode.MISSING


def test_a_partial_candidate_is_missing_what_it_left_out_and_says_so() -> None:
    base, candidate = side(task("P", name="a")), side(label="candidate", partial=("-k b",))
    found = compare_runs(base, candidate)
    assert found.tasks[0].detail == "the candidate, a partial run (by -k b) has no such task"
    assert "the candidate is a partial run, by -k b" in found.notes


def test_a_new_task_is_shown_and_decides_nothing() -> None:
    found = compare_runs(side(task("P", name="a")), side(task("P", name="a"), task("F", name="b")))
    assert (found.added, [one.task for one in found.tasks]) == (("b",), ["a"])
    assert found.exit_code is ExitCode.PASSED


def test_new_tasks_alone_are_nothing_compared() -> None:
    found = compare_runs(side(), side(task("P", name="b")))
    assert (found.added, found.tasks, found.exit_code) == (("b",), (), ExitCode.MISSING)
    assert found.verdict is Verdict.MISSING


EMPTY = TaskSide(plan=plan(is_empty=True), observations={})


@pytest.mark.parametrize(
    ("base", "candidate", "who"),
    [(EMPTY, task("P"), "base"), (task("P"), EMPTY, "candidate"), (EMPTY, EMPTY, "base")],
)
def test_an_empty_task_is_missing(base: TaskSide, candidate: TaskSide, who: str) -> None:
    (found,) = compare_runs(side(base), side(candidate)).tasks
    assert found.outcome is Outcome.MISSING
    assert found.detail == f"the {who} planned nothing: its data set has no rows, or none was selected"


@pytest.mark.parametrize(
    ("base", "candidate", "who", "tasks"),
    [(True, False, "candidate", 2), (False, True, "base", 1), (False, False, "base", 0)],
)
def test_an_unfinished_run_is_missing_evidence(base: bool, candidate: bool, who: str, tasks: int) -> None:
    ours = side(*([task("P", name="a"), task("P", name="b")] if base else []), is_finished=base)
    theirs = side(*([task("P", name="a")] if candidate else []), label="candidate", is_finished=candidate)
    found = compare_runs(ours, theirs)
    assert [one.outcome for one in found.tasks] == [Outcome.MISSING] * tasks
    assert all(f"the {who} is not finished" in one.detail for one in found.tasks)
    assert f"the {who} is not finished: there is no evidence to compare" in found.notes
    assert (found.exit_code, found.added) == (ExitCode.MISSING, ())


def test_a_run_with_itself_is_unchanged() -> None:
    one = side(task("PFTX", name="a"), task("P", name="b", has_dataset=False), task("PP", name="c", repeat=2))
    found = compare_runs(one, one)
    assert {task.outcome for task in found.tasks} == {Outcome.UNCHANGED}
    assert (found.exit_code, found.notes, found.treatment, found.timing) == (
        ExitCode.PASSED,
        ("both are the same run",),
        (),
        (),
    )


def test_a_run_with_itself_is_missing_where_it_is() -> None:
    one = side(task("P" * 1000 + "s"))
    (found,) = compare_runs(one, one).tasks
    assert found.outcome is Outcome.MISSING


def test_conditions_of_time_are_told_and_decide_nothing() -> None:
    base = side(task("P"), conditions={"concurrency": 8, "platform": "Linux", "tool": "1"})
    candidate = side(task("P"), conditions={"concurrency": 4, "platform": "Linux", "tool": "1"})
    found = compare_runs(base, candidate)
    assert [(one.field, one.base, one.candidate) for one in found.timing] == [("concurrency", "8", "4")]
    assert found.exit_code is ExitCode.PASSED


def test_a_measured_flip_rate_is_shown_beside() -> None:
    made = task("P" * 20)
    measured = TaskSide(plan=made.plan, observations=made.observations, flip_rate=FlipRate(flips=1, pairs=40))
    for base, candidate in ((measured, made), (made, measured)):
        (found,) = compare_runs(side(base), side(candidate)).tasks
        assert found.flip_rate == FlipRate(flips=1, pairs=40)


def test_the_json_says_everything_a_program_needs() -> None:
    base = side(task("P" * 20, name="a"), task("P", name="b"))
    found: RunComparison = compare_runs(base, side(task("F" * 20, name="a"), label="candidate"))
    value: dict[str, Any] = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert value["base"] == {"label": "base", "run_id": "id of base"}
    assert (value["exit_code"], value["verdict"]) == (1, "failed")
    a, b = value["tasks"]
    assert (a["outcome"], a["table"]["lost"], len(a["flips"])) == ("regressed", 20, 20)
    assert (b["outcome"], b["detail"]) == ("missing", "the candidate has no such task")
