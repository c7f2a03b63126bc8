"""Whether a picture or a clip is free of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...evidence import Reason
from ..backgrounds import on_backgrounds
from ..check import CheckResult
from ..clip import Clip
from ..comparable_text import TEXT_RULE, comparable
from ..measure import Measure, number_below, true_or_false
from ..ocr import Ocr, installed_ocr
from ..picture import Picture
from ..spread_frames import SPREAD_RULE, check_samples, spread_frames
from ..text_reader import ReaderUnavailable, Reading, TextLine, TextReader

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

SHOWS_NO_TEXT = Measure(name="shows_no_text", version="2", unit="characters", higher_is_better=False)
#: A line counts as text from this confidence on: what a reader sees in fur and gravel stays below, and what
#: is written mostly reaches 0.9.
LEAST_CONFIDENCE = 0.8
#: So is one lone character only from here on: that is how sure the reader is of one that was written, and it
#: gives 0.89 to a cup seen from above, which it takes for an 8.
LEAST_CONFIDENCE_OF_ONE = 0.95
#: A place that is not clearly read leaves the question open where it looks like text at least so much.
#: RapidOCR gives 0.71 to 0.88 to scripts that it cannot read, and up to 0.83 to round things in photographs:
#: those it reads, unsurely, as one character.
LEAST_LIKENESS = 0.7
LEAST_LIKENESS_OF_ONE = 0.85
#: So many characters are writing however little they look like it: letters that are none, as models draw
#: them.
WRITING = 3
#: So many characters are a page.
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is written on one picture, and what might be."""

    text: tuple[TextLine, ...]
    unread: tuple[TextLine, ...]
    reading: Reading

    @property
    def characters(self) -> int:
        return sum(len(comparable(line.text)) for line in self.text)


def shows_no_text(
    media: Picture | Clip,
    tolerance: float = 0,
    *,
    samples: int = 3,
    allow_fallback: bool = False,
    ocr: Ocr | None = None,
) -> CheckResult:
    """Hold the number of characters that are read on the picture against ``tolerance``, the most accepted.

    Lines count that are read with a confidence of 0.8 or more, of a lone character 0.95. Spaces, line breaks
    and form feeds are no text. A place that looks like text and could not be read, as of a script that the
    reader does not know, makes the check missing. With transparent parts the picture is looked at on black
    and on white.

    Of a clip ``samples`` frames are read, in the middle of as many equal parts of its time, and the one with
    most text counts. ``ocr`` and ``allow_fallback``: see ``reads``.

    Raises ``CheckError`` for settings that it does not know.
    """
    number_below("shows_no_text", "tolerance", tolerance, _PAGE, holds="a page of text would do")
    check_samples("shows_no_text", samples)
    true_or_false("shows_no_text", "allow_fallback", allow_fallback)
    chosen = (ocr or installed_ocr()).choose(allow_fallback=allow_fallback)
    settings = {
        "text_rule": TEXT_RULE,
        "least_confidence": [LEAST_CONFIDENCE, LEAST_CONFIDENCE_OF_ONE],
        "least_likeness": [LEAST_LIKENESS, LEAST_LIKENESS_OF_ONE],
        "writing": WRITING,
        **chosen.settings,
        **({"samples": samples} if isinstance(media, Clip) else {}),
    }
    if chosen.missing is not None:
        missed = SHOWS_NO_TEXT.of(media, settings=settings).miss(chosen.missing.reason, chosen.missing.detail)
        return chosen.credited(missed, {})
    try:
        every, frames = _look_at(media, samples, chosen.reader)
    except ReaderUnavailable as error:
        missed = SHOWS_NO_TEXT.of(media, settings=settings).miss(Reason.EVALUATOR_UNAVAILABLE, str(error))
        return chosen.credited(missed, {})
    most = max(every, key=lambda seen: seen.characters)
    unread = [line for seen in every for line in seen.unread]
    if most.characters <= tolerance and unread:
        detail = (
            f"script_unsupported or not legible: {_places(len(unread))} like text and could not be read, "
            f"at {'; '.join(line.place for line in unread[:5])}"
        )
        result = SHOWS_NO_TEXT.of(media, settings=settings, frames=frames).miss(
            Reason.EVALUATOR_UNAVAILABLE, detail
        )
    else:
        read = "; ".join(line.text for line in most.text)
        result = SHOWS_NO_TEXT.of(media, settings=settings, frames=frames).hold(
            most.characters,
            tolerance,
            f"characters written: {most.characters}, {read[:300]!r}" if read else "no text",
        )
    return chosen.credited(result, most.reading.as_json())


def _look_at(
    media: Picture | Clip, samples: int, reader: TextReader
) -> tuple[list[_Seen], dict[str, Any] | None]:
    if isinstance(media, Picture):
        return [_seen(rgb, reader) for (rgb,) in on_backgrounds(media.rgba)], None
    every: list[_Seen] = []
    read: list[dict[str, Any]] = []
    for frame in spread_frames(media, samples):
        every.append(_seen(frame.rgb, reader))
        read.append({"index": frame.index, "time_s": frame.time_s, **every[-1].reading.as_json()})
    return every, {"rule": f"all of {samples}, {SPREAD_RULE}", "count": len(every), "read": read}


def _seen(rgb: NDArray[numpy.uint8], reader: TextReader) -> _Seen:
    reading = reader.read(rgb, find_all=True)
    every = [*reading.lines, *reading.doubtful]
    read = [line for line in every if line.text and line.confidence >= _least_confidence(line)]
    # White space alone is no text, and it was read.
    text = tuple(line for line in read if comparable(line.text))
    unread = tuple(line for line in every if line not in read and _may_be_text(line))
    return _Seen(text, unread, reading)


def _least_confidence(line: TextLine) -> float:
    return LEAST_CONFIDENCE_OF_ONE if len(comparable(line.text)) == 1 else LEAST_CONFIDENCE


def _may_be_text(line: TextLine) -> bool:
    length = len(comparable(line.text))
    if line.likeness is None or length >= WRITING:
        return True
    return line.likeness >= (LEAST_LIKENESS_OF_ONE if length == 1 else LEAST_LIKENESS)


def _places(count: int) -> str:
    return f"{count} place{'' if count == 1 else 's'} look{'s' if count == 1 else ''}"
