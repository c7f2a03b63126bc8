"""A task in a baseline file: what is known of it on one line, and a line for each evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ..evidence import EvaluatorIdentity, Fallback, Pooled, Reason, Verdict, canonical_json
from ..runs import TaskPlan
from .baseline import Replies, tally_of
from .side import FlipRate, Observation, ObservedExchange, ObservedScore, ScoreKind, TaskSide

#: What a line says of an evaluation, in one word; a reason says that it is missing.
_EXPECTED_FAILURE = "expected_failure"
_SAID: Mapping[str, tuple[Verdict, Reason | None, bool]] = {
    Verdict.PASSED.value: (Verdict.PASSED, None, False),
    Verdict.FAILED.value: (Verdict.FAILED, None, False),
    _EXPECTED_FAILURE: (Verdict.FAILED, None, True),
    **{reason.value: (Verdict.MISSING, reason, False) for reason in Reason},
}
#: Whole numbers below this are the same as a float and as an int.
_EXACT = 2**53

_T = TypeVar("_T")

json_line = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode


class EvaluatorTable:
    """The evaluator identities of a file, each once; what else is in the file names them by their place."""

    def __init__(self, tasks: Iterable[TaskSide]) -> None:
        texts = {canonical_json(who.as_json()) for task in tasks for who in _evaluators(task)}
        self.lines = sorted(texts)
        self._places = {text: place for place, text in enumerate(self.lines)}

    def place(self, who: EvaluatorIdentity | None) -> int | None:
        return None if who is None else self._places[canonical_json(who.as_json())]


class _Kinds:
    """The kinds of scores of a task, in the order of their first score."""

    def __init__(self, evaluators: EvaluatorTable) -> None:
        self._evaluators = evaluators
        self._places: dict[str, int] = {}
        self._known: dict[int, tuple[ScoreKind, int]] = {}

    def place(self, kind: ScoreKind) -> int:
        known = self._known.get(id(kind))
        if known is None:
            place = self._places.setdefault(canonical_json(self._json(kind)), len(self._places))
            known = self._known[id(kind)] = (kind, place)  # the kind is held, so that its id stays its own
        return known[1]

    def as_json(self) -> list[Any]:
        return [json.loads(text) for text in self._places]

    def _json(self, kind: ScoreKind) -> dict[str, Any]:
        return {
            "name": kind.name,
            "unit": kind.unit,
            "higher_is_better": kind.higher_is_better,
            "evaluator": self._evaluators.place(kind.evaluator),
            "fallback": kind.fallback.as_json() if kind.fallback else None,
        }


def task_lines(task: TaskSide, evaluators: EvaluatorTable, replies: Replies | None) -> list[str]:
    """Return a task as lines of JSON, evaluations by sample and repeat; together they are one object."""
    kinds = _Kinds(evaluators)
    rows = [
        json_line(_row(key, task.observations[key], kinds, None if replies is None else replies.get(key, ())))
        for key in sorted(task.observations)
    ]
    head = {
        **task_json(task),
        "evaluator": evaluators.place(task.plan.evaluator),
        "scores": kinds.as_json(),
    }
    return [f'{json_line(head)[:-1]},"samples":[', *with_commas(rows), "]}"]


def task_json(task: TaskSide) -> dict[str, Any]:
    """Return a task without its evaluations."""
    return {
        **task.plan.as_json(),
        "totals": tally_of(task).as_json(),
        "flip_rate": task.flip_rate.as_json() if task.flip_rate else None,
    }


def with_commas(lines: Sequence[str]) -> list[str]:
    """Return the lines of a JSON list."""
    return [*(f"{line}," for line in lines[:-1]), *lines[-1:]]


def read_task(value: Mapping[str, Any], evaluators: Sequence[EvaluatorIdentity]) -> tuple[TaskSide, Replies]:
    """Return a task and its kept replies.

    Raises ``ValueError``, ``TypeError`` or ``LookupError`` for what ``task_lines`` cannot have written.
    """
    plan = dict(value)
    rows, kinds, totals, rate = (plan.pop(name) for name in ("samples", "scores", "totals", "flip_rate"))
    if plan["evaluator"] is not None:
        plan["evaluator"] = _at(evaluators, plan["evaluator"]).as_json()
    known = [_read_kind(kind, evaluators) for kind in kinds]
    observations: dict[tuple[str, int], Observation] = {}
    replies = {}
    for row in rows:
        key = (row["id"], row.get("repeat", 0))
        if key in observations:
            raise ValueError(f"sample {key[0]!r}, repeat {key[1]} is there twice")
        observations[key] = _read_row(row, known)
        replies[key] = tuple(row.get("replies", ()))
    side = TaskSide(
        plan=TaskPlan.from_json(plan),
        observations=observations,
        flip_rate=FlipRate(**rate) if rate else None,
    )
    if tally_of(side).as_json() != totals:
        raise ValueError(f"task {side.plan.name!r}: totals {totals!r} are not those of its samples")
    return side, replies


def _evaluators(task: TaskSide) -> Iterator[EvaluatorIdentity]:
    if task.plan.evaluator is not None:
        yield task.plan.evaluator
    seen: set[int] = set()
    for one in task.observations.values():
        for score in one.scores:
            if id(score.kind) not in seen:
                seen.add(id(score.kind))
                yield score.kind.evaluator


def _row(
    key: tuple[str, int], one: Observation, kinds: _Kinds, replies: tuple[str, ...] | None
) -> dict[str, Any]:
    said = one.reason.value if one.reason else one.verdict.value
    row: dict[str, Any] = {"id": key[0], "repeat": key[1]}
    if not key[1]:
        del row["repeat"]
    row["verdict"] = _EXPECTED_FAILURE if one.is_expected_failure else said
    row["sample"] = one.sample_digest
    row["asked"] = [[exchange.request, exchange.reply] for exchange in one.exchanges]
    row["scores"] = [_score_row(score, kinds) for score in one.scores]
    if replies is not None:
        row["replies"] = list(replies)
    return row


def _score_row(score: ObservedScore, kinds: _Kinds) -> list[Any]:
    said = score.reason.value if score.value is None and score.reason else _short(score.value)
    counts = [] if score.pooled is None else [_short(score.pooled.part), _short(score.pooled.whole)]
    against = [] if score.against is None else [score.against]
    return [kinds.place(score.kind), said, *counts, *against]


def _short(number: float | None) -> float | int | None:
    is_whole = number is not None and abs(number) < _EXACT and number == int(number)
    return int(number) if is_whole and number is not None else number


def _read_kind(value: Mapping[str, Any], evaluators: Sequence[EvaluatorIdentity]) -> ScoreKind:
    return ScoreKind(
        name=value["name"],
        unit=value["unit"],
        higher_is_better=value["higher_is_better"],
        evaluator=_at(evaluators, value["evaluator"]),
        fallback=Fallback.from_json(value["fallback"]) if value["fallback"] else None,
    )


def _read_row(row: Mapping[str, Any], kinds: Sequence[ScoreKind]) -> Observation:
    verdict, reason, is_expected = _SAID[row["verdict"]]
    return Observation(
        sample_digest=row["sample"],
        verdict=verdict,
        reason=reason,
        exchanges=tuple(ObservedExchange(request, reply) for request, reply in row["asked"]),
        scores=tuple(_read_score(score, kinds) for score in row["scores"]),
        is_expected_failure=is_expected,
    )


def _read_score(value: Sequence[Any], kinds: Sequence[ScoreKind]) -> ObservedScore:
    place, said, *counts = value
    against = counts.pop() if counts and isinstance(counts[-1], str) else None
    pooled = Pooled(part=counts[0], whole=counts[1]) if counts else None
    if isinstance(said, str):
        return ObservedScore(_at(kinds, place), None, Reason(said), pooled, against)
    return ObservedScore(_at(kinds, place), float(said), None, pooled, against)


def _at(items: Sequence[_T], place: int) -> _T:
    """Return the item at a place; a negative one, which Python would count from the end, is none."""
    if place < 0:
        raise LookupError(f"place {place} is none")
    return items[place]
