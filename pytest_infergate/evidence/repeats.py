"""What repeats of the same samples say together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, fsum
from typing import Any

from .evaluator import EvaluatorIdentity
from .interval import wilson_interval
from .pass_at_k import pass_at_k
from .verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatOutcome:
    """One repeat of a sample; ``answer`` is the spelling of what was read out, ``None`` where nothing was."""

    verdict: Verdict
    answer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """Figures over ``samples`` samples, each planned ``repeats`` times. Rates are of what was planned.

    ``agreement``: the share of pairs of delivered repeats of one sample that give the same answer (the same
    verdict where no answer was read); ``None`` without such a pair. ``interval``: of pass@1, 95 %, clustered
    by sample. ``pass_at``: k → the chance that at least one of k repeats passes (pass@k); ``pass_all``: k →
    that all k pass (pass^k), both for every k up to 10 and for round ones beyond. ``voted``: samples by what
    the majority of their repeats came to; a tie, or nothing delivered, is missing. ``vote_evaluator`` is the
    majority's own identity.
    """

    samples: int
    repeats: int
    agreement: float | None
    pass_at_1: float
    interval: tuple[float, float]
    pass_at: Mapping[int, float]
    pass_all: Mapping[int, float]
    voted: Mapping[Verdict, int]
    vote_evaluator: EvaluatorIdentity

    def as_json(self) -> dict[str, Any]:
        return {
            "samples": self.samples,
            "repeats": self.repeats,
            "agreement": self.agreement,
            "pass_at_1": self.pass_at_1,
            "interval": list(self.interval),
            "pass_at": {str(k): value for k, value in self.pass_at.items()},
            "pass_all": {str(k): value for k, value in self.pass_all.items()},
            "majority": {
                **{verdict.value: self.voted.get(verdict, 0) for verdict in Verdict},
                "evaluator": self.vote_evaluator.as_json(),
            },
        }


def summarise_repeats(
    outcomes: Iterable[Sequence[RepeatOutcome]], *, repeats: int, judged_by: str
) -> Repeats | None:
    """Return the figures of one task; ``outcomes`` holds a sequence for each sample.

    ``judged_by`` is the digest of the evaluator whose verdicts the majority counts. ``None`` without samples,
    and where a sample has fewer repeats than ``repeats``, as a selection leaves them: what was not planned is
    neither wrong nor missing.
    """
    samples = list(outcomes)
    if not samples or any(len(sample) < repeats for sample in samples):
        return None
    passed = [sum(one.verdict is Verdict.PASSED for one in sample) for sample in samples]
    rates = [count / repeats for count in passed]
    ks = _ks(repeats)
    return Repeats(
        samples=len(samples),
        repeats=repeats,
        agreement=_agreement(samples),
        pass_at_1=sum(passed) / (len(samples) * repeats),
        interval=clustered_interval(rates, repeats),
        pass_at={k: fsum(pass_at_k(repeats, c, k) for c in passed) / len(samples) for k in ks},
        pass_all={k: sum(comb(c, k) for c in passed) / comb(repeats, k) / len(samples) for k in ks},
        voted=Counter(map(_vote, samples)),
        vote_evaluator=EvaluatorIdentity(
            kind="vote", name="majority", version="1", settings={"repeats": repeats, "judged_by": judged_by}
        ),
    )


def _ks(repeats: int) -> list[int]:
    """Every k up to 10, then 20, 50, 100 …, and all of them."""
    rounds = (lead * 10**power for power in range(1, 4) for lead in (2, 5, 10))
    return sorted({*range(1, min(repeats, 10) + 1), *(k for k in rounds if k < repeats), repeats})


def clustered_interval(rates: Sequence[float], repeats: int) -> tuple[float, float]:
    """Return a 95 % interval of the mean of per-sample rates, each of ``repeats`` repeats.

    Repeats of one sample are not independent: Wilson's interval is taken with the effective number of
    evaluations p(1-p)/v, where v is the variance of the mean over samples. Source: E. L. Korn and
    B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data", Survey Methodology 24 (1998).
    """
    m = len(rates)
    # Exact sums: the order in which samples were judged must not show in the last digit.
    mean = fsum(rates) / m
    spread = fsum((rate - mean) ** 2 for rate in rates)
    if m == 1 or not 0 < mean < 1:
        effective = float(m)
    elif not spread:
        effective = float(m * repeats)
    else:
        effective = min(mean * (1 - mean) * (m - 1) * m / spread, float(m * repeats))
    return wilson_interval(mean * effective, effective)


def _agreement(samples: Sequence[Sequence[RepeatOutcome]]) -> float | None:
    same = pairs = 0
    for sample in samples:
        counts = Counter(_token(one) for one in sample if one.verdict is not Verdict.MISSING)
        delivered = counts.total()
        pairs += comb(delivered, 2)
        same += sum(comb(count, 2) for count in counts.values())
    return same / pairs if pairs else None


def _vote(sample: Sequence[RepeatOutcome]) -> Verdict:
    """Return what the most frequent answer of a sample came to; a tie decides nothing."""
    delivered = [one for one in sample if one.verdict is not Verdict.MISSING]
    ranked = Counter(map(_token, delivered)).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return Verdict.MISSING
    verdicts = Counter(one.verdict for one in delivered if _token(one) == ranked[0][0]).most_common(2)
    is_tie = len(verdicts) == 2 and verdicts[0][1] == verdicts[1][1]
    return Verdict.MISSING if is_tie else verdicts[0][0]


def _token(outcome: RepeatOutcome) -> str:
    return f"={outcome.answer}" if outcome.answer is not None else outcome.verdict.value
