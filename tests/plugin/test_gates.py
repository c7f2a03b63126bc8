"""Tasks that tolerate single samples: the gate decides, in its three outcomes."""

from __future__ import annotations

import pytest

from .conftest import Evaluate

SUITE = """
import pytest
from pytest_infergate import extract

WORDS = {words!r}

@pytest.mark.infer_task({arguments})
@pytest.mark.parametrize("said", WORDS)
def test_it(infer, said):
    if said == "broken":
        raise OSError("a bug in the evaluation")
    assert extract.number(infer.chat(f"say {{said}}")) == 1
"""

#: Words said → what they come to: "1" passed, "2" failed, "x" no answer (model), "broken" evaluator.
CASES = [
    # words, arguments, gate, exit status, why
    ("1 1 1 2", "min_pass_rate=0.75", "passed", 0, "lo reaches min"),
    ("1 1 2 2", "min_pass_rate=0.75", "failed", 1, "hi is below min"),
    ("1 1 x x", "min_pass_rate=0.75", "missing", 1, "min lies between lo and hi"),
    ("1 1 1 x", "min_pass_rate=0.75", "passed", 0, "what the model did not deliver counts through lo alone"),
    ("1 1 1 broken", "min_pass_rate=0.75", "missing", 1, "missing beyond the model is above max_missing 0"),
    ("1 1 1 broken", "min_pass_rate=0.75, max_missing=0.25", "passed", 0, "within max_missing"),
    ("2 broken broken broken", "min_pass_rate=0.8", "failed", 1, "even if all that is missing were right"),
    ("1 1 1 1", "min_pass_rate=1", "passed", 0, "everything right"),
    ("1 1 1 2", "", "failed", 1, "without min_pass_rate every sample gates"),
    ("1 1 1 x", "", "missing", 1, "without min_pass_rate nothing may be missing"),
    ("1 1 1 1", "", "passed", 0, "without min_pass_rate, everything right"),
    (
        "1 x x x",
        "min_pass_rate=0.2, max_missing=0",
        "passed",
        0,
        "the model's silence is no evaluator's fault",
    ),
]


@pytest.mark.parametrize("xdist", [[], ["-n2"]], ids=["plain", "n2"])
@pytest.mark.parametrize(("words", "arguments", "gate", "status", "why"), CASES)
def test_task_gate(
    evaluate: Evaluate, words: str, arguments: str, gate: str, status: int, why: str, xdist: list[str]
) -> None:
    outcome = evaluate(SUITE.format(words=words.split(), arguments=arguments), *xdist)
    (found,) = [one for one in outcome.run["gates"] if one["name"] == "task"]
    assert found["verdict"] == gate, why
    assert int(outcome.result.ret) == status, why
    assert outcome.run["verdict"] == gate


def test_tolerated_samples_are_shown_and_the_gate_reports_for_itself(evaluate: Evaluate) -> None:
    outcome = evaluate(SUITE.format(words=["1", "2", "x"], arguments="min_pass_rate=0.9"), "-v")
    outcome.result.stdout.fnmatch_lines(
        [
            "test_it.py::test_it[[]1[]] PASSED*",
            "test_it.py::test_it[[]2[]] WRONG*",
            "test_it.py::test_it[[]x[]] MISSING*",
            "test_it.py::test_it[[]gate[]] GATE FAILED*",
        ]
    )
    outcome.result.assert_outcomes(passed=1, failed=1)
    assert outcome.result.parseoutcomes() == {"passed": 1, "failed": 1, "wrong": 1, "missing": 1}


def test_an_expected_failure_is_outside_of_the_gate(evaluate: Evaluate) -> None:
    suite = SUITE.format(words=["1", "2"], arguments="min_pass_rate=1").replace(
        "WORDS = ['1', '2']", "WORDS = ['1', pytest.param('2', marks=pytest.mark.xfail)]"
    )
    outcome = evaluate(suite)
    assert outcome.run["verdict"] == "passed"
    assert outcome.result.ret == 0
    assert outcome.result.parseoutcomes() == {"passed": 1, "xfailed": 1}
    (task,) = outcome.run["tasks"]
    assert task["totals"] == {"planned": 2, "passed": 1, "failed": 1, "missing": 0}
