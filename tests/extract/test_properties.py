from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate import extract
from pytest_infergate.evidence import NoAnswer, Reason, Reply

from .adapters import ADAPTERS
from .corpus import CORPUS
from .outcome import outcome

PIECES = st.sampled_from(
    [
        *(
            "answer is ",
            "Answer:",
            "\\boxed{",
            "\\frac",
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            "####",
            "```",
            "```json\n",
            "~~~",
            "**",
        ),
        *(
            "<think>",
            "</think>",
            "<tool_call>",
            "</tool_call>",
            "yes",
            "no",
            "not ",
            "\nQ: ",
            "<|im_end|>",
            "<|im_start|>",
            "</s>",
            "```python\n'''\n",
            "$ ls\n",
            "between ",
            "±",
            "A",
            "(B)",
            "or",
            ",",
            ".",
            "-",
            "\u2212",
        ),
        *(
            "1",
            "23",
            "1e9",
            "½",
            "⁵",
            "%",
            "$",
            "=",
            "\n",
            " ",
            "\\",
            '"',
            "'",
            "null",
            "\ud800",
            "\x00",
            "\u2028",
            "İ",
            "٣",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


@pytest.mark.parametrize("name", ADAPTERS)
@given(TEXTS)
def test_any_text_gives_an_answer_or_a_reason(name: str, text: str) -> None:
    try:
        found = outcome(ADAPTERS[name], text)
    except extract.SchemaViolation:
        assert name == "json_value schema"
    else:
        assert not isinstance(found, Reason) or found in (Reason.NO_ANSWER, Reason.EMPTY_REPLY)


@pytest.mark.parametrize("name", ["last_line", "final_answer", "boxed", "regex", "code"])
@given(TEXTS)
def test_what_is_returned_stands_in_the_text(name: str, text: str) -> None:
    try:
        found = ADAPTERS[name](text)
    except NoAnswer:
        return
    for line in str(found).splitlines():
        assert line.strip() in text


@pytest.mark.parametrize("name", ADAPTERS)
@given(st.sampled_from(CORPUS), st.floats(min_value=0, max_value=1))
def test_a_cut_reply_has_no_answer_wherever_it_was_cut(name: str, text: str, share: float) -> None:
    reply = Reply(text=text[: int(len(text) * share)], finish_reason="length")
    with pytest.raises(NoAnswer) as caught:
        ADAPTERS[name](reply)
    assert caught.value.reason is Reason.TRUNCATED


@given(TEXTS, TEXTS)
def test_a_gold_answer_is_read_or_refused(value: str, gold: str) -> None:
    extractors: list[extract.Extractor[Any]] = list(ADAPTERS.values())
    for extractor in extractors:
        assert extractor.same(value, gold) in (True, False)
