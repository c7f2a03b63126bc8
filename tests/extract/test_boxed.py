# ruff: noqa: E501  (a case is one line)
from __future__ import annotations

import pickle

import pytest

from pytest_infergate.extract import GoldError, boxed

from .outcome import NONE, outcome

FOUND = [
    ("So \\boxed{42}.", "42", "a box"),
    ("\\boxed{\\frac{3}{7}}", "\\frac{3}{7}", "braces inside"),
    ("\\boxed{1} then \\boxed{2}", "2", "the last box"),
    ("\\fbox{9}", "9", "the plain box"),
    ("\\boxed {5}", "5", "a space before the brace"),
    ("\\boxed{a \\boxed{b}}", "a \\boxed{b}", "the outermost of nested boxes"),
    ("\\boxed{1} and \\boxed{2", "1", "a box that never ends is none"),
    ("\\boxed{\\{1, 2\\}}", "\\{1, 2\\}", "escaped braces do not count"),
    ("\\boxed{\\boxed{5}", "5", "only the inner one balances"),
    ("\\boxed{3} or \\boxed{5}", NONE, "boxes joined as a list"),
    ("\\boxed{3}, \\boxed{5}, and \\boxed{7}", NONE, "boxes joined as a list"),
    ("$\\boxed{\\frac12}$ or $\\boxed{0.5}$", "0.5", "one answer in two spellings"),
    ("first \\boxed{2}, corrected \\boxed{3}", "3", "words between the boxes"),
    ("\\boxed{[2,5)}", "[2,5)", "brackets that do not pair"),
    ("put it in \\boxed please", NONE, "the macro's name in prose"),
    ("\\boxed{}", NONE, "an empty box"),
    ("\\boxed{ }", NONE, "a blank box"),
    ("the answer is 5", NONE, "no box"),
]
SAME = [
    ("\\frac12", "0.5"), ("\\dfrac{1}{2}", "1/2"), ("\\frac{1}2", "\\tfrac12"), ("x = 5", "5"), ("1,234", "1234"), ("7{,}250", "7250"),
    ("\\$7{,}250", "7250"), ("90^\\circ", "90"), ("25\\%", "25"), ("(1, 2)", "(1,2)"), ("\\{1,2\\}", "\\{2, 1\\}"), ("5.", "5"),
    ("\\left( 1, \\frac{1}{2} \\right]", "(1,0.5]"), ("5\\text{ cm}", "5"), ("12\\text{ cm}^2", "12"), ("5 apples", "5"), ("\\text{Yes}", "yes"),
    ("(C)", "C"), ("\\text{(C)}", "C"), ("x \\leq 5", "x\\le5"), ("2\\pi", "2π"), ("\\sqrt3", "\\sqrt{3}"), ("-\\frac{1}{2}", "\\frac{-1}{2}"),
    ("1\\frac{1}{2}", "3/2"), ("1 1/2", "1.5"), ("3\\times10^{5}", "300000"), ("\\frac{\\sqrt{3}}{2}", "\\dfrac{\\sqrt3}{2}"), ("−7", "-7"),
    ("10^{2}", "10^2"), ("\\mathbf{5}", "5"), ("[0,\\infty)", "[0, ∞)"), ("x^{2}+1", "x^2 + 1"), ("\\emptyset", "\\varnothing"), ("\\emptyset", "\\{\\}"), ("\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}", "\\begin{pmatrix}1\\\\2\\end{pmatrix}"), ("$5$", "5"),
    ("2.50", "\\frac{5}{2}"), ("\\dfrac{10}{4}", "2.5"), ("(\\tfrac12, 3)", "(0.5, 3.0)"),
]  # fmt: skip
DIFFERENT = [
    ("\\frac{2}{3}", "\\frac{2}{5}", "fractions with the same beginning"),
    ("(1,2)", "(2,1)", "a tuple has an order"),
    ("(1,2)", "[1,2]", "an interval has its ends"),
    ("(-\\infty,5)", "(-\\infty,5]", "an interval has its ends"),
    ("(1,2)\\cup(3,4)", "(1,2)\\cup(3,5)", "the second part counts"),
    ("(1,234)", "1234", "a pair is not a grouped number"),
    ("\\{1,2\\}", "\\{1,3\\}", "members differ"),
    ("25", "5", "a suffix is not the answer"),
    ("0.33", "1/3", "a rounded decimal is not the fraction"),
    ("12", "1 2", "a space is not nothing between digits"),
    ("x^2", "x_2", "an exponent is not an index"),
    ("x", "X", "letters of mathematics have a case"),
    ("-5", "5", "the sign counts"),
    ("\\sqrt{8}", "2\\sqrt{2}", "no computer algebra"),
]


@pytest.mark.parametrize(("text", "value"), [pytest.param(t, v, id=why) for t, v, why in FOUND])
def test_the_last_balanced_box(text: str, value: object) -> None:
    found = outcome(boxed, text)
    assert found is NONE if value is NONE else str(found) == value


@pytest.mark.parametrize(("one", "two"), SAME)
def test_spellings_of_one_answer_are_equal(one: str, two: str) -> None:
    value = boxed(f"\\boxed{{{one}}}")
    assert value == boxed.parse(two)
    assert boxed.parse(two) == value
    assert hash(value) == hash(boxed.parse(two))
    assert boxed.same(value, two)
    assert value == two


@pytest.mark.parametrize(("one", "two"), [pytest.param(a, b, id=why) for a, b, why in DIFFERENT])
def test_different_answers_are_different(one: str, two: str) -> None:
    assert boxed.parse(one) != boxed.parse(two)
    assert not boxed.same(one, two)


def test_a_value_is_the_text_as_it_was_written() -> None:
    value = boxed("\\boxed{\\dfrac{1}{2}}")
    assert str(value) == "\\dfrac{1}{2}"
    assert pickle.loads(pickle.dumps(value)) == value
    assert value != 0.5


@pytest.mark.parametrize("gold", [None, True, "", " ", ["1"]])
def test_a_gold_answer_without_text_is_a_fault_of_the_data(gold: object) -> None:
    with pytest.raises(GoldError):
        boxed.parse(gold)


def test_rewriting_is_bounded() -> None:
    deep = "\\frac{" * 5000
    assert boxed.parse(deep) == boxed.parse(deep + " ")
    assert boxed.parse("{" * 1500) != boxed.parse("1")
