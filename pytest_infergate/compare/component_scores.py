"""Component scores on both sides, each for itself: they never decide a task's outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..evidence import PASSED, Pooled
from .comparability import kind_differences
from .comparison import FieldDifference, Outcome, PairedDifference, ScoreComparison
from .deciding import LEVEL
from .pairing import Pair
from .score_matching import ScoreMatching
from .side import ObservedScore, ScoreKind


def compare_scores(pairs: Iterable[Pair]) -> tuple[ScoreComparison, ...]:
    """Compare every score but ``passed``, in the order of their first appearance."""
    series: dict[str, _Series] = {}
    matching = ScoreMatching()
    for pair in pairs:
        ours, theirs = pair.base.scores, pair.candidate.scores
        for match in matching.of(pair.base, pair.candidate):
            if match.name == PASSED:
                continue
            one = series.get(match.name)
            if one is None:
                one = series[match.name] = _Series(match.name)
            one.add(
                pair.sample,
                None if match.base is None else ours[match.base],
                None if match.candidate is None else theirs[match.candidate],
            )
    return tuple(one.comparison() for one in series.values())


@dataclass(slots=True)
class _Cluster:
    """The values of one sample: of its repeats, and of scores given more than once."""

    count: int = 0
    base: float = 0.0
    candidate: float = 0.0
    pooled: list[tuple[Pooled, Pooled]] | None = None


class _Series:
    """One score over the pairs of a task, clustered by sample."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._kind: ScoreKind | None = None
        self._known: dict[tuple[int, int], bool] = {}
        self._refusals: dict[str, FieldDifference] = {}
        self._clusters: dict[str, _Cluster] = {}
        self._planned = 0
        self._pairs = 0
        self._is_same = True

    def add(self, sample: str, base: ObservedScore | None, candidate: ObservedScore | None) -> None:
        self._planned += 1
        self._kind = self._kind or (candidate.kind if candidate else base.kind if base else None)
        if base is None or candidate is None or not self._is_comparable(base.kind, candidate.kind):
            return
        if base.is_against_another(candidate):
            field = f"reference of {self._name}"
            self._refusals.setdefault(
                field, FieldDifference(field=field, base=base.against, candidate=candidate.against)
            )
            return
        self._add_pair(sample, base, candidate)

    def _is_comparable(self, base: ScoreKind, candidate: ScoreKind) -> bool:
        key = (id(base), id(candidate))
        if key not in self._known:
            found = list(kind_differences(base, candidate))
            self._known[key] = not found
            for name, ours, theirs in found:
                self._refusals.setdefault(name, FieldDifference(field=name, base=ours, candidate=theirs))
        return self._known[key]

    def _add_pair(self, sample: str, base: ObservedScore, candidate: ObservedScore) -> None:
        cluster = self._clusters.get(sample)
        if cluster is None:
            cluster = self._clusters[sample] = _Cluster()
        if base.pooled is not None and candidate.pooled is not None:
            cluster.pooled = cluster.pooled or []
            cluster.pooled.append((base.pooled, candidate.pooled))
            self._is_same = self._is_same and base.pooled == candidate.pooled
            self._pairs += 1
        elif base.value is not None and candidate.value is not None:
            cluster.count += 1
            cluster.base += base.value
            cluster.candidate += candidate.value
            self._is_same = self._is_same and base.value == candidate.value
            self._pairs += 1

    def comparison(self) -> ScoreComparison:
        assert self._kind is not None
        if self._refusals:
            return self._result(
                Outcome.INCOMPARABLE,
                detail="its scores do not mean the same on both sides",
            )
        pooled = [one.pooled for one in self._clusters.values() if one.pooled]
        plain = [one for one in self._clusters.values() if one.count]
        if pooled and plain:
            return self._result(
                Outcome.INCOMPARABLE, detail="some of its scores have counts, and some have none"
            )
        if not (pooled or plain):
            return self._result(Outcome.INCONCLUSIVE, detail="no evaluation has it on both sides")
        return self._of_pooled(pooled) if pooled else self._of_means(plain)

    def _of_means(self, clusters: Sequence[_Cluster]) -> ScoreComparison:
        ours = [one.base / one.count for one in clusters]
        theirs = [one.candidate / one.count for one in clusters]
        difference = None
        if all(one.count == 1 for one in clusters) and {*ours, *theirs} <= {0.0, 1.0}:
            from .statistics.tango import paired_difference

            lost = sum(one > other for one, other in zip(ours, theirs, strict=True))
            gained = sum(one < other for one, other in zip(ours, theirs, strict=True))
            difference = paired_difference(lost, gained, len(clusters))
        elif len(clusters) > 1:
            from .statistics.means import mean_difference

            difference = mean_difference(ours, theirs)
        return self._judged(sum(ours) / len(ours), sum(theirs) / len(theirs), difference, len(clusters))

    def _of_pooled(self, clusters: Sequence[Sequence[tuple[Pooled, Pooled]]]) -> ScoreComparison:
        from .statistics.pooled import pooled_difference

        ours = [_sum([base for base, _ in cluster]) for cluster in clusters]
        theirs = [_sum([candidate for _, candidate in cluster]) for cluster in clusters]
        total, other = _sum(ours), _sum(theirs)
        if not (total.whole and other.whole):
            return self._result(Outcome.INCONCLUSIVE, detail="the counts have no whole on one side")
        difference = pooled_difference(ours, theirs) if len(clusters) > 1 else None
        return self._judged(total.part / total.whole, other.part / other.whole, difference, len(clusters))

    def _judged(
        self, base: float, candidate: float, difference: PairedDifference | None, samples: int
    ) -> ScoreComparison:
        outcome = self._outcome(difference)
        detail = ""
        if outcome is Outcome.INCONCLUSIVE:
            if difference is None or difference.low == difference.high:
                detail = f"{_samples(samples)} without a spread, so nothing can be said of others"
            else:
                # Half its width: further from 0 than that, and it would not have held 0.
                least = (difference.high - difference.low) / 2
                detail = (
                    f"{samples} samples could have shown a difference of about {least:.3g}, no smaller one"
                )
        return self._result(outcome, base=base, candidate=candidate, difference=difference, detail=detail)

    def _outcome(self, difference: PairedDifference | None) -> Outcome:
        assert self._kind is not None
        if self._is_same:
            return Outcome.UNCHANGED
        if difference is None or difference.low <= 0 <= difference.high or difference.p_value > LEVEL:
            return Outcome.INCONCLUSIVE
        return Outcome.IMPROVED if (difference.low > 0) is self._kind.higher_is_better else Outcome.REGRESSED

    def _result(
        self,
        outcome: Outcome,
        *,
        base: float | None = None,
        candidate: float | None = None,
        difference: PairedDifference | None = None,
        detail: str = "",
    ) -> ScoreComparison:
        assert self._kind is not None
        return ScoreComparison(
            name=self._name,
            unit=self._kind.unit,
            higher_is_better=self._kind.higher_is_better,
            outcome=outcome,
            planned=self._planned,
            pairs=self._pairs,
            base=base,
            candidate=candidate,
            difference=difference,
            detail=detail,
            refusals=tuple(self._refusals.values()),
        )


def _samples(count: int) -> str:
    return "1 sample" if count == 1 else f"{count} samples"


def _sum(counts: Sequence[Pooled]) -> Pooled:
    return Pooled(part=sum(one.part for one in counts), whole=sum(one.whole for one in counts))
