"""Transcribers in the order of preference: the first that can, and what became of those before it."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum

from ..evidence import Fallback, Missing, Reason
from .audio import Audio
from .canary import canary_problem
from .checked import CheckedTranscriber
from .completeness import find_cut
from .transcriber import Transcriber, TranscriberError, TranscriberIdentity, TranscriberUnavailable
from .transcript import Transcript, flags_of

#: A transcriber that gave nothing for so many clips in a row is not asked again in this process.
GIVEN_UP_AFTER = 3
NO_TRANSCRIBER = (
    "no transcriber: pass --infer-asr=URL, a server that transcribes, or --infer-asr-model=DIR, a local "
    "Whisper model"
)


class AttemptOutcome(Enum):
    """What came of asking one transcriber."""

    HEARD = "heard"
    UNAVAILABLE = "unavailable"
    CANARY = "canary"
    NOT_ASKED = "not_asked"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptionAttempt:
    """One transcriber and one clip. ``detail`` is the cause where it was not heard; ``elapsed_s`` seconds."""

    backend: str
    outcome: AttemptOutcome
    detail: str = ""
    elapsed_s: float = 0.0

    def as_json(self) -> dict[str, object]:
        return {
            "backend": self.backend,
            "outcome": self.outcome.value,
            "detail": self.detail,
            "elapsed_s": self.elapsed_s,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What came of a clip: a transcript that counts, or ``missing`` says why there is none.

    With ``missing``, ``transcript`` may still hold what was heard, for a person to see: the transcript of a
    fallback that is not allowed, or one that is cut off. ``identity`` is who transcribed; where nobody did,
    the preferred transcriber's; ``None`` where there is no transcriber at all.
    """

    transcript: Transcript | None
    identity: TranscriberIdentity | None
    fallback: Fallback | None
    missing: Missing | None
    attempts: tuple[TranscriptionAttempt, ...]


@dataclass(slots=True, eq=False)
class _Link:
    transcriber: Transcriber
    has_passed: bool = False
    failures: int = 0
    #: Why it is not asked any more, and whether its canary is the reason.
    given_up: str | None = None
    is_unfit: bool = False


class Chain:
    """Transcribers, the preferred one first; threads may share it.

    Each has its canary before its first transcript counts, once in this process. One that is unavailable, or
    whose canary comes out wrong, is passed over in favour of the next, which is a fallback; one that refuses
    what it was asked is not: that is for a person to put right.
    """

    def __init__(self, transcribers: Sequence[Transcriber]) -> None:
        self._links = [_Link(CheckedTranscriber(transcriber)) for transcriber in transcribers]
        self._lock = threading.RLock()

    @property
    def identity(self) -> TranscriberIdentity | None:
        """The preferred transcriber's identity, ``None`` without one.

        Its canary is transcribed first where it was not yet: what a server answers in is known only then.
        """
        if not self._links:
            return None
        link = self._links[0]
        with self._lock, suppress(TranscriberUnavailable, TranscriberError):
            if (
                not link.failures
            ):  # each clip asks for the canary again, and once is enough of a hanging server
                self._check(link)
        return link.transcriber.identity

    def hear(self, audio: Audio, language: str | None = None, *, allow_fallback: bool) -> Heard:
        """Have a clip transcribed. ``language`` is a Whisper code, ``None``: the transcriber chooses.

        Reasons for missing: ``evaluator_unavailable`` where no transcriber could, ``evaluator_error`` where
        one refused or returned what is no transcript, ``fallback_not_allowed``, ``truncated``. Raises
        ``UndecodableMedia`` for a clip that changed since it was opened, ``NoAnswer`` without the extra
        ``speech``, and ``TranscriberError`` for a transcriber without an identity.
        """
        if not self._links:
            return Heard(
                transcript=None,
                identity=None,
                fallback=None,
                missing=Missing(Reason.EVALUATOR_UNAVAILABLE, NO_TRANSCRIBER),
                attempts=(),
            )
        attempts: list[TranscriptionAttempt] = []
        for position, link in enumerate(self._links):
            transcript, attempt = self._attempt(link, audio, language)
            attempts.append(attempt)
            if transcript is not None:
                return self._heard(position, transcript, audio, attempts, allow_fallback=allow_fallback)
            if attempt.outcome is AttemptOutcome.ERROR:
                missing = Missing(Reason.EVALUATOR_ERROR, f"the transcriber refuses: {attempt.detail}")
                break
        else:
            causes = "; ".join(attempt.detail for attempt in attempts)
            missing = Missing(Reason.EVALUATOR_UNAVAILABLE, f"no transcript: {causes}")
        return Heard(
            transcript=None,
            identity=self._links[0].transcriber.identity,
            fallback=None,
            missing=missing,
            attempts=tuple(attempts),
        )

    def _heard(
        self,
        position: int,
        transcript: Transcript,
        audio: Audio,
        attempts: list[TranscriptionAttempt],
        *,
        allow_fallback: bool,
    ) -> Heard:
        identity = self._links[position].transcriber.identity
        if transcript.response_format != identity.response_format:
            identity = replace(identity, response_format=transcript.response_format)
        fallback, missing = None, find_cut(transcript, audio)
        if position:
            preferred = str(self._links[0].transcriber.identity)
            because = "; ".join(attempt.detail for attempt in attempts if attempt.detail)
            fallback = Fallback(preferred=preferred, because=because)
            if not allow_fallback:
                missing = Missing(
                    Reason.FALLBACK_NOT_ALLOWED,
                    f"heard by {identity} in place of {preferred}: {because}; put that right, or allow it "
                    "with --infer-asr-fallback=allow",
                )
        return Heard(
            transcript=transcript,
            identity=identity,
            fallback=fallback,
            missing=missing,
            attempts=tuple(attempts),
        )

    def _attempt(
        self, link: _Link, audio: Audio, language: str | None
    ) -> tuple[Transcript | None, TranscriptionAttempt]:
        begun = time.monotonic()
        transcript: Transcript | None = None
        try:
            with self._lock:
                outcome, detail = self._check(link)
            if not detail:
                transcript = link.transcriber.transcribe(audio, language)
                outcome = AttemptOutcome.HEARD
                with self._lock:
                    link.failures = 0
        except TranscriberUnavailable as error:
            outcome, detail = AttemptOutcome.UNAVAILABLE, str(error) or "it does not say why"
            with self._lock:
                link.failures += 1
                if link.failures >= GIVEN_UP_AFTER and link.given_up is None:
                    link.given_up = f"not asked, after {link.failures} clips in a row like this: {detail}"
        except TranscriberError as error:
            outcome, detail = AttemptOutcome.ERROR, str(error) or "it does not say why"
        if transcript is not None:
            transcript = replace(transcript, flags=flags_of(transcript, is_silent=audio.is_silent))
        attempt = TranscriptionAttempt(
            backend=link.transcriber.identity.backend,
            outcome=outcome,
            detail=detail,
            elapsed_s=time.monotonic() - begun,
        )
        return transcript, attempt

    def _check(self, link: _Link) -> tuple[AttemptOutcome, str]:
        """Return why the transcriber is not asked, ``""`` where it may be."""
        if link.given_up is None and not link.has_passed:
            problem = canary_problem(link.transcriber)
            if problem is None:
                link.has_passed = True
            else:
                link.given_up, link.is_unfit = problem, True
        if link.given_up is None:
            return AttemptOutcome.HEARD, ""
        return (AttemptOutcome.CANARY if link.is_unfit else AttemptOutcome.NOT_ASKED), link.given_up
