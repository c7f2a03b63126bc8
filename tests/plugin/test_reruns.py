"""Plugins that run failing tests again: what came first counts, what came after is kept beside it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.scripted import Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate, Outcome


class Moody:
    """Answers ``wrong`` the first time it is asked to say something but ``red``, and rightly ever after."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}
        self._lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> str:
        said = body["messages"][-1]["content"].removeprefix("say ")
        with self._lock:
            self._asked[said] = self._asked.get(said, 0) + 1
            return "wrong" if self._asked[said] == 1 and said != "red" else said


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer.answering(Moody()) as server:
        yield server


def attempts(outcome: Outcome) -> list[dict[str, Any]]:
    path = outcome.folder / "attempts.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def told(outcome: Outcome) -> list[tuple[str, int, str, str]]:
    """Because, number, evaluation and verdict of each further attempt."""
    return [
        (one["because"], one["number"], one["record"]["id"].partition("/")[2], one["record"]["verdict"])
        for one in attempts(outcome)
    ]


SUITE = """
import pytest

@pytest.mark.infer_task({task})
@pytest.mark.parametrize("word", ["blue", "red"])
def test_it({fixture}, word):
    {body}
"""
PROMPTED = {"task": 'prompt="say {word}"', "fixture": "reply", "body": "assert reply.text == word"}
FREE = {"task": "", "fixture": "infer", "body": 'assert infer.chat(f"say {word}").text == word'}
AHEAD, TALKING = SUITE.format(**PROMPTED), SUITE.format(**FREE)


@pytest.mark.parametrize(
    ("suite", "workers"),
    [(AHEAD, []), (TALKING, []), (AHEAD, ["-n2"])],
    ids=["asked ahead", "free form", "asked ahead by workers"],
)
def test_wrong_then_right_is_wrong(
    evaluate: Evaluate, server: ScriptedServer, suite: str, workers: list[str]
) -> None:
    outcome = evaluate(suite, "--reruns=2", *workers, subprocess=bool(workers))
    assert outcome.result.ret == 1
    assert outcome.verdicts == {"blue#0": "failed", "red#0": "passed"}
    assert outcome.run["totals"] == {"planned": 2, "passed": 1, "failed": 1, "missing": 0}
    assert outcome.run["verdict"] == "failed"
    assert told(outcome) == [("rerun", 1, "blue#0", "passed"), ("rerun", 2, "blue#0", "passed")]
    # Each attempt asked for itself: the reply to the first was not taken twice.
    assert len(server.posts) == 4
    assert validate_run(outcome.folder).exit_code == 1
    outcome.result.stdout.fnmatch_lines(
        [
            "*run again, the test passed; the first verdict counts",
            "1 evaluation was run again by another plugin: the first verdict counts; 1 came*",
            "*1 failed, 1 passed, 2 rerun in *",
        ]
    )


def test_attempts_share_no_evidence(evaluate: Evaluate) -> None:
    suite = """
        import pytest

        @pytest.mark.infer_task
        def test_it(infer):
            text = infer.chat("say blue").text
            infer.score("length", len(text), unit="characters")
            assert text == "blue"
    """
    outcome = evaluate(suite, "--reruns=1")
    (first,), (attempt,) = outcome.records.values(), attempts(outcome)
    again = attempt["record"]
    for record, text in ((first, "wrong"), (again, "blue")):
        assert [one["reply"]["text"] for one in record["exchanges"]] == [text]
        assert [one["value"] for one in record["scores"] if one["name"] == "length"] == [len(text)]
    assert first["message"].startswith("assert 'wrong' == 'blue'")
    assert again["message"] is None
    assert again["started"] >= first["started"]


def test_an_answer_of_the_first_attempt_is_not_one_of_the_second(evaluate: Evaluate) -> None:
    suite = """
        import pytest
        from pytest_infergate import extract

        @pytest.mark.infer_task(prompt="say blue")
        @pytest.mark.infer_extract(extract.last_line)
        def test_it(answer):
            assert answer == "blue"
    """
    outcome = evaluate(suite, "--reruns=1")
    (first,), (attempt,) = outcome.records.values(), attempts(outcome)
    assert (first["answer"], attempt["record"]["answer"]) == ('"wrong"', '"blue"')


def test_a_wrong_sample_that_its_task_tolerates_is_not_run_again(
    evaluate: Evaluate, server: ScriptedServer
) -> None:
    suite = SUITE.format(**(PROMPTED | {"task": 'prompt="say {word}", min_pass_rate=0.5'}))
    outcome = evaluate(suite, "--reruns=2")
    assert outcome.result.ret == 0
    assert outcome.verdicts == {"blue#0": "failed", "red#0": "passed"}
    assert len(server.posts) == 2
    assert told(outcome) == []
    assert outcome.run["attempts"] is None


def test_a_task_whose_gate_failed_stays_red(evaluate: Evaluate) -> None:
    suite = SUITE.format(**(PROMPTED | {"task": 'prompt="say {word}", min_pass_rate=0.9'}))
    outcome = evaluate(suite, "--reruns=2")
    assert (outcome.result.ret, outcome.run["verdict"]) == (1, "failed")


@pytest.mark.parametrize(
    ("options", "again"),
    [
        (["--reruns=1", "--only-rerun=AssertionError"], 1),
        (["--reruns=1", "--only-rerun=ValueError"], 0),
        (["--reruns=1", "--rerun-except=AssertionError"], 0),
        (["--reruns=0"], 0),
        (["--reruns=1", "--fail-on-flaky"], 1),
    ],
)
def test_the_options_of_the_other_plugin_decide_how_often(
    evaluate: Evaluate, options: list[str], again: int
) -> None:
    outcome = evaluate(TALKING, *options)
    assert outcome.result.ret == 1
    assert outcome.verdicts == {"blue#0": "failed", "red#0": "passed"}
    assert len(attempts(outcome)) == again


def test_a_mark_on_the_test_is_obeyed(evaluate: Evaluate) -> None:
    suite = TALKING.replace("@pytest.mark.infer", "@pytest.mark.flaky(reruns=2)\n@pytest.mark.infer")
    outcome = evaluate(suite)
    assert outcome.result.ret == 1
    assert told(outcome) == [("rerun", 1, "blue#0", "passed"), ("rerun", 2, "blue#0", "passed")]


@pytest.mark.parametrize("reason", [503, 400])
def test_missing_then_right_is_missing(evaluate: Evaluate, reason: int) -> None:
    asked = 0

    def handle(received: Any) -> Script:
        nonlocal asked
        if received.method == "GET":
            return json_script({"object": "list", "data": [{"id": "m", "object": "model"}]})
        asked += 1
        return (
            json_script({"error": "no"}, status=reason) if asked == 1 else Script(body=[reply_stream("red")])
        )

    with ScriptedServer(handle) as server:
        suite = 'def test_it(infer):\n    assert infer.chat("say red").text == "red"'
        outcome = evaluate(suite, "--reruns=1", "--infer-retries=0", url=server.url)
    assert outcome.verdict == ("missing server_error", "missing", 1)
    assert told(outcome) == [("rerun", 1, "0#0", "passed")]
    outcome.result.stdout.fnmatch_lines(["*1 rerun, 1 missing in *"])


def test_a_broken_test_that_works_the_second_time_is_missing(evaluate: Evaluate) -> None:
    suite = """
        tries = []

        def test_it(infer):
            tries.append(1)
            infer.chat("say red")
            if len(tries) == 1:
                raise OSError("no")
    """
    outcome = evaluate(suite, "--reruns=1")
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)
    assert told(outcome) == [("rerun", 1, "0#0", "passed")]


def test_a_set_up_that_works_the_second_time_is_missing(evaluate: Evaluate, server: ScriptedServer) -> None:
    suite = """
        import pytest
        tries = []

        @pytest.fixture
        def flaky():
            tries.append(1)
            if len(tries) == 1:
                raise OSError("no")

        @pytest.mark.infer_task(prompt="say red")
        def test_it(flaky, reply):
            assert reply.text == "red"
    """
    outcome = evaluate(suite, "--reruns=1")
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)
    assert told(outcome) == [("rerun", 1, "0#0", "passed")]
    assert len(server.posts) == 1  # what was asked ahead was not taken the first time


def test_a_tear_down_that_fails_once_is_the_verdict(evaluate: Evaluate) -> None:
    suite = """
        import pytest
        tries = []

        @pytest.fixture
        def checked():
            yield
            tries.append(1)
            assert len(tries) > 1, "left something behind"

        def test_it(checked, infer):
            assert infer.chat("say red").text == "red"
    """
    outcome = evaluate(suite, "--reruns=1")
    assert outcome.verdict == ("failed", "failed", 1)
    assert told(outcome) == [("rerun", 1, "0#0", "passed")]


def test_an_evaluation_that_took_its_worker_down_did_not_run(evaluate: Evaluate) -> None:
    """pytest-rerunfailures gives the test of a dead worker to another one."""
    suite = """
        import os, pathlib, pytest

        @pytest.mark.infer_task
        @pytest.mark.parametrize("n", range(4))
        def test_it(infer, n):
            assert infer.chat("say red").text == "red"
            mark = pathlib.Path("died")
            if n == 1 and not mark.exists():
                mark.touch()
                os._exit(1)
    """
    outcome = evaluate(suite, "-n2", "--reruns=1", subprocess=True)
    assert outcome.result.ret == 1
    assert outcome.verdicts["1#0"] == "missing not_run"
    assert outcome.run["totals"] == {"planned": 4, "passed": 3, "failed": 0, "missing": 1}
    assert told(outcome) == [("rerun", 1, "1#0", "passed")]


#: What a plugin does that runs the body again before it lets go of the report, as pytest-retry does.
INSIDE = """
import pytest
from _pytest.runner import CallInfo

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call" and call.excinfo is not None:
        for _ in range(2):
            hook, near = item.ihook, item.parent
            CallInfo.from_call(lambda: hook.pytest_runtest_teardown(item=item, nextitem=near), "teardown")
            item._initrequest()
            CallInfo.from_call(lambda: hook.pytest_runtest_setup(item=item), "setup")
            again = CallInfo.from_call(lambda: hook.pytest_runtest_call(item=item), "call")
            if again.excinfo is None:
                report.outcome, report.longrepr = "passed", None
    return report
"""
#: What a plugin does that lets go of no report before the last attempt.
SILENT = """
import pytest
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for last in (False, False, True):
        if last:
            item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, log=last, nextitem=nextitem if last else item.parent)
        item._initrequest()
    return True
"""


@pytest.mark.parametrize(
    ("plugin", "workers"),
    [(INSIDE, []), (SILENT, []), (SILENT, ["-n2"])],
    ids=["inside", "silent", "silent workers"],
)
def test_plugins_of_other_make_are_seen_through(
    evaluate: Evaluate, pytester: pytest.Pytester, plugin: str, workers: list[str]
) -> None:
    pytester.makeconftest(plugin)
    suite = 'def test_it(infer):\n    assert infer.chat("say blue").text == "blue"'
    outcome = evaluate(suite, *workers, "-p", "no:rerunfailures", subprocess=bool(workers))
    assert outcome.verdict == ("failed", "failed", 1)
    assert told(outcome) == [("rerun", 1, "0#0", "passed"), ("rerun", 2, "0#0", "passed")]
    texts = [one["record"]["exchanges"][0]["reply"]["text"] for one in attempts(outcome)]
    assert texts == ["blue", "blue"]
    assert len(outcome.records["test_it.test_it/0#0"]["exchanges"]) == 1
    assert validate_run(outcome.folder).is_valid


def test_right_then_wrong_is_right_and_said(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(SILENT)
    suite = """
        tries = []

        def test_it(infer):
            tries.append(1)
            assert infer.chat("say red").text == ("red" if len(tries) == 1 else "blue")
    """
    outcome = evaluate(suite, "-p", "no:rerunfailures")
    assert outcome.verdicts == {"0#0": "passed"}
    assert [verdict for *_, verdict in told(outcome)] == ["failed", "failed"]
    # The report of the last attempt is pytest's own, and red.
    assert outcome.result.ret == 1
    outcome.result.stdout.fnmatch_lines(["1 evaluation was run again*; 1 came*"])


def test_the_same_verdict_again_is_no_change(evaluate: Evaluate) -> None:
    outcome = evaluate('def test_it(infer):\n    assert infer.chat("say red").text == "blue"', "--reruns=1")
    assert told(outcome) == [("rerun", 1, "0#0", "failed")]
    outcome.result.stdout.fnmatch_lines(["1 evaluation was run again*; none*"])


def test_ordinary_tests_are_run_again_as_ever(evaluate: Evaluate) -> None:
    suite = """
        tries = []

        def test_ordinary():
            tries.append(1)
            assert len(tries) > 1

        def test_eval(infer):
            assert infer.chat("say red").text == "red"
    """
    outcome = evaluate(suite, "--reruns=1")
    assert outcome.result.ret == 0
    outcome.result.assert_outcomes(passed=2)
    assert told(outcome) == []
