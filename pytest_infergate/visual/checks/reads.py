"""Whether a picture or a clip says what it is to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...evidence import Reason
from ..backgrounds import on_backgrounds
from ..check import CheckError, CheckResult
from ..clip import Clip
from ..comparable_text import TEXT_RULE, comparable
from ..measure import Measure, number_between, true_or_false
from ..ocr import ChosenReader, Ocr, installed_ocr
from ..picture import Picture
from ..spread_frames import SPREAD_RULE, check_samples, spread_frames
from ..text_difference import TextDifference, text_difference
from ..text_reader import ReaderUnavailable, Reading, TextReader

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

#: Of a clip: the best of the frames counts, or the worst.
_RULES = {"any": min, "all": max}
READS = Measure(name="reads", version="1", unit="cer", higher_is_better=False)
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class _Seen:
    """One picture as it was read: on the background on which more of the text is right."""

    difference: TextDifference
    reading: Reading

    def as_json(self) -> dict[str, Any]:
        return {"difference": self.difference.as_json(), **self.reading.as_json()}


def reads(
    media: Picture | Clip,
    text: str,
    tolerance: float = 0,
    *,
    frames: str = "any",
    samples: int = 3,
    allow_fallback: bool = False,
    ocr: Ocr | None = None,
) -> CheckResult:
    """Hold the text that is read on the whole picture against ``text``.

    The value is the character error rate: errors divided by the characters of ``text``; ``tolerance`` is the
    greatest that is accepted, less than 1. Spaces and line breaks do not count, case and every digit do, see
    ``comparable``. A picture on which nothing is read has an error rate of 1. With transparent parts it is
    read on black and on white, and the better reading counts.

    Of a clip ``samples`` frames are read, in the middle of as many equal parts of its time. ``frames`` is
    ``"any"``, the best of them counts and reading ends with the first that is right, or ``"all"``, the worst.

    ``ocr`` are the text readers, unless given RapidOCR and then Tesseract, which is a fallback and counts
    only with ``allow_fallback``. Missing where no reader is there and sees its canary, where none can read a
    character of ``text`` (script_unsupported), where one breaks off, and where ``text`` is blank.

    Raises ``CheckError`` for settings that it does not know.
    """
    if not isinstance(text, str):
        raise CheckError(f"reads: text is {text!r}; accepted: the text that is to be read, a str")
    if number_between("reads", "tolerance", tolerance, 0) >= 1:
        raise CheckError(
            f"reads: tolerance is {tolerance!r}; accepted: 0 or more, less than 1 (no text at all)"
        )
    if frames not in _RULES:
        raise CheckError(f"reads: frames is {frames!r}; accepted: {', '.join(map(repr, _RULES))}")
    check_samples("reads", samples)
    true_or_false("reads", "allow_fallback", allow_fallback)
    of_clip = {"frames": frames, "samples": samples} if isinstance(media, Clip) else {}
    if not comparable(text):
        detail = f"there is nothing to read in {text!r}; to state that nothing is written, use shows_no_text"
        return READS.of(media, settings={"text_rule": TEXT_RULE, **of_clip}).miss(
            Reason.EMPTY_REFERENCE, detail
        )
    chosen = (ocr or installed_ocr()).choose(text, allow_fallback=allow_fallback)
    settings = {"text_rule": TEXT_RULE, **chosen.settings, **of_clip}
    if chosen.missing is not None:
        result = READS.of(media, settings=settings).miss(chosen.missing.reason, chosen.missing.detail)
        return chosen.credited(result, {"expected": text})
    try:
        return _held(media, text, tolerance, frames, samples, chosen, settings)
    except ReaderUnavailable as error:
        result = READS.of(media, settings=settings).miss(Reason.EVALUATOR_UNAVAILABLE, str(error))
        return chosen.credited(result, {"expected": text})


def _held(
    media: Picture | Clip,
    text: str,
    tolerance: float,
    rule: str,
    samples: int,
    chosen: ChosenReader,
    settings: dict[str, Any],
) -> CheckResult:
    if isinstance(media, Picture):
        counts = _seen_on_picture(media, text, chosen.reader)
        result = READS.of(media, settings=settings).hold(
            counts.difference.rate, tolerance, _in_words(counts, text)
        )
        return chosen.credited(result, {"expected": text, **counts.as_json()})
    every: list[tuple[int, float, _Seen]] = []
    for frame in spread_frames(media, samples):
        every.append((frame.index, frame.time_s, _seen([frame.rgb], text, chosen.reader)))
        if rule == "any" and every[-1][2].difference.rate <= tolerance:
            break
    index, time_s, counts = _RULES[rule](every, key=lambda one: one[2].difference.rate)
    which = f"frame {index} at {time_s:.4g} s, the {'best' if rule == 'any' else 'worst'} of {len(every)}"
    result = READS.of(
        media,
        settings=settings,
        frames={
            "rule": f"{rule} of {samples}, {SPREAD_RULE}",
            "count": len(every),
            "read": [{"index": at, "time_s": time, **seen.as_json()} for at, time, seen in every],
        },
    ).hold(counts.difference.rate, tolerance, f"{_in_words(counts, text)} ({which})")
    return chosen.credited(result, {"expected": text})


def _seen_on_picture(media: Picture, text: str, reader: TextReader) -> _Seen:
    return _seen([rgb for (rgb,) in on_backgrounds(media.rgba)], text, reader)


def _seen(pictures: list[NDArray[numpy.uint8]], text: str, reader: TextReader) -> _Seen:
    readings = [reader.read(rgb) for rgb in pictures]
    every = [_Seen(text_difference(reading.text, text), reading) for reading in readings]
    return min(every, key=lambda seen: seen.difference.errors)


def _in_words(seen: _Seen, text: str) -> str:
    difference = seen.difference
    if not difference.errors:
        return f"it says {_short(text)!r}"
    read = repr(_short(seen.reading.text)) if seen.reading.text else "nothing"
    lines = "; ".join(
        f"{_short(line.text)!r} at {', '.join(f'{side:.0f}' for side in line.box)}"
        for line in seen.reading.lines
    )
    return (
        f"{difference.errors} of {difference.length} characters wrong: read {read} for {_short(text)!r}, "
        f"[expected>read] {_short(difference.aligned)}" + (f"; lines: {_short(lines)}" if lines else "")
    )


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
