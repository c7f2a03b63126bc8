"""The outcome of tasks from what became of their evaluations. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .comparison import Outcome, PairedDifference
from .pairing import Paired, Resolution

#: The chance of calling any task improved or regressed where nothing changed.
LEVEL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of one task; ``margin``: what its rate may lose."""

    paired: Paired
    margin: float
    is_statistical: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The outcome with what it stands on.

    ``outcomes`` are those of the worst and of the best resolution of what is missing. ``difference`` counts
    what is missing against the outcome; ``None`` where nothing statistical is claimed or the outcome hangs on
    what is missing.
    """

    outcome: Outcome
    outcomes: tuple[Outcome, Outcome]
    difference: PairedDifference | None = None
    adjusted_p: float | None = None
    needed: int | None = None


def decide(questions: Mapping[str, Question]) -> dict[str, Decision]:
    """Return the decision on every task.

    Improved and regressed need the interval and the exact test, the latter after Holm over the tasks that are
    tested. A task whose replies are all the same is not tested: it has nothing to be wrong about.
    """
    from .statistics.holm import holm

    tested = {
        task: (
            _difference(question.paired.worst, question.paired.repeats),
            _difference(question.paired.best, question.paired.repeats),
        )
        for task, question in questions.items()
        if question.is_statistical and not is_unchanged(question.paired)
    }
    # Each way of resolving what is missing is a world of its own, with its own correction.
    worlds = (holm([both[way].p_value for both in tested.values()]) for way in (0, 1))
    adjusted = dict(zip(tested, zip(*worlds, strict=True), strict=True))
    return {
        task: _statistical(question, tested[task], adjusted[task])
        if task in tested
        else _by_flips(question.paired)
        for task, question in questions.items()
    }


def is_unchanged(paired: Paired) -> bool:
    """Whether the model said the same, byte for byte, and the same came of it, with nothing missing."""
    return (
        paired.is_same_reply
        and not paired.verdict_changes
        and not paired.score_changes
        and not paired.table.unresolved
        and paired.table.pairs > 0
    )


def _by_flips(paired: Paired) -> Decision:
    worst, best = _outcome_of_flips(paired.worst), _outcome_of_flips(paired.best)
    if is_unchanged(paired):
        worst = best = Outcome.UNCHANGED
    return Decision(outcome=_surviving(paired, worst, best), outcomes=(worst, best))


def _outcome_of_flips(resolution: Resolution) -> Outcome:
    if resolution.lost:
        return Outcome.REGRESSED
    return Outcome.IMPROVED if resolution.gained else Outcome.NO_WORSE


def _statistical(
    question: Question, differences: tuple[PairedDifference, PairedDifference], adjusted: tuple[float, float]
) -> Decision:
    paired, margin = question.paired, question.margin
    worst, best = (_outcome(one, p, margin) for one, p in zip(differences, adjusted, strict=True))
    outcome = _surviving(paired, worst, best)
    needed = None
    if outcome is Outcome.INCONCLUSIVE and not paired.table.unresolved:
        needed = _needed(paired.worst, paired.repeats, margin)
    if outcome is Outcome.MISSING:
        return Decision(outcome=outcome, outcomes=(worst, best))
    against = 1 if outcome is Outcome.REGRESSED else 0
    return Decision(
        outcome=outcome,
        outcomes=(worst, best),
        difference=differences[against],
        adjusted_p=adjusted[against],
        needed=needed,
    )


def _needed(resolution: Resolution, repeats: int, margin: float) -> int | None:
    """Return how many samples would decide, repeats of each as many as now."""
    from .statistics.power import samples_to_decide_repeated

    return samples_to_decide_repeated(resolution.means, repeats, margin)


def _outcome(difference: PairedDifference, adjusted_p: float, margin: float) -> Outcome:
    if difference.low > 0 and adjusted_p <= LEVEL:
        return Outcome.IMPROVED
    if difference.lower_bound > -margin:
        return Outcome.NO_WORSE
    if difference.high < 0 and adjusted_p <= LEVEL:
        return Outcome.REGRESSED
    return Outcome.INCONCLUSIVE


def _surviving(paired: Paired, worst: Outcome, best: Outcome) -> Outcome:
    """Return the outcome that holds whichever way the missing evaluations would have gone."""
    has_evidence = paired.table.pairs > paired.table.unresolved
    return worst if worst is best and has_evidence else Outcome.MISSING


def _difference(resolution: Resolution, repeats: int) -> PairedDifference:
    if repeats == 1:
        from .statistics.tango import paired_difference

        return paired_difference(resolution.lost, resolution.gained, len(resolution.means))
    from .statistics.clustered import clustered_difference

    return clustered_difference(resolution.means, repeats)
