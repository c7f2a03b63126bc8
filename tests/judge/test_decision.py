"""How votes become a judgement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import Exchange, NoAnswer, Reason
from pytest_infergate.judge import Judgement, JudgeVerdict, Vote, decide, plan_asks

from .made import CASE, PAIR, answer, says

ERROR, UNAVAILABLE = "evaluator_error", "evaluator_unavailable"


def vote(word: str) -> Exchange:
    return answer("?") if word == "?" else says(word)


SINGLE = [
    # votes, what they come to, why
    ("pass", "pass", "one vote is a majority of one"),
    ("fail", "fail", ""),
    ("abstain", UNAVAILABLE, "nobody judged"),
    ("?", ERROR, "no verdict was said"),
    ("pass pass fail", "pass", "two of three"),
    ("fail pass fail", "fail", "in whatever order"),
    ("pass fail", ERROR, "a tie: the judge contradicts itself"),
    ("pass pass fail fail", ERROR, "a tie of four"),
    ("pass abstain", UNAVAILABLE, "one of two is no majority"),
    ("pass abstain abstain", UNAVAILABLE, "an abstention counts against every verdict"),
    ("pass pass abstain", "pass", "two of three all the same"),
    ("pass ? ?", ERROR, "what is missing counts too"),
    ("pass pass ?", "pass", "a vote that is missing does not undo two"),
    ("abstain abstain pass", UNAVAILABLE, "abstaining cannot win"),
    ("? abstain fail", ERROR, "the vote that is missing might have decided"),
]


@pytest.mark.parametrize(("votes", "outcome", "why"), SINGLE)
def test_more_than_half_of_what_was_asked_decides(votes: str, outcome: str, why: str) -> None:
    words = votes.split()
    judgement = decide(plan_asks(CASE, len(words)), [vote(word) for word in words])
    assert told(judgement) == outcome, why
    assert len(judgement.votes) == len(words)


def told(judgement: Judgement) -> str:
    if judgement.missing is not None:
        return judgement.missing.reason.value
    assert judgement.verdict is not None
    return judgement.verdict.value


PAIRS = [
    # said of the replies in their order and of the swapped ones, what it comes to, why
    ("first second", "pass", "the same reply both times"),
    ("second first", "fail", "the other one both times"),
    ("tie tie", "tie", ""),
    ("first first", ERROR, "whichever came first"),
    ("second second", ERROR, "whichever came second"),
    ("first tie", ERROR, "a winner in one order alone"),
    ("tie second", ERROR, ""),
    ("abstain second", UNAVAILABLE, "an abstention in one order is one"),
    ("first abstain", UNAVAILABLE, ""),
    ("abstain abstain", UNAVAILABLE, ""),
    ("? second", ERROR, ""),
    ("first ?", ERROR, ""),
    ("first second first second first first", "pass", "two of three pairs"),
    ("first second second first first first", ERROR, "one, one, and a contradiction"),
]


@pytest.mark.parametrize(("answers", "outcome", "why"), PAIRS)
def test_a_verdict_on_two_replies_survives_the_swap(answers: str, outcome: str, why: str) -> None:
    said = [answer("?") if word == "?" else says(word, field="better") for word in answers.split()]
    judgement = decide(plan_asks(PAIR, len(said) // 2), said)
    assert told(judgement) == outcome, why
    assert len(judgement.votes) == len(said) // 2


def test_a_contradiction_is_told() -> None:
    judgement = decide(plan_asks(PAIR, 1), [says("first", field="better"), says("first", field="better")])
    assert str(judgement.missing) == (
        "evaluator_error: the judge contradicts itself: it preferred whichever reply came first"
    )
    judgement = decide(plan_asks(CASE, 2), [says("pass"), says("fail")])
    assert str(judgement.missing) == (
        "evaluator_error: the judge contradicts itself: no verdict has a majority (2 votes: 1 pass, 1 fail)"
    )


def test_a_judgement_is_asked_for_its_verdict_and_never_for_its_truth() -> None:
    passed = Judgement(verdict=JudgeVerdict.PASS, votes=(Vote(verdict=JudgeVerdict.PASS, reason="Mars is."),))
    assert (passed.passed, passed.score, passed.reasons) == (True, 1.0, ("Mars is.",))
    failed = Judgement(verdict=JudgeVerdict.FAIL)
    assert (failed.passed, failed.score) == (False, 0.0)
    tied = Judgement(verdict=JudgeVerdict.TIE)
    assert (tied.passed, tied.score) == (False, 0.5)
    for judgement in (passed, failed):
        with pytest.raises(TypeError, match=r"write `assert judgement\.passed`"):
            bool(judgement)


def test_a_judgement_that_is_missing_is_neither_passed_nor_not() -> None:
    judgement = decide(plan_asks(CASE, 1), [says("abstain", "It is about a town I do not know.")])
    assert judgement.score is None
    with pytest.raises(NoAnswer, match="the judge abstained: 'It is about a town I do not know") as caught:
        _ = judgement.passed
    assert caught.value.reason is Reason.EVALUATOR_UNAVAILABLE


def test_a_judgement_has_a_verdict_or_a_reason() -> None:
    for verdict in (None, JudgeVerdict.ABSTAIN):
        with pytest.raises(ValueError, match="a judgement is pass, fail, tie, or a reason"):
            Judgement(verdict=verdict)


@given(st.lists(st.sampled_from(["pass", "fail", "abstain", "?"]), min_size=1, max_size=9))
def test_a_verdict_always_has_more_than_half_of_all_votes(words: list[str]) -> None:
    judgement = decide(plan_asks(CASE, len(words)), [vote(word) for word in words])
    for word in ("pass", "fail"):
        has_majority = 2 * words.count(word) > len(words)
        assert (judgement.verdict is JudgeVerdict(word)) is has_majority
    assert (judgement.missing is None) is (judgement.verdict is not None)
