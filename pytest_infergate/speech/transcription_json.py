"""What a transcription server answers, read strictly."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from .languages import language_code
from .transcript import Segment

_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcription:
    """An answer in the form of OpenAI's ``json`` or ``verbose_json``; ``None`` for what it does not say."""

    text: str
    language: str | None = None
    language_probability: float | None = None
    duration_s: float | None = None
    segments: tuple[Segment, ...] | None = None


class NoTranscription(ValueError):
    """An answer is none that holds a transcript; the message says what it is."""


def parse_transcription(body: bytes, content_type: str) -> Transcription:
    """Read an answer. Only ``text`` is sure; a part that is not as it should be is taken as not there.

    Raises ``NoTranscription``.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        kind = content_type.partition(";")[0].strip() or "no content type"
        raise NoTranscription(f"an answer that is no JSON ({kind}): {shown(body)}") from error
    if not isinstance(value, dict):
        raise NoTranscription(f"JSON that is no object: {shown(body)}")
    text = value.get("text")
    if value.get("error"):
        raise NoTranscription(f"an error: {failure_of(body)}")
    if not isinstance(text, str):
        raise NoTranscription(f"an answer without a text: {shown(body)}")
    segments = _segments(value.get("segments"))
    if not text.strip() and any(segment.text.strip() for segment in segments or ()):
        raise NoTranscription(f"an empty text with segments that have words: {shown(body)}")
    language = value.get("language")
    probability = _number(value.get("language_probability"))
    if probability is None:  # whisper.cpp
        probability = _number(value.get("detected_language_probability"))
    return Transcription(
        text=text.strip(),
        language=language_code(language) if isinstance(language, str) and language.strip() else None,
        language_probability=probability,
        duration_s=_number(value.get("duration")),
        segments=segments,
    )


def failure_of(body: bytes) -> str:
    """Return the words of an error: its message where it has one, else the beginning of the answer."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return shown(body)
    for key in ("error", "detail", "message"):
        if isinstance(value, dict) and value.get(key):
            value = value[key]
    return shown((value if isinstance(value, str) else json.dumps(value)).encode())


def shown(raw: bytes) -> str:
    """Return the first 200 characters on one line, control characters made visible."""
    text = " ".join(raw[: 4 * _SHOWN].decode("utf-8", "replace").split())
    cut = "".join(character if character.isprintable() else "�" for character in text[:_SHOWN])
    return f"{cut} …" if len(text) > _SHOWN else cut or "nothing"


def _segments(value: Any) -> tuple[Segment, ...] | None:
    """All segments, or ``None``: with one of them left out, the end of the transcript would not be known."""
    if not isinstance(value, list):
        return None
    found = []
    for one in value:
        if not isinstance(one, dict):
            return None
        start, end = _number(one.get("start")), _number(one.get("end"))
        if start is None or end is None:
            return None
        text = one.get("text")
        found.append(
            Segment(
                start_s=start,
                end_s=end,
                text=text if isinstance(text, str) else "",
                temperature=_number(one.get("temperature")),
                no_speech_prob=_number(one.get("no_speech_prob")),
                avg_logprob=_number(one.get("avg_logprob")),
                compression_ratio=_number(one.get("compression_ratio")),
            )
        )
    return tuple(found)


def _number(value: Any) -> float | None:
    """A finite number, also where it is written as a string, as some servers write durations."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
