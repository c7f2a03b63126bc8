"""Where a reply takes back what it has answered, and what it puts in its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ..evidence import NoAnswer, Reason
from .statement import find_statements, first_sentence, last_places, last_sentence

T = TypeVar("T")

_LOOKED_BACK, _LOOKED_ON = 48, 120  # characters around a word in which an opener stands
_LONGEST = 400  # characters in which the new value is looked for
#: A word of each opener, in lower case: to look for these from the end costs next to nothing.
_WORDS = (
    *("wait", "hold on", "hang on", "actually", "sorry", "oops", "hmm", "no,", "i mean"),
    *(
        "rather",
        "make that",
        "scratch that",
        "strike that",
        "disregard that",
        "take that back",
        "take it back",
    ),
    *("correct", "let me fix", "let me redo", "mistake", "error", "wrong", "misspoke", "miscalculat"),
    *("miscount", "misread", "my bad", "second thought", "edit:", "apologi", "right", "true"),
)
_GAP = r"(?:[ ]?(?:[,.…!:;]{1,3}|[—–]|-{1,2}(?=\s))?\s{1,3}|[ ]?[—–…])"
_IS = r"(?:'s|[ ]is|[ ]was|[ ]looks|[ ]seems)"
_SOFT = (
    r"(?:wait|hold[ ]on|hang[ ]on|actually|(?:i'm[ ]|i[ ]am[ ])?sorry|(?:my[ ])?apologies|i[ ]apologi[sz]e"
    r"|oops|whoops|on[ ]second[ ]thoughts?|edit(?=:))"
)
_NO = r"no(?=[ ]?[,—–…]|[ ](?-i:wait)\b)(?!\W{1,4}no\b)"  # not the "no" that is itself the new answer
_FILLER = rf"(?:(?:oh|ah|hm{{1,4}}|uh|um|but|ok|okay|well|{_NO}|{_SOFT}){_GAP})"
_WRONG = (
    rf"(?:(?:that|this|it|(?:my|the)[ ](?:first[ ]|previous[ ]|last[ ])?answer){_IS}[ ]"
    r"(?:all[ ]|just[ ]|also[ ])?(?:wrong|incorrect|mistaken|an?[ ](?:mistake|error)"
    r"|not[ ](?:quite[ ])?(?:right|correct|it|true))"
    r"|(?:that|this|it)[ ](?:isn't|wasn't|can't[ ]be|cannot[ ]be|doesn't[ ](?:look|seem))"
    r"[ ](?:quite[ ])?(?:right|correct|true))\b"
)
_OPENER = re.compile(
    rf"""
    (?:\A|(?<=\n)|(?<=[.!?。！？…:;()\]}}>*_"'”’`$—–][ ])|(?<=[。！？—–>(])
      |(?P<comma>(?<=,[ ]))|(?<=\s)(?=(?-i:[A-Z])))
    [*_]{{0,3}}
    (?:
      (?P<plain>
        {_FILLER}{{1,4}} (?: no(?=[ ]?[.,;:!…—–\n-]|[ ](?:it|that|this|the[ ])|\s*\Z)
            (?!{_GAP}(?:that|this|it|i){_IS}[ ](?:right|correct|fine|ok|okay|good|still)\b)
            (?:{_GAP}{_WRONG})?
          | {_WRONG})
        | {_FILLER}{{0,4}} (?:
            (?:scratch|strike|disregard)[ ]that\b | correction(?=[ ]?[:,—–-])
            | let[ ]me[ ](?:correct|fix|redo)[ ](?:that|this|it|myself|my[ ](?:answer|mistake|error))\b
            | i[ ](?:have[ ])?made[ ]an?[ ](?:\w{{1,16}}[ ])?(?:mistake|error)\b
            | i[ ](?:was[ ](?:wrong|mistaken)|misspoke|miscalculated|miscounted|misread(?:[ ](?:that|it))?)\b
            | my[ ](?:mistake|bad)\b | i[ ]take[ ](?:that|it)[ ]back\b | i[ ]stand[ ]corrected\b)
      )
      (?![^.!\n]{{0,60}}\?) (?:{_GAP}|[.!]?\s*\Z)?
      | {_FILLER}{{0,4}} (?:{_SOFT} | i[ ]mean(?:t)? | (?:or[ ])?rather(?=,) | make[ ]that | {_NO} | {_WRONG})
        {_GAP}
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_IT_IS = re.compile(
    r"""
    (?:(?:so|then|thus|hence|therefore|and|but|rather|instead
        |i[ ](?:now[ ])?(?:think|believe)(?:[ ]that)?),?[ ])?
    (?: (?:it|that|this)(?:'s|[ ](?:is|was|should[ ]be|must[ ]be|would[ ]be|will[ ]be|should[ ]have[ ]been))
      | (?:the|my)[ ](?:(?:correct|right|actual|real|true|final|new|corrected)[ ])?
        (?:answer|value|number|result|total|sum|one|choice|option)[ ]?(?:is|was|should[ ]be|would[ ]be|:)
      | i[ ]mean(?:t)? | make[ ](?:it|that) | (?:it|that)[ ](?:equals|comes[ ]to)
    )?
    (?:[ ](?:actually|really|in[ ]fact|instead))?[,:]?\s*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SAYS_NO = re.compile(r"\W*(?:actually|sorry|i mean|no wait|on second thoughts?)\W{1,4}no\W*", re.IGNORECASE)
_COMMENT = re.compile(
    r",\s(?!and\b|or\b)(?=[A-Za-z])|\s[—–-]\s|;\s|\s(?:because|since|not|instead|rather)\b"
    r"|\s(?:is|was)\s(?:the\s)?(?:correct|right|best|final|answer)\b",
    re.IGNORECASE,
)
_FENCED = re.compile(r"(`{3,}|~{3,})[^\n`]{0,20}\n([^\n]{1,400})\n\1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction:
    """Words that take back what stands before ``start``; what replaces it may stand from ``end`` on.

    ``is_plain``: they do so whatever follows, as "Wait, that's wrong." does; "Actually, …" needs a value.
    ``is_aside``: they stand after a comma, within the sentence.
    """

    start: int
    end: int
    is_plain: bool
    is_aside: bool


def find_retractions(text: str) -> list[Retraction]:
    """Return the openers of retractions in ``text``, in order, the last 32 of each word."""
    lowered = text.replace("\u0130", "I").lower()  # the one letter whose lower case is longer than itself
    found: dict[int, Retraction] = {}
    for word in _WORDS:
        for at in last_places(lowered, word):
            begin, stop = max(0, at - _LOOKED_BACK), min(len(text), at + _LOOKED_ON)
            for opener in _OPENER.finditer(text, begin, stop):
                known = found.get(opener.end())
                if known is None or opener.start() < known.start:
                    found[opener.end()] = Retraction(
                        start=opener.start(),
                        end=opener.end(),
                        is_plain=opener["plain"] is not None,
                        is_aside=opener["comma"] is not None,
                    )
    return [found[end] for end in sorted(found)]


def read_retraction(text: str, alone: Callable[[str], T | None], *, name: str) -> tuple[str, T | None]:
    """Return the part of ``text`` that is not taken back, and the value that was put in place of the rest.

    ``alone`` reads a text that is nothing but an answer, and returns ``None`` for any other. Raises
    ``NoAnswer`` where an announced answer was taken back and no other given.
    """
    retractions = find_retractions(text)
    announced = [statement.position for statement in find_statements(text)] if retractions else []
    for one in reversed(retractions):
        is_announced = any(position <= one.start for position in announced)
        if any(position >= one.end for position in announced):
            if one.is_plain:
                return text[one.end :], None
            continue
        value = _new_value(text[one.end :], alone, is_plain=one.is_plain)
        if value is None and _SAYS_NO.fullmatch(text, one.start, one.end):
            value = alone("no")
        if is_announced:
            if value is not None:
                return "", value
            if one.is_plain:
                taken = text[one.start : one.end].strip()[:60]
                raise NoAnswer(
                    Reason.NO_ANSWER, f"extract.{name} found the answer taken back by {taken!r} and no other"
                )
        elif not one.is_aside and text[: one.start].strip():
            if value is not None and len(text) <= 2 * _LONGEST and alone(text[: one.start]) is not None:
                return "", value
            if one.is_plain:
                return text[one.end :], None
    return text, None


def _new_value(rest: str, alone: Callable[[str], T | None], *, is_plain: bool) -> T | None:
    """Return the value that the first sentence is, or after a plain retraction the last one."""
    rest = rest.strip()
    fenced = _FENCED.match(rest)
    line = rest[:_LONGEST].split("\n", 1)[0]
    sentences = [fenced[2] if fenced else first_sentence(line)]
    if is_plain:
        sentences.append(last_sentence(rest[-_LONGEST:].rsplit("\n", 1)[-1]))
    for sentence in sentences:
        if rest[len(sentence) : len(sentence) + 1] == "?" or sentence.rstrip().endswith("?"):
            continue
        said = sentence.strip()
        lead = _IT_IS.match(said)
        said = said[lead.end() :] if lead else said
        comment = _COMMENT.search(said)
        for part in (said, said[: comment.start()] if comment else ""):
            value = alone(part) if part.strip() else None
            if value is not None:
                return value
    return None
