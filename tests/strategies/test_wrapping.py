"""What the strategies make is what they say."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from pytest_infergate import strategies
from pytest_infergate.evidence import Reason, split_reasoning
from pytest_infergate.strategies import EVERY_WRAPPING, Wrapped, Wrapping, replies, wrapped
from pytest_infergate.strategies.wrapping import respelled

ANSWERS = ["42", "Paris", "-1234.5", "\\boxed{1}", "two\nlines", "```python\nx = 1\n```"]


@given(wrapped(st.sampled_from(ANSWERS), others=["17", "Rome"]))
def test_the_answer_stands_in_its_text_behind_the_reasoning(made: Wrapped) -> None:
    split = split_reasoning(made.text)
    assert not split.is_open
    assert bool(split.reasoning or split.answer != made.text) <= (Wrapping.REASONING in made.wrappings)
    if Wrapping.LOCALE not in made.wrappings:
        assert made.answer in split.answer
    assert str(made) == made.text


@pytest.mark.parametrize("wrapping", Wrapping)
def test_every_wrapping_can_be_had_alone(wrapping: Wrapping) -> None:
    made = find(
        wrapped("1234.5", wrappings=[wrapping], others=["17"]), lambda made: wrapping in made.wrappings
    )
    assert made.wrappings == {wrapping}
    assert made.text != "1234.5"


@given(wrapped("42", wrappings=()))
def test_without_a_wrapping_the_answer_stands_bare(made: Wrapped) -> None:
    assert (made.text, made.answer, made.wrappings) == ("42", "42", frozenset())


@given(wrapped("42", others=["42"]))
def test_without_another_answer_nothing_is_taken_back(made: Wrapped) -> None:
    assert not made.wrappings & {Wrapping.RETRACTION, Wrapping.AFTERTHOUGHT}


@given(wrapped("42", wrappings=[Wrapping.AFTERTHOUGHT, Wrapping.RETRACTION], others=["17"]))
def test_what_is_taken_back_stands_first(made: Wrapped) -> None:
    if made.wrappings:
        assert made.text.index("17") < made.text.index("42")


@pytest.mark.parametrize(
    ("answer", "spellings", "why"),
    [
        (
            "1234.5",
            ["1,234.5", "1.234,5", "1 234,5", "1\u202f234,5", "1\u00a0234,5", "1'234.5"],
            "both marks",
        ),
        ("1234", ["1,234", "1 234", "1\u202f234", "1\u00a0234", "1'234"], "1.234 is also one and a bit"),
        ("3.5", ["3,5"], "a decimal comma"),
        ("3.125", [], "3,125 is also three thousand"),
        ("-7", ["\u22127"], "the sign of mathematics"),
        ("42", [], "there is no other way"),
        ("007", [], "a name, not a number"),
        ("Paris", [], "no number"),
        ("1,234", [], "no plain number"),
    ],
)
def test_a_number_is_respelled_only_where_it_has_one_reading(
    answer: str, spellings: list[str], why: str
) -> None:
    assert respelled(answer) == spellings, why


@pytest.mark.parametrize(
    "reason", [Reason.TRUNCATED, Reason.REFUSED, Reason.EMPTY_REPLY, Reason.BROKEN_STREAM, None]
)
def test_replies_are_of_every_kind(reason: Reason | None) -> None:
    made = find(replies(), lambda reply: (reply.missing.reason if reply.missing else None) is reason)
    assert (made.missing.reason if made.missing else None) is reason


def test_replies_with_tool_calls_deliver() -> None:
    made = find(replies(), lambda reply: bool(reply.tool_calls))
    assert made.missing is None


@settings(max_examples=30)
@given(replies(st.just("42")))
def test_replies_say_what_is_asked_for(reply: object) -> None:
    assert str(reply) in ("42", "", " ", "\n\n")


def test_without_hypothesis_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import pytest_infergate.strategies"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: pytest_infergate.strategies needs Hypothesis; "
        "pip install 'pytest-infergate[hypothesis]'"
    )


def test_the_front_door_is_this() -> None:
    assert strategies.__all__ == [
        "EVERY_WRAPPING",
        "BrokenPromise",
        "Promise",
        "Wrapped",
        "Wrapping",
        "check_extractor",
        "replies",
        "streams",
        "wrapped",
    ]
    assert frozenset(Wrapping) == EVERY_WRAPPING
