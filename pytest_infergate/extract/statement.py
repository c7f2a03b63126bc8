"""Where a reply says outright what its answer is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from .latex import find_last_box

_MOST = 32  # markers looked at, from the end: enough for any reply, and a bound for hostile ones
_LONGEST = 400  # characters of one statement


class Marker(Enum):
    """How the answer was announced."""

    BOX = "box"
    RULE = "rule"
    TAG = "tag"
    PHRASE = "phrase"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """An announced answer: where its marker stands, and the text that follows it (never blank)."""

    marker: Marker
    position: int
    text: str


_GAP = r"[ \t\u00a0*_`\"»)\]]{0,6}"
_IS = (
    r"(?:is|are|was|equals|would[ ]be|will[ ]be|should[ ]be|must[ ]be|has[ ]to[ ]be|comes[ ]to)\b(?!n't)"
    r"|[:：=→]|->"
)
_PHRASE = re.compile(
    rf"""
    \b(?:answer|ans|answer[ ](?:choice|option|letter)|solution
         |(?:correct|best|right)[ ](?:choice|option|letter))
      (?:[ ]to[ ][^.\n:：]{{1,120}}?|[ ]\([^)\n]{{1,40}}\))? {_GAP} (?:{_IS})
    | \bantwort\b {_GAP} (?:ist\b|lautet\b|[:：])
    | \brespuesta\b (?:[ ](?:final|correcta))? {_GAP} (?:es\b|[:：])
    | \bréponse\b (?:[ ](?:finale|correcte))? {_GAP} (?:est\b|[:：])
    | \bresposta\b (?:[ ](?:final|correta))? {_GAP} (?:é\b|[:：])
    | \brisposta\b (?:[ ](?:finale|corretta))? {_GAP} (?:è\b|[:：])
    | \bantwoord\b {_GAP} (?:is\b|[:：])
    | \bodpowiedź\b {_GAP} (?:to\b|brzmi\b|[:：])
    | \bответ\b {_GAP} (?:[:：—–-])
    | (?:答案|答え|正解|正确选项) {_GAP} (?:是|为|為|は|[:：])
    | (?:选择?|選擇?) {_GAP} (?=[A-ZＡ-Ｚ(（])
    | (?:정답|답) {_GAP} (?:은|[:：])
    | (?:الإجابة|الجواب) {_GAP} (?:هي|هو|[:：])
    | उत्तर {_GAP} [:：]
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HEADING = re.compile(
    r"^[#*_ \t>]{0,8}(?:the[ ])?(?:final[ ])?"
    r"(?:answer|antwort|respuesta|réponse|resposta|risposta|ответ|答案)"
    r"[*_ \t:：]{0,6}$",
    re.IGNORECASE | re.MULTILINE,
)
_RULE = re.compile(r"(?m:^)[ \t]{0,8}####[ \t]{0,8}(?=\S)")
_TAG_END = re.compile(r"</(?:answer|final_answer|final)>", re.IGNORECASE)
#: A word of each phrase and heading, in lower case. To look for these from the end costs next to nothing;
#: a search for the patterns would try them at every character.
_PHRASE_WORDS = (
    *(
        "answer",
        "ans",
        "solution",
        "choice",
        "option",
        "letter",
        "antwort",
        "respuesta",
        "réponse",
        "resposta",
    ),
    *(
        "risposta",
        "antwoord",
        "odpowiedź",
        "ответ",
        "答案",
        "答え",
        "正解",
        "正确选项",
        "정답",
        "답",
        "选",
        "選",
        "الإجابة",
    ),
    *("الجواب", "उत्तर"),
)
_LEAD_OF = {
    "choice": ("correct ", "best ", "right "),
    "option": ("correct ", "best ", "right "),
    "letter": ("correct ", "best ", "right "),
}
# "If the answer is 5, …": somebody's answer, not the reply's.
_SOMEBODY_ELSES = re.compile(
    r"\b(?:if|whether|suppose|supposing|assume|assuming|unless|why|wrong|incorrect|initial|previous|earlier"
    r"|first|your|an|no|any|each|every|possible)\s{1,3}(?:that\s{1,3})?(?:the\s{1,3}|my\s{1,3})?$",
    re.IGNORECASE,
)
_BLANK = re.compile(r"[\s*_`#>]*")
_SENTENCE_END = re.compile(
    r"(?<![A-Z]\.[A-Z])[.!?](?=[*_\"')\]]{0,3}\s+[*_\"'(]{0,3}[A-ZÀ-ÖØ-ÞА-Я]|\s*$)"
    r"|[。！？](?!$)"
)
_DECLINED = re.compile(
    r"\b(?:cannot|can't|can not|could not|couldn't|not|impossible to"
    r"|unable to)\s{1,3}(?:be\s{1,3})?(?:\w{1,12}\s{1,3})?"
    r"(?:determin\w*|answer\w*|decid\w*|say\b|tell\b|told\b|solv\w*|comput\w*|calculat\w*|known\b"
    r"|provid\w*|possible\b)"
    r"|\bnot enough (?:information|data|detail)|\binsufficient (?:information|data|detail)|\bdon'?t know\b"
    r"|\bdo not know\b|\bundetermin\w+|\bundecid\w+|\bindetermin\w+|\b(?:is|are|remains) unknown\b"
    r"|^\W*unknown\b|\bnone of (?:these|the|them)\b|\bno idea\b"
    r"|无法|不知道|分かりません|わかりません",
    re.IGNORECASE,
)


def find_statements(text: str) -> list[Statement]:
    """Return what ``text`` announces as its answer, in order of position, at most the last 32."""
    starts = _announcements(text)
    statements: list[Statement] = []
    for start, end, marker in starts:
        if marker is Marker.PHRASE and _SOMEBODY_ELSES.search(text, max(0, start - 40), start):
            continue
        stated = _stated(text, end, marker)
        if stated:
            statements.append(Statement(marker=marker, position=end, text=stated))
    box = find_last_box(text)
    if box is not None and box[1].strip():
        statements.append(Statement(marker=Marker.BOX, position=box[0], text=box[1].strip()[: 20 * _LONGEST]))
    statements.sort(key=lambda statement: statement.position)
    return statements[-_MOST:]


def _announcements(text: str) -> list[tuple[int, int, Marker]]:
    """Return where markers begin and end, the last 32 of each word."""
    lowered = text.replace("\u0130", "I").lower()  # the one letter whose lower case is longer than itself
    found: dict[int, tuple[int, int, Marker]] = {}
    for word in _PHRASE_WORDS:
        for at in last_places(lowered, word):
            begin = at
            for lead in _LEAD_OF.get(word, ()):
                begin = at - len(lead) if lowered.endswith(lead, 0, at) else begin
            phrase = _PHRASE.match(text, begin)
            line = text.rfind("\n", max(0, at - 24), at) + 1 or max(0, at - 24)
            heading = None if phrase else _HEADING.match(text, line)
            marker = phrase or heading
            if marker and marker.end() > at:
                found[marker.end()] = (marker.start(), marker.end(), Marker.PHRASE)
    for at in last_places(text, "####"):
        rule = _RULE.match(text, text.rfind("\n", max(0, at - 9), at) + 1 or max(0, at - 8))
        if rule:
            found[rule.end()] = (rule.start(), rule.end(), Marker.RULE)
    for word in ("<answer>", "<final_answer>", "<final>"):
        for at in last_places(lowered, word):
            found[at + len(word)] = (at, at + len(word), Marker.TAG)
    return [found[end] for end in sorted(found)][-4 * _MOST :]


def last_places(text: str, word: str, most: int = _MOST) -> list[int]:
    """Return where ``word`` occurs in ``text``, the last ``most`` places, last first."""
    places: list[int] = []
    end = len(text)
    while len(places) < most and (at := text.rfind(word, 0, end)) >= 0:
        places.append(at)
        end = at
    return places


def first_sentence(text: str) -> str:
    """Return ``text`` up to the end of its first sentence."""
    end = _SENTENCE_END.search(text)
    return text[: end.start()] if end else text


def is_declined(text: str) -> bool:
    """Whether ``text`` says that there is no answer to give."""
    return _DECLINED.search(text) is not None


def last_sentence(text: str) -> str:
    """Return the end of ``text`` from its last sentence on, at most 300 characters."""
    tail = text[-300:]
    ends = [end.end() for end in _SENTENCE_END.finditer(tail) if tail[end.end() :].strip()]
    return tail[ends[-1] :] if ends else tail


def _stated(text: str, start: int, marker: Marker) -> str:
    if marker is Marker.TAG:
        closed = _TAG_END.search(text, start, start + 20 * _LONGEST)
        return text[start : closed.start() if closed else start + _LONGEST].strip()
    line_end = text.find("\n", start, start + _LONGEST)
    stop = line_end if line_end >= 0 else min(len(text), start + _LONGEST)
    if _BLANK.fullmatch(text, start, stop) and marker is Marker.PHRASE:
        begin = _BLANK.match(text, stop, stop + _LONGEST)
        start = begin.end() if begin else stop
        line_end = text.find("\n", start, start + _LONGEST)
        stop = line_end if line_end >= 0 else min(len(text), start + _LONGEST)
    return text[start:stop].strip()
