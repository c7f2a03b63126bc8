"""The number that a reply gives as its answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..evidence import NoAnswer, Reason
from .emphasis import with_asterisks
from .extractor import Extractor, GoldError, Sample
from .fences import text_outside_blocks
from .latex import find_listed_box
from .numeral import Number, Numeral, find_numerals, spell_plainly
from .retraction import read_retraction
from .statement import Marker, Statement, find_statements, first_sentence, is_declined, last_sentence
from .turn import before_next_question

_WINDOW = 4_096  # characters looked at together, from the last digit back
_MOST_WINDOWS = 16  # windows without a usable number that are passed over
_MOST = 256  # numerals looked at in a window, from its end
_DIGIT = re.compile(r"[\d½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")
_BLANK = re.compile(r"\s")
_LISTED = re.compile(r"^[ \t>]{0,12}(?:[*_]{0,3})(\d{1,3})[.)](?=[ \t]+\S)", re.MULTILINE)
_HINTS = (  # written before a numeral that names a place in the text or a check, and is no result
    re.compile(
        r"\b(?:steps?|figures?|fig\.?|tables?|equations?|eqn?\.?|sections?|footnotes?|refs?\.?"
        r"|confidence|certainty"
        r"|phase|stage)(?:[ ](?:level|score|number|no\.?))?[ ]?(?:is|of|[:=#(])?[ ]?[*#(]{0,2}$",
        re.IGNORECASE,
    ),
    re.compile(r"\w[ ]?\[$"),
)
_PLACES = re.compile(
    r"\b(?:pages?|lines?|questions?|problems?|parts?|options?|items?|cases?|chapters?|examples?"
    r"|methods?|rules?|notes?)"
    r"[ ]?[#(]{0,2}$",
    re.IGNORECASE,
)
_PRECISION = re.compile(
    r"[ -]?(?:decimals?\b|decimal places?\b|d\.?p\.?\b|significant\b|sig\.? ?figs?\b|s\.f\."
    r"|% (?:sure|certain|confident|confidence)\b"
    r"|times\b(?=[^.\n]{0,40}\bto (?:be sure|make sure|verify)\b))",
    re.IGNORECASE,
)
_CHECKED = re.compile(
    r"\b(?:check|verif|recomput|re-comput|recalculat|recount|re-check|double|confirm|tri)\w*[^.\n]{0,60}$",
    re.IGNORECASE,
)
_TIMES = re.compile(r"[ ](?:times|ways|methods|different)\b", re.IGNORECASE)
_MARKUP = r"[ \t*_$`~\u2009]*"
_EQUALS = re.compile(
    rf"(?:{_MARKUP}(?:=|→|->|=>|is\b|equals\b|gives\b)|\s{{0,4}}\w{{0,24}}{_MARKUP}=){_MARKUP}", re.IGNORECASE
)
_OPERATES = re.compile(
    rf"[%°)\]]{{0,2}}{_MARKUP}(?:[-+*/^:~～±]|x\b|to\b|through\b|plus\b|minus\b|times\b|divided by\b"
    rf"|or\b|bis\b|à\b|oder\b|ou\b|или\b|或)[(\[$€£ *_]{{0,4}}"
    rf"|(?:[ ][A-Za-z]{{1,20}}){{1,2}}{_MARKUP}[-+*/][ ][(\[$€£ *_]{{0,4}}"
)
_PLAIN_OPERATES = re.compile(r"[%°)\]]{0,2}[ $]{0,2}(?:[-+*/^~～±]|x\b|or\b)[(\[$€£ ]{0,4}")
_RESTATED = re.compile(r"\([ ]?=[^()\n]{1,60}\)")  # "12 (= 3 × 4)"
_BETWEEN = re.compile(r"\bbetween [$€£]{0,2}$", re.IGNORECASE)
_OUT_OF = re.compile(r"[ ](?:[a-z]{1,20}[ ])?out of (?:the |a )?(?:total )?(?:of )?")
_UNITS_EQUAL = re.compile(r"(?![^=\n]*[(\[][ ]?=)[^\d=\n.;]{0,40}=[^\d=\n.;]{0,24}")
_LEAD = re.compile(
    r"(?:[\s*_`$\"'“(\[{:=~]|\\[(\[]|\\(?:text|mathrm|mathbf|textbf|boxed|fbox)\b|about\b"
    r"|approximately\b|approx\.?|roughly\b"
    r"|exactly\b|just\b|only\b|simply\b|therefore\b|thus\b|now\b|a total of\b|[A-Za-z]{1,2}[ ]?=|[€£¥₹])*",
    re.IGNORECASE,
)
_LIST = re.compile(r"[\s*_$}\]).,;!]*")
_AND = re.compile(
    r"[*_$]{0,3}(?:,[ ]*(?:and[ ]|or[ ])?|;[ ]*|[ ](?:and|or|und|oder|et|ou|y|o|e|и|или)[ ]|或"
    r"|和)[*_$(\\]{0,3}",
    re.IGNORECASE,
)
_BOXED = re.compile(r"[\s*_$`\\(\[]{0,12}\\(?:boxed|fbox)\{([^{}\n]{1,80})\}[\s*_$`\\)\].]{0,12}")
#: What makes a sentence about a number of "43 is …", where a unit would follow an answer.
_SAYS_MORE = re.compile(
    r"\d\W{0,4}\s(?:is|are|was|were|has|have|had|can|could|may|might|would|should|must|will|does|do|did|also|seems?"
    r"|looks?|sounds?|feels?|isn't|doesn't|can't|cannot|plus|minus|times|divided|and|or|of|in|on|at|to|more|less)\b|[?=]",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"[\s*_]*(?:not|never|no longer|nicht|pas|no es|не)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, repr=False)
class NumberAnswer(Extractor[Number]):
    """Read the number that a reply gives as its answer; see ``rule``.

    ``parse`` takes an ``int``, a finite ``float``, or a text with exactly one number or an announced one
    (``#### 18``). ``same`` compares ints exactly and floats to a relative 1e-9.
    """

    name = "number"
    version = "1"
    rule = (
        "An int where integral, else a float. The last announced answer that holds a number: '#### N', "
        "\\boxed{N}, <answer>N</answer>, 'answer is N', 'Answer: N' and the like in other languages; in it "
        "the number that follows at once (of 'a = b' the last side that is one number), else the last one. "
        "Without an announcement the last number in bold on its own, else the last number of the text "
        "outside fences. An answer that is taken back ('Wait, no — N', 'Correction: N', 'Actually, it is "
        "N') gives the new number, and no answer where there is none. Not numbers: list marks, references "
        "('step 2', '[3]'), dates, times, versions, "
        "parts of words, products with π or √, precision ('2 decimals'); ordinals and 'page 3' only where "
        "nothing else is there. A range, several values, several boxes in a list, a sum left undone, or a "
        "statement that it cannot be told is no answer. Grouping by comma, apostrophe, underscore or "
        "space, {,}, currency, % and units are dropped; one comma before other than three digits is a "
        "decimal comma; a/b is a ratio, 2 1/2 a mixed number; 'million' and the like multiply; numbers are "
        "digits. What follows a question that the model asks itself after its answer ('Q: …') is not read."
    )

    def find(self, text: str, sample: Sample | None) -> Number:
        text, replaced = read_retraction(before_next_question(text), _alone, name=self.name)
        if replaced is not None:
            return replaced
        statements = find_statements(text)
        for statement in reversed(statements):
            if statement.marker is Marker.BOX:
                listed = find_listed_box(text, statement.position)
                if listed is not None and listed.strip() != statement.text:
                    self.no_answer("single number: several boxes are given as one list")
            found = self._stated(statement)
            if found is not None:
                return found
        if not statements and is_declined(last_sentence(text)):
            self.no_answer("number: the reply says that it cannot be told")
        for part in (text_outside_blocks(text), text):
            for window in _windows(part):
                found = self._unannounced(window)
                if found is not None:
                    return found
        raise NoAnswer(Reason.NO_ANSWER, "extract.number found no number")

    def parse(self, gold: object) -> Number:
        accepted = "a finite number, or a text with one number or an announced one"
        if isinstance(gold, bool) or not isinstance(gold, (int, float, str)):
            raise GoldError(self.name, gold, accepted)
        if isinstance(gold, str):
            try:
                numerals = find_numerals(_spelled(gold)) if len(gold) <= 4 * _WINDOW else []
                if len(numerals) == 1 and numerals[0].value is not None:
                    return numerals[0].value
                for statement in reversed(find_statements(gold)):
                    found = self._stated(statement)
                    if found is not None:
                        return found
            except NoAnswer as missing:
                raise GoldError(self.name, gold, accepted) from missing
            raise GoldError(self.name, gold, accepted)
        if isinstance(gold, int):
            return gold
        if not math.isfinite(gold):
            raise GoldError(self.name, gold, accepted)
        return int(gold) if gold.is_integer() else gold

    def same(self, value: object, gold: object) -> bool:
        try:
            left, right = self.parse(value), self.parse(gold)
        except GoldError:
            return False
        if isinstance(left, int) and isinstance(right, int):
            return left == right
        try:
            return math.isclose(left, right, rel_tol=1e-9, abs_tol=0.0)
        except OverflowError:  # an int beyond the range of floats
            return False

    def _stated(self, statement: Statement) -> Number | None:
        """Return the number of an announced answer; ``None`` where the announcement holds none.

        Raises ``NoAnswer`` where it holds something else than one number.
        """
        text = _spelled(statement.text)
        if statement.marker is Marker.RULE:
            sole = _sole(text)
            return None if sole is None else sole.value
        if statement.marker is Marker.PHRASE:
            text = first_sentence(text)
        numerals = _candidates(text)
        if not numerals:
            if is_declined(text):
                self.no_answer("number: the answer is that it cannot be told")
            if statement.marker is not Marker.PHRASE and any(c.isdigit() for c in text):
                self.no_answer(f"number in the announced answer {text[:60]!r}")
            return None
        if is_declined(text[: numerals[0].start]):
            self.no_answer("number: the answer is that it cannot be told")
        lead = _LEAD.match(text)
        if (lead and numerals[0].start <= lead.end() <= numerals[0].end) or statement.marker is Marker.BOX:
            chain = [numerals[0]]
            for numeral in numerals[1:]:
                glue = text[chain[-1].end : numeral.start]
                if not (_OPERATES.fullmatch(glue) or _EQUALS.fullmatch(glue) or _UNITS_EQUAL.fullmatch(glue)):
                    break
                chain.append(numeral)
            after = text[chain[-1].end :]
            if len(chain) < len(numerals):
                rest = numerals[len(chain) :]
                joined = all(
                    _AND.fullmatch(text[one.end : two.start])
                    for one, two in zip([chain[-1], *rest], rest, strict=False)
                )
                conjoined = re.match(r"[*_$]{0,3}[ ](?:and|or|und|oder|et|ou)[ ]", after)
                if joined and (
                    statement.marker is Marker.BOX or conjoined or _LIST.fullmatch(text, rest[-1].end)
                ):
                    self.no_answer("single number: several values are given")
            return self._result(text, chain)
        if _NEGATED.match(text) and len(numerals) == 1:
            return None
        return self._result(text, _chain_before(text, numerals))

    def _unannounced(self, text: str) -> Number | None:
        plain = _RESTATED.sub("", _spelled(text))
        numerals = _candidates(plain)
        if not numerals:
            return None
        bold = _last_bold(plain)
        if bold is not None:
            return bold
        dated = [numeral for numeral in numerals if not numeral.is_date]
        numerals = dated or numerals
        if len(numerals) > 1:
            low, high = numerals[-2:]
            if plain[low.end : high.start] == " and " and _BETWEEN.search(plain, 0, low.start):
                self.no_answer(f"single number, but a range: {plain[low.start : high.end]!r}")
        return self._result(plain, _chain_before(plain, numerals))

    def _result(self, text: str, chain: list[Numeral]) -> Number:
        """Return the last side of ``a = b = c`` that is one number; raises where there is none."""
        sides: list[list[Numeral]] = [[chain[0]]]
        for before, numeral in pairwise(chain):
            glue = text[before.end : numeral.start]
            if _OPERATES.fullmatch(glue):
                sides[-1].append(numeral)
            else:
                sides.append([numeral])
        for side in reversed(sides):
            if len(side) == 1:
                value = side[0].value
                if value is None:
                    self.no_answer(f"readable number in {text[side[0].start : side[0].end][:60]!r}")
                else:
                    return value
        shown = text[chain[0].start : chain[-1].end]
        raise NoAnswer(Reason.NO_ANSWER, f"extract.number found a range or a sum left undone: {shown[:60]!r}")


def _spelled(text: str) -> str:
    return spell_plainly(with_asterisks(text))


def _alone(text: str) -> Number | None:
    """Return the number of a text that is nothing else, but for a unit."""
    plain = _spelled(text)
    boxed = _BOXED.fullmatch(plain.strip())
    sole = None if _SAYS_MORE.search(plain) else _sole(boxed[1] if boxed else plain)
    return None if sole is None else sole.value


def _windows(text: str) -> Iterator[str]:
    """Yield stretches of ``text`` that hold a digit, from its end back; a word is not cut."""
    end, seen = len(text), 0
    while end > 0 and seen < _MOST_WINDOWS:
        start = max(0, end - _WINDOW)
        if start:
            blank = _BLANK.search(text, start, end)
            start = blank.end() if blank else max(0, start - 2 * _WINDOW)  # one word, as in Chinese
        chunk = text[start:end]
        if _DIGIT.search(chunk):
            seen += 1
            yield chunk
        end = start


def _candidates(text: str) -> list[Numeral]:
    """Return the numerals that can be a result, the best kind that is there."""
    marks = {int(mark[1]): mark for mark in _LISTED.finditer(text)}
    listed = {
        mark.start(1)
        for mark in _LISTED.finditer(text)
        if {int(mark[1]) - 1, int(mark[1]) + 1} & marks.keys()
    }
    strong: list[Numeral] = []
    weak: list[Numeral] = []
    for numeral in find_numerals(text)[-_MOST:]:
        start = numeral.start
        if start in listed:
            continue
        lead = text[max(0, start - 40) : start]
        if any(hint.search(lead) for hint in _HINTS) and not lead.lower().endswith("answer: ["):
            continue
        if _PRECISION.match(text, numeral.end):
            continue
        if _TIMES.match(text, numeral.end) and _CHECKED.search(text, max(0, start - 80), start):
            continue
        (weak if numeral.is_ordinal or _PLACES.search(lead) else strong).append(numeral)
    return strong or weak


def _chain_before(text: str, numerals: list[Numeral]) -> list[Numeral]:
    """Return the numerals joined by operators or equals signs that end with the last one."""
    first = len(numerals) - 1
    while first > 0 and _OUT_OF.fullmatch(text, numerals[first - 1].end, numerals[first].start):
        numerals, first = numerals[:-1], first - 1  # "25 out of 30" is 25
    while first > 0:
        glue = text[numerals[first - 1].end : numerals[first].start]
        if len(glue) > 60 or not (_PLAIN_OPERATES.fullmatch(glue) or _EQUALS.fullmatch(glue)):
            break
        first -= 1
    return numerals[first:]


def _last_bold(text: str) -> Number | None:
    end = len(text)
    for _ in range(64):
        close = text.rfind("**", 0, end)
        if close < 0:
            return None
        opened = text.rfind("**", max(0, close - 60), close)
        if opened >= 0:
            sole = _sole(text[opened + 2 : close])
            if sole is not None and "=" not in text[opened + 2 : close]:
                return sole.value
        end = close
    return None


def _sole(text: str) -> Numeral | None:
    """Return the numeral of a text that is one number with at most three words of unit."""
    line = text.split("\n", 1)[0].strip(" \t*_`$.!()[]\\{}:")
    numerals = find_numerals(line)
    if len(numerals) != 1 or numerals[0].value is None or numerals[0].start > 0:
        return None
    unit = line[numerals[0].end :]
    return numerals[0] if len(unit.split()) <= 3 and not re.match(r"[.):]", unit) else None


number = NumberAnswer()
