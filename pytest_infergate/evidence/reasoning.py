"""Reasoning that a model wrote into its text, told apart from the answer."""

from __future__ import annotations

import re
from typing import NamedTuple

_OPEN = re.compile(r"\s*(<think>|<thinking>|\[THINK\])", re.IGNORECASE)
_CLOSE = re.compile(r"</think>|</thinking>|\[/THINK\]", re.IGNORECASE)
_CLOSE_OF = {
    opening: re.compile(re.escape(closing), re.IGNORECASE)
    for opening, closing in (
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("[think]", "[/think]"),
    )
}


class ReasoningSplit(NamedTuple):
    """``is_open``: a reasoning tag was opened and never closed, so there is no answer yet."""

    reasoning: str
    answer: str
    is_open: bool = False


def split_reasoning(text: str) -> ReasoningSplit:
    """Return reasoning and answer of ``text``, in linear time.

    A tag opens reasoning only at the start of the text, after white space; elsewhere it is part of the
    answer. Only a closing tag: the chat template wrote the opening one, and what stands before the first
    closing tag is reasoning. The white space around the tags belongs to neither side; without a tag
    the answer is ``text`` as it is.
    """
    parts: list[str] = []
    start = 0
    while opened := _OPEN.match(text, start):
        closed = _CLOSE_OF[opened.group(1).lower()].search(text, opened.end())
        end = len(text) if closed is None else closed.start()
        parts.append(text[opened.end() : end].strip())
        if closed is None:
            return ReasoningSplit(_join(parts), "", True)
        start = closed.end()
    if not start:
        closed = _CLOSE.search(text)
        if closed is None:
            return ReasoningSplit("", text)
        parts.append(text[: closed.start()].strip())
        start = closed.end()
    return ReasoningSplit(_join(parts), text[start:].lstrip())


def _join(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part)
