"""Tests that end in odd ways: each is told for what it was, and none breaks the session."""

from __future__ import annotations

import pytest

from pytest_infergate.cli import main

from .conftest import Evaluate

HEAD = "import pytest\nfrom pytest_infergate import NoAnswer, extract\n"

ENDINGS = {
    "a value returned in place of an assertion judges nothing": (
        "def test_it(infer): return infer.chat('say no').text == 'yes'",
        "evaluator_error",
        "*the test returned a value of type bool, and nothing looks at it; write assert in place of return*",
    ),
    "an assertion whose own text is broken": (
        "class Broken(AssertionError):\n    def __str__(self): raise OSError\n"
        "def test_it(infer):\n    infer.chat('say x')\n    raise Broken",
        None,
        "<Broken whose text raises OSError>",
    ),
    "an exception whose own text is broken": (
        "class Broken(Exception):\n    def __str__(self): raise OSError\n"
        "def test_it(infer):\n    infer.chat('say x')\n    raise Broken",
        "evaluator_error",
        "Broken: <Broken whose text raises OSError> (*",
    ),
    "a NoAnswer of a test's own that never began": (
        "class Mine(NoAnswer):\n    def __init__(self): pass\n"
        "def test_it(infer):\n    infer.chat('say x')\n    raise Mine",
        "no_answer",
        "",
    ),
    "a detail that is no text": (
        "def test_it(infer):\n    infer.chat('say x')\n    raise NoAnswer('refused', 5)",
        "refused",
        "5",
    ),
    "a fixture that asserts before the test has judged anything": (
        "@pytest.fixture\ndef ready(): assert False, 'no disk'\n"
        "def test_it(infer, ready): infer.chat('say x')",
        "not_run",
        "the test's body did not run: no disk*",
    ),
    "a fixture of a wider scope": (
        "@pytest.fixture(scope='module')\ndef wide(infer): return infer\n"
        "def test_it(wide): wide.chat('say x')",
        "evaluator_error",
        "*ScopeMismatch*",
    ),
    "a fixture that pytest refuses while the test runs": (
        "@pytest.fixture(scope='module')\ndef wide(infer): return infer\n"
        "def test_it(infer, request):\n    infer.chat('say x')\n    request.getfixturevalue('wide')",
        "evaluator_error",
        "*ScopeMismatch*",
    ),
}


@pytest.mark.parametrize(("body", "reason", "said"), ENDINGS.values(), ids=ENDINGS.keys())
def test_ending(evaluate: Evaluate, body: str, reason: str | None, said: str) -> None:
    outcome = evaluate(HEAD + body)
    verdict = f"missing {reason}" if reason else "failed"
    assert outcome.verdict == (verdict, verdict.split()[0], 1)
    (record,) = outcome.records.values()
    detail = record["missing"]["detail"] if reason else record["message"]
    pytest.LineMatcher([detail]).fnmatch_lines([said])
    assert main(["validate", str(outcome.folder)]) == (5 if reason else 1)


def test_pytest_raises_that_raises_nothing_is_still_the_tests_word(evaluate: Evaluate) -> None:
    suite = "def test_it(infer):\n    infer.chat('say x')\n    with pytest.raises(OSError): pass"
    assert evaluate(HEAD + suite).verdict == ("failed", "failed", 1)
