"""What judging the replies of a run again changed, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..evidence import Tally, Verdict
from ..runs.rescored import MOST_CHANGES, Cause, Rescored, TaskRescored, VerdictChange
from .evaluator_changes import evaluator_changes, is_judged_anew
from .side import Observation, RunSide, TaskSide


def rescore(before: RunSide, after: RunSide) -> Rescored:
    """Set a replayed run beside the run whose replies it judged.

    Counts of both are over the evaluations that both have. A changed verdict has one cause, the first that
    holds: a reply that ``before`` does not have; another sample; another evaluator of the test or of a score
    of this evaluation; none of these. So ``evaluator`` means that the replies and the sample are the same.
    """
    return Rescored(
        run=before.run_id,
        tasks=tuple(
            _task(before.tasks.get(name) or TaskSide(plan=task.plan, observations={}), task)
            for name, task in after.tasks.items()
        ),
        absent=tuple(name for name in before.tasks if name not in after.tasks),
    )


def _task(before: TaskSide, after: TaskSide) -> TaskRescored:
    shared = [key for key in after.observations if key in before.observations]
    pairs = [(before.observations[key], after.observations[key]) for key in shared]
    old, new = before.plan.evaluator, after.plan.evaluator
    is_another_test = old is not None and new is not None and old != new
    changes = [
        VerdictChange(
            sample=sample,
            repeat=repeat,
            before=_word(then),
            after=_word(now),
            cause=_cause(then, now, is_another_test),
        )
        for (sample, repeat), (then, now) in zip(shared, pairs, strict=True)
        if _word(then) != _word(now)
    ]
    return TaskRescored(
        task=after.plan.name,
        before=_count(then for then, _ in pairs),
        after=_count(now for _, now in pairs),
        added=len(after.observations) - len(shared),
        left_out=len(before.observations) - len(shared),
        evaluator=evaluator_changes(old, new, pairs),
        causes=Counter(change.cause for change in changes),
        changes=tuple(changes[:MOST_CHANGES]),
    )


def _count(observations: Iterable[Observation]) -> Tally:
    counts = Counter(one.verdict for one in observations)
    return Tally(
        passed=counts[Verdict.PASSED], failed=counts[Verdict.FAILED], missing=counts[Verdict.MISSING]
    )


def _cause(then: Observation, now: Observation, is_another_test: bool) -> Cause:
    if Counter(now.exchanges) - Counter(then.exchanges):  # reading fewer of them is reading the same
        return Cause.NO_REPLY
    if then.sample_digest != now.sample_digest:
        return Cause.SAMPLE
    return Cause.EVALUATOR if is_another_test or is_judged_anew(then, now) else Cause.UNKNOWN


def _word(observation: Observation) -> str:
    reason = observation.reason
    return observation.verdict.value if reason is None else f"missing ({reason.value})"
