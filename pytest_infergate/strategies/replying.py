"""Replies of every kind, those that deliver nothing among them."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from ..evidence import Reply, ToolCall, Usage

#: Text that no client takes for reasoning or for an end mark: what it says is what is read back.
_PLAIN = (
    string.ascii_letters
    + string.digits
    + " .,;:!?'\"-+*/=$%&#@()\n\t\\"
    + "äßéñ½€−。答案是ответ🙂\u2028\u202f"
)
_CUT = ("length", "max_tokens", "model_length")
_COUNTS = st.none() | st.integers(min_value=0, max_value=100_000)


def replies(texts: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Reply]:
    """Return a strategy of replies: complete, with tool calls, truncated, refused, empty, broken off.

    ``texts``: what they say; ``None``: any plain text. ``reply.missing`` tells which of them deliver.
    """
    if texts is None:
        texts = st.text(_PLAIN, max_size=80)
    said = texts.filter(str.strip)
    reasoning = st.just("") | st.text(_PLAIN, max_size=40).filter(str.strip)
    blank = st.sampled_from(["", " ", "\n\n"])
    calls = st.lists(_calls(), min_size=1, max_size=3).map(tuple)
    usage = st.none() | st.builds(
        Usage,
        prompt_tokens=_COUNTS,
        completion_tokens=_COUNTS,
        cached_tokens=_COUNTS,
        reasoning_tokens=_COUNTS,
    )
    return st.one_of(
        st.builds(Reply, text=said, reasoning=reasoning, finish_reason=st.just("stop"), usage=usage),
        st.builds(Reply, text=blank, tool_calls=calls, finish_reason=st.just("tool_calls"), usage=usage),
        st.builds(Reply, text=texts, reasoning=reasoning, finish_reason=st.sampled_from(_CUT), usage=usage),
        st.builds(Reply, text=texts, finish_reason=st.just("content_filter")),
        st.builds(
            Reply, text=texts, finish_reason=st.just("stop"), refusal=st.just("I can't help with that.")
        ),
        st.builds(Reply, text=blank, reasoning=reasoning, finish_reason=st.just("stop"), usage=usage),
        st.builds(Reply, text=said, reasoning=reasoning, finish_reason=st.none()),
    )


def _calls() -> st.SearchStrategy[ToolCall]:
    arguments = st.sampled_from(
        ['{"city": "Köln", "days": 3}', "{}", '{"a": [1, {"b": null}]}', '{"cut": "of']
    )
    return st.builds(
        ToolCall,
        name=st.sampled_from(["weather", "add", "look_up"]),
        arguments=arguments,
        id=st.uuids().map(lambda one: f"call_{one.hex[:8]}"),
    )
