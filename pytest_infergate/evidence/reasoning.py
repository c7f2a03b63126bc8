"""Reasoning that a model wrote into its text, told apart from the answer."""

from __future__ import annotations

import re
from typing import NamedTuple


class ReasoningSplit(NamedTuple):
    """``is_open``: a reasoning tag was opened and never closed, so there is no answer yet."""

    reasoning: str
    answer: str
    is_open: bool = False


#: Opening and closing tag of each family, as regular expressions.
_TAGS = (
    (r"<think\s?>", r"</think\s?>"),  # DeepSeek, Qwen and most others
    (r"<thinking\s?>", r"</thinking\s?>"),
    (r"<reasoning\s?>", r"</reasoning\s?>"),
    (r"<thoughts?\s?>", r"</thoughts?\s?>"),
    (r"<seed:think\s?>", r"</seed:think\s?>"),  # Seed-OSS
    (r"\[THINK\]", r"\[/THINK\]"),  # Magistral
    (r"◁think▷", r"◁/think▷"),  # Kimi
    (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),  # Command A
    (r"<\|channel>thought", r"<channel\|>"),  # Gemma
    (r"<unused94>thought", r"<unused95>"),  # MedGemma
)
_OPEN = re.compile("|".join(f"({opening})" for opening, _ in _TAGS), re.IGNORECASE)


def _searched(tag: str) -> str:
    """Return ``tag`` less its first character, which the class at the head of a search has matched.

    A search that begins with a class skips what cannot match; one that ignores case cannot.
    """
    width = 2 if tag[0] == "\\" else 1
    return f"(?<={tag[:width]})(?i:{tag[width:]})"


_BEGIN = r"[<\[◁]"
_PAIR = tuple(
    re.compile(f"{_BEGIN}(?:(?P<open>{_searched(opening)})|(?P<close>{_searched(closing)}))")
    for opening, closing in _TAGS
)
_CLOSE = re.compile(_BEGIN + "(?=[/|CcUu])(?:" + "|".join(_searched(closing) for _, closing in _TAGS) + ")")
_ANY = re.compile(
    f"{_BEGIN}(?:"
    + "|".join(
        f"(?P<open{n}>{_searched(opening)})|(?P<close{n}>{_searched(closing)})"
        for n, (opening, closing) in enumerate(_TAGS)
    )
    + ")"
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_MOST = 1_000  # blocks of reasoning, one after the other
_INK = re.compile(r"\S")
_QUOTES = "`\"'“”‘’"

# OpenAI's harmony format; some servers leave the channel names without their special tokens.
_HARMONY_START = re.compile(r"(?:<\|start\|>\s*assistant\s*)?<\|channel\|>\s*(\w+)")
_HARMONY_FINAL = re.compile(r"<\|channel\|>\s*final\b[^<]{0,80}(?:<\|constrain\|>[^<]{0,80})?<\|message\|>")
_HARMONY_END = re.compile(r"<\|(?:return|end)\|>")
_HARMONY_TOKEN = re.compile(r"<\|[a-z]+\|>")
_BARE_START = re.compile(r"analysis(?=[A-Z\"'\s])")
_BARE_FINAL = "assistantfinal"


def split_reasoning(text: str) -> ReasoningSplit:
    """Return reasoning and answer of ``text``, in linear time.

    A tag opens reasoning only at the start of the text, after white space; elsewhere it is part of the
    answer. Only a closing tag: the chat template wrote the opening one, and what stands before the first
    closing tag is reasoning. A closing tag in quotes or backticks, in a fence, or after an opening one of
    its kind within the text, is text. The white space around tags belongs to neither side; without a tag
    the answer is ``text`` as it is.
    """
    start = _text_begins(text, 0)
    if _HARMONY_START.match(text, start):
        return _split_harmony(text)
    if _BARE_START.match(text, start) and _BARE_FINAL in text:
        reasoning, _, answer = text.partition(_BARE_FINAL)
        return ReasoningSplit(reasoning.strip().removeprefix("analysis").strip(), answer.strip())
    parts: list[str] = []
    has_opened = False
    while len(parts) < _MOST and (opened := _OPEN.match(text, start)):
        family = (opened.lastindex or 1) - 1
        end, after = _closing(text, opened.end(), family)
        parts.append(text[opened.end() : end].strip())
        if after is None:
            return ReasoningSplit(_join(parts), "", True)
        start, has_opened = _text_begins(text, after), True
    if not has_opened:
        closed = _lone_closing(text)
        if closed is None:
            return ReasoningSplit("", text)
        parts.append(text[: closed.start()].strip())
        start = closed.end()
    return ReasoningSplit(_join(parts), text[start:].strip())


def _text_begins(text: str, start: int) -> int:
    """Return where the white space that begins at ``start`` ends."""
    found = _INK.search(text, start)
    return found.start() if found else len(text)


def _closing(text: str, start: int, family: int) -> tuple[int, int | None]:
    """Return where the reasoning ends and the answer begins (``None``: never closed).

    Nested tags: as many closing tags as the reasoning opened inside itself belong to it, as long as
    no other opening tag stands between them.
    """
    nested, end, after = 0, len(text), None
    for tag in _PAIR[family].finditer(text, start):
        if _is_quoted(text, tag):
            continue
        if tag["open"]:
            if after is not None:
                break
            nested += 1
        elif after is None:
            end, after = tag.span()
        elif nested:
            nested -= 1
            end, after = tag.span()
        else:
            break
    return end, after


def _lone_closing(text: str) -> re.Match[str] | None:
    if not _CLOSE.search(text):
        return None
    opened: set[int] = set()
    fences, seen = 0, 0
    for tag in _ANY.finditer(text):
        kind, family = (tag.lastgroup or "open0").rstrip("0123456789"), (tag.lastindex or 1) - 1
        if kind == "open":
            if family // 2 not in opened and not _is_quoted(text, tag):
                opened.add(family // 2)
            continue
        if family // 2 in opened or _is_quoted(text, tag):
            continue
        fences += sum(1 for _ in _FENCE.finditer(text, seen, tag.start()))
        seen = tag.start()
        if fences % 2 == 0:
            return tag
    return None


def _is_quoted(text: str, tag: re.Match[str]) -> bool:
    before, after = text[max(tag.start() - 1, 0) : tag.start()], text[tag.end() : tag.end() + 1]
    return bool(before and after) and before in _QUOTES and after in _QUOTES


def _split_harmony(text: str) -> ReasoningSplit:
    final = _HARMONY_FINAL.search(text)
    reasoning = _HARMONY_TOKEN.sub("\n", text[: final.start()] if final else text).strip()
    if final is None:
        return ReasoningSplit(reasoning, "", True)
    answer = _HARMONY_END.split(text[final.end() :], maxsplit=1)[0]
    return ReasoningSplit(reasoning, answer.strip())


def _join(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part)
