"""Two sides of a task, evaluation by evaluation."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .comparison import Flip, PairedTable
from .observing import said_of
from .side import Observation, TaskSide


@dataclass(frozen=True, slots=True)
class Pair:
    """One evaluation on both sides."""

    sample: str
    repeat: int
    base: Observation
    candidate: Observation

    @property
    def is_resolved(self) -> bool:
        return self.base.delivered is not None and self.candidate.delivered is not None


def pairs_of(base: TaskSide, candidate: TaskSide) -> list[Pair]:
    """Return the evaluations that both sides have, by sample and repeat."""
    ours, theirs = base.observations, candidate.observations
    return [Pair(*key, ours[key], theirs[key]) for key in sorted(theirs) if key in ours]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The pairs with every missing evaluation resolved one way.

    ``means``: the mean difference of each sample over its repeats, in the order of the samples.
    """

    lost: int
    gained: int
    means: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """What became of the evaluations of a task on both sides.

    ``repeats``: each sample's mean is a multiple of one by this. ``worst`` and ``best`` resolve what is
    missing against the candidate and for it. ``is_same_reply``: what the model said is byte-identical in
    every pair. ``verdict_changes`` counts pairs whose verdict or reason differs, ``score_changes`` pairs
    without an exchange whose scores differ. ``flips`` begin with the losses. ``unresolved`` counts missing
    evaluations by reason, over both sides.
    """

    table: PairedTable
    samples: int
    repeats: int
    worst: Resolution
    best: Resolution
    flips: tuple[Flip, ...]
    is_same_reply: bool
    verdict_changes: int
    score_changes: int
    unresolved: Mapping[str, int] = field(default_factory=dict)


def pair_up(pairs: Iterable[Pair], confirmed: Mapping[tuple[str, int], bool] | None = None) -> Paired:
    """Count what became of the pairs of two comparable sides.

    ``confirmed``: (sample, repeat) → whether asking again gave the loss again; a loss that was not confirmed
    counts as none. ``None``: nothing was asked again.
    """
    confirmed = confirmed or {}
    counts = Counter[str]()
    reasons = Counter[str]()
    losses: list[Flip] = []
    gains: list[Flip] = []
    worst, best = _Sum(), _Sum()
    is_same, verdict_changes, score_changes = True, 0, 0
    for pair in pairs:
        ours, theirs = pair.base, pair.candidate
        before, after = ours.delivered, theirs.delivered
        is_same = is_same and _is_same_reply(ours, theirs)
        verdict_changes += ours.verdict is not theirs.verdict or ours.reason is not theirs.reason
        if not ours.exchanges and not theirs.exchanges:
            score_changes += ours.scores != theirs.scores
        if before is None or after is None:
            counts["unresolved"] += 1
            reasons.update(
                one.reason.value for one in (ours, theirs) if one.delivered is None and one.reason is not None
            )
        elif before is after:
            counts["both" if before else "neither"] += 1
        elif before and confirmed.get((pair.sample, pair.repeat)) is False:
            counts["both"] += 1
            losses.append(_flip(pair, False))
            after = True
        else:
            flip = _flip(pair, confirmed.get((pair.sample, pair.repeat)) if before else None)
            counts["lost" if before else "gained"] += 1
            (losses if before else gains).append(flip)
        worst.add(pair.sample, before is not False, after is True)
        best.add(pair.sample, before is True, after is not False)
    return Paired(
        table=PairedTable(**counts),
        samples=worst.samples,
        repeats=worst.repeats,
        worst=worst.resolution(),
        best=best.resolution(),
        flips=(*sorted(losses, key=_natural), *sorted(gains, key=_natural)),
        is_same_reply=is_same,
        verdict_changes=verdict_changes,
        score_changes=score_changes,
        unresolved=dict(reasons),
    )


def shown_verdict(observation: Observation) -> str:
    """Return the verdict of an evaluation in a word or two."""
    if observation.reason is not None:
        return f"missing, {observation.reason.value}"
    if observation.is_expected_failure:
        return "failed as expected"
    return observation.verdict.value


class _Sum:
    """Adds up pairs that come sample by sample."""

    __slots__ = ("gained", "last", "lost", "sums")

    def __init__(self) -> None:
        self.lost = self.gained = 0
        self.last: str | None = None
        self.sums: list[tuple[int, int]] = []

    def add(self, sample: str, before: bool, after: bool) -> None:
        self.lost += before and not after
        self.gained += after and not before
        if sample == self.last:
            total, count = self.sums[-1]
            self.sums[-1] = (total + after - before, count + 1)
        else:
            self.sums.append((after - before, 1))
            self.last = sample

    @property
    def samples(self) -> int:
        return len(self.sums)

    @property
    def repeats(self) -> int:
        return math.lcm(*{count for _, count in self.sums})

    def resolution(self) -> Resolution:
        means = tuple([total / count for total, count in self.sums])
        return Resolution(lost=self.lost, gained=self.gained, means=means)


def _is_same_reply(base: Observation, candidate: Observation) -> bool:
    if len(base.exchanges) != len(candidate.exchanges):
        return False
    for one, other in zip(base.exchanges, candidate.exchanges, strict=True):
        if one.reply != other.reply and said_of(one) != said_of(other):
            return False
    return True


def _natural(flip: Flip) -> tuple[list[tuple[int, str]], str, int]:
    """Return a key that puts ``s9`` before ``s10``."""
    parts = re.split(r"0*([0-9]+)", flip.sample)
    shown = [(len(part) if number % 2 else 0, part) for number, part in enumerate(parts)]
    return shown, flip.sample, flip.repeat


def _flip(pair: Pair, confirmed: bool | None) -> Flip:
    return Flip(
        sample=pair.sample,
        repeat=pair.repeat,
        base=shown_verdict(pair.base),
        candidate=shown_verdict(pair.candidate),
        confirmed=confirmed,
    )
