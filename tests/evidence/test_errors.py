"""A reply that holds nothing to judge."""

from __future__ import annotations

import pickle

import pytest

from pytest_infergate.evidence import InfergateError, Missing, NoAnswer, Reason


def test_no_answer_carries_its_reason_across_processes() -> None:
    error = pickle.loads(pickle.dumps(NoAnswer("truncated", "cut after 10 tokens")))
    assert isinstance(error, InfergateError)
    assert error.missing == Missing(Reason.TRUNCATED, "cut after 10 tokens")
    assert str(error) == "truncated: cut after 10 tokens"


def test_no_answer_without_a_reason_is_no_answer() -> None:
    assert NoAnswer().missing == Missing(Reason.NO_ANSWER, "")


def test_a_reason_outside_the_list_is_refused() -> None:
    with pytest.raises(ValueError, match="bored"):
        NoAnswer("bored")
