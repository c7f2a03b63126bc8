"""Reasoning as models write it before an answer, in the tags of every family."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

#: What stands before and after the reasoning. The template of some models writes the opening tag itself.
_TAGS = (
    ("<think>\n", "\n</think>\n\n"),
    ("", "\n</think>\n\n"),
    ("<thinking>", "</thinking>\n"),
    ("<reasoning>", "</reasoning>\n"),
    ("<thought>", "</thought>\n"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>\n"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<unused94>thought\n", "<unused95>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)
_THOUGHTS = (
    "",
    "The user wants one answer.",
    "Maybe the answer is {}. Or is it? Let me check again.",
    "First guess: {}\nThat does not look right.",
    "\\boxed{{{}}}? Hmm.",
)


@st.composite
def thoughts(draw: st.DrawFn, others: Sequence[str]) -> str:
    """Return reasoning with its tags, to be put before an answer; ``others`` are answers that it weighs."""
    opening, closing = draw(st.sampled_from(_TAGS))
    thought: str = draw(st.sampled_from(_THOUGHTS if others else _THOUGHTS[:2]))
    if others:
        thought = thought.format(draw(st.sampled_from(list(others))))
    return f"{opening}{thought}{closing}"
