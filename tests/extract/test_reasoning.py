# ruff: noqa: E501  (a case is one line)
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.extract import split_reasoning

CASES = [
    ("42", ("", "42", False), "none"),
    ("<think>a</think>\n\n42", ("a", "42", False), "a pair at the start"),
    ("\n <THINK>a</Think> 42", ("a", "42", False), "white space before it, any case"),
    ("<thinking>a</thinking>42", ("a", "42", False), "another name"),
    ("<reasoning>a</reasoning>42", ("a", "42", False), "another name"),
    ("<thought>a</thought>42", ("a", "42", False), "another name"),
    ("<seed:think>a</seed:think>42", ("a", "42", False), "Seed"),
    ("[THINK]a[/THINK]42", ("a", "42", False), "Magistral"),
    ("◁think▷a◁/think▷42", ("a", "42", False), "Kimi"),
    ("<|begin_of_thought|>a<|end_of_thought|>42", ("a", "42", False), "OpenThinker"),
    ("<|START_THINKING|>a<|END_THINKING|>42", ("a", "42", False), "Command A"),
    ("<unused94>thought\na<unused95>42", ("a", "42", False), "MedGemma"),
    ("<think>a</think><think>b</think>42", ("a\n\nb", "42", False), "two in a row"),
    ("<think>a <think>b</think> c</think>42", ("a <think>b</think> c", "42", False), "nested"),
    ("<think></think>42", ("", "42", False), "empty"),
    ("<think>a", ("a", "", True), "never closed"),
    ("a</think>42", ("a", "42", False), "only a closing tag: the template wrote the other"),
    ("<think>say \"</think>\" last</think>42", ("say \"</think>\" last", "42", False), "a quoted tag is text"),
    ("Write `</think>` to end. 42", ("", "Write `</think>` to end. 42", False), "a tag in backticks is text"),
    ("Use <think>a</think> so. 42", ("", "Use <think>a</think> so. 42", False), "a pair within the answer is text"),
    ("```html\n</think>\n```\n42", ("", "```html\n</think>\n```\n42", False), "a tag in a fence is text"),
    ("<think>a</think>Then `<think>` opens", ("a", "Then `<think>` opens", False), "a later tag is text"),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>",
     ("analysis\na\n\nassistant", "42", False), "harmony"),
    ("<|channel|>analysis<|message|>a", ("analysis\na", "", True), "harmony, never final"),
    ("analysisThe user asks.assistantfinal42", ("The user asks.", "42", False), "harmony without its tokens"),
    ("analysis of the text: fine", ("", "analysis of the text: fine", False), "the word alone is text"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "split"), [pytest.param(t, s, id=f"{why} {t[:12]}") for t, s, why in CASES])
def test_reasoning_is_told_from_the_answer(text: str, split: tuple[str, str, bool]) -> None:
    found = split_reasoning(text)
    if "analysis" in text and "<|" in text:
        assert found[1:] == split[1:]
        assert "a" in found.reasoning
    else:
        assert tuple(found) == split


@given(
    st.lists(
        st.sampled_from(
            ["<think>", "</think>", "a", "`", " ", "\n", "[THINK]", "[/THINK]", "```\n", "<|channel|>"]
        )
    )
)
def test_nothing_is_invented_and_open_reasoning_has_no_answer(parts: list[str]) -> None:
    text = "".join(parts)
    reasoning, answer, is_open = split_reasoning(text)
    assert answer in text
    assert not (is_open and answer)
    assert len(reasoning) + len(answer) <= len(text) + 2 * len(parts)
