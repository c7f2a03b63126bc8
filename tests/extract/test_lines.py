from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.extract import GoldError, final_answer, last_line

from .outcome import NONE, outcome


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("one", "one", "a single line"),
        ("one\ntwo  \n\n \n", "two", "blank lines at the end"),
        ("one\r\ntwo\r\n", "two", "CRLF"),
        ("```\none\n```", "one", "a fence is no line"),
        ("one\n\n---", "one", "a rule is no line"),
        ("one\n-3", "-3", "a short line with a dash is one"),
        ("```\n```", NONE, "nothing but a fence"),
        ("<think>x\ny</think>\n", "empty", "nothing but reasoning"),
    ],
)
def test_the_last_line_with_something_on_it(text: str, line: Any, why: str) -> None:
    found = outcome(last_line, text)
    assert found.value == "empty_reply" if line == "empty" else found == line, why


def test_the_final_answer_is_the_text_after_its_reasoning() -> None:
    assert final_answer("<think>17 or 19?</think>\n\nThe answer is 19.\n") == "The answer is 19."
    assert final_answer("17 or 19?</think>\nThe answer is 19.") == "The answer is 19."
    assert final_answer(" a\n b ") == "a\n b"


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("a</s>", "a"),
        ("a<|im_end|>\n<|im_end|>\n", "a"),
        ("a<|eot_id|><|start_header_id|>user<|end_header_id|>\nb", "a"),
        ("a<｜end▁of▁sentence｜>", "a"),
        ("a<end_of_turn>\n<start_of_turn>user\nb", "a"),
        ("<s>a</s>", "<s>a</s>"),
        ("a <|im_end|> b", "a <|im_end|> b"),
        ("Write `<|im_end|>`", "Write `<|im_end|>`"),
        ("<|im_start|>a<|im_end|>\n<|im_start|>b", "<|im_start|>a<|im_end|>\n<|im_start|>b"),
    ],
)
def test_the_answer_ends_with_the_models_own_turn(text: str, own: str) -> None:
    assert final_answer(text) == own


@pytest.mark.parametrize("extractor", [last_line, final_answer])
def test_white_space_and_composition_do_not_matter(extractor: Any) -> None:
    assert extractor.same("caf\u00e9  au lait", "cafe\u0301 au lait ")
    assert not extractor.same("A", "a")
    assert not extractor.same("", "")
    for gold in (None, "", " ", 5):
        with pytest.raises(GoldError):
            extractor.parse(gold)
    with pytest.raises(GoldError):
        last_line.parse("a\nb")
