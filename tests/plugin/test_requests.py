"""What reaches the server: as many requests as evaluations, in a bounded window, and nothing after an end."""

from __future__ import annotations

import pytest

from tests.scripted import ScriptedServer

from .conftest import Evaluate

SUITE = """
import pytest
from pytest_infergate import extract

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {n}")
@pytest.mark.infer_extract(extract.number)
def test_it(answer, sample):
    assert answer == sample["n"] or sample["n"] == 5
"""


@pytest.fixture
def rows(pytester: pytest.Pytester) -> int:
    count = 60
    (pytester.path / "rows.jsonl").write_text("".join(f'{{"id": "q{n}", "n": {n}}}\n' for n in range(count)))
    return count


@pytest.mark.parametrize("args", [[], ["-n0"], ["-n2"], ["-n4"], ["-n2", "--dist=worksteal"]], ids=" ".join)
def test_requests_sent_are_evaluations_run(
    evaluate: Evaluate, server: ScriptedServer, rows: int, args: list[str]
) -> None:
    outcome = evaluate(SUITE, *args)
    outcome.result.assert_outcomes(passed=rows)
    assert outcome.run["verdict"] == "passed"
    assert len(server.posts) == rows
    asked = sorted(int(post.json["messages"][0]["content"].split()[-1]) for post in server.posts)
    assert asked == list(range(rows))


def test_order_of_tests_is_unchanged(evaluate: Evaluate, rows: int) -> None:
    outcome = evaluate(SUITE)
    assert list(outcome.verdicts) == [f"q{n}#0" for n in range(rows)]


@pytest.mark.parametrize("args", [["-x"], ["--maxfail=1"]], ids=" ".join)
def test_a_stop_at_the_first_wrong_answer_wastes_at_most_the_window(
    evaluate: Evaluate, server: ScriptedServer, rows: int, args: list[str]
) -> None:
    suite = SUITE.replace('or sample["n"] == 5', 'and sample["n"] != 5')
    outcome = evaluate(suite, "--infer-concurrency=4", *args)
    assert outcome.result.ret == 1
    assert len(server.posts) <= 6 + 2 * 4
    assert outcome.run["verdict"] == "failed"
    totals = outcome.run["totals"]
    assert totals == {"planned": rows, "passed": 5, "failed": 1, "missing": rows - 6}
    assert outcome.verdicts["q59#0"] == "missing not_run"


def test_an_interrupt_keeps_what_was_judged(evaluate: Evaluate, server: ScriptedServer, rows: int) -> None:
    suite = SUITE.replace("assert", "if sample['n'] == 5: raise KeyboardInterrupt\n    assert", 1)
    outcome = evaluate(suite, "--infer-concurrency=4", subprocess=True)
    assert outcome.result.ret == pytest.ExitCode.INTERRUPTED
    assert len(server.posts) <= 6 + 2 * 4
    assert outcome.run["totals"] == {"planned": rows, "passed": 5, "failed": 0, "missing": rows - 5}
    assert outcome.run["verdict"] == "missing"


def test_pytest_exit_with_status_0_does_not_turn_green(evaluate: Evaluate, rows: int) -> None:
    suite = SUITE.replace("assert", "if sample['n'] == 5: pytest.exit('enough', returncode=0)\n    assert", 1)
    outcome = evaluate(suite, subprocess=True)
    assert outcome.result.ret == pytest.ExitCode.TESTS_FAILED
    assert outcome.run["verdict"] == "missing"


def test_a_failing_collection_sends_nothing(evaluate: Evaluate, server: ScriptedServer, rows: int) -> None:
    outcome = evaluate(SUITE + "\n@pytest.mark.infer_task(oops=1)\ndef test_bad(infer): pass\n")
    assert outcome.result.ret == pytest.ExitCode.INTERRUPTED
    assert server.requests == []
    assert not outcome.folder.exists()


def test_collect_only_sends_nothing(evaluate: Evaluate, server: ScriptedServer, rows: int) -> None:
    outcome = evaluate(SUITE, "--collect-only", "-q")
    assert outcome.result.ret == 0
    assert server.requests == []
    assert not outcome.folder.exists()


@pytest.mark.parametrize("args", [["--setup-only"], ["--setup-plan"]], ids=" ".join)
def test_a_rehearsal_is_no_evaluation(evaluate: Evaluate, rows: int, args: list[str]) -> None:
    outcome = evaluate(SUITE, *args, "--infer-limit=3")
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "missing"


def test_a_skipped_evaluation_is_not_asked_for(evaluate: Evaluate, server: ScriptedServer, rows: int) -> None:
    outcome = evaluate(
        SUITE.replace("@pytest.mark.infer_extract", "@pytest.mark.skip\n@pytest.mark.infer_extract")
    )
    assert server.posts == []
    assert outcome.run["verdict"] == "missing"


def test_more_workers_than_requests_in_flight_are_refused(evaluate: Evaluate, rows: int) -> None:
    outcome = evaluate(SUITE, "-n3", "--infer-concurrency=2")
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    outcome.result.stderr.fnmatch_lines(
        ["ERROR: --infer-concurrency=2 is less than the 3 workers of xdist; allow at least 3, or use fewer*"]
    )
