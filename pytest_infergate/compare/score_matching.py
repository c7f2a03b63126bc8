"""Which score of an evaluation is held against which on the other side."""

from __future__ import annotations

from dataclasses import dataclass

from .side import Observation, ScoreKind


@dataclass(frozen=True, slots=True)
class ScoreMatch:
    """Places of a score on both sides; ``None`` where a side does not have it. ``kinds``: base, candidate."""

    name: str
    base: int | None
    candidate: int | None
    kinds: tuple[ScoreKind | None, ScoreKind | None]


class ScoreMatching:
    """Matches scores by name, the k-th of a name with the k-th.

    Most evaluations of a task have the same kinds of scores, so each combination is matched once.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[ScoreMatch, ...]] = {}

    def of(self, base: Observation, candidate: Observation) -> tuple[ScoreMatch, ...]:
        """Return the matches: first the base's scores in their order, then those of the candidate alone."""
        # The sides keep the kinds, so that an id stays its kind's.
        key = (
            tuple([id(score.kind) for score in base.scores]),
            tuple([id(score.kind) for score in candidate.scores]),
        )
        found = self._known.get(key)
        if found is None:
            ours, theirs = ([score.kind for score in one.scores] for one in (base, candidate))
            found = self._known[key] = tuple(_match(ours, theirs))
        return found


def _match(base: list[ScoreKind], candidate: list[ScoreKind]) -> list[ScoreMatch]:
    rest: dict[str, list[int]] = {}
    for place, kind in enumerate(candidate):
        rest.setdefault(kind.name, []).append(place)
    found = []
    for place, kind in enumerate(base):
        places = rest.get(kind.name)
        if places:
            other = places.pop(0)
            found.append(ScoreMatch(kind.name, place, other, (kind, candidate[other])))
        else:
            found.append(ScoreMatch(kind.name, place, None, (kind, None)))
    alone = sorted(place for places in rest.values() for place in places)
    return [*found, *(ScoreMatch(candidate[at].name, None, at, (None, candidate[at])) for at in alone)]
