"""Making a baseline of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..evidence import Verdict, combine_verdicts
from ..runs import ForeignFolderError, RunFolderError, StoredRun, read_run
from ..runs.verdict_file import BASELINE_GATE, SHARD_BASELINE_GATE
from .baseline import Baseline, Replies
from .comparing import compare_runs
from .comparison import FieldDifference, Outcome
from .read import read_side
from .side import FlipRate, RunSide, TaskSide

#: So many differences are named in a refusal; the others are counted.
_MOST_NAMED = 3


def make_baseline(folders: Sequence[Path], *, with_replies: bool = False) -> Baseline:
    """Return the baseline of the first run; further runs of the same server measure its flip rate.

    Raises ``RunFolderError`` for a run that is not whole and finished, and for one that cannot be a
    repetition of the first.
    """
    first, *others = folders
    run = _whole(first)
    side = _proven(read_side(first))
    if not any(task.observations for task in side.tasks.values()):
        raise RunFolderError(f"{str(first)!r} has no evaluations, so there is nothing to compare with")
    repeats = []
    for folder in others:
        _whole(folder)
        repeats.append(_repetition(side, _proven(read_side(folder))))
    ids = [side.run_id, *(repeat.run_id for repeat in repeats)]
    if len(set(ids)) < len(ids):
        twice = next(id for id in ids if ids.count(id) > 1)
        raise RunFolderError(f"run {twice} is given twice; a run says nothing of how it differs from itself")
    tasks = {
        name: replace(task, flip_rate=flip_rate(task, [repeat.tasks[name] for repeat in repeats]))
        for name, task in side.tasks.items()
    }
    assert run.finished is not None
    return Baseline(
        side=replace(side, tasks=tasks),
        started=run.head.started,
        finished=run.finished,
        verdict=_verdict_without_baselines(run),
        tool_version=run.head.tool_version,
        repeats=tuple(ids[1:]),
        replies=_replies(run) if with_replies else None,
    )


def flip_rate(task: TaskSide, repeats: Sequence[TaskSide]) -> FlipRate | None:
    """Return how often a verdict was another in ``repeats`` than in ``task``; ``None`` without a pair.

    Each repeat is paired with ``task`` by sample and repeat; what is missing for a reason that is not the
    model's says nothing of the model and makes no pair.
    """
    flips = pairs = 0
    for other in repeats:
        for key, one in task.observations.items():
            again = other.observations[key]
            if one.delivered is None or again.delivered is None:
                continue
            pairs += 1
            flips += one.delivered is not again.delivered
    return FlipRate(flips=flips, pairs=pairs) if pairs else None


def _whole(folder: Path) -> StoredRun:
    """Return a run that is finished and says what its records say."""
    from ..runs.validate import validate_run

    run = read_run(folder)
    if run.finished is None:
        raise RunFolderError(
            f"{str(folder)!r} is not finished, so it is no baseline; finish it with --infer-resume={folder}, "
            "or run again"
        )
    found = validate_run(folder)
    if not found.is_valid:
        problem = found.problems[0]
        more = f" (and {found.count - 1} more)" if found.count > 1 else ""
        kind = ForeignFolderError if found.is_foreign else RunFolderError
        raise kind(
            f"{str(folder)!r} is not valid, so it is no baseline: {problem.where}: {problem.what}{more}; see "
            f"infergate validate {folder}"
        )
    return run


def _proven(side: RunSide) -> RunSide:
    if side.unproven is not None:
        raise RunFolderError(
            f"{side.label!r} is no evidence as a whole ({side.unproven}), so it is no baseline; run it again"
        )
    return side


def _verdict_without_baselines(run: StoredRun) -> Verdict:
    """Return what a run came to by itself: the first of a kind has no baseline that it could pass."""
    compared = (BASELINE_GATE, SHARD_BASELINE_GATE)
    gates = (*run.count().summary().gates, *(gate for gate in run.gates if gate.name not in compared))
    return combine_verdicts(gate.verdict for gate in gates)


def _repetition(first: RunSide, other: RunSide) -> RunSide:
    """Return ``other`` where it is the same suite on the same server as ``first``."""
    comparison = compare_runs(first, other)
    if comparison.treatment:
        raise RunFolderError(
            f"{other.label!r} is of another server than {first.label!r}: {_named(comparison.treatment)}; "
            "repeated runs measure what changes by itself, so they need one and the same server"
        )
    why = None
    for task in comparison.tasks:
        if task.outcome is Outcome.INCOMPARABLE:
            why = f"task {task.task!r}: {_named(task.refusals or comparison.confounded)}"
        elif task.task not in other.tasks:
            why = f"it has no task {task.task!r}"
        elif first.tasks[task.task].observations.keys() != other.tasks[task.task].observations.keys():
            why = f"task {task.task!r} has other samples"
        if why:
            break
    else:
        why = f"it has a further task {comparison.added[0]!r}" if comparison.added else None
    if why:
        raise RunFolderError(
            f"{other.label!r} is no repetition of {first.label!r}: {why}; give runs of one and the same suite"
        )
    return other


def _named(differences: Sequence[FieldDifference]) -> str:
    named = [
        f"{one.field} is {one.base if one.base is not None else 'unknown'} in the first and "
        f"{one.candidate if one.candidate is not None else 'unknown'} in the other"
        for one in differences[:_MOST_NAMED]
    ]
    more = len(differences) - len(named)
    return ", ".join([*named, *([f"{more} more"] if more > 0 else [])])


def _replies(run: StoredRun) -> dict[str, Replies]:
    """Return what the model under test said, by task and evaluation."""
    replies: dict[str, dict[tuple[str, int], tuple[str, ...]]] = {}
    for record in run.records():
        key = record.evaluation.key
        replies.setdefault(key.task, {})[key.sample, key.repeat] = tuple(
            exchange["reply"]["text"]
            for exchange in record.exchanges
            if exchange["role"] == "model" and exchange["reply"]
        )
    return dict(replies)
