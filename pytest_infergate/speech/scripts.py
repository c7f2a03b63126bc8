"""The words to be spoken, out of a prompt, a screenplay or a subtitle file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..evidence import NoAnswer, Reason, Reply
from ..extract import Extractor
from ..extract.extractor import Sample, final_text
from .quotations import find_quotations
from .screenplay import read_screenplay
from .script_words import NAMING, SHOWING
from .spans import Span, TooManyMarksError, outermost, overlapping, span_at
from .stage_directions import find_directions
from .subtitles import cue_lines, is_subtitles
from .told_speech import find_told_speech

_BOLD = re.compile(r"\*\*|__|[♪♫♩♬]")
_WORD = re.compile(r"\w")
_QUOTE_IN_FRONT = re.compile(r"[\s*_>–—-]{0,16}[\"＂“„‟”«»‹›「『｢〝'‘‚]")
_LOOKED_BACK = 90
#: A thing that is written on, as what "says" or right before the quotation: not somewhere in the sentence.
_WRITING = re.compile(
    r"\b(?:signs?|signpost|billboard|banner|poster|placard|screen|display|monitor|note|letter|label|text|caption"
    r"|subtitle|title|headline|logo|t-shirt|shirt|card|plaque|sticker|button|book|cover|page|board|blackboard"
    r"|chalkboard|whiteboard|graffiti|tattoo|newspaper|neon|inscription|overlay)"
    r"(?:(?:\s+(?:that|which|clearly|now|just))?\s+(?:reads?|reading|says?|saying|said)"
    r"|(?:\s+(?!says?\b|said\b|saying\b|reads?\b|reading\b)[\w'’-]+){0,3})\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, repr=False)
class Script(Extractor[str]):
    """Read the words to be spoken, a line for each utterance; see ``rule``.

    Raises ``NoAnswer``: of a ``Reply`` that did not deliver with what it says of itself, and where there are
    no words to be spoken with ``empty_reference``.
    """

    name = "script"
    version = "1"
    rule = (
        "SRT and WebVTT: the text of the cues, without tags, times, notes, names in front and stage "
        "directions. Else, in order: (1) what stands in quotation marks of any style, the outermost of "
        "nested ones, over lines, and over paragraphs where each opens again; apostrophes and inches "
        "are no marks; not what is a name or written on something (titled, called; a sign that reads). "
        "(2) What follows a name and a colon at the start of a line ('ANNA: …', '**Anna (whispering):**"
        " …', 'Old man: …'), and in a screenplay what stands below a name in capitals, to the end of "
        "the paragraph or the next name; where it begins with a quotation mark, its quotations alone. "
        "Production notes ('Camera: …', 'Scene 2: …') are nobody's. (3) In a sentence without "
        "quotations, what follows says, said or saying to its end, unless that is reported (says that "
        "…, said the …); after other verbs of speech only with a comma or colon between; after an order"
        " (say, read, speak …) and a colon all to the end of the paragraph. Left out everywhere: "
        "[brackets], (parentheses), *asterisks*, <tags>, scene headings, transitions, markdown "
        "headings. White space is one space, and each utterance a line."
    )

    def __call__(self, reply: str | Reply, sample: Sample | None = None) -> str:
        try:
            text = final_text(reply)
        except NoAnswer as missing:
            if isinstance(reply, Reply) or missing.reason not in (Reason.EMPTY_REPLY, Reason.NO_ANSWER):
                raise
            raise self._nothing("the text is empty") from missing
        return self.find(text, sample)

    def find(self, text: str, sample: Sample | None) -> str:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        try:
            utterances = _cues(text) if is_subtitles(text) else _utterances(text)
        except TooManyMarksError as error:
            raise self._nothing(f"no script has {error}") from error
        if not utterances:
            raise self._nothing("found no quotation, speaker's line or cue")
        return "\n".join(utterances)

    def __repr__(self) -> str:
        return "speech.script"

    def _nothing(self, what: str) -> NoAnswer:
        return NoAnswer(Reason.EMPTY_REFERENCE, f"speech.script: {what}")


def _cues(text: str) -> list[str]:
    joined = "\n".join(cue_lines(text))
    directions = find_directions(joined)
    lines: list[str] = []
    start = 0
    for line in joined.split("\n"):
        lines.append(_spoken(joined, [Span(start, start + len(line))], directions))
        start += len(line) + 1
    return [line for line in lines if line]


def _utterances(text: str) -> list[str]:
    text = text.replace("``", "“").replace("''", "”")  # as TeX writes them
    directions = find_directions(text)
    quotations = [
        one
        for one in find_quotations(text)
        if not span_at(directions, one.start - 1) and _WORD.search(text, one.start, one.end)
    ]
    screenplay = read_screenplay(text, quotations)
    left_out = outermost([*directions, *screenplay.left_out])
    found: list[list[Span]] = []
    spoken: list[Span] = []
    for speech in screenplay.speeches:
        start, end = speech[0].start, speech[-1].end
        if _QUOTE_IN_FRONT.match(text, _past(left_out, text, start)) and overlapping(quotations, start, end):
            continue  # the quotations alone
        found.append(speech)
        spoken.append(Span(start, end))
    taken = outermost([*spoken, *quotations])
    headings = [span for span in screenplay.left_out if "\n" not in text[span.start : span.end]]
    for one in quotations:
        in_heading = span_at(headings, one.start)
        if not span_at(spoken, one.start) and not in_heading and not _is_writing(text, one.start - 1):
            found.append([one])
    found += [[span] for span in find_told_speech(text, taken, left_out)]
    found.sort()
    utterances = [_spoken(text, spans, left_out) for spans in found]
    return [utterance for utterance in utterances if utterance]


def _past(left_out: Sequence[Span], text: str, start: int) -> int:
    """Return where the first word after ``start`` is looked for: past the directions that stand there."""
    while True:
        while start < len(text) and text[start].isspace():
            start += 1
        span = span_at(left_out, start)
        if span is None:
            return start
        start = span.end


def _is_writing(text: str, mark: int) -> bool:
    """Whether the quotation that the mark at ``mark`` opens is a name, or stands written on something."""
    lead = text[max(0, mark - _LOOKED_BACK) : mark].rstrip(" \t\n,:*_(").lower()
    last = lead[lead.rfind(" ") + 1 :].rpartition("\n")[2]
    return last in NAMING or (last in SHOWING and _WRITING.search(lead) is not None)


def _spoken(text: str, spans: Sequence[Span], left_out: Sequence[Span]) -> str:
    """Return what ``spans`` hold less what is left out, with single spaces; empty where there is no word."""
    pieces: list[str] = []
    for span in spans:
        at = span.start
        for out in overlapping(left_out, span.start, span.end):
            pieces.append(text[at : max(at, out.start)])
            at = max(at, out.end)
        pieces.append(text[at : span.end])
        pieces.append(" ")
    words = " ".join(_BOLD.sub("", " ".join(pieces)).split())
    return words if _WORD.search(words) else ""


script = Script()
