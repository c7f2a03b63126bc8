"""Every way an evaluation can end, and the verdict, the run's verdict and the exit status that follow."""

from __future__ import annotations

import pytest

from .conftest import Evaluate

PASSED = ("passed", "passed", 0)
FAILED = ("failed", "failed", 1)


def missing(reason: str) -> tuple[str, str, int]:
    return f"missing {reason}", "missing", 1


HEAD = """
import pytest
from pytest_infergate import NoAnswer, Reply, extract
"""

CASES = {
    "a right answer": (
        "def test_it(infer): assert infer.chat('say yes').text == 'yes'",
        PASSED,
    ),
    "a wrong answer": (
        "def test_it(infer): assert infer.chat('say no').text == 'yes'",
        FAILED,
    ),
    "pytest.fail is a wrong answer": (
        "def test_it(infer):\n    infer.chat('say no')\n    pytest.fail('no good')",
        FAILED,
    ),
    "a score without an exchange is evidence": (
        "def test_it(infer): infer.score('length', 3, unit='words')",
        PASSED,
    ),
    "neither score nor exchange": (
        "def test_it(infer): pass",
        missing("nothing_evaluated"),
    ),
    "marked as a task, and nothing done": (
        "@pytest.mark.infer_task\ndef test_it(): pass",
        missing("nothing_evaluated"),
    ),
    "marked infer alone": (
        "@pytest.mark.infer\ndef test_it(): assert True",
        missing("nothing_evaluated"),
    ),
    "an extractor finds no answer": (
        "def test_it(infer): assert extract.number(infer.chat('say nothing')) == 3",
        missing("no_answer"),
    ),
    "NoAnswer gives its own reason": (
        "def test_it(infer):\n    infer.chat('say x')\n    raise NoAnswer('refused', 'says it will not')",
        missing("refused"),
    ),
    "an exception in the body": (
        "def test_it(infer):\n    infer.chat('say x')\n    {}['gone']",
        missing("evaluator_error"),
    ),
    "an exception in a fixture": (
        "@pytest.fixture\ndef broken(): raise OSError('no disk')\n"
        "def test_it(infer, broken): infer.chat('say x')",
        missing("evaluator_error"),
    ),
    "an exception in a teardown after a right answer": (
        "@pytest.fixture\ndef broken():\n    yield\n    raise OSError('no disk')\n"
        "def test_it(infer, broken): assert infer.chat('say x').text == 'x'",
        missing("evaluator_error"),
    ),
    "a fixture that does not exist": (
        "def test_it(infer, nowhere): infer.chat('say x')",
        missing("evaluator_error"),
    ),
    "skip in the body": (
        "def test_it(infer):\n    infer.chat('say x')\n    pytest.skip('later')",
        missing("skipped"),
    ),
    "skip mark": (
        "@pytest.mark.skip(reason='later')\ndef test_it(infer): infer.chat('say x')",
        missing("skipped"),
    ),
    "skipif mark": (
        "@pytest.mark.skipif(True, reason='later')\ndef test_it(infer): infer.chat('say x')",
        missing("skipped"),
    ),
    "skip in a fixture": (
        "@pytest.fixture\ndef gone(): pytest.skip('later')\ndef test_it(infer, gone): infer.chat('say x')",
        missing("skipped"),
    ),
    "importorskip": (
        "def test_it(infer):\n    pytest.importorskip('no_such_module')\n    infer.chat('say x')",
        missing("skipped"),
    ),
    "xfail and wrong: expected, shown, not gating": (
        "@pytest.mark.xfail\ndef test_it(infer): assert infer.chat('say no').text == 'yes'",
        ("failed", "passed", 0),
    ),
    "xfail and missing stays red": (
        "@pytest.mark.xfail\ndef test_it(infer): assert extract.number(infer.chat('say no')) == 3",
        missing("no_answer"),
    ),
    "xfail and broken stays red": (
        "@pytest.mark.xfail\ndef test_it(infer):\n    infer.chat('say no')\n    raise OSError",
        missing("evaluator_error"),
    ),
    "xfail(raises) does not make an error expected": (
        "@pytest.mark.xfail(raises=OSError)\n"
        "def test_it(infer):\n    infer.chat('say no')\n    raise OSError",
        missing("evaluator_error"),
    ),
    "xfail(run=False) never ran": (
        "@pytest.mark.xfail(run=False)\ndef test_it(infer): assert infer.chat('say no').text == 'yes'",
        missing("skipped"),
    ),
    "pytest.xfail in the body judges nothing": (
        "def test_it(infer):\n    infer.chat('say x')\n    pytest.xfail('not today')",
        missing("skipped"),
    ),
    "xfail and right: passed": (
        "@pytest.mark.xfail\ndef test_it(infer): assert infer.chat('say yes').text == 'yes'",
        PASSED,
    ),
    "strict xfail and right: pytest calls it failed, so do we": (
        "@pytest.mark.xfail(strict=True)\ndef test_it(infer): assert infer.chat('say yes').text == 'yes'",
        FAILED,
    ),
    "empty parametrize": (
        "@pytest.mark.parametrize('word', [])\ndef test_it(infer, word): infer.chat('say x')",
        None,
    ),
    "an empty reply": (
        "def test_it(infer): assert infer.chat('say ').text == ''",
        missing("empty_reply"),
    ),
    "an exchange that did not deliver, caught by the test": (
        "def test_it(infer):\n    try: infer.chat('say ')\n    except Exception: pass\n"
        "    assert infer.chat('say yes').text == 'yes'",
        missing("empty_reply"),
    ),
    "the same, allowed on the call": (
        "def test_it(infer):\n    assert infer.chat('say ', allow=['empty_reply']).text == ''",
        PASSED,
    ),
    "the same, allowed on the task": (
        "@pytest.mark.infer_task(allow=['empty_reply'])\n"
        "def test_it(infer): assert infer.chat('say ').text == ''",
        PASSED,
    ),
    "an undelivered exchange beats a failed assertion": (
        "def test_it(infer):\n    try: infer.chat('say ')\n    except Exception: pass\n    assert False",
        missing("empty_reply"),
    ),
    "a score that is not a number": (
        "def test_it(infer): infer.score('share', float('nan'))",
        missing("invalid_score"),
    ),
    "a score outside its range": (
        "def test_it(infer): infer.score('share', 1.2, low=0, high=1)",
        missing("invalid_score"),
    ),
    "a score of None": (
        "def test_it(infer): infer.score('share', None)",
        missing("invalid_score"),
    ),
    "a failing subtest": (
        "def test_it(infer, subtests):\n    infer.chat('say x')\n    with subtests.test(): assert False",
        FAILED,
    ),
    "a skipped subtest judged nothing": (
        "def test_it(infer, subtests):\n    infer.chat('say x')\n"
        "    with subtests.test(): pytest.skip('later')",
        missing("skipped"),
    ),
    "an async evaluation is refused at collection": (
        "async def test_it(infer): infer.chat('say x')",
        None,
    ),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES.keys())
def test_verdict(evaluate: Evaluate, body: str, expected: tuple[str, str, int] | None) -> None:
    outcome = evaluate(HEAD + body)
    if expected is None:
        assert outcome.result.ret != 0
        assert "passed" not in outcome.result.parseoutcomes()
    else:
        assert outcome.verdict == expected
