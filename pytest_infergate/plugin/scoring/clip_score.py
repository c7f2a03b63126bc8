"""The score of one clip: the counts that it comes from, who made it, and what was seen."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...evidence import (
    ERROR_RATE,
    TRANSCRIBER,
    EvaluatorIdentity,
    Fallback,
    Missing,
    NoAnswer,
    Pooled,
    Reason,
    Score,
)
from ...tasks import ErrorMetric, WerDeclaration

if TYPE_CHECKING:
    from ...speech import Alignment, Audio, Heard, Normalizer, TranscriberIdentity

#: Of how counts become a score: no other part of the identity stands for that.
_VERSION = "1"


@dataclass(slots=True, kw_only=True)
class ClipScore:
    """What is known of one clip so far; ``None``: not yet, or there is none.

    ``is_heard``: there is a clip, that a transcriber hears, and not a text. ``is_silent``: nothing should be
    spoken. ``extractors`` are those of the test, which may say what words are to be spoken. ``gates``: where
    the score is missing, so is the evaluation.
    """

    declared: WerDeclaration
    is_heard: bool
    is_silent: bool
    extractors: Any
    gates: bool = True
    normalizer: Normalizer | None = None
    reference: str | None = None
    hypothesis: str | None = None
    audio: Audio | None = None
    transcriber: TranscriberIdentity | None = None
    heard: Heard | None = None
    alignment: Alignment | None = None

    @property
    def unit(self) -> str:
        """What is counted, in the plural."""
        return "characters" if self.declared.metric is ErrorMetric.CER else "words"

    def measured(self) -> Score:
        """Return the score. Raises ``NoAnswer`` (``empty_reference``) where nothing is to be spoken."""
        alignment = self.alignment
        assert alignment is not None
        if self.is_silent:
            return self._score(value=float(alignment.insertions))
        if not alignment.reference_length:
            raise NoAnswer(
                Reason.EMPTY_REFERENCE,
                f"no word of {(self.reference or '')[:60]!r} is left to be spoken; say silence=True where "
                "nothing should be",
            )
        counts = self._counts(alignment)
        return self._score(value=counts.part / counts.whole, pooled=counts)

    def missing(self, missing: Missing) -> Score:
        """Return the score of a clip without a rate; words made up over an empty reference still count."""
        pooled = None
        if missing.reason is Reason.EMPTY_REFERENCE and self.alignment is not None:
            pooled = Pooled(part=self.alignment.insertions, whole=0)
        return self._score(missing=missing, pooled=pooled)

    def _counts(self, alignment: Alignment) -> Pooled:
        if self.declared.metric is ErrorMetric.MER:
            return Pooled(part=alignment.errors, whole=alignment.hits + alignment.errors)
        return Pooled(part=alignment.errors, whole=alignment.reference_length)

    def _score(
        self, *, value: float | None = None, missing: Missing | None = None, pooled: Pooled | None = None
    ) -> Score:
        return Score(
            name=f"inserted_{self.unit}" if self.is_silent else self.declared.metric.value,
            value=value,
            unit=self.unit if self.is_silent else "ratio",
            higher_is_better=False,
            evaluator=self._evaluator(),
            fallback=self._fallback(),
            missing=missing,
            gates=self.gates,
            pooled=pooled,
            details=self._details(),
        )

    def _fallback(self) -> Fallback | None:
        return self.heard.fallback if self.heard is not None else None

    def _evaluator(self) -> EvaluatorIdentity:
        declared, transcriber = self.declared, self.transcriber
        settings: dict[str, Any] = {
            "metric": declared.metric.value,
            "unit": self.unit,
            # However it is aligned, the fewest errors are so many.
            "errors": "levenshtein",
            "normalizer": declared.normalizer,
            **(self.normalizer.settings if self.normalizer is not None else {}),
        }
        if self.extractors:
            settings["extractors"] = self.extractors
        if self.is_heard:
            settings["language"] = declared.language
            settings["transcriber"] = transcriber.as_json() if transcriber is not None else None
        return EvaluatorIdentity(
            kind=TRANSCRIBER if self.is_heard else ERROR_RATE,
            name=declared.metric.value,
            version=_VERSION,
            backend=str(transcriber) if transcriber is not None else None,
            settings=settings,
        )

    def _details(self) -> dict[str, Any]:
        told: dict[str, Any] = {}
        if self.audio is not None:
            path: Path | None = self.audio.path
            told["audio"] = {"path": None if path is None else str(path), **self.audio.as_json()}
        if self.heard is not None:
            from ...speech import canary_digest

            transcript = self.heard.transcript
            told["transcript"] = transcript.as_json() if transcript is not None else None
            told["attempts"] = [attempt.as_json() for attempt in self.heard.attempts]
            told["canary"] = canary_digest()
        else:
            told["hypothesis"] = self.hypothesis
        told["reference"] = self.reference
        told["max"] = 0.0 if self.is_silent else self.declared.max
        if self.alignment is not None:
            told["alignment"] = _alignment_json(self.alignment)
        return told


def _alignment_json(alignment: Alignment) -> dict[str, Any]:
    from ...speech.alignment_text import aligned_text
    from ...speech.repetition import find_repetition

    repetition = find_repetition(alignment)
    return {
        "unit": alignment.unit.value,
        "hits": alignment.hits,
        "substitutions": alignment.substitutions,
        "deletions": alignment.deletions,
        "insertions": alignment.insertions,
        "reference_length": alignment.reference_length,
        "rate": alignment.rate,
        "aligned_by": f"jiwer {version('jiwer')}",
        "repeated": None
        if repetition is None
        else {"tokens": list(repetition.tokens), "times": repetition.times, "share": repetition.share},
        "errors": "\n".join(aligned_text(alignment)),
    }
