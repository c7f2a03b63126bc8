"""What a transcriber gave, held to its form: those of other packages are code that nobody here wrote."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..evidence import canonical_json
from .transcriber import Transcriber, TranscriberError, TranscriberIdentity
from .transcript import Segment, Transcript

if TYPE_CHECKING:
    from .audio import Audio


class CheckedTranscriber:
    """A transcriber whose identity and transcripts are what they should be, or a ``TranscriberError``.

    A transcript of another type, without a text or with a number that is none would otherwise be found
    out when a record is written, which ends the session.
    """

    def __init__(self, transcriber: Transcriber) -> None:
        self._transcriber = transcriber

    def __repr__(self) -> str:
        return repr(self._transcriber)

    @property
    def identity(self) -> TranscriberIdentity:
        identity: Any = self._transcriber.identity
        if not isinstance(identity, TranscriberIdentity):
            raise TranscriberError(
                f"a transcriber has the identity {identity!r:.60}; accepted: a TranscriberIdentity"
            )
        for name in ("backend", "model"):
            told = getattr(identity, name)
            if not (isinstance(told, str) and told.strip()):
                raise TranscriberError(
                    f"a transcriber's identity has the {name} {told!r:.60}; accepted: a text"
                )
        try:
            canonical_json(identity.as_json())
        except (TypeError, ValueError, RecursionError) as error:
            raise TranscriberError(
                f"the identity of the transcriber {identity.backend!r:.60} is no JSON: {error}"
            ) from error
        return identity

    def transcribe(self, audio: Audio, language: str | None) -> Transcript:
        transcript: Any = self._transcriber.transcribe(audio, language)
        problem = _problem_of(transcript)
        if problem is not None:
            raise TranscriberError(f"the transcriber {self.identity.backend!r:.60} returned {problem}")
        checked: Transcript = transcript
        return checked


def _problem_of(transcript: object) -> str | None:
    if not isinstance(transcript, Transcript):
        return f"{transcript!r:.60}; accepted: a Transcript"
    if not isinstance(transcript.segments, (tuple, type(None))):
        return (
            f"a transcript with the segments {transcript.segments!r:.60}; accepted: a tuple of them, or None"
        )
    for segment in transcript.segments or ():
        if not isinstance(segment, Segment):
            return f"a transcript with the segment {segment!r:.60}; accepted: a Segment"
    parts: tuple[Transcript | Segment, ...] = (transcript, *(transcript.segments or ()))
    for part in parts:
        for one in fields(part):
            value = getattr(part, one.name)
            expected = _EXPECTED.get(str(one.type))
            if expected is None:  # segments, looked at above; flags, which are set here
                continue
            types, accepted = expected
            is_odd = isinstance(value, bool) or not isinstance(value, types)
            if is_odd or (isinstance(value, (int, float)) and not _is_finite(value)):
                return f"a transcript with {one.name}={value!r:.60}; accepted: {accepted}"
    return None


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an int past the range of a float
        return False


#: The type of a field as it is written in its class → what it may be.
_EXPECTED: dict[str, tuple[tuple[type, ...], str]] = {
    "str": ((str,), "a text"),
    "str | None": ((str, type(None)), "a text, or None"),
    "float": ((int, float), "a finite number"),
    "float | None": ((int, float, type(None)), "a finite number, or None"),
}
