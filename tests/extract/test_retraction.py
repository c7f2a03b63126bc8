# ruff: noqa: E501  (a case is one line)
"""An answer that is taken back is not the answer, whatever kind of answer it is."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.extract import Extractor, choice, number, yes_no

from .outcome import NONE, outcome

#: ``{0}`` is announced first, ``{1}`` is meant.
REPLACED = [
    ("The answer is {0}. Wait, no — {1}", "the new answer after a dash"),
    ("The answer is {0}. Wait, that's wrong. It's {1}.", "in the next sentence"),
    ("The answer is {0}. Hold on, that is not right: it should be {1}.", "after a colon"),
    ("The answer is {0}. Actually, {1}", "a word that takes back only with an answer after it"),
    ("The answer is {0}. Actually, it is {1}.", "in a sentence"),
    ("The answer is {0}. Actually, {1} is correct.", "said to be right"),
    ("The answer is {0}.\n\nCorrection: {1}", "a heading"),
    ("The answer is {0}. **Correction:** {1}", "a heading in bold"),
    ("The answer is {0}. Scratch that, {1}.", "scratched"),
    ("The answer is {0}. Let me correct that: {1}", "corrected"),
    ("The answer is {0}. I mean {1}.", "meant"),
    ("The answer is {0}. Sorry, {1}", "an apology"),
    ("The answer is {0}. I apologize, the correct answer is {1}.", "an apology before an announcement"),
    ("The answer is {0}. Oops, I made a mistake. It should be {1}.", "a mistake admitted"),
    ("The answer is {0}. That's wrong. It's {1}.", "denied without an interjection"),
    ("The answer is {0}, no wait, {1}.", "within the sentence"),
    ("The answer is {0} (wait, no, {1})", "in brackets"),
    ("The answer is {0}. On second thought, {1}, because I had missed a part.", "with a reason"),
    ("The answer is {0}. Wait, that's wrong. I had it upside down. So it's {1}.", "in the last sentence"),
    ("The answer is {0}. Wait, no — ```\n{1}\n```", "in a fence"),
    ("\\boxed{{{0}}} Wait, no — \\boxed{{{1}}}", "boxed again"),
    ("<answer>{0}</answer> Hmm, wait, that is wrong. {1}\n\nI hope this helps!", "with a courtesy after it"),
    ("答案是{0}。Wait, no — {1}", "announced in another language"),
    ("{0}\n\nWait, no. {1}", "a bare answer"),
    ("{0}\n\nActually, {1}", "a bare answer, and a word that takes back only with an answer"),
    ("{0} Wait, no — {1}", "a bare answer without a full stop"),
    ("Wait, no. That's wrong. The answer is {1}.", "nothing was announced before"),
    ("It may be {0}. Wait, that's wrong, since I forgot one. The answer is {1}.", "taken back on the way"),
    ("The answer is {0}. Sorry, {0}. Wait, no — {1}", "taken back twice"),
]
#: What stands, although words of a retraction follow.
KEPT = [
    ("The answer is {0}. Wait, is that right? Let me look. I see no fault.", "a question takes nothing back"),
    ("The answer is {0}. Wait, no, that's right.", "a doubt that is settled"),
    ("The answer is {0}. Actually, let me double-check that.", "a check announced"),
    ("The answer is {0}. Sorry for the long text!", "an apology for something else"),
    ("The answer is {0}. Wait, {1}?", "a question"),
    ("The answer is {0}. I mean it.", "no answer after it"),
    ("Hmm, wait, that is wrong. The answer is {0}.", "taken back before it was announced"),
]
TAKEN = [
    ("The answer is {0}. Wait, that's wrong.", "said to be wrong"),
    ("The answer is {0}. Scratch that.", "scratched"),
    ("The answer is {0}. Oh no, I made a mistake.", "a mistake admitted"),
    ("The answer is {0}. Wait, that's wrong. I will have to think about it.", "thinking goes on"),
    ("Answer: {0}\n\nHmm, wait, that isn't right.", "on a later line"),
]
KINDS: list[tuple[Extractor[Any], list[tuple[str, Any]]]] = [
    (number, [("42", 42), ("-7", -7), ("3.5 kg", 3.5)]),
    (choice("ABCD"), [("A", "A"), ("(B)", "B"), ("**D**", "D")]),
    (choice(["happy", "sad"]), [("happy", "happy"), ("sad", "sad")]),
    (yes_no, [("yes", True), ("no", False)]),
]
OF_ONE_KIND: list[tuple[Extractor[Any], str, Any, str]] = [
    (number, "3 + 4 = 8. Wait, no — 7. So 7 * 6 = 42.", 42, "a retraction within the working"),
    (number, "The answer is 42. Actually, 42 is also the sum of 3 cubes.", 42, "a remark on the number"),
    (number, "The answer is 42. Wait, that's wrong: I used 3 instead of 4.", NONE, "numbers of the reason are no answer"),
    (number, "The answer is 42. Wait, that's wrong. It's 43 or 44.", NONE, "two new answers are none"),
    (number, "**42** Wait, no — **43**", 43, "bold before and after"),
    (choice("ABCD"), "A is too small. Wait, no, B is. So the answer is C.", "C", "a retraction within the working"),
    (choice("ABCD"), "The answer is A. Sorry, I mean option B.", "B", "a noun before the letter"),
    (yes_no, "The answer is yes. Actually, no.", False, "the word of the retraction is the answer"),
    (yes_no, "The answer is yes. Wait, no.", NONE, "taken back, or the new answer: nobody can tell"),
    (yes_no, "No, that's incorrect. 7 is odd.", False, "said of the question, since nothing was answered before"),
]  # fmt: skip


def _cases(table: list[tuple[str, str]], meant: int | None) -> list[Any]:
    cases = []
    for template, why in table:
        for extractor, answers in KINDS:
            for (first, value), (second, other) in zip(answers, answers[1:] + answers[:1], strict=True):
                expected = NONE if meant is None else (value, other)[meant]
                text = template.format(first, second)
                cases.append(pytest.param(extractor, text, expected, id=f"{why}: {extractor!r} {first}"))
    return cases


@pytest.mark.parametrize(
    ("extractor", "text", "value"), _cases(REPLACED, 1) + _cases(KEPT, 0) + _cases(TAKEN, None)
)
def test_what_is_taken_back_is_not_the_answer(extractor: Extractor[Any], text: str, value: Any) -> None:
    assert outcome(extractor, text) == value


@pytest.mark.parametrize(
    ("extractor", "text", "value"), [pytest.param(e, t, v, id=why) for e, t, v, why in OF_ONE_KIND]
)
def test_what_an_answer_of_one_kind_makes_of_it(extractor: Extractor[Any], text: str, value: Any) -> None:
    assert outcome(extractor, text) == value
