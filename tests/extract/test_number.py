# ruff: noqa: E501  (a case is one line)
from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import Reason
from pytest_infergate.extract import GoldError, number

from .outcome import NONE, outcome

ANNOUNCED = [
    ("Half of 84.\n#### 42", 42, "the rule of GSM8K"),
    (
        "#### Step 1: add\n3 + 4 = 7\n#### Step 2: double\n7 * 2 = 14",
        14,
        "headings of the same depth are no answer",
    ),
    ("The answer is 42.", 42, "a full stop is not a decimal point"),
    ("The answer is 42. I checked it 3 times.", 42, "an announcement outranks a later number"),
    ("The answer is 42, because 6 times 7 is 42 and 3 is odd", 42, "the number that follows at once"),
    ("The answer is the sum of 12 and 30, which is 42.", 42, "else the last one of the sentence"),
    ("The answer is 6 * 7 = 42.", 42, "the last side of an equation"),
    ("the answer is 3 dollars + 4 dollars = 7 dollars", 7, "units between the operators"),
    ("The answer is 25 out of 30.", 25, "what follows a preposition is context"),
    ("The answer is x = 7, found in step 3", 7, "the name of the unknown is dropped"),
    ("The answer is not 12.\nIt is 13", 13, "a denied number is no answer"),
    ("If the answer is 5, then x = 6", 6, "a supposed answer is not the reply's"),
    ("**Final Answer**\n\n42", 42, "a heading in bold, the number below"),
    ("### Answer\n42 apples", 42, "a heading of Markdown"),
    ("**Answer:** $1,234.50", 1234.5, "emphasis and currency"),
    ("Answer:\n\n\\[\n x = 7\n\\]", 7, "display mathematics on its own lines"),
    ("First \\boxed{12}. Oops. Final answer: 14", 14, "the last announcement, whatever its kind"),
    ("The final answer is: $\\boxed{17}$. I hope it is correct.", 17, "Minerva's ending"),
    ("<answer>7</answer>", 7, "the tag that many prompts ask for"),
    ("\\boxed{x = 5}", 5, "an equation in the box"),
    ("\\boxed{5 \\text{ apples}}", 5, "a unit in the box"),
    ("\\boxed{1,\\!000}", 1000, "LaTeX's thin space undone"),
    ("\\boxed{12{,}500}", 12500, "LaTeX's comma without a gap"),
    ("\\boxed{-\\dfrac{7}{2}}", -3.5, "a negative fraction"),
    ("\\boxed{90^\\circ}", 90, "degrees"),
    ("\\boxed{25\\%}", 25, "percent is dropped"),
    ("The answer is __42__.", 42, "bold by underscores"),
    ("答えは__42__です。", 42, "bold by underscores, no spaces"),
    ("答案是 42。", 42, "Chinese"),
    ("答えは42です。", 42, "Japanese, no spaces"),
    ("La respuesta es 3,5 metros.", 3.5, "Spanish, decimal comma"),
    ("Die Antwort lautet 1.234,5.", 1234.5, "German, both separators the other way"),
    ("Ответ: −8", -8, "Russian, typographic minus"),
    ("La réponse finale est 12.", 12, "French"),
    ("Answer: 7 (seven)", 7, "a gloss in words"),
    ("The answer is 42nd", 42, "an ordinal where nothing else is there"),
    ("The answer is 120 (= 5!).", 120, "another spelling in brackets"),
    (
        "#### 18\n\nQuestion: 40 people, 5 leave?\nAnswer: 40 - 5 = 35\n#### 35",
        18,
        "a question that the model asked itself",
    ),
    ("The answer is 18.\n\nQ: Tom has 5.\nA: The answer is 3.", 18, "a question that the model asked itself"),
    ("So 7 is the answer.\n\nHuman: What is 9?", 7, "an answer said the other way round, then another turn"),
    (
        "There are 3 apples.\n\nQuestion: how many after one?\nAnswer: 2",
        2,
        "a question repeated before the answer",
    ),
    ("**Question:** 3+4?\n\n**Answer:** 7", 7, "a question repeated first"),
    ("Answer: 42</s>", 42, "a leaked token"),
    ("42<|im_end|>\n<|im_start|>user\nWhat is 7?", 42, "a leaked token and another turn"),
    ("The answer is $9{,}500.", 9500, "LaTeX's comma outside mathematics"),
    ("\\boxed{8,000}", 8000, "grouped digits in a box"),
    ("$\\boxed{3}$ and $\\boxed{3}$", 3, "one box twice"),
    ("Your answer is 9, but the correct answer is 8.", 8, "somebody else's answer"),
    ("The answer is 7.\n\nLet me verify: 2 * 7 = 14, and 14 / 2 = 7.", 7, "a check after it"),
    ("#### $70,000", 70000, "currency after the rule of GSM8K"),
    ("<answer>\n42\n</answer>", 42, "a tag over several lines"),
    ("The answer is $5k.", 5000, "k after money is thousand"),
]
UNANNOUNCED = [
    ("In the end he kept 36 marbles, all counted.", 36, "a comma later in the sentence"),
    ("So 3 * 14 = 42 apples (see step 2)", 42, "a reference to a step is no result"),
    ("So she has **42** apples.\n\nI checked it 3 times.", 42, "bold outranks a later number"),
    ("The total is 42. I verified this 3 times.", 42, "how often it was checked is no result"),
    ("1. First, add.\n2. Then 12 + 30 = 42.\n3. Done.", 42, "list marks are no numbers"),
    ("18\n\nHuman: thanks! What about 20?\nAssistant: 25", 18, "a bare answer, then another turn"),
    ("He had 17 coins on 2020-03-05.", 17, "a date after it"),
    ("It took 3 ½ cups", 3.5, "a space before a fraction sign"),
    ("Her age is 12 (= 3 × 4).", 12, "how it came about in brackets"),
    ("between 3 friends and 4 cats", 4, "between things is no range"),
    ("The result is 3.\n\\begin{align}\nx &= 3 + 4 \\\\\n&= 7\n\\end{align}", 7, "aligned equations"),
    ("42. That is it", 42, "a number that begins a line without a list around it"),
    ("1.", 1, "a lone digit with a full stop"),
    ("Of 80 lamps, 20 were broken, which is 25%", 25, "the percentage is the last number"),
    ("x = 3, so the area is 9.", 9, "an assignment on the way"),
    ("x = 3/4", 0.75, "a ratio"),
    ("She got 25 out of 30.", 25, "the whole is not the part"),
    ("18 dollars = 1800 cents", 1800, "the right side of a conversion"),
    ("42 = 6 * 7", 42, "the side that is one number"),
    ("The area is 12.50 (rounded to 2 decimal places).", 12.5, "precision is no result"),
    ("The result is 12 (confidence: 90%).", 12, "confidence is no result"),
    ("It was 2024-05-17, and 12 came", 12, "a date is no number"),
    ("He came 3rd.", 3, "an ordinal alone"),
    ("It is on page 12.", 12, "a page alone"),
    ("It took 2½ hours", 2.5, "a fraction sign after a digit is a mixed number, not 21/2"),
    ("That is 5 m²", 5, "a superscript is an exponent"),
    ("共42个苹果", 42, "no spaces around the number"),
    ("```python\nprint(6*7)\n```\nThis prints 42.\n```\n13 14\n```", 42, "text outranks what is in fences"),
    ("```\n42\n```", 42, "a fence alone"),
    ("__42__", 42, "bold by underscores is no part of a name"),
    ("It fell from 4 to minus 7", -7, "the sign in words"),
    ("Water is H2O; GPT-4 used 12 litres", 12, "digits of a name are no number"),
]
NOTHING = [
    ("no digits here", "no number"),
    ("Answer: cannot be determined from 3 facts", "declined, whatever number follows"),
    ("I cannot determine this from the 3 given facts.", "declined without an announcement"),
    ("The answer is unknown, though I computed 12 earlier.", "an answer that it is unknown"),
    ("The answer is 5 or 7", "two alternatives"),
    ("Answer: 2, 3 and 5", "a list"),
    ("The answer is 5-7.", "a range"),
    ("It takes 5–7 days.", "a range with a dash"),
    ("3 − 5", "a sum left undone"),
    ("\\boxed{2\\sqrt{3}}", "a product with a root"),
    ("\\boxed{12\\pi}", "a product with pi"),
    ("\\boxed{3x+2}", "an expression"),
    ("\\boxed{(1,2)}", "a pair"),
    ("\\boxed{\\text{No solution}}", "words in the box"),
    ("\\boxed{3} or \\boxed{5}", "boxes joined as a list"),
    ("The probability is 0.25 or 25%.", "two alternatives, not announced"),
    ("It is between 12 and 13.", "a range in words"),
    ("5 ± 1", "a value with its error"),
    ("The answer is ±5", "two values in one"),
    ("10 and a half", "a part in words"),
    ("She was born on 2020-03-05.", "a date and nothing else"),
    ("GPT-4 and v1.2.3 and abc123", "digits of names only"),
    ("The answer is 10:30", "a time"),
    ("The answer is five.", "numbers are digits"),
    ("9" * 5000, "longer than Python converts"),
    ("1e999", "beyond a double"),
    ("1" * 400 + ".5", "beyond a double, with a fraction"),
    ("1e-999", "below a double: not zero"),
    ("The answer is 1/0", "no number"),
]
WRITTEN = [
    ("1,234", 1234), ("1\u2009234", 1234), ("1\u00a0234\u00a0567", 1234567), ("1\u202f234,5", 1234.5), ("1 234", 1234),
    ("1'234.5", 1234.5), ("1’234", 1234), ("1_234", 1234), ("1,00,000", 100000), ("1.234.567", 1234567), ("1.234,56", 1234.56),
    ("0,234", 0.234), ("3,5", 3.5), ("1,234.50", 1234.5), (".5", 0.5), ("5.0", 5), ("007", 7), ("-$5", -5), ("$-5", -5),
    ("\u22125", -5), ("\u20135", -5), ("５６", 56), ("٣٤", 34), ("４２．５", 42.5), ("1e5", 100000), ("1.5e-3", 0.0015), ("3 × 10^6", 3000000),
    ("3\\times10^{-2}", 0.03), ("10⁶", 1000000), ("10^{6}", 1000000), ("\\frac{3}{4}", 0.75), ("-\\frac34", -0.75), ("2\\frac{1}{2}", 2.5),
    ("1 1/2", 1.5), ("3 million", 3000000), ("2 lakh", 200000), ("3\u00a0½", 3.5), ("€ 1.234,50", 1234.5), ("CHF 1’234", 1234), ("Rs.500", 500), ("R$5", 5), ("20 %", 20),
    ("5cm", 5), ("123456789012345678901234567890", 123456789012345678901234567890), ("2^70 = 1180591620717411303424", 2**70),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"), [pytest.param(text, value, id=why) for text, value, why in ANNOUNCED + UNANNOUNCED]
)
def test_the_number_given_as_the_answer(text: str, value: float) -> None:
    found = outcome(number, text)
    assert found == value
    assert type(found) is (int if float(value).is_integer() else float)


@pytest.mark.parametrize("text", [pytest.param(text, id=why) for text, why in NOTHING])
def test_what_is_not_one_number_is_no_answer(text: str) -> None:
    assert outcome(number, text) is NONE


@pytest.mark.parametrize(("written", "value"), WRITTEN)
def test_a_number_is_read_however_it_is_written(written: str, value: float) -> None:
    assert number(f"So it is {written}") == value
    assert number(f"The answer is {written}.") == value
    assert number.parse(written) == value if "=" not in written else True


@pytest.mark.parametrize(
    "gold", [None, True, float("nan"), float("inf"), "", "twelve", "5 or 7", "2024-01-02", [3], "1,2,3"]
)
def test_a_gold_answer_that_is_no_number_is_a_fault_of_the_data(gold: object) -> None:
    with pytest.raises(GoldError, match=r"gold answer .* is not usable with extract\.number"):
        number.parse(gold)
    assert not number.same(5, gold)


@pytest.mark.parametrize(
    ("gold", "value"),
    [
        ("She has 3 and gets 4.\n#### 7", 7),
        ("$1,234", 1234),
        ("20%", 20),
        (7.0, 7),
        ("-7 °C", -7),
        (0.5, 0.5),
    ],
)
def test_a_gold_answer_is_read_into_the_type_of_the_answer(gold: object, value: float) -> None:
    assert number.parse(gold) == value
    assert number.same(value, gold)


@pytest.mark.parametrize(
    ("value", "gold", "is_same", "why"),
    [
        (25, "5", False, "a suffix is not the number"),
        (0.1 + 0.2, "0.3", True, "the last bit of a float"),
        (10**20 + 1, 10**20, False, "ints are exact"),
        (1.0001, 1, False, "close is not same"),
        (10**400, 0.5, False, "an int beyond floats"),
        ("no", "5", False, "what is no number is not the gold"),
    ],
)
def test_numbers_are_compared_as_numbers(value: object, gold: object, is_same: bool, why: str) -> None:
    assert number.same(value, gold) is is_same, why


@given(st.integers(min_value=-(10**18), max_value=10**18), st.sampled_from(
    ["The answer is {}.", "#### {}", "\\boxed{{{}}}", "**{}**", "So in total she has {} apples.", "x = {}", "答案：{}"]
))  # fmt: skip
def test_a_known_number_comes_back_from_any_wrapping(value: int, wrapping: str) -> None:
    assert number(wrapping.format(value)) == value
    assert number(wrapping.format(f"{value:,}")) == value


@given(st.floats(min_value=-1e12, max_value=1e12).filter(lambda value: abs(value) > 1e-12))
def test_a_known_float_comes_back(value: float) -> None:
    assert number(f"The answer is {value!r}.") == value


@given(st.text(alphabet="0123456789.,-+ =$%\\{}()[]*#:/^exans wer\n", max_size=80))
def test_what_is_found_is_finite_and_every_digit_of_it_is_in_the_text(text: str) -> None:
    found = outcome(number, text)
    if isinstance(found, Reason):
        assert found in (Reason.NO_ANSWER, Reason.EMPTY_REPLY)
    else:
        assert isinstance(found, int) or math.isfinite(found)  # an int may be beyond floats
        assert any(char.isdecimal() for char in text)
