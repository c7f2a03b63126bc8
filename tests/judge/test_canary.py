"""Canaries: cases with a known verdict."""

from __future__ import annotations

import pytest

from pytest_infergate.judge import (
    SHIPPED_CANARIES,
    Canary,
    JudgeError,
    Judgement,
    JudgeVerdict,
    canary_problem,
    decide,
    plan_asks,
    read_canary,
)
from pytest_infergate.tasks import load_dataset

from .made import says

SHIPPED = [
    read_canary(dict(row), id=row.id, source=row.source) for row in load_dataset(SHIPPED_CANARIES).samples
]


@pytest.mark.parametrize("is_pairwise", [False, True])
def test_the_shipped_ones_hold_known_good_and_known_bad_of_both_forms(is_pairwise: bool) -> None:
    expected = {canary.expected.value for canary in SHIPPED if canary.case.is_pairwise is is_pairwise}
    assert expected == {"pass", "fail"}
    assert any(word in canary.case.reply for canary in SHIPPED for word in ("Ignore", "verdict"))


@pytest.mark.parametrize("word", ["pass", "fail", "abstain"])
def test_a_judge_that_always_says_the_same_gets_some_wrong(word: str) -> None:
    single = [canary for canary in SHIPPED if not canary.case.is_pairwise]
    problems = [canary_problem(one, decide(plan_asks(one.case, 1), [says(word)])) for one in single]
    assert any(problems)


@pytest.mark.parametrize("words", [("first", "first"), ("second", "second"), ("tie", "tie")])
def test_a_judge_that_looks_at_the_order_gets_some_wrong(words: tuple[str, str]) -> None:
    pairs = [canary for canary in SHIPPED if canary.case.is_pairwise]
    said = [says(word, field="better") for word in words]
    assert any(canary_problem(one, decide(plan_asks(one.case, 1), said)) for one in pairs)


def test_what_came_out_wrong_is_told() -> None:
    canary = read_canary(
        {"question": "q", "reply": "r", "expected": "fail"}, id="bad", source="canaries.jsonl:3"
    )
    judgement = decide(plan_asks(canary.case, 1), [says("pass", "It is\nfine.")])
    assert canary_problem(canary, judgement) == (
        "canary 'bad' (canaries.jsonl:3) must get fail and got pass: 'It is fine.'"
    )
    assert canary_problem(canary, Judgement(verdict=JudgeVerdict.FAIL)) is None


ROWS = [
    ({"question": "q", "reply": "r", "expected": "pass"}, JudgeVerdict.PASS),
    ({"id": "x", "question": "q", "reply": "r", "expected": "fail", "criteria": "c"}, JudgeVerdict.FAIL),
    ({"question": "q", "reply": "r", "against": "s", "expected": "tie"}, JudgeVerdict.TIE),
]


@pytest.mark.parametrize(("fields", "expected"), ROWS)
def test_a_row_is_read(fields: dict[str, object], expected: JudgeVerdict) -> None:
    canary = read_canary(fields, id="x", source="f:1")
    assert isinstance(canary, Canary)
    assert canary.expected is expected


BAD_ROWS = [
    ({"question": "q", "reply": "r"}, "f:1: expected=None is none of pass, fail; correct the row"),
    ({"question": "q", "reply": "r", "expected": "tie"}, "f:1: expected='tie' is none of pass, fail; *"),
    ({"question": "q", "reply": "r", "expected": "abstain"}, "f:1: expected='abstain' is none of *"),
    ({"question": "q", "reply": "r", "expected": True}, "f:1: expected=True is none of *"),
    ({"question": "q", "expected": "pass"}, "f:1: reply=None is not a text to judge by*"),
    ({"question": "q", "reply": "r", "expects": "pass"}, "f:1: unknown field 'expects'; a canary has *"),
]


@pytest.mark.parametrize(("fields", "line"), BAD_ROWS)
def test_a_row_that_is_none_is_told_with_its_place(fields: dict[str, object], line: str) -> None:
    with pytest.raises(JudgeError) as caught:
        read_canary(fields, id="x", source="f:1")
    assert str(caught.value).startswith(line.rstrip("*"))
