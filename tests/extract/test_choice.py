from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import NoAnswer
from pytest_infergate.extract import GoldError, choice
from pytest_infergate.extract.extractor import ExtractorError

from .outcome import NONE, outcome

TOOLS = {"A": "hammer", "B": "saw", "C": "drill", "D": "file"}
LETTERS = [
    ("(B)", "B", "brackets"),
    ("B.", "B", "a full stop"),
    ("**B**", "B", "bold"),
    ("b", "B", "the letter alone, in lower case"),
    ("Ｂ", "B", "full width"),
    ("B) saw", "B", "the label with its text"),
    ("$\\boxed{\\text{(B)}}$", "B", "boxed text"),
    ("<answer>B</answer>", "B", "a tag"),
    ("Answer: B", "B", "announced"),
    ("Answer:\nB", "B", "announced, on the next line"),
    ("Final Answer: **(D)**", "D", "announced in bold"),
    ("**Answer: C) because**", "C", "a bracket after the letter"),
    ("The correct option is b)", "B", "lower case with a bracket"),
    ("The best choice is D.", "D", "another noun"),
    ("The answer is option B.", "B", "a noun before the letter"),
    ("The answer is C, given that a drill turns.", "C", "the article is no choice"),
    ("The answer is A", "A", "the letter A at the end"),
    ("The answer is C not B", "C", "a denied letter after it"),
    ("The answer is not A but C.", "C", "a denied letter before it"),
    ("Not A, but C", "C", "denied without an announcement"),
    ("Options A and B are wrong, so it is C.", "C", "elimination"),
    ("So A is wrong. B is wrong. C is wrong. Hence D.", "D", "elimination in sentences"),
    ("B is correct.", "B", "said to be right"),
    ("I choose (D) because A is a trap.", "D", "chosen"),
    ("Option C is the best answer, since option A is wrong.", "C", "chosen, another rejected"),
    ("B. saw\nbecause it cuts", "B", "the first line"),
    ("B\n\nExplanation: A and C fail.", "B", "the first line alone"),
    ("A) no\nB) no\nC) yes\nD) no\n\nSo C.", "C", "a walk through the options is no choice"),
    ("Let's think. It must turn. So the answer is (C).\n", "C", "reasoned first"),
    ("After elimination we are left with D", "D", "the last word"),
    ("I am not sure, but B", "B", "hedged is still an answer"),
    ("Answer: It is not B, the answer is D", "D", "announced twice, the first denied"),
    ("Answer: rules out C, leaving D", "D", "ruled out"),
    ("I considered (A), but it is incorrect. Final answer: D.", "D", "considered first"),
    ("Answer: this asks which is a colour\nSo we compare.\nANSWER: B", "B", "the line that holds one"),
    ("B - because it cuts", "B", "a dash after it"),
    ("A because it cuts", "A", "a reason after it"),
    ("option c is right", "C", "lower case after its noun, said to be right"),
    ("C is my answer", "C", "said the other way round"),
    ("C is the only option", "C", "said to be the only one"),
    ("I don't think it's B; it's C.", "C", "thought not to be"),
    ("So C or D. I guess D.", "D", "guessed in the end"),
    ("Hmm, D?", "D", "a question mark"),
    ("→ C", "C", "an arrow"),
    ("C C C", "C", "one letter several times"),
    ("B) saw. A) is blunt, C) turns, D) grinds.", "B", "the others explained after it"),
    ("C</s>", "C", "a leaked token"),
    (
        "The answer is C.\n\nQuestion: Next?\nA. x\nB. y\nAnswer: B",
        "C",
        "a question that the model asked itself",
    ),
    ("C\n\nQ: Which is heavy?\nAnswer: A", "C", "a bare answer, then another question"),
    ("正解はCです", "C", "Japanese, no space after the letter"),
    ("所以B是对的", "B", "Chinese: is right"),
    ("ANSWER: A, B and C", NONE, "three letters announced"),
    ("Both A and D are correct", NONE, "two said to be right"),
    ("It can't be A. It can't be B. So C or D.", NONE, "two are left"),
    ("B\nC", NONE, "two letters on two lines"),
    ("A: no. B: no. C: yes. D: no.", NONE, "a walk through the options on one line"),
    ("Hepatitis C", NONE, "a letter of a name"),
    ("正确答案是B。", "B", "Chinese"),
    ("答案是A。", "A", "Chinese: no article before a full stop"),
    ("答えはAです。", "A", "Japanese: no article before a letter of its own"),
    ("\\(\\text{A}\\)", "A", "mathematics in a line"),
    ("__B__", "B", "bold by underscores"),
    ("```\nA\n```", "A", "in a fence"),
    ("### A\n\nI hope this helps!", "A", "a heading, then a courtesy"),
    ("Let me see.\n\n```text\nD\n```\n\nI hope this helps!", "D", "a line of its own in a fence"),
    ("A\nno\nB\nno", NONE, "several lines of their own"),
    ("La respuesta correcta es B.", "B", "Spanish"),
    ("A or B", NONE, "two letters"),
    ("A) or B)?", NONE, "two letters with brackets"),
    ("Option B", "B", "a noun before the letter, nothing else"),
    ("option b", "B", "the same in lower case"),
    ("Answer B", "B", "a noun without a colon"),
    ("Definitely C!", "C", "an adverb"),
    ("Of these, D fits best.", "D", "said to fit best"),
    ("选C", "C", "Chinese: choose"),
    ("答案选B", "B", "Chinese: the answer chooses"),
    ("Answer: A and B", NONE, "two letters announced"),
    ("The answer is neither A nor B", NONE, "both denied"),
    ("The answer is not A.", NONE, "denied"),
    ("The answer is E", NONE, "no such option"),
    ("Answer: Cannot be told from this", NONE, "declined: letters inside words are no choice"),
    ("none of the above", NONE, "declined"),
    ("A drill is best", NONE, "an article, not a letter"),
    ("Because a dog is not a cat.", NONE, "articles only"),
    ("Vitamin C is good", NONE, "a letter of a name"),
    ("ABCD", NONE, "letters in a row"),
    ("Answer: ABC", NONE, "letters in a row, announced"),
]
TEXTS = [
    ("saw", "B", "the text of an option"),
    ("The drill.", "C", "with an article and a full stop"),
    ("It's the drill.", "C", "in a sentence"),
    ("The answer is a drill", "C", "announced text, after the article"),
    ("The answer is A drill", "C", "a capital article before another option's text"),
    ("The answer is A hammer", "A", "the letter before its own text"),
    ("A: saw", "A", "a label before another option's text"),
    ("saw and file", NONE, "two texts joined"),
    ("A: hammer", "A", "label and text"),
    ("It could be a drill or a saw.", NONE, "two texts"),
]


@pytest.mark.parametrize(("text", "label"), [pytest.param(t, v, id=why) for t, v, why in LETTERS])
def test_the_letter_that_is_chosen(text: str, label: Any) -> None:
    assert outcome(choice("ABCD"), text) == label


@pytest.mark.parametrize(("text", "label"), [pytest.param(t, v, id=why) for t, v, why in TEXTS])
def test_the_option_whose_text_is_chosen(text: str, label: Any) -> None:
    assert outcome(choice(TOOLS), text) == label


@pytest.mark.parametrize(
    ("options", "text", "label", "why"),
    [
        (
            {"B": "crust", "D": "core", "E": "ocean"},
            "core",
            "D",
            "a text belongs to its own label, not to its place",
        ),
        ("ABCDEFGHI", "I think it is B", "B", "the pronoun is no choice"),
        ("ABCDEFGHI", "I believe the answer is F.", "F", "the pronoun is no choice"),
        ("ABCDEFGHI", "The answer is I", "I", "the letter I"),
        (["yes", "no", "maybe"], "The answer is maybe.", "maybe", "labels that are words"),
        (["cat", "dog"], "This is a dog.", "dog", "a word in a sentence"),
        ("1234", "The answer is 3", "3", "labels that are digits"),
        ({"A": "heat", "B": "heat pump"}, "It is a heat pump.", "B", "the longer text covers the shorter"),
    ],
)
def test_options_of_other_kinds(options: Any, text: str, label: str, why: str) -> None:
    assert outcome(choice(options), text) == label, why


@pytest.mark.parametrize(
    ("value", "text", "label"),
    [
        (["x-ray", "radar"], "The answer is B", "B"),
        (["x-ray", "radar"], "radar", "B"),
        ({"K": "x-ray", "L": "radar"}, "radar", "L"),
        ({"label": ["1", "2"], "text": ["x-ray", "radar"]}, "Answer: 2", "2"),
        ([4, 8], "B", "B"),
    ],
)
def test_options_from_a_field_of_the_sample(value: object, text: str, label: str) -> None:
    asked = choice("choices")
    assert asked(text, {"choices": value}) == label
    assert asked.parse(label, {"choices": value}) == label


@pytest.mark.parametrize(
    "sample", [None, {}, {"choices": "AB"}, {"choices": ["only one"]}, {"choices": [None, 1]}]
)
def test_a_sample_without_options_is_a_fault_of_the_evaluation(sample: Any) -> None:
    with pytest.raises(ExtractorError, match="choices"):
        choice("choices")("B", sample)


@pytest.mark.parametrize(
    "options", ["", [], ["A"], ["A", "a"], {"A": ""}, {"A": 1, "B": 2}, 5, None, b"AB", [" A", "B"]]
)
def test_options_that_are_none_are_refused(options: Any) -> None:
    with pytest.raises(ExtractorError, match=r"extract\.choice takes"):
        choice(options)


@pytest.mark.parametrize(
    ("gold", "label"), [("C", "C"), ("c", "C"), ("(C)", "C"), ("C.", "C"), ("drill", "C")]
)
def test_a_gold_answer_is_a_label_or_a_text(gold: str, label: str) -> None:
    assert choice(TOOLS).parse(gold) == label
    assert choice(TOOLS).same(label, gold)


@pytest.mark.parametrize("gold", [2, None, "", "E", "screwdriver", ["A"]])
def test_a_gold_answer_that_is_no_option_is_a_fault_of_the_data(gold: object) -> None:
    with pytest.raises(GoldError):
        choice(TOOLS).parse(gold)
    assert not choice(TOOLS).same("C", gold)


def test_options_do_not_change_with_the_mapping_that_was_given() -> None:
    options = dict(TOOLS)
    asked = choice(options)
    options["A"] = "anvil"
    assert asked == choice(TOOLS)
    assert hash(asked) == hash(choice(TOOLS))
    assert asked.settings == {"options": TOOLS}
    assert pickle.loads(pickle.dumps(asked)) == asked


@given(st.text(alphabet="ABCDEI abcdi.,()*:\nisnotrwe", max_size=60))
def test_a_label_is_always_one_of_the_options(text: str) -> None:
    for options in ("ABC", {"A": "rest", "C": "snow", "E": "ice"}):
        asked = choice(options)
        try:
            assert asked(text) in options
        except NoAnswer:
            continue
