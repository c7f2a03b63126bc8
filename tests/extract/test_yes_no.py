from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.extract import GoldError, yes_no

from .outcome import NONE, outcome

CASES = [
    ("Yes", True, "the word"),
    ("**Yes**, it is.", True, "in bold"),
    ("YES!", True, "in capitals"),
    ('"No"', False, "in quotes"),
    ("No because it is even", False, "a reason follows"),
    ("No\n\nThe sun is a star", False, "a line of its own"),
    ("The answer is yes.", True, "announced"),
    ("Answer: yes\n\nExplanation: no planet is flat.", True, "an announcement outranks what follows"),
    ("\\boxed{\\text{Yes}}", True, "boxed"),
    ("<answer>no</answer>", False, "tagged"),
    ("True", True, "the other pair of words"),
    ("Let me think. 7 is odd. So yes.", True, "reasoned first"),
    ("Is 7 even? No. Is it odd? Yes. Therefore, yes.", True, "a conclusion outranks what led to it"),
    ("Yes or no? Yes.", True, "an echo of the question does not count"),
    ("Yes/No: No", False, "an echo of the question does not count"),
    ("Yes, there is no doubt.", True, "a determiner is no answer"),
    ("I think yes.", True, "hedged"),
    ("I would say no.", False, "hedged"),
    ("The statement is true.", True, "said of the statement"),
    ("That is false.", False, "said of the statement"),
    ("It is not true.", NONE, "denied"),
    ("This is true only if x is odd.", NONE, "on a condition"),
    ("No, but yes for some", NONE, "both"),
    ("Yes.\n\nQ: Is the sun cold?\nA: No.", True, "a question that the model asked itself"),
    ("Yes<|im_end|>", True, "a leaked token"),
    ("Nein, das stimmt nicht.", False, "German"),
    ("是的,没错", True, "Chinese"),
    ("いいえ、違います。", False, "Japanese"),
    ("Да", True, "Russian"),
    ("答えはyesです。", True, "Japanese around an English word"),
    ("答えはnoです。", False, "Japanese around an English word"),
    ("__yes__", True, "bold by underscores"),
    ("The answer is __no__.", False, "bold by underscores, announced"),
    ("\\(\\text{no}\\)", False, "mathematics in a line"),
    ("Let me see.\n\n```text\nno\n```\n\nI hope this helps!", False, "a line of its own in a fence"),
    ("no Wait, no — yes", True, "taken back"),
    ("No, that's not right — yes it is", NONE, "contradicts itself"),
    ("Yes. Wait, no.", NONE, "contradicts itself"),
    ("Yes and no", NONE, "both"),
    ("not yes", NONE, "denied"),
    ("The answer is not yes.", NONE, "denied"),
    ("No prime is even.", NONE, "a determiner"),
    ("There is no way.", NONE, "a determiner"),
    ("No one knows", NONE, "a pronoun"),
    ("No longer", NONE, "an adverb"),
    ("Yesterday it rained", NONE, "the beginning of another word"),
    ("I don't know", NONE, "declined"),
    ("Answer: cannot be determined", NONE, "declined"),
]


@pytest.mark.parametrize(
    ("text", "value"), [pytest.param(t, v, id=f"{why}: {t[:20]!r}") for t, v, why in CASES]
)
def test_yes_or_no(text: str, value: Any) -> None:
    assert outcome(yes_no, text) is value


@pytest.mark.parametrize(
    ("gold", "value"), [(True, True), ("no", False), ("Yes.", True), ("false", False), ("да", True)]
)
def test_gold_answers(gold: object, value: bool) -> None:
    assert yes_no.parse(gold) is value
    assert yes_no.same(value, gold)
    assert not yes_no.same(not value, gold)


@pytest.mark.parametrize("gold", [None, 1, "maybe", "", []])
def test_a_gold_answer_that_is_neither_is_a_fault_of_the_data(gold: object) -> None:
    with pytest.raises(GoldError):
        yes_no.parse(gold)
    assert not yes_no.same(True, gold)
