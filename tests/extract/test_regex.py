from __future__ import annotations

import pickle
from typing import Any

import pytest

from pytest_infergate.evidence import InfergateError, NoAnswer
from pytest_infergate.extract import regex
from pytest_infergate.extract.extractor import ExtractorError
from pytest_infergate.extract.regex import PatternTimeout

from .outcome import NONE, outcome


@pytest.mark.parametrize(
    ("pattern", "text", "value", "why"),
    [
        (r"\d+", "1 then 22", "22", "the last match"),
        (r"#### (\S+)", "#### 1\n#### 2", "2", "its first group"),
        (r"(a)|(b)", "b", "b", "the whole match where the first group took no part"),
        (r"(?i)answer: *(\w+)", "ANSWER: Blue", "Blue", "inline flags"),
        (r"x(\d*)", "x", NONE, "an empty result is no answer"),
        (r"z", "abc", NONE, "no match"),
        (r"\d+", "<think>7</think>none", NONE, "reasoning is not searched"),
    ],
)
def test_the_last_match(pattern: str, text: str, value: Any, why: str) -> None:
    assert outcome(regex(pattern), text) == value, why


@pytest.mark.parametrize("pattern", ["(", "[a", "*a", "", None, 3])
def test_a_pattern_that_does_not_compile_is_refused(pattern: Any) -> None:
    with pytest.raises(ExtractorError, match=r"extract\.regex"):
        regex(pattern)


@pytest.mark.parametrize("timeout", [0, -1, 61, "1", float("nan")])
def test_a_timeout_is_seconds(timeout: Any) -> None:
    with pytest.raises(ExtractorError, match="timeout"):
        regex("a", timeout=timeout)


def test_a_pattern_that_does_not_end_is_a_fault_of_the_evaluation() -> None:
    with pytest.raises(PatternTimeout, match=r"took longer than 0.05 s on 61 characters") as caught:
        regex(r"(a|aa)+$", timeout=0.05)("a" * 60 + "b")
    assert isinstance(caught.value, InfergateError)
    assert not isinstance(caught.value, NoAnswer)


def test_a_gold_answer_is_read_with_the_pattern_or_taken_as_it_is() -> None:
    asked = regex(r"#### (\d+)")
    assert asked.parse("so\n#### 18") == "18"
    assert asked.parse("18") == "18"
    assert asked.parse(18) == "18"
    assert asked.same("18", "#### 18")
    assert asked.settings == {"pattern": r"#### (\d+)", "timeout": 1.0}
    assert pickle.loads(pickle.dumps(asked)) == asked
