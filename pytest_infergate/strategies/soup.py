"""Texts and values that no extractor expects, and each must bear."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

_PIECES = (
    *("answer is ", "Answer:", "The final answer: ", "####", "\\boxed{", "\\frac", "\\text{", "$", "$$"),
    *("{", "}", "[", "]", "(", ")", "<", ">", "```", "```json\n", "~~~", "**", "|", "- ", "> "),
    *("<think>", "</think>", "<tool_call>", "</tool_call>", "<answer>", "</answer>", "<|im_end|>"),
    *("yes", "no", "not ", "A", "(B)", "or", " and ", ",", ".", ":", "-", "\u2212", "=", "/", "%"),
    *("1", "23", "1e9", "½", "⁵", "٣", "0x", "null", "true", '"', "'", "\\", "\n", "\r", "\t", " "),
    *("\ud800", "\x00", "\u2028", "\ufeff", "\u200d", "İ", "ß", "答案", "🙂", "e\u0301"),
)
#: Nested deeply, repeated often, or beyond a limit of Python's.
HARD_TEXTS = (
    "",
    " \n\t",
    "\ufeff",
    "9" * 5_000,
    "1" + "0" * 400,
    "-" * 5_000,
    "(" * 5_000,
    "[" * 5_000,
    '{"a":' * 5_000,
    "\\frac{" * 2_000,
    "\\boxed{" * 2_000 + "4" + "}" * 2_000,
    "<think>" * 2_000,
    "```\n" * 2_001,
    "a " * 5_000,
    "\n" * 5_000,
    "the answer is " * 1_000,
    "1e400",
    "\ud83d",
)
#: What a test may hand to ``same`` or ``parse`` by mistake, all of it without a place in memory in its repr.
ODD_VALUES: tuple[object, ...] = (
    None,
    object,
    float("nan"),
    float("inf"),
    10**400,
    b"42",
    [],
    [[None]],
    {},
    {"a": object},
    ("x",),
    "\ud800",
    "x" * 20_000,
)


def soup(answers: Sequence[str]) -> st.SearchStrategy[str]:
    """Return a strategy of texts made of ``answers``, markup and anything else, in no order."""
    pieces = st.sampled_from([*answers, *_PIECES]) | st.text(max_size=4)
    return st.lists(pieces, max_size=30).map("".join) | st.text(max_size=100)
