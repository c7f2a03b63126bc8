"""The fixture ``visual``: opening pictures and clips, and holding them to checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...evidence import InputFile, NoAnswer, Reason, Reply
from ...tasks import DeclarationError
from ..evaluations.evaluation import RunningEvaluation
from .check_scores import CheckScores
from .picture_asking import SAMPLES, PictureQuestion, ask_about, not_applicable
from .references import default_reference, find_reference
from .visual_checks import ASK, BUILT_IN, SPOKEN, load_check
from .visual_media import open_media, resolve
from .word_errors import Wer

if TYPE_CHECKING:
    from ...speech import Alignment
    from ...visual import Check, CheckResult, Clip, Picture
    from .hearing import Hearing
    from .judge_bench import JudgeBench


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualTools:
    """What the process has for all evaluations.

    ``added`` are the checks of other packages. ``updates_references``: what is held against a reference
    becomes the reference. ``bench`` is where the judge is asked, ``hearing`` who hears clips.
    ``sent_at_most`` bounds the bytes of the pictures that an evaluation leaves, ``None``: nothing does.
    """

    added: Mapping[str, Check]
    updates_references: bool
    bench: JudgeBench
    hearing: Hearing
    sent_at_most: int | None


class Visual:
    """Look at pictures and clips from inside one evaluation; each check is a score with its measured value.

    A check that does not hold fails the test with ``AssertionError``. One that could not be made is missing,
    and so is the evaluation, whatever else the test says. Every check takes ``name``, that of its score
    unless it is the check's own: a second score without a name gets a number.
    """

    def __init__(self, running: RunningEvaluation, tools: VisualTools) -> None:
        self._running = running
        self._tools = tools
        self._scores = CheckScores(running, tools.sent_at_most)

    def open(self, source: bytes | str | PathLike[str] | Reply) -> Picture | Clip:
        """Open a picture or a clip, decoded whole or not at all: a file, bytes, a data URL, or a reply.

        A path that is in the row resolves from the data-set file, any other from the test file. An address
        is never fetched. Raises ``NoAnswer`` with the reason where there is nothing to look at; the
        evaluation is then missing, also where the test catches it.
        """
        with self._scores.noted():
            media = open_media(source, sample=self._running.sample, test_folder=self._running.task.folder)
        if Path(media.source).is_absolute():  # ``bytes`` and ``reply`` are no files
            self._running.note_file(InputFile(path=media.source, sha256=media.sha256))
        return media

    def size(
        self, media: Picture | Clip, width: int | None = None, height: int | None = None, **settings: Any
    ) -> CheckResult:
        """Hold width and height, after orientation, against what is asked for, in pixels."""
        return self.check("size", media, width, height, **settings)

    def aspect(self, media: Picture | Clip, ratio: str | float, **settings: Any) -> CheckResult:
        """Hold width divided by height against ``"16:9"`` or a number."""
        return self.check("aspect", media, ratio, **settings)

    def duration(self, media: Picture | Clip, seconds: float, **settings: Any) -> CheckResult:
        """Hold the length of a clip, from its time stamps, against ``seconds``."""
        return self.check("duration", media, seconds, **settings)

    def fps(self, media: Picture | Clip, rate: float, **settings: Any) -> CheckResult:
        """Hold the frames that decode, divided by the time they are shown, against ``rate``."""
        return self.check("fps", media, rate, **settings)

    def not_blank(self, media: Picture | Clip, **settings: Any) -> CheckResult:
        """Hold the share of a picture, or of a clip's time, that is more than one colour."""
        return self.check("not_blank", media, **settings)

    def not_frozen(self, media: Picture | Clip, **settings: Any) -> CheckResult:
        """Hold the share of a clip's time without change."""
        return self.check("not_frozen", media, **settings)

    def not_corrupt(self, media: Picture | Clip, **settings: Any) -> CheckResult:
        """Hold the number of faults that decoding showed against 0."""
        return self.check("not_corrupt", media, **settings)

    def no_black_gap(self, media: Picture | Clip, **settings: Any) -> CheckResult:
        """Hold the longest time that a clip is black."""
        return self.check("no_black_gap", media, **settings)

    def has_audio(self, media: Picture | Clip, **settings: Any) -> CheckResult:
        """Hold the time in which a clip can be heard."""
        return self.check("has_audio", media, **settings)

    def matches(
        self,
        media: Picture | Clip,
        expected: Picture | None = None,
        *,
        reference: str | PathLike[str] | None = None,
        name: str | None = None,
        **settings: Any,
    ) -> CheckResult:
        """Hold a picture against ``expected``, or against a reference.

        ``reference`` is the path of a PNG, as for ``open``; without either it is
        ``references/<test file>/<test>-<sample>.png`` beside the test, with the score's name at its end
        where that is not ``matches``. A reference that is not there is missing evidence, and is written by
        ``--infer-update-references`` only; nothing is compared then.
        """
        __tracebackhide__ = True
        if expected is not None and reference is None:
            return self.check("matches", media, expected, name=name, **settings)
        with self._scores.noted():
            name = self._scores.name("matches", name)
            if expected is not None:
                raise ValueError("matches got expected and reference; give one of them")
            path = self._reference_path(reference, name)
            found = find_reference(path, media, updates=self._tools.updates_references)
            result_of = load_check("matches")
        if found.png is not None and not self._running.is_beside:
            new = found.new(str(self._running.evaluation.key))
            self._running.now.references.append(new)
        return self._scores.make(
            "matches",
            lambda: found.shown(result_of(media, expected=found.expected, **settings)),
            media,
            name,
            {"reference": found.as_json()},
        )

    def same_clip(self, media: Picture | Clip, expected: Picture | Clip, **settings: Any) -> CheckResult:
        """Hold a clip against ``expected``, frame by frame."""
        return self.check("same_clip", media, expected, **settings)

    def reads(self, media: Picture | Clip, text: str, tolerance: float = 0, **settings: Any) -> CheckResult:
        """Hold what is read on a picture or a clip against ``text``."""
        return self.check("reads", media, text, tolerance, **settings)

    def shows_no_text(self, media: Picture | Clip, tolerance: float = 0, **settings: Any) -> CheckResult:
        """Hold the number of characters that are read against ``tolerance``."""
        return self.check("shows_no_text", media, tolerance, **settings)

    def ask(
        self,
        media: Picture | Clip,
        question: str,
        *,
        expect: str | None = "yes",
        against: Picture | Clip | None = None,
        parent: CheckResult | None = None,
        votes: int = 1,
        unanimous: bool = False,
        samples: int = SAMPLES,
        allow_self: bool = False,
        name: str | None = None,
    ) -> CheckResult:
        """Ask the model of ``--infer-judge`` a question about what is seen, to be answered with yes or no.

        ``expect`` is the answer that holds; with ``None`` any answer does, and is a value. With ``against``,
        another picture, it says which of the two the question is truer of, asked in both orders; the first
        has to be. ``parent`` is what another ``ask`` returned: where that was not answered with yes, this
        question is not applicable, is not asked and counts nowhere. More than half of ``votes`` must agree,
        all of them if ``unanimous``. Of a clip ``samples`` frames are shown. ``allow_self`` lets the model
        under test be the judge. A judge that is unsure, contradicts itself or gives no verdict leaves the
        answer missing.
        """
        __tracebackhide__ = True
        with self._scores.noted():
            if parent is not None and getattr(parent, "name", None) != ASK:
                raise ValueError(f"parent={parent!r:.80}; accepted: what another visual.ask returned")
        if parent is not None and parent.value != 1:
            return not_applicable(question)
        return self._scores.make(
            ASK,
            lambda: ask_about(
                PictureQuestion(
                    media=media,
                    question=question,
                    expect=expect,
                    against=against,
                    votes=votes,
                    is_unanimous=unanimous,
                    samples=samples,
                    allow_self=allow_self,
                ),
                self._running,
                self._tools.bench,
            ),
            media,
            name,
        )

    def spoken(self, media: Picture | Clip, script: str | Reply) -> Alignment:
        """Hold what is heard in a clip against ``script``, as ``wer.check`` does and ``infer_wer`` says.

        Its score is that of ``wer``. Raises what ``wer.check`` raises, ``NoAnswer`` (``not_exercised``) for a
        picture, and ``DeclarationError`` without a limit: any words would do.
        """
        __tracebackhide__ = True
        from ...visual import Clip

        wer = self._running.task.wer
        if wer is None or wer.max is None:
            fault = DeclarationError(
                f"{self._running.evaluation.nodeid}: visual.spoken needs the rate of wrong words that is "
                "enough; add @pytest.mark.infer_wer(max=…)"
            )
            self._scores.miss(SPOKEN, fault)
            raise fault
        if not isinstance(media, Clip):
            none = NoAnswer(Reason.NOT_EXERCISED, "spoken needs a clip, as visual.open returns it")
            self._scores.miss(SPOKEN, none)
            raise none
        audio = media.file.content if media.file.path is None else media.file.path.absolute()
        try:
            alignment = Wer(self._running, self._tools.hearing).check(audio=audio, script=script)
        except AssertionError:
            self._running.now.checked.add(SPOKEN)
            raise
        self._running.now.checked.add(SPOKEN)
        return alignment

    def check(
        self, check: str, media: Picture | Clip, /, *args: Any, name: str | None = None, **settings: Any
    ) -> CheckResult:
        """Make a check by name, also one that another package adds, and record its score.

        Raises ``AssertionError`` where it does not hold, whatever it raises itself, and ``ValueError`` for a
        check that there is not and a score's name that is taken.
        """
        __tracebackhide__ = True
        if check == ASK:
            return self.ask(media, *args, name=name, **settings)
        with self._scores.noted():
            function = self._named(check)
        return self._scores.make(check, lambda: function(media, *args, **settings), media, name)

    def _named(self, check: str) -> Callable[..., CheckResult]:
        if check in self._tools.added:
            return self._tools.added[check]
        if check == SPOKEN:
            raise ValueError("spoken is no check by name; call visual.spoken(clip, script)")
        if check in BUILT_IN:
            return load_check(check)
        raise ValueError(
            f"there is no check {check!r}; there are {', '.join([*BUILT_IN, *self._tools.added])}"
        )

    def _reference_path(self, given: str | PathLike[str] | None, name: str) -> Path:
        task, sample = self._running.task, self._running.sample
        if given is None:
            return default_reference(task.nodeid, task.folder, sample.id, name)
        if not isinstance(given, (str, PathLike)) or not str(given).strip():
            raise ValueError(f"reference={given!r:.80}; accepted: the path of a PNG, from the test file")
        path = Path(str(resolve(given, sample=sample, test_folder=task.folder)))
        if path.suffix.lower() != ".png":
            raise ValueError(
                f"reference={str(given)!r}; accepted: the path of a PNG, which keeps every pixel"
            )
        return path
