"""Asking the judge about pictures and clips, as a check with a value."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...evidence import Missing, Reason
from ...judge import PICTURE_PROMPT_VERSION, JudgeError, Judgement, PictureCase, plan_asks, sampling_of
from ..evaluations.evaluation import RunningEvaluation
from .judge_bench import JudgeBench

if TYPE_CHECKING:
    from ...visual import CheckResult, Clip, Picture

NAME = "ask"
#: What the question must come to: the answer to it, or nothing in particular.
EXPECTED = ("yes", "no", None)
#: Frames of a clip that are shown, unless the test says how many.
SAMPLES = 4
_ANSWERS = {1.0: "yes", 0.5: "both alike", 0.0: "no"}
_WINNERS = {1.0: "the picture", 0.5: "neither", 0.0: "the other one"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureQuestion:
    """What is asked of a picture or a clip; see ``Visual.ask``. Raises ``JudgeError`` for what cannot be."""

    media: Picture | Clip
    question: str
    expect: str | None
    against: Picture | Clip | None
    votes: int
    is_unanimous: bool
    samples: int
    allow_self: bool

    def __post_init__(self) -> None:
        if self.expect not in EXPECTED:
            raise JudgeError(f"expect={self.expect!r:.80}; accepted: 'yes', 'no' or None")
        for name in ("is_unanimous", "allow_self"):
            if not isinstance(getattr(self, name), bool):
                raise JudgeError(f"{name}={getattr(self, name)!r:.80}; accepted: True or False")


def ask_about(question: PictureQuestion, running: RunningEvaluation, bench: JudgeBench) -> CheckResult:
    """Put the question before the judge.

    The value is 1 for yes, or for the picture of two; 0 for no, or for the other one; 0.5 for neither.
    """
    from ...visual import CheckResult, Clip
    from ...visual.measure import reference_of

    shown, frames = _shown(question.media, question.samples)
    against = None if question.against is None else _shown(question.against, question.samples)[0]
    case = PictureCase(question=question.question, pictures=shown, against=against)
    asks = plan_asks(case, question.votes)
    canaries = bench.canaries.of_pictures(is_pairwise=case.is_pairwise)
    judgement = bench.put(
        running, asks, canaries, allow_self=question.allow_self, is_unanimous=question.is_unanimous
    )
    passed, missing = None, judgement.missing
    if missing is None:
        passed = question.expect is None or judgement.score == (1.0 if question.expect == "yes" else 0.0)
        cuts = [one.cut for one in (question.media, question.against) if isinstance(one, Clip) and one.cut]
        if passed and cuts:
            passed, missing = None, Missing(Reason.UNDECODABLE_MEDIA, f"the clip is cut off: {cuts[0]}")
    sampling = sampling_of(question.votes, case.form)
    return CheckResult(
        name=NAME,
        version=PICTURE_PROMPT_VERSION,
        passed=passed,
        value=judgement.score,
        unit="ratio",
        higher_is_better=question.expect != "no",
        limit=None if question.expect is None else 1.0 if question.expect == "yes" else 0.0,
        detail=_in_words(question, judgement) if missing is None else missing.detail,
        settings={
            "form": case.form.value,
            "votes": question.votes,
            "rule": "unanimous" if question.is_unanimous else "majority",
            "temperature": sampling["temperature"],
            "max_tokens": sampling["max_tokens"],
            "samples": question.samples if isinstance(question.media, Clip) else None,
            "background": "white",
            "canaries": canaries.digest,
            "self": bench.is_self,
        },
        missing=missing,
        frames=frames,
        backend=bench.backend(),
        against=reference_of(question.against),
        seen={
            "question": question.question,
            "against": question.against.sha256 if question.against is not None else None,
            "votes": [
                {
                    "verdict": vote.verdict.value if vote.verdict else None,
                    "reason": vote.reason,
                    "missing": vote.missing.as_json() if vote.missing else None,
                }
                for vote in judgement.votes
            ],
        },
    )


def not_applicable(question: str) -> CheckResult:
    """Return what stands for a question whose parent was not answered with yes: it was not asked."""
    from ...visual import CheckResult

    detail = f"not applicable: {question!r:.80} depends on a question that was not answered with yes"
    return CheckResult(
        name=NAME,
        version=PICTURE_PROMPT_VERSION,
        passed=None,
        value=None,
        unit="ratio",
        higher_is_better=True,
        limit=None,
        detail=detail,
        missing=Missing(Reason.NOT_EXERCISED, detail),
    )


def _shown(media: Picture | Clip, samples: int) -> tuple[tuple[str, ...], dict[str, Any] | None]:
    """Return data URLs of what is shown, on white, and of a clip which frames that is."""
    from ...visual import CheckError, Clip, Picture
    from ...visual.backgrounds import on_backgrounds
    from ...visual.difference_picture import png_of
    from ...visual.spread_frames import SPREAD_RULE, check_samples, spread_frames

    if isinstance(media, Picture):
        *_, (white,) = on_backgrounds(media.rgba)
        return (_data_url(png_of(white)),), None
    if not isinstance(media, Clip):
        raise CheckError(f"ask got {media!r:.80}; accepted: what visual.open returns, a picture or a clip")
    check_samples(NAME, samples)
    urls, told = [], []
    for frame in spread_frames(media, samples):
        urls.append(_data_url(png_of(frame.rgb)))
        told.append({"index": frame.index, "time_s": frame.time_s})
    return tuple(urls), {"rule": f"{samples}, {SPREAD_RULE}", "count": len(told), "shown": told}


def _data_url(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}"


def _in_words(question: PictureQuestion, judgement: Judgement) -> str:
    assert judgement.score is not None
    words = _ANSWERS if question.against is None else _WINNERS
    reasons = " / ".join(" ".join(reason.split())[:200] for reason in judgement.reasons)
    return f"{question.question!r:.120} was answered with {words[judgement.score]}: {reasons}"
