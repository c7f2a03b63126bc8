"""Speech that prose announces without quotation marks: "The narrator says hello world."."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .script_words import HOW, INDIRECT, ORDERS, TOLD, VERBS
from .spans import MOST_SPEECHES, Span, TooManyMarksError, overlapping

#: Up to the comma or colon: how it is said, to whom, and what the thing is that is said.
_MARK = re.compile(r"(?P<between>[^.!?;:,\"“”«»]{0,100})(?P<mark>[:,])(?=\s)")
_THING = re.compile(
    r"(?:the|this|these|exactly)\b"
    r"(?:.{0,60}\b(?:following|phrases?|lines?|words?|sentences?|texts?|scripts?|messages?)\b|$)",
    re.IGNORECASE | re.DOTALL,
)
_FIRST_WORD = re.compile(r"\w+")
_THAT = re.compile(r"that\b", re.IGNORECASE)
_IDIOM = re.compile(
    r"\b(?:that|having|being|is|was|be|are|needless to|that is to|let['’]?s|so to|can['’]?t|cannot"
    r"|don['’]?t|not|never)[ \t]\Z",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?…]{1,8}[\"”’»)]{0,3}(?=\s+[^\sa-zß-öø-ÿ]|\s*\Z)|\n[ \t]*\n")
_SHORTENED = re.compile(r"(?:\b(?:Mrs?|Ms|Dr|St|Prof|[A-Z]))\Z")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\Z")
_SPACE = re.compile(r"\s*")


def find_told_speech(text: str, taken: Sequence[Span], left_out: Sequence[Span]) -> list[Span]:
    """Return the words that sentences of ``text`` announce, in order and apart.

    A sentence that shares a place with ``taken`` (quotations, speeches) announces nothing of its own, and a
    verb in ``left_out`` is none.
    """
    found: list[Span] = []
    at = begin = end = 0
    for verb in _verbs(text):
        if verb.start < at or overlapping(left_out, verb.start, verb.end):
            continue
        while verb.start >= end:  # up to the sentence that the verb stands in
            begin, end = end, _sentence_end(text, end)
        span = None if overlapping(taken, begin, end) else _announced(text, verb, end)
        if span is not None and not overlapping(taken, span.start, span.end):
            found.append(span)
            at = span.end
    return found


def _verbs(text: str) -> list[Span]:
    # A search for each word costs next to nothing; one for all of them tries each at every character.
    lowered = text.replace("\u0130", "I").lower()  # the one letter whose lower case is longer than itself
    found: list[Span] = []
    for word in VERBS:
        at = lowered.find(word)
        while at >= 0:
            end = at + len(word)
            if not lowered[at - 1 : at].isalnum() and not lowered[end : end + 1].isalnum():
                found.append(Span(at, end))
                if len(found) > MOST_SPEECHES:
                    raise TooManyMarksError("verbs of speech", MOST_SPEECHES)
            at = lowered.find(word, end)
    return sorted(found)


def _announced(text: str, verb: Span, end: int) -> Span | None:
    word = text[verb.start : verb.end].lower()
    if _IDIOM.search(text, max(0, verb.start - 16), verb.start):
        return None
    mark = _MARK.match(text, verb.end, end)
    if mark and not _is_manner(mark["between"]):
        mark = None
    start = _end(_SPACE, text, mark.end() if mark else verb.end)
    if mark and mark["mark"] == ":" and word in ORDERS:
        # "Say the following: …": all that follows, be it in the next paragraph.
        return Span(start, _end(_PARAGRAPH_END, text, start))
    if start >= end:
        return None
    if mark is None:
        first = _FIRST_WORD.match(text, start)
        is_direct = word in TOLD and first is not None and first.group().lower() not in INDIRECT
        return Span(start, end) if is_direct else None
    return None if mark["mark"] == "," and _THAT.match(text, start) else Span(start, end)


def _is_manner(between: str) -> bool:
    """Whether what stands between a verb and its comma says how, to whom or what, and is no speech yet."""
    words = between.split(None, 1)
    if not words:
        return True
    first = words[0].lower()
    return first in HOW or first.endswith("ly") or _THING.match(between.strip()) is not None


def _sentence_end(text: str, start: int) -> int:
    for found in _SENTENCE_END.finditer(text, start):
        is_point = found.group()[0] == "."
        if not (is_point and _SHORTENED.search(text, max(0, found.start() - 5), found.start())):
            return found.end()
    return len(text)


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.search(text, start)
    return found.end() if found else len(text)
