"""The fixture ``wer``: how far what was heard is from what should be spoken."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from ...evidence import Missing, NoAnswer, Reason, Reply, Score
from ...extract.extractor import final_text
from ...tasks import DeclarationError, ErrorMetric, WerDeclaration
from ..evaluations.evaluation import RunningEvaluation
from ..evaluations.media_paths import resolve_path
from ..evaluations.spoken import Spoken
from .clip_score import ClipScore
from .hearing import Hearing
from .transcript_notices import notices_of

if TYPE_CHECKING:
    from ...speech import Alignment, Audio


class Wer:
    """Measure transcripts from inside one evaluation, as ``infer_wer`` says; each is a score."""

    def __init__(self, running: RunningEvaluation, hearing: Hearing) -> None:
        self._running = running
        self._hearing = hearing
        self._declared = running.task.wer or WerDeclaration()

    def check(
        self,
        *,
        audio: str | PathLike[str] | bytes | Spoken | None = None,
        script: str | Reply | None = None,
        hypothesis: str | Reply | None = None,
        reference: str | None = None,
        silence: bool = False,
    ) -> Alignment:
        """Record the error rate of a clip, and return the aligned words.

        Either ``audio``, a file of sound or video (its path or its bytes) or what ``infer.speak`` returned,
        that a transcriber hears, against ``script``, the words to be spoken; or ``hypothesis``, what the
        model under test heard, against ``reference``. ``silence`` in place of the words: nothing should be
        spoken, and the score is the number of words that were. A path that is in the row resolves from the
        data-set file, any other from the test file.

        Raises ``AssertionError`` where the rate is above ``max``, or a word was spoken in silence; the
        evaluation has then failed. Raises ``NoAnswer`` with the reason where there is no rate; the evaluation
        is then missing. Either holds also where the test catches it.
        """
        __tracebackhide__ = True
        words = script if audio is not None else reference
        clip = ClipScore(
            declared=self._declared,
            is_heard=audio is not None,
            is_silent=silence is True,
            extractors=self._running.task.evaluator.settings.get("extractors"),
        )
        try:
            self._check_arguments(audio, script, hypothesis, reference, silence)
            self._measure(clip, audio, hypothesis, words)
            score = clip.measured()
        except BaseException as error:  # also what skips a test, ends a process or is a timeout's
            self._running.scores.append(clip.missing(_reason_of(error)))
            raise
        self._running.scores.append(score)
        self._running.now.byproducts += notices_of(clip)
        told = _over_limit(score, clip)
        if told is not None:
            self._running.now.break_rule(told)
            raise AssertionError(told)
        assert clip.alignment is not None
        return clip.alignment

    def _measure(
        self,
        clip: ClipScore,
        audio: str | PathLike[str] | bytes | Spoken | None,
        hypothesis: str | Reply | None,
        words: str | Reply | None,
    ) -> None:
        """Find out what there is to know. Raises ``NoAnswer`` where no transcript counts."""
        from ...speech import NormalizerError, Unit, align, parse_normalizer

        try:
            clip.normalizer = parse_normalizer(self._declared.normalizer)
        except NormalizerError as error:
            if error.missing is None:
                raise
            raise NoAnswer(error.missing.reason, error.missing.detail) from error
        clip.reference = "" if words is None else _text_of(words)
        missing = None
        if audio is not None:
            clip.transcriber = self._hearing.identity
            clip.audio = self._open(audio)
            clip.heard = heard = self._hearing.hear(
                clip.audio, self._declared.language, allows_fallback=self._declared.allows_fallback
            )
            clip.transcriber, missing = heard.identity, heard.missing
            clip.hypothesis = heard.transcript.text if heard.transcript is not None else None
        else:
            assert hypothesis is not None
            clip.hypothesis = _text_of(hypothesis)
        if clip.hypothesis is not None:
            unit = Unit.CHARACTER if self._declared.metric is ErrorMetric.CER else Unit.WORD
            clip.alignment = align(clip.reference, clip.hypothesis, clip.normalizer, unit)
        if missing is not None:
            raise NoAnswer(missing.reason, missing.detail)

    def _open(self, audio: str | PathLike[str] | bytes | Spoken) -> Audio:
        from ...speech import open_audio

        if isinstance(audio, Spoken):
            return open_audio(audio.content)
        if isinstance(audio, (str, PathLike)):
            return open_audio(
                resolve_path(audio, sample=self._running.sample, test_folder=self._running.task.folder)
            )
        return open_audio(audio)

    def _check_arguments(
        self, audio: object, script: object, hypothesis: object, reference: object, silence: object
    ) -> None:
        """Raise ``DeclarationError`` for arguments that do not go together."""
        __tracebackhide__ = True
        where = f"{self._running.evaluation.nodeid}: wer.check"
        if (audio is None) == (hypothesis is None):
            got = "neither audio nor hypothesis" if audio is None else "audio and hypothesis"
            raise DeclarationError(
                f"{where} got {got}; give audio=… with script=…, or hypothesis=… with reference=…"
            )
        given = ("audio", "script", script, "reference", reference)
        if audio is None:
            given = ("hypothesis", "reference", reference, "script", script)
        what, wanted, words, other, beside = given
        if not isinstance(silence, bool):
            raise DeclarationError(f"{where} got silence={silence!r:.40}; accepted: True or False")
        if beside is not None:
            raise DeclarationError(f"{where} got {what} with {other}; give {wanted}=… in its place")
        if silence and words is not None:
            raise DeclarationError(f"{where} got {wanted} and silence=True; leave one of them out")
        if not silence and words is None:
            raise DeclarationError(
                f"{where} got {what} without {wanted}; give the words to be spoken, or silence=True"
            )
        for name, text in ((wanted, words), ("hypothesis", hypothesis)):
            if text is not None and not isinstance(text, (str, Reply)):
                raise DeclarationError(f"{where} got {name}={text!r:.80}; accepted: a text, or a reply")


def _text_of(given: str | Reply) -> str:
    """Return a text as it is, of a reply its answer. Raises ``NoAnswer`` for one that did not deliver."""
    if not isinstance(given, Reply):
        return given
    missing = given.missing
    if missing is not None and missing.reason in given.allowed:
        return given.text  # the caller said that hearing nothing is an answer
    return final_text(given)


def _reason_of(error: BaseException) -> Missing:
    if isinstance(error, NoAnswer):
        return error.missing
    return Missing(Reason.EVALUATOR_ERROR, f"{type(error).__name__}: {error}")


def _over_limit(score: Score, clip: ClipScore) -> str | None:
    """Say how the score is above what is enough, ``None`` where it is not."""
    limit = 0.0 if clip.is_silent else clip.declared.max
    assert score.value is not None
    assert clip.alignment is not None
    assert clip.normalizer is not None
    if limit is None or score.value <= limit:
        return None
    from ...speech.alignment_text import aligned_text

    if score.pooled is None:
        told = f"nothing should be spoken, {score.value:.0f} {clip.unit} are heard"
    else:
        errors = score.pooled.part
        counts = f"{errors:.0f} error{'' if errors == 1 else 's'} in {score.pooled.whole:.0f} {clip.unit}"
        told = f"{score.name} {score.value:.4g} ({counts}), at most {limit:g} is asked"
    by = f"heard by {score.evaluator.backend}, " if clip.is_heard else ""
    rows = aligned_text(clip.alignment)
    normalizer = f"normalizer {clip.normalizer.name} v{clip.normalizer.version}"
    return "\n".join([told, f"{by}{normalizer}", *rows])
