"""Scores that are none are refused or missing; nothing that a test records makes a run contradict itself."""

from __future__ import annotations

import pytest

from pytest_infergate.cli import main

from .conftest import Evaluate

REFUSED = [
    # arguments, why
    ("3, 0.5", "a name that is no text"),
    ("'', 0.5", "no name"),
    ("'a\\x1b[2J', 0.5", "a name that a terminal obeys"),
    ("'\\ud800', 0.5", "a name that no file can hold"),
    ("'passed', 1", "the verdict's own score, which may say otherwise"),
    ("'a', 0.5, unit=None", "no unit"),
    ("'a', 0.5, higher_is_better='no'", "a word that is true"),
    ("'a', 0.5, gate='no'", "the same"),
]


@pytest.mark.parametrize(("arguments", "why"), REFUSED)
def test_a_score_that_says_nothing_is_an_error_of_the_evaluation(
    evaluate: Evaluate, arguments: str, why: str
) -> None:
    outcome = evaluate(f"def test_it(infer): infer.score({arguments})", "--junitxml=j.xml")
    assert outcome.verdict == ("missing evaluator_error", "missing", 1), why
    assert main(["validate", str(outcome.folder)]) == 5


INVALID = [
    ("0.5, low=float('nan')", "a bound that every value passes"),
    ("0.5, low=1, high=0", "a range without a number"),
    ("10**5000", "more digits than Python writes"),
    ("'0.5'", "text"),
    ("[1.0]", "no single number"),
    (
        "type('T', (), {'__float__': lambda self: 1/0, '__repr__': lambda self: 1/0})()",
        "breaks when looked at",
    ),
]


@pytest.mark.parametrize(("value", "why"), INVALID)
def test_a_value_that_is_no_number_is_an_invalid_score(evaluate: Evaluate, value: str, why: str) -> None:
    outcome = evaluate(f"def test_it(infer): infer.score('a', {value})")
    assert outcome.verdict == ("missing invalid_score", "missing", 1), why


def test_a_clock_that_a_test_replaces_is_not_ours(evaluate: Evaluate) -> None:
    suite = """
    import time

    def test_it(infer, request):
        infer.chat("say x")
        real, time.monotonic = time.monotonic, lambda: -1e9
        request.config.add_cleanup(lambda: setattr(time, "monotonic", real))
    """
    outcome = evaluate(suite)
    assert outcome.result.ret == 0
    assert main(["validate", str(outcome.folder)]) == 0
