"""How a choice among labels is worded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

#: What may stand before a label, and after it, without being a word.
OPEN = r"(?:[\s*_`\"'“‘(\[{<$:#>]|\\[(\[]|\\(?:boxed|fbox|text|textbf|mathrm|mathbf)\b)"
CLOSE = r"(?:[*_`\"'”’)\]}>$]|\\[)\]])"
#: Letters of scripts that write no spaces.
UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
NOT = (
    r"(?:not|neither|nor|isn't|aren't|wasn't|(?:don't|not) think (?:it's|it is|that it is)"
    r"|rather than|instead of|other than|never|except"
    r"|rul(?:e|es|ed|ing) out|eliminat(?:e|es|ed|ing)|exclud(?:e|es|ed|ing)|reject(?:s|ed|ing)?)"
)
_KINDS = (
    "option|choice|letter|answer|alternative|alternativa|opción|réponse|lettre|Antwort|вариант|选项|選択肢"
)
NOUN = (
    r"(?:(?:the|my|an?|is|are)[ ])?(?:(?:final|correct|best|right)[ ])?"
    rf"(?:{_KINDS})s?[ ]?(?:is|:)?[ ]?"
)
_WRONG = (
    r"(?:(?:is|are|was|were|seems?|looks?)[ ](?:clearly[ ]|also[ ])?"
    r"(?:not|wrong|incorrect|false|out|impossible|ruled out|eliminated)"
    r"|isn't|aren't|cannot|can't|can be (?:ruled out|eliminated))"
)
_RIGHT = r"(?:the |my )?(?:final |only )?(?i:correct|right|best|answer|true|most|choice|pick|option|one)"
#: Letters of such scripts may follow at once.
_END = rf"(?![^\W{UNSPACED}]|['’])"
_BETWEEN = r"[\s,/&.)\]*_(\[]{1,8}"

#: What a sentence says after a letter that is a label: "A is …", "A because …".
GOES_ON = re.compile(
    r"\s+(?:(?:is|was|because|since|as|due|given|for|which|fits|seems|looks|follows|matches|are)\b|[—–-]|"
    r"(?P<verb>would|must|should)\b)"
)
CONNECTIVE = re.compile(
    r"^[\s*_]*(?:so|hence|therefore|thus|then|finally|hmm|well|okay|ok|maybe|perhaps|i guess|i think"
    r"|i choose|i pick|i'd say)[,:]?\s+"
    r"(?:it's |it is |it must be )?",
    re.IGNORECASE,
)
#: What leads to a label at the end of a reasoned sentence: "so it is C", "left with D".
LEADS = re.compile(
    r"(?:\b(?:so|hence|therefore|thus|but|with|is|be|it's|choose|pick|select|say|then|leaves|definitely|certainly|probably|clearly"
    r"|likely|surely|perhaps|maybe|possibly|guess)\b[,:]?|[:=>→])"
    r"[\s*_]{1,4}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ChoicePatterns:
    """Patterns over one set of labels.

    ``head``: a label at the start of an announced answer; ``joined``: a second one after it; ``chosen``:
    a label that is said to be right; ``marked``: in brackets, bold or after "option"; ``rejected``: said
    not to be right; ``line``: at the start of a line; ``listed``: at the start of a clause, with a mark;
    ``exact``: as a word; ``several``: nothing but labels; ``bare``: as a word, where it can be no article,
    pronoun or number.
    """

    head: re.Pattern[str]
    joined: re.Pattern[str]
    chosen: re.Pattern[str]
    marked: re.Pattern[str]
    rejected: re.Pattern[str]
    line: re.Pattern[str]
    listed: re.Pattern[str]
    exact: re.Pattern[str]
    several: re.Pattern[str]
    bare: re.Pattern[str]


@lru_cache(maxsize=256)
def patterns_of(labels: tuple[str, ...]) -> ChoicePatterns:
    """Return the patterns over ``labels``."""
    exact = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    words = [
        label for label in labels if label not in ("A", "I") and not label.isdecimal() and not label.islower()
    ]
    bare = "|".join(map(re.escape, words)) or r"(?!)"
    named = rf"[(*]{{0,3}}(?:{exact}){_END}[)\]*]{{0,3}}"
    or_named = rf"(?:{NOUN})?{OPEN}{{0,4}}(?:{exact}){_END}[)\]*]{{0,3}}"
    return ChoicePatterns(
        head=re.compile(
            rf"{OPEN}{{0,20}}(?P<noun>{NOUN})?{OPEN}{{0,8}}(?P<label>{exact}){_END}", re.IGNORECASE
        ),
        joined=re.compile(
            rf"{CLOSE}{{0,4}}\s{{0,2}}(?:,|/|&|\b(?:and|or|und|oder|et|ou)\b|或|和)\s{{0,2}}(?:and |or )?"
            rf"(?:{NOUN})?{OPEN}{{0,4}}(?P<label>{exact})(?![\w'’]|\s+[a-z]+\s+[a-z])"
        ),
        chosen=re.compile(
            rf"\b(?i:{_KINDS})[ ]{OPEN}{{0,4}}(?P<before>{exact}|(?i:{exact})(?=[)\]*.]|[ ]is\b)){_END}"
            r"(?=[^.\n]{0,60}\b(?i:correct|right|best|answer|true|fits|matches|chosen|it|therefore))"
            rf"|(?<![\w'’]){OPEN}{{0,4}}(?P<after>(?<=[(\[*])(?i:{exact})|{exact})[)\]*.:]{{0,3}}"
            r"[ ](?:is|seems|looks|fits|matches|works|must be|would be)[ ]"
            r"(?:clearly[ ]|definitely[ ]|likely[ ])?"
            rf"{_RIGHT}"
            rf"|(?<![A-Za-z])(?P<cjk>{exact})[ ]?(?:选?项)?是?(?:正确|对)(?!吗)"
        ),
        marked=re.compile(
            r"(?:[(\[]|\*\*[(]?|\\boxed\{"
            r"|\b(?i:option|choice|letter|pick|choose|select|go with|chose)[ ][(*]{0,3})"
            rf"(?P<label>{exact}){_END}"
        ),
        rejected=re.compile(
            rf"\b(?i:{NOT})[ ]{or_named}(?:,?[ ](?:and|or|nor)[ ]{or_named})*"
            rf"|(?i:{NOUN})?(?<!\w){named}(?:(?:,|[ ]and|[ ]or|,[ ]and)[ ]{named}){{0,8}}[ ](?i:{_WRONG})\b"
        ),
        line=re.compile(
            rf"^[\s*_`>#(\[-]{{0,8}}(?P<label>{exact})"
            r"(?:[*_`]{0,3}[).:\]][*_`]{0,3}(?=\s|$)|[*_`)\]]{1,4}(?=\s|$)|[ \t]*$|[ ][-–—][ ]"
            r"|,?[ ](?:because|since)\b)",
            re.MULTILINE,
        ),
        listed=re.compile(rf"(?:^|[.!?;,][ ]|\n)[*_(]{{0,3}}(?P<label>{exact})[*_]{{0,3}}[).:](?=\s)"),
        exact=re.compile(rf"(?<!\w)(?:{exact}){_END}"),
        several=re.compile(
            rf"[\s*_(\[]*(?:{exact}){_END}(?:{_BETWEEN}(?:(?:and|or)\b{_BETWEEN})?(?:{exact}){_END}){{1,25}}[\s*_)\].?!]*"
        ),
        bare=re.compile(rf"(?<![\w'-])(?P<label>{bare}){_END}(?!-)"),
    )
