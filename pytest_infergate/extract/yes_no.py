"""Whether a reply says yes or no."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .emphasis import with_asterisks
from .extractor import Extractor, GoldError, Sample
from .retraction import read_retraction
from .statement import Marker, find_statements, is_declined
from .turn import before_next_question

_WINDOW = 16_384  # characters at the end in which single words are looked for
_YES = [
    "yes",
    "yeah",
    "yep",
    "yup",
    "true",
    "correct",
    "ja",
    "oui",
    "sí",
    "si",
    "sim",
    "da",
    "да",
    "tak",
    "evet",
    "はい",
    "是",
    "是的",
    "对",
    "예",
    "네",
    "نعم",
    "हाँ",
    "हां",
]
_NO = [
    "no",
    "nope",
    "nah",
    "false",
    "incorrect",
    "nein",
    "non",
    "não",
    "nao",
    "nee",
    "net",
    "нет",
    "nie",
    "hayır",
    "いいえ",
    "否",
    "不",
    "不是",
    "不对",
    "아니요",
    "아니오",
    "لا",
    "नहीं",
]
_WORTH = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}
_ASIAN = ["はい", "いいえ", "是的", "不是", "不对", "是", "否", "对", "不", "예", "네", "아니요", "아니오"]
_DECORATION = r"[\s*_`#>\"'“”‘’(\[{:$.,!\-–—]"
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # letters of scripts that write no spaces
_HEAD = re.compile(
    rf"(?:{_DECORATION}|\\[(\[]|\\(?:boxed|fbox|text|textbf|mathrm)\b|<\w{{1,12}}>){{0,40}}"
    rf"(?:({'|'.join(_ASIAN)})|([a-z]{{2,9}}(?={_UNSPACED})|[^\W\d_]{{2,9}}))",
    re.IGNORECASE,
)
# After "no": what shows that it answers, rather than "no prime", "no longer", "no one".
_ANSWERS = re.compile(
    rf"(?:[\s*_`\"'”’)\]}}$]|\\[)\]])*(?:$|[.,;:!?。，！、\-–—(}}/\n]|{_UNSPACED}|(?:it|it's|that|this|they|he|she|we|you|i|there"
    r"|because|since|as|not"
    r"|the|a|an|and|or|und|et|y)\b)",
    re.IGNORECASE,
)
# English words only: in the middle of a text "si", "non" or "da" are other words.
_ALONE = re.compile(
    r"(?:(?<=[.!?;:,\n])|(?<=[–—])|(?<=- )|^)[\s*_`\"'“(]{0,6}(?:(?:so|therefore|thus|hence"
    r"|actually|wait|then|and|but|overall|finally|again|i think|i believe|i guess|i'd say|i would say|i say"
    r"|probably|definitely|certainly|clearly"
    r"|in conclusion)[, ]{1,3}){0,3}[*_`\"'“(]{0,4}\b(yes|no)\b(?=([*_`\"'”)]{0,4})(?:[\s]*$"
    r"|[ ]?[.,;:!\n–—]|[ ](?:it|that|this|there|because|since)\b))",
    re.IGNORECASE | re.MULTILINE,
)
#: The whole sentence, so that "is true only if" and "whether it is true" are no answers.
_TRUTH = re.compile(
    r"(?:^|(?<=[.!?\n])[ ]?|(?<=^so )|(?<=[.!?\n] so ))(?:so |therefore,? |thus,? |hence,? )?(?:it|this|that"
    r"|(?:the|this|that)(?: given)? (?:statement|claim|sentence|assertion|proposition|hypothesis))"
    r" is (?:therefore |clearly |thus |indeed )?[*_\"]{0,3}(true|false|correct|incorrect)\b"
    r"[*_\"]{0,3}(?=[.!]|\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
_ECHO = re.compile(
    r"[\"'“(]?\b(?:yes|no|true|false)\b[\"'”]?[ ]?(?:/|or|oder)[ ]?[\"'“]?\b(?:yes|no|true|false)\b[\"'”)]?",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:so|therefore|thus|hence|overall|finally|in conclusion"
    r"|in short)[,:]?[ ]{1,2}(?:it[ ]is[ ])?"
    r"(?:the[ ](?:final[ ])?answer[ ]is[ ])?[*_\"'“]{0,3}(yes|no)\b(?=[*_\"'”]{0,3}(?:\s*$"
    r"|\s*[.,;:!\n]))",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"[\s*_`\"'”,]*(?:and|or|but(?: also)?|/|&|und|oder|et|ou|y|o)[\s*_`\"'“]*([^\W\d_]{2,9})\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?:[\s*_`\"'”’)\]}$.!。！]|\\[)\]]|</\w{1,12}>)*")
_NEGATED = re.compile(r"(?:\b(?:not|never|neither|nor|cannot)|n't)\b[^.!?,;:\n–—]{0,24}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, repr=False)
class YesNo(Extractor[bool]):
    """Read yes as ``True`` and no as ``False``; see ``rule``. ``parse`` takes a bool or a word for either."""

    name = "yes_no"
    version = "1"
    rule = (
        "True for yes, False for no (also true/false, correct/incorrect, and the words of 14 other "
        "languages) where the word begins, first that holds: the last announced answer ('answer is …', "
        "\\boxed{…}, <answer>), a conclusion ('so yes.', 'therefore, no'), the text. Else the English "
        "words that stand alone in a clause, any that stand alone on a line, and sentences such as 'The "
        "statement is true.', where all agree. 'No' before a noun ('no prime') is not an answer, nor is a "
        "negated word ('not yes') nor an "
        "echo of the question ('yes or no'). A text that begins with one word and later states the other "
        "alone ('No, wait — yes, it is'), 'yes and no', and a statement that it cannot be told are no "
        "answer. An answer that is taken back ('Wait, no — yes', 'Correction: no', 'Actually, yes') gives "
        "the new one, and no answer where there is none. What follows a question that the model asks itself "
        "after its answer is not read."
    )

    def find(self, text: str, sample: Sample | None) -> bool:
        text, replaced = read_retraction(before_next_question(text), _alone, name=self.name)
        if replaced is not None:
            return replaced
        for statement in reversed(find_statements(text)):
            if statement.marker is Marker.RULE and not _HEAD.match(statement.text):
                continue
            stated = self._head(
                _ECHO.sub(" ", statement.text) if statement.marker is Marker.PHRASE else statement.text
            )
            if stated is not None:
                return stated
            if is_declined(statement.text):
                self.no_answer("yes or no: the reply says that it cannot be told")
        end = with_asterisks(text[-_WINDOW:])
        conclusions = _CONCLUDES.findall(end)
        if conclusions:
            return _WORTH[conclusions[-1].lower()]
        plain = _ECHO.sub(" ", end)
        begun = self._head(_ECHO.sub(" ", text[:400]))
        alone = {
            _WORTH[word[1].lower()]
            for word in _ALONE.finditer(plain)
            if not _NEGATED.search(plain, max(0, word.start(1) - 40), word.start(1))
        }
        alone |= {_WORTH[word.lower()] for word in _TRUTH.findall(plain)}
        alone |= {worth for line in end.split("\n") if (worth := _alone(line)) is not None}
        if begun is not None:
            alone.add(begun)
        if len(alone) != 1:
            self.no_answer("single yes or no: both are said" if alone else "yes or no")
        return alone.pop()

    def parse(self, gold: object) -> bool:
        if isinstance(gold, bool):
            return gold
        word = gold.strip().strip(".").lower() if isinstance(gold, str) else gold
        if isinstance(word, str) and word in _WORTH:
            return _WORTH[word]
        raise GoldError(self.name, gold, "a bool, or a word such as 'yes', 'no', 'true', 'false'")

    def _head(self, text: str) -> bool | None:
        """Return what the first word says, ``None`` where it says neither; raises for both."""
        head = _HEAD.match(text)
        if head is None:
            return None
        word = (head[1] or head[2]).lower()
        worth = _WORTH.get(word)
        if worth is None:
            return None
        rest = text[head.end() : head.end() + 80]
        if not head[1] and rest[:1].isalnum() and not re.match(_UNSPACED, rest):
            return None
        both = _BOTH.match(rest)
        if both and _WORTH.get(both[1].lower(), worth) is not worth:
            self.no_answer("single yes or no: both are said")
        if word not in ("yes", "yeah", "yep", "nope") and not head[1] and not _ANSWERS.match(rest):
            return None
        return worth


def _alone(text: str) -> bool | None:
    """Return what a text says that is nothing but a word for yes or no."""
    head = _HEAD.match(text) if len(text) <= 80 else None
    if head is None or not _ENDS.fullmatch(text, head.end()):
        return None
    return _WORTH.get((head[1] or head[2]).lower())


yes_no = YesNo()
