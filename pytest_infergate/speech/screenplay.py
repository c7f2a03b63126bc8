"""Who speaks in a script: lines with a name in front, and the cues and headings of screenplays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .script_words import NOBODY, ORDERS, PARTICLES, PEOPLE, SHORTENED, VERBS
from .spans import MOST_MARKS, MOST_SPEECHES, Span, TooManyMarksError, span_at

_LINE = re.compile(r"[^\n]*[^\s][^\n]*")
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?s?"
# Not \w: vowel signs of many scripts are no word characters.
_IN_NAME = r"[^\s:：()\[\]（）【】*\"“”„«»<>|=;,!?…]"
_NAME = rf"[^\W\d_](?:{_IN_NAME}|[ \t](?={_IN_NAME})){{0,48}}"
#: A list sign, a time; a name, in brackets how it is said, a colon; bold type around.
_LABEL = re.compile(
    r"[ \t>]{0,16}(?:[-•–—*+][ \t]+|\d{1,3}[.)][ \t]+)?"
    r"(?:[(\[][^()\[\]\n]{0,120}[)\]][ \t]{0,4}){0,2}"
    rf"(?:[\[(]?{_CLOCK}(?:[ \t]{{0,2}}[-–—]{{1,2}}>?[ \t]{{0,2}}{_CLOCK})?"
    r"[\])]?[ \t]{0,2}[-–—:|]?[ \t]{1,4})?"
    rf"[*_]{{0,3}}(?P<name>{_NAME})"
    r"(?:[ \t]{0,2}[*_]{0,3}[ \t]{0,2}[(\[（][^()\[\]\n]{1,80}[)\]）]){0,2}[*_]{0,3}[ \t]{0,2}"
    r"(?:：[*_]{0,3}|:[*_]{0,3}(?=[\s\"“”„«»‹›「『*(\[（【_'‘]|$))"
)
_INLINE = re.compile(rf"(?<=[.!?…\"”)])[ \t]{{1,4}}(?=(?P<name>{_NAME})[ \t]?:[ \t])")
_HEADING = re.compile(
    r"[ \t]{0,60}(?:\d{1,4}[A-Z]?[.)]?[ \t]+)?[*_]{0,3}"
    r"(?:(?:INT|EXT|EST|I/E|INT\.?/EXT|EXT\.?/INT)[. \t]"
    r"|(?:FADE|CUT|SMASH|MATCH|JUMP|DISSOLVE|WIPE|IRIS|BACK|TIME)[ ](?:CUT[ ])?(?:TO|IN|OUT|ON|FROM)\b"
    r"[A-Z ]{0,40}[:.]?[*_]{0,3}$"
    r"|THE[ ]END\b|#{1,6}[ \t])"
)
_SCENE = re.compile(
    r"^[ \t]{0,60}(?:\d{1,4}[A-Z]?[.)]?[ \t]+)?[*_]{0,3}(?:INT|EXT|EST|I/E|INT\.?/EXT|EXT\.?/INT)[. \t]",
    re.MULTILINE,
)
_BRACKETS = re.compile(r"[(\[][^()\[\]\n]{0,80}[)\]]|[*_^]")


@dataclass(frozen=True, slots=True)
class Screenplay:
    """``speeches``, each of one or more spans in order; ``left_out``: names in front of them, headings."""

    speeches: list[list[Span]]
    left_out: list[Span]


def read_screenplay(text: str, quotations: Sequence[Span]) -> Screenplay:
    """Return the speeches and headings of ``text``.

    A speech begins with a name and a colon at the start of a line, or in a screenplay below a name in
    capitals, and goes on to the end of the paragraph, the next name or heading. In ``quotations`` there are
    no names.
    """
    return _Reading(text=text, quotations=quotations, is_screenplay=_SCENE.search(text) is not None).read()


@dataclass(slots=True, kw_only=True)
class _Reading:
    text: str
    quotations: Sequence[Span]
    is_screenplay: bool
    speeches: list[list[Span]] = field(default_factory=list)
    left_out: list[Span] = field(default_factory=list)
    _open: list[Span] | None = None

    def read(self) -> Screenplay:
        before = -1  # where the line before ended, less its line break
        lines = list(self._lines())
        for number, line in enumerate(lines):
            follows = before >= 0 and line.start == before + 1
            in_quotation = self._is_inside(line.start)
            if not follows and not in_quotation and self._open != []:
                self._open = None
            if not in_quotation:
                next_start = lines[number + 1].start if number + 1 < len(lines) else -1
                self._read_line(line, follows=follows, has_next=next_start == line.end + 1)
            elif self._open is not None:
                self._say(line)
            before = line.end
        return Screenplay([speech for speech in self.speeches if speech], self.left_out)

    def _lines(self) -> Iterator[Span]:
        for count, line in enumerate(_LINE.finditer(self.text)):
            if count > MOST_MARKS:
                raise TooManyMarksError("lines")
            yield Span(*line.span())

    def _is_inside(self, place: int) -> bool:
        span = span_at(self.quotations, place)
        return span is not None and span.start < place

    def _read_line(self, line: Span, *, follows: bool, has_next: bool) -> None:
        if _HEADING.match(self.text, line.start, line.end):
            self._open = None
            self.left_out.append(line)
            return
        label = self._label(line)
        if label is not None and _is_nobody(label["name"]):
            self._open = None
            self.left_out.append(Span(line.start, label.end()))
        elif label is not None and is_speaker(label["name"]):
            self._begin()
            self.left_out.append(Span(line.start, label.end()))
            self._say(Span(label.end(), line.end))
        elif not follows and has_next and self._is_cue(line):
            self._begin()
            self.left_out.append(line)
        elif self._open is not None:
            self._say(line)

    def _label(self, line: Span) -> re.Match[str] | None:
        head = self.text[line.start : min(line.end, line.start + 240)]
        if ":" not in head and "：" not in head:
            return None
        return _LABEL.match(self.text, line.start, line.end)

    def _begin(self) -> None:
        if len(self.speeches) >= MOST_SPEECHES:
            raise TooManyMarksError("speeches", MOST_SPEECHES)
        self._open = []
        self.speeches.append(self._open)

    def _say(self, span: Span) -> None:
        """Add to the open speech; a name within the line, after the end of a sentence, begins another."""
        assert self._open is not None
        start = span.start
        for label in _INLINE.finditer(self.text, span.start, span.end):
            if (
                is_speaker(label["name"])
                and not _is_nobody(label["name"])
                and not self._is_inside(label.end())
            ):
                self._keep(Span(start, label.start()))
                self._begin()
                start = self.text.index(":", label.end("name")) + 1
                self.left_out.append(Span(label.start(), start))
        self._keep(Span(start, span.end))

    def _keep(self, span: Span) -> None:
        if self._open is not None and self.text[span.start : span.end].strip():
            self._open.append(span)

    def _is_cue(self, line: Span) -> bool:
        """Whether the line is a name in capitals over words: in a screenplay, or before a direction."""
        written = self.text[line.start : min(line.end, line.start + 120)]
        name = _BRACKETS.sub("", written).strip()
        is_in_capitals = name == name.upper() != name.lower()
        if not is_in_capitals or not 2 <= len(name) <= 40 or name[-1] in ".!?:,;" or _is_nobody(name):
            return False
        is_bold = written.strip().startswith("**") and written.strip().endswith("**")
        return (
            self.is_screenplay
            or is_bold
            or self.text[line.end + 1 : line.end + 40].lstrip(" \t").startswith("(")
        )


def is_speaker(name: str) -> bool:
    """Whether ``name``, in front of a colon, is somebody who speaks.

    Up to four words that begin with capitals, a name in a script without case, up to three words that end
    with one for people (``old man``), or some that end with a verb of speech (``the narrator says``).
    """
    words = name.replace("_", " ").split()
    if not words or len(words) > 7:
        return False
    if any(word[-1] == "." and len(word) > 2 and word[:-1].lower() not in SHORTENED for word in words):
        return False  # the end of a sentence
    if len(words) > 1 and words[-1].lower() in VERBS - ORDERS:
        return True
    if len(words) > 4:
        return False
    if len(words) <= 3 and words[-1].lower().rstrip("s0123456789") in PEOPLE:
        return True
    if name.lower() == name.upper():
        return len(name) <= 8 or len(words) > 1
    capitals = [word for word in words if not word[0].islower() or word in PARTICLES]
    return len(capitals) == len(words) and not words[0][0].islower()


def _is_nobody(name: str) -> bool:
    words = re.findall(r"[^\W\d_]+", name.lower())
    return bool(words) and words[0] in NOBODY and not (len(words) > 1 and words[-1] in PEOPLE)
