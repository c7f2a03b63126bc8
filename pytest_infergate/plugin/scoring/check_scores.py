"""The scores of visual checks in one evaluation: made, named, kept with what shows why."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...evidence import PASSED, Missing, NoAnswer, Reason
from ..evaluations.evaluation import RunningEvaluation
from ..evaluations.judgement import Ending, PhaseEnd
from ..evaluations.kept_media import KeptPicture
from ..evaluations.unmade_score import unmade_score
from .visual_checks import not_installed
from .visual_media import media_json

if TYPE_CHECKING:
    from ...visual import CheckResult, Clip, Picture


class CheckScores:
    """Makes checks and records each as a score, also one that could not be made.

    ``sent_at_most`` bounds the bytes of the pictures that the evaluation leaves, ``None``: nothing does.
    """

    def __init__(self, running: RunningEvaluation, sent_at_most: int | None) -> None:
        self._running = running
        self._sent_at_most = sent_at_most

    def make(
        self,
        check: str,
        make: Callable[[], CheckResult],
        media: Picture | Clip,
        name: str | None,
        more: Mapping[str, Any] | None = None,
    ) -> CheckResult:
        """Make a check, record its score, ``more`` among its details, and raise where it does not hold.

        The evaluation has then failed; of a check that the marker requires also where the test catches it.
        """
        __tracebackhide__ = True
        with self.noted():
            name = self.name(check, name)
        try:
            result = _checked(check, make, media)
            score = result.score(name)
        except BaseException as error:  # a check of another package may skip, or exit
            self.miss(name, error)
            raise
        details = {**(score.details or {}), "media": media_json(media), **(more or {})}
        details |= self._keep_pictures(result)
        self._running.scores.append(replace(score, details=details))
        if result.passed is not None:
            self._running.now.checked.add(check)
        if result.passed is False:
            told = _told(name, result)
            if check in self._running.task.visual.require:
                self._running.now.break_rule(told)
            raise AssertionError(told)
        return result

    def _keep_pictures(self, result: CheckResult) -> dict[str, Any]:
        """Keep what shows why a check came out so, and return what a record says of it."""
        kept, left_out = [], []
        mine = self._running.now.pictures
        room = self._sent_at_most
        for what, content, suffix in () if self._running.is_beside else result.artifacts:
            if room is not None and sum(len(one.content) for one in mine) + len(content) > room:
                left_out.append(what)
                continue
            media_type = mimetypes.guess_type(f"_{suffix}")[0] or "application/octet-stream"
            picture = KeptPicture(content=content, media_type=media_type)
            mine.append(picture)
            kept.append({"name": what, **picture.artifact.as_json()})
        told: dict[str, Any] = {"artifacts": kept} if kept else {}
        return {**told, "left_out": left_out} if left_out else told

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Keep that something could not be looked at as was asked, also where the test catches it."""
        try:
            yield
        except Exception as error:
            ending = Ending.NO_ANSWER if isinstance(error, NoAnswer) else Ending.ERROR
            missing = _missing(error)
            end = PhaseEnd(phase="call", ending=ending, missing=missing, message=str(missing))
            self._running.ends.append(end)
            raise

    def name(self, check: str, name: str | None) -> str:
        """Return the name of a check's score. Raises ``ValueError`` for one that is taken, or is none."""
        taken = {score.name for score in self._running.scores}
        if name is None:
            numbered = (f"{check}_{number}" for number in range(2, len(taken) + 3))
            return next(one for one in (check, *numbered) if one not in taken)
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise ValueError(f"name={name!r:.80}; accepted: printable text, not blank")
        if name == PASSED:
            raise ValueError(f"score {name!r} is the verdict itself; give this check another name")
        if name in taken:
            raise ValueError(f"score {name!r} is recorded already; give each check a name of its own")
        return name

    def miss(self, name: str, error: BaseException) -> None:
        """Record that ``error`` left a score without a value."""
        self._running.scores.append(unmade_score(name, _missing(error), self._running))


def _checked(check: str, make: Callable[[], CheckResult], media: Picture | Clip) -> CheckResult:
    """Return what a check came to; what is no result of that check raises ``CheckError``."""
    try:
        from ...visual import CheckError, CheckResult, Clip, Picture

        if not isinstance(media, (Picture, Clip)):
            raise CheckError(
                f"{check} got {media!r:.80}; accepted: what visual.open returns, a picture or a clip"
            )
        result = make()
    except ImportError as error:
        raise not_installed(error) from error
    if not isinstance(result, CheckResult) or result.name != check:
        raise CheckError(
            f"the check {check!r} returned {result!r:.120}; accepted: a CheckResult of that name"
        )
    if result.passed and isinstance(media, Clip) and media.cut is not None:
        # Checks of this package say so themselves; one of another package may not have asked.
        detail = f"{media.source} is cut off: {media.cut}; of what is there: {result.detail}"
        return replace(result, passed=None, missing=Missing(Reason.UNDECODABLE_MEDIA, detail))
    return result


def _missing(error: BaseException) -> Missing:
    if isinstance(error, NoAnswer):
        return error.missing
    return Missing(Reason.EVALUATOR_ERROR, f"{type(error).__name__}: {error}")


def _told(name: str, result: CheckResult) -> str:
    measured = "" if result.value is None else f": {result.value:.6g} {result.unit}"
    side = "least" if result.higher_is_better else "most"
    limit = "" if result.limit is None else f", the {side} that is accepted is {result.limit:.6g}"
    return f"{name} does not hold{measured}{limit} ({result.detail})"
