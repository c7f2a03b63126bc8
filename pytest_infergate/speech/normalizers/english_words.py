"""English words that are spoken alike and written differently: contractions, fillers, short forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .american_spelling import american_spellings

#: Hesitations. Words of assent and exclamations (ah, oh) say something and stay.
_FILLER = re.compile("u+m+|u+h+|h+m+|m{2,}|e+rm+")
_ASSENT: dict[tuple[str, ...], str] = {("uh", "huh"): "uhhuh", ("mm", "hmm"): "mhm"}
_INITIALS = re.compile(r"(?<![\w.])(?:[a-z]\.)+[a-z](?:\.(?!\w)|(?![\w.]))")
_VERBS = "are could dare did do does had has have is may might must need ought should was were would"
_PARTICIPLES = (
    "better broken brought done drawn fallen felt forgotten found given gone grown heard kept known left "
    "lost made met paid said seen sent shown spoken taken thought told won written"
)
_BASE_FORMS = "bed bleed breed embed exceed feed heed need proceed shed speed succeed wed"
_NOT = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "shan't": ("shall", "not"),
    "won't": ("will", "not"),
    **{f"{verb}n't": (verb, "not") for verb in _VERBS.split()},
}
_WORDS = {
    **_NOT,
    "&": ("and",),
    "@": ("at",),
    "%": ("percent",),
    "°": ("degrees",),
    "°c": ("degrees", "celsius"),
    "°f": ("degrees", "fahrenheit"),
    "=": ("equals",),
    "×": ("times",),
    "÷": ("divided", "by"),
    "+": ("plus",),
    "−": ("minus",),
    "dr": ("doctor",),
    "etc": ("et", "cetera"),
    "gimme": ("give", "me"),
    "gonna": ("going", "to"),
    "gotta": ("got", "to"),
    "i'm": ("i", "am"),
    "lemme": ("let", "me"),
    "let's": ("let", "us"),
    "mmhmm": ("mhm",),
    "mr": ("mister",),
    "mrs": ("missus",),
    "prof": ("professor",),
    "vs": ("versus",),
    "wanna": ("want", "to"),
    "y'all": ("you", "all"),
    **american_spellings(),
}
_PAIRS = {("e", "mail"): "email", ("e", "mails"): "emails", ("wi", "fi"): "wifi", ("per", "cent"): "percent"}
_FIRST_OF_PAIR = frozenset(first for first, _ in _PAIRS)
#: After these, 's is "is" or "has"; after any other word it may be a possessive and stays.
_SUBJECTS = frozenset(
    ["he", "here", "how", "it", "she", "that", "there", "what", "when", "where", "who", "why"]
)
_WOULD = frozenset(["he", "i", "it", "she", "that", "there", "they", "we", "who", "you"])
_ENDS = {"'re": "are", "'ve": "have", "'ll": "will"}
_ADVERBS = frozenset(
    ["all", "already", "also", "always", "ever", "just", "never", "not", "only", "really", "still"]
)
#: After 's these leave no doubt: it's been is "it has been", while it's done may be either.
_AFTER_HAS = frozenset(["become", "been", "begun", "got", "gotten", "had"])
_AFTER_HAD = _AFTER_HAS | frozenset(_PARTICIPLES.split())
#: They end like participles.
_AFTER_WOULD = frozenset(_BASE_FORMS.split())

#: What the words of this file depend on, for the digest of the normalizer.
TABLES = (
    sorted(_WORDS.items()),
    sorted(_PAIRS.items()),
    sorted(_ASSENT.items()),
    *map(sorted, (_SUBJECTS, _WOULD, _ADVERBS, _AFTER_HAS, _AFTER_HAD, _AFTER_WOULD)),
    _FILLER.pattern,
    _INITIALS.pattern,
)


def join_initials(text: str) -> str:
    """Return ``text`` with ``u.s.a.`` as one word; takes text whose case is folded."""
    return _INITIALS.sub(lambda found: found[0].replace(".", ""), text) if "." in text else text


def drop_fillers(words: Sequence[str], numbers: frozenset[str]) -> list[str]:
    """Leave out hesitations; mm after a number (a digit, or one of ``numbers``) is a unit."""
    if not any(word[0] in "uhme" and _FILLER.fullmatch(word) for word in words):
        return list(words)
    kept: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        is_unit = word == "mm" and bool(kept) and _is_number(kept[-1], numbers)
        assent = None if is_unit else _ASSENT.get(tuple(words[at : at + 2]))
        if assent:
            kept.append(assent)
            at += 2
            continue
        if is_unit or not _FILLER.fullmatch(word):
            kept.append(word)
        at += 1
    return kept


def _is_number(word: str, numbers: frozenset[str]) -> bool:
    return word[-1:].isdecimal() or word in numbers


def spell_out(words: Sequence[str]) -> list[str]:
    """Write contractions and short forms out, British words as American ones."""
    spelled: list[str] = []
    for at, word in enumerate(words):
        if word in _WORDS:
            spelled += _WORDS[word]
        elif "'" in word:
            spelled += _uncontracted(word, words[at + 1 : at + 3])
        else:
            spelled.append(word)
    return list(_joined(spelled)) if any(word in _FIRST_OF_PAIR for word in spelled) else spelled


def _uncontracted(word: str, following: Sequence[str]) -> list[str]:
    verbs: list[str] = []
    while len(verbs) < 2 and word[-3:] in _ENDS and len(word) > 3:  # they'd've
        verbs.insert(0, _ENDS[word[-3:]])
        word = word[:-3]
    stem, end = word[:-2], word[-2:]
    following = verbs or following
    verb = next((one for one in following if one not in _ADVERBS), "")
    if word in _WORDS:
        return [*_WORDS[word], *verbs]
    if end == "'s" and stem in _SUBJECTS:
        return [stem, "has" if verb in _AFTER_HAS else "is", *verbs]
    if end == "'d" and stem in _WOULD:
        is_had = verb in _AFTER_HAD or (verb.endswith("ed") and verb not in _AFTER_WOULD)
        return [stem, "had" if is_had else "would", *verbs]
    return [word, *verbs]


def _joined(words: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(words):
        pair = _PAIRS.get((words[at], words[at + 1])) if at + 1 < len(words) else None
        yield pair or words[at]
        at += 2 if pair else 1
