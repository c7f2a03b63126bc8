"""Stored judgements are replayed with the replies; a judge that is given is asked for real."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.scripted import ScriptedServer

from .conftest import Evaluate, Outcome
from .replayed import evidence, sources
from .test_judge import honest, judging, verdict

SUITE = """
import pytest

@pytest.mark.infer_task(min_pass_rate=0.3)
@pytest.mark.parametrize("said", ["Mars", "Venus", "Mars again", "dunno"])
def test_it(infer, said):
    reply = infer.chat("say " + said)
    judgement = infer.judge("Which planet is red?", reply)
    assert judgement.passed

@pytest.mark.infer_task
def test_votes(infer):
    reply = infer.chat("say Mars")
    assert infer.judge("Which planet is red?", reply, votes=3, reference="Mars").passed

@pytest.mark.infer_task
def test_better(infer):
    first, same = infer.chat("say Mars"), infer.chat("say Mars")
    assert infer.judge("Which planet is red?", first, against=same).score == 0.5
"""


@pytest.fixture
def judge() -> Iterator[ScriptedServer]:
    with judging(honest) as server:
        yield server


@pytest.fixture
def parent(evaluate: Evaluate, judge: ScriptedServer) -> Outcome:
    return evaluate(SUITE, f"--infer-judge={judge.url}")


def replay(evaluate: Evaluate, parent: Outcome, source: str, *args: str, **options: Any) -> Outcome:
    return evaluate(source, f"--infer-replay={parent.folder}", *args, url=None, **options)


def judged_by(outcome: Outcome) -> set[str]:
    scores = [score for record in outcome.records.values() for score in record["scores"]]
    return {
        json.dumps(one["evaluator"], sort_keys=True) for one in scores if one["evaluator"]["kind"] == "judge"
    }


def test_judgements_and_the_judges_identity_are_those_of_the_parent(
    evaluate: Evaluate, parent: Outcome, judge: ScriptedServer
) -> None:
    assert parent.run["totals"] == {"planned": 6, "passed": 4, "failed": 2, "missing": 0}
    asked = len(judge.requests)
    again = replay(evaluate, parent, SUITE)
    assert evidence(again) == evidence(parent)
    assert sources(again) == {"replay"}
    assert again.run["judge"] == parent.run["judge"]
    assert {"identity", "judge"} <= {gate["name"] for gate in again.run["gates"]}
    assert len(judge.requests) == asked
    again.result.stdout.fnmatch_lines(["infergate: judgements are those of run * as well"])


def test_under_xdist_every_worker_finds_the_canaries_of_the_run(evaluate: Evaluate, parent: Outcome) -> None:
    again = replay(evaluate, parent, SUITE, "-n2", subprocess=True)
    assert again.verdicts == parent.verdicts
    assert judged_by(again) == judged_by(parent)


def test_a_run_of_several_workers_is_replayed_in_one_process(
    evaluate: Evaluate, judge: ScriptedServer
) -> None:
    parent = evaluate(SUITE, f"--infer-judge={judge.url}", "-n2", subprocess=True)
    again = replay(evaluate, parent, SUITE)
    assert again.verdicts == parent.verdicts
    assert judged_by(again) == judged_by(parent)


def test_the_canaries_are_found_where_only_a_later_evaluation_is_selected(
    evaluate: Evaluate, parent: Outcome
) -> None:
    again = replay(evaluate, parent, SUITE, "-k", "votes")
    assert again.verdict == ("passed", "passed", 0)


@pytest.mark.parametrize(
    "change",
    [
        ("Which planet is red?", "Which planet is blue?"),
        ("reply, votes=3", "reply, votes=7"),  # three of seven are no majority
        ('reference="Mars"', 'criteria="It names a planet."'),
    ],
)
def test_a_case_that_was_not_put_before_the_judge_is_missing(
    evaluate: Evaluate, parent: Outcome, change: tuple[str, str]
) -> None:
    again = replay(evaluate, parent, SUITE.replace(*change), "-k", "votes")
    assert again.verdict == ("missing evaluator_unavailable", "missing", 1)
    (record,) = again.records.values()
    errors = [one["error"] for one in record["exchanges"] if one["error"]]
    assert errors
    assert {error["reason"] for error in errors} == {"unreachable"}


def test_a_judge_that_is_given_is_asked_and_named(evaluate: Evaluate, parent: Outcome) -> None:
    with judging(lambda body: verdict("fail"), model="stern") as stern:
        again = replay(evaluate, parent, SUITE, f"--infer-judge={stern.url}", "-k", "Mars or Venus or dunno")
        assert stern.posts
    assert again.run["totals"]["failed"] == 4
    assert again.run["judge"]["fields"]["model"]["value"] == "stern"
    roles = {(one["role"], one["source"]) for r in again.records.values() for one in r["exchanges"]}
    assert roles == {("model", "replay"), ("judge", "server")}
    (task,) = again.run["rescored"]["tasks"]
    backends = {change["field"]: (change["before"], change["after"]) for change in task["evaluator"]}
    assert backends == {
        "backend of the judge judge": (
            "generic (version unknown), model judge, weights unknown",
            "generic (version unknown), model stern, weights unknown",
        )
    }
    assert task["causes"] == {"evaluator": 2}


def test_a_run_without_a_judge_has_no_judgements(evaluate: Evaluate, parent: Outcome) -> None:
    without = evaluate(SUITE)
    again = replay(evaluate, without, SUITE, "-k", "votes")
    (record,) = again.records.values()
    assert record["missing"]["reason"] == "evaluator_unavailable"
    assert record["missing"]["detail"] == (
        f"run {without.run['run_id']} had no judge; pass --infer-judge=URL to have its replies judged"
    )


def test_a_judge_that_failed_its_canaries_is_no_better_in_a_replay(evaluate: Evaluate) -> None:
    from tests.scripted import Received, Script, json_script, reply_stream

    def easy(received: Received) -> Script:
        if received.method == "GET":
            return json_script({"object": "list", "data": [{"id": "easy", "object": "model"}]})
        return Script(body=[reply_stream(verdict("pass"), model="easy")])

    with ScriptedServer(easy) as judge:
        parent = evaluate(SUITE, f"--infer-judge={judge.url}")
    again = replay(evaluate, parent, SUITE)
    assert parent.run["totals"]["missing"] == 6
    assert evidence(again) == evidence(parent)


def test_a_model_that_judged_itself_still_did(evaluate: Evaluate, server: ScriptedServer) -> None:
    parent = evaluate(SUITE, f"--infer-judge={server.url}")
    again = replay(evaluate, parent, SUITE)
    assert parent.run["totals"]["missing"] == 6
    assert evidence(again) == evidence(parent)
