"""Quoted speech in a text: every style of quotation marks, nested, over lines and paragraphs."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NamedTuple

from .spans import MOST_MARKS, Span, TooManyMarksError, outermost

#: Opening mark → the marks that close it. ” and » open in Swedish and Finnish, » and „ in German.
_CLOSED_BY = {
    '"': '"',
    "＂": "＂",
    "“": "”",
    "„": "“”‟",
    "‟": "”",
    "”": "”",
    "«": "»",
    "»": "«»",
    "‹": "›",
    "›": "‹›",
    "「": "」",
    "『": "』",
    "｢": "｣",
    "〝": "〞〟",
    "'": "'",
    "‘": "’",
    "‚": "‘’",
}
_CLOSES = {
    mark: frozenset(opener for opener, closers in _CLOSED_BY.items() if mark in closers)
    for mark in set("".join(_CLOSED_BY.values()))
}
#: Marks of one family never hold each other open over a paragraph.
_FAMILY = {mark: number for number, marks in enumerate(('"＂', "“„‟”", "«»", "‹›", "'‘‚")) for mark in marks}
#: They open only where they stand before a word: the same mark closes, or is an apostrophe.
_BY_PLACE = frozenset("\"＂”»›'‘")
_SINGLE = frozenset("'‘‚")
# A single mark inside a word is an apostrophe and no token; beside East Asian letters it is one.
_WORD = r"[^\W_\u2e80-\uffff]"
_TOKEN = re.compile(rf"[\"＂“”„‟«»‹›「」『』｢｣〝〞〟‘‚]|(?<!{_WORD})['’]|['’](?!{_WORD})")
_BLANK_LINES = re.compile(r"\n[ \t]*\n[ \t\n]*")
_BEFORE_OPENING = frozenset(
    " \t\n\r\u00a0\u3000([{（【—–-…/:;,.>*_：，。、！？|=~" + "".join(_FAMILY) + "「『｢〝"
)
_AFTER_CLOSING = frozenset(" \t\n\r\u00a0\u3000.,!?;:…)]}—–-*_/，。、！？；：）】>|~" + "".join(_CLOSES))
_NEVER_FIRST = frozenset(",;:!?)]}.")  # a full stop in front of words comes with others: "...well"
_DEEPEST = 16  # marks open at once among which the partner of a single one is looked for
_ENDS = frozenset(".,!?…;:—–-)")
_ELISION = re.compile(
    r"(?:tis|twas|twere|twill|em|n|cause|til|till|bout|round|cuz|sup|kay|\d0s)\b", re.IGNORECASE
)


class _Token(NamedTuple):
    mark: str
    place: int
    paragraph: int
    before: str
    after: str

    @property
    def looks_opening(self) -> bool:
        is_before_word = bool(self.after) and not self.after.isspace() and self.after not in _NEVER_FIRST
        return is_before_word and (not self.before or self.before in _BEFORE_OPENING)

    @property
    def looks_closing(self) -> bool:
        is_after_word = bool(self.before) and not self.before.isspace()
        return is_after_word and (not self.after or self.after in _AFTER_CLOSING)


def find_quotations(text: str) -> list[Span]:
    """Return what stands between quotation marks, without the marks, the outermost, in order and apart.

    A paragraph that is not closed counts where the next one opens again (a speech of several paragraphs).
    Other marks without a partner are none, and neither are apostrophes and inches.
    """
    return _Pairing(text).spans()


@dataclass(slots=True)
class _Pairing:
    text: str
    _blanks: list[int] = field(default_factory=list)

    def spans(self) -> list[Span]:
        tokens = self._tokens()
        pairs, left = self._pair(tokens)
        found = [Span(opener.place + 1, closer.place) for opener, closer in pairs]
        return outermost([*found, *self._continued(tokens, pairs, left)])

    def _tokens(self) -> list[_Token]:
        text, last = self.text, len(self.text) - 1
        blanks = self._blanks = [blank.start() for blank in _BLANK_LINES.finditer(text)]
        found: list[_Token] = []
        paragraph = 0
        for token in _TOKEN.finditer(text):
            place = token.start()
            while paragraph < len(blanks) and blanks[paragraph] < place:
                paragraph += 1
            before = text[place - 1] if place else ""
            after = text[place + 1] if place < last else ""
            after = "…" if text.startswith("...", place + 1) else after
            found.append(_Token(token.group(), place, paragraph, before, after))
            if len(found) > MOST_MARKS:
                raise TooManyMarksError("quotation marks")
        return found

    def _pair(self, tokens: list[_Token]) -> tuple[list[tuple[_Token, _Token]], list[_Token]]:
        """Return the pairs, and the opening marks that are left without a partner."""
        pairs: list[tuple[_Token, _Token]] = []
        left: list[_Token] = []
        stack: list[_Token] = []
        is_open = dict.fromkeys(_CLOSED_BY, 0)
        strong = [token.place for token in tokens if self._ends_single(token)]
        opening = [token.place for token in tokens if token.mark in _SINGLE and self._opens(token)]

        def drop() -> None:
            dropped = stack.pop()
            is_open[dropped.mark] -= 1
            left.append(dropped)

        for token in tokens:
            closes = any(is_open[opener] for opener in _CLOSES.get(token.mark, ()))
            opens = token.mark in _CLOSED_BY and self._opens(token)
            if closes and (not opens or self._rather_closes(token)):
                if token.mark in "'’" and not self._closes_single(token, strong, opening, stack):
                    continue
                while stack[-1].mark not in _CLOSES[token.mark]:
                    drop()
                opener = stack.pop()
                is_open[opener.mark] -= 1
                pairs.append((opener, token))
            elif opens:
                while stack and self._is_dead_before(stack[-1], token):
                    drop()
                stack.append(token)
                is_open[token.mark] += 1
        return pairs, [*left, *stack]

    def _is_dead_before(self, opener: _Token, token: _Token) -> bool:
        """Whether ``opener`` cannot be closed any more once ``token`` opens."""
        if _FAMILY.get(opener.mark, opener.mark) != _FAMILY.get(token.mark, token.mark):
            return False
        return opener.paragraph < token.paragraph or self._begins_line(token)

    def _opens(self, token: _Token) -> bool:
        if token.mark not in _BY_PLACE:
            return token.mark in _CLOSED_BY
        if token.mark in _SINGLE:
            return token.looks_opening and not _ELISION.match(self.text, token.place + 1)
        if token.looks_opening:
            return True
        # Neither one nor the other: ' " spaced " ', 'said"hi"'; a mark after a number is inches.
        return not token.looks_closing and not token.before.isdigit()

    def _rather_closes(self, token: _Token) -> bool:
        return token.looks_closing or not token.looks_opening

    def _ends_single(self, token: _Token) -> bool:
        """Whether a single mark closes beyond doubt: after the end of a phrase, or before one."""
        if token.mark not in "'’" or not token.before or token.before.isspace():
            return False
        return token.before in _ENDS or (token.after in _AFTER_CLOSING and not token.after.isspace())

    def _closes_single(
        self, token: _Token, strong: list[int], opening: list[int], stack: list[_Token]
    ) -> bool:
        opener = next((one for one in reversed(stack[-_DEEPEST:]) if one.mark in _CLOSES[token.mark]), None)
        if opener is None or opener.paragraph != token.paragraph or not token.before.strip():
            return False
        if self._ends_single(token) or not token.after:
            return True
        # "the dogs' bowls": an apostrophe, where a mark beyond doubt comes before the next that opens.
        number, after = bisect_left(strong, token.place + 1), bisect_left(opening, token.place + 1)
        blank = bisect_left(self._blanks, token.place)
        limit = min(
            *opening[after : after + 1], *self._blanks[blank : blank + 1], len(self.text), len(self.text)
        )
        return not (number < len(strong) and strong[number] < limit)

    def _begins_line(self, token: _Token) -> bool:
        line = self.text.rfind("\n", max(0, token.place - 12), token.place)
        return (line >= 0 or token.place < 12) and not self.text[line + 1 : token.place].strip(" \t>-*_")

    def _continued(
        self, tokens: list[_Token], pairs: list[tuple[_Token, _Token]], left: list[_Token]
    ) -> list[Span]:
        """Return the paragraphs of speech that end without a mark because the next opens with one."""
        sound = {opener.place for opener, _ in pairs}
        lonely = {token.place for token in left}
        following: dict[str, _Token] = {}
        found: list[Span] = []
        for token in reversed(tokens):
            if token.place in lonely:
                then = following.get(token.mark)
                if (
                    then is not None
                    and then.place in sound
                    and then.paragraph - token.paragraph <= 1
                    and self._begins_line(then)
                ):
                    found.append(Span(token.place + 1, then.place))
                    sound.add(token.place)
            if token.place in lonely or token.place in sound:
                following[token.mark] = token
        return found
