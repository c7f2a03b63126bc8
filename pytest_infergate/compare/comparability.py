"""Whether two sides of a task may be compared: every field that must be equal and is not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..evidence import PASSED, EvaluatorIdentity, canonical_json
from ..runs import TaskPlan
from .comparison import FieldDifference
from .pairing import Pair
from .score_matching import ScoreMatching
from .side import ScoreKind, TaskSide

#: So many ids are named where sets of ids differ.
_MOST_NAMED = 5
_SHOWN = 200


def refusals_of(
    base: TaskSide, candidate: TaskSide, pairs: Iterable[Pair], *, schemas: tuple[str, str]
) -> tuple[FieldDifference, ...]:
    """Return what differs and must not: both values, an example, and how many evaluations it concerns.

    ``pairs`` are those of the two sides, ``schemas`` those of their records. Empty: they are comparable.
    """
    task = candidate.plan.name
    found = _Refusals(task, len(candidate.observations))
    _compare_plans(base, candidate, found)
    majors = [schema.rpartition("/")[2].partition(".")[0] for schema in schemas]
    if majors[0] != majors[1]:
        found.add("record schema", *schemas, count=found.evaluations)
    _compare_ids(base, candidate, found)
    kinds = _KindComparison()
    # Of a test the evaluator's digest is the task's: said once.
    said = (base.plan.digest, candidate.plan.digest)
    for pair in pairs:
        if pair.base.sample_digest != pair.candidate.sample_digest:
            found.add_pair("sample digest", pair.base.sample_digest, pair.candidate.sample_digest, pair)
        for field, ours, theirs in kinds.differences(pair):
            if (ours, theirs) != said:
                found.add_pair(field, ours, theirs, pair)
        for name, one, other in kinds.references(pair):
            found.add_pair(f"reference of {name}", one, other, pair)
        difference = _request_difference(pair)
        if difference is not None:
            found.add_pair(*difference, pair)
    _compare_evaluators(base.plan, candidate.plan, found)
    return found.differences()


class _Refusals:
    """Keeps the first values of each field and counts the evaluations it concerns."""

    def __init__(self, task: str, evaluations: int) -> None:
        self.evaluations = evaluations
        self._task = task
        self._first: dict[str, tuple[str | None, str | None, str]] = {}
        self._counts: dict[str, int] = defaultdict(int)

    def add(
        self, field: str, base: str | None, candidate: str | None, *, where: str = "", count: int
    ) -> None:
        self._first.setdefault(field, (_cut(base), _cut(candidate), where or self._task))
        self._counts[field] += count

    def has(self, field: str) -> bool:
        return field in self._first

    def add_pair(self, field: str, base: str | None, candidate: str | None, pair: Pair) -> None:
        self.add(field, base, candidate, where=f"{self._task}/{pair.sample}#{pair.repeat}", count=1)

    def differences(self) -> tuple[FieldDifference, ...]:
        return tuple(
            FieldDifference(
                field=field, base=base, candidate=candidate, where=where, count=self._counts[field]
            )
            for field, (base, candidate, where) in self._first.items()
        )


def _compare_plans(base: TaskSide, candidate: TaskSide, found: _Refusals) -> None:
    ours, theirs = base.plan, candidate.plan
    for field, before, after in (
        ("task version", ours.version, theirs.version),
        ("task digest", ours.digest, theirs.digest),
        ("repeats", str(ours.repeat), str(theirs.repeat)),
        ("data set", _yes_no(ours.has_dataset), _yes_no(theirs.has_dataset)),
    ):
        if before != after:
            found.add(field, before, after, count=found.evaluations)


def _compare_evaluators(base: TaskPlan, candidate: TaskPlan, found: _Refusals) -> None:
    """Compare who judges the tasks, where no score has told already: all of them may be missing."""
    for field, one, other in _evaluator_differences(base.evaluator, candidate.evaluator):
        # Of a test the digest is the task's.
        if field != "digest" and not found.has(f"evaluator {field} of {PASSED}"):
            found.add(f"evaluator {field}", one, other, count=found.evaluations)


def _compare_ids(base: TaskSide, candidate: TaskSide, found: _Refusals) -> None:
    ours, theirs = _repeats_by_sample(base), _repeats_by_sample(candidate)
    extra = [sample for sample in theirs if sample not in ours]
    if extra:
        absent = [sample for sample in ours if sample not in theirs]
        found.add("sample ids", _only(absent), _only(extra), count=len(extra))
    for sample, repeats in theirs.items():
        known = ours.get(sample)
        if known is not None and known != repeats:
            found.add(
                "repeats of a sample",
                _numbers(known),
                _numbers(repeats),
                where=f"{candidate.plan.name}/{sample}",
                count=len(known ^ repeats),
            )


def _repeats_by_sample(side: TaskSide) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for sample, repeat in sorted(side.observations):
        found.setdefault(sample, set()).add(repeat)
    return found


def _request_difference(pair: Pair) -> tuple[str, str, str] | None:
    """Return the first request that differs though everything before it was the same.

    Later requests of a conversation hold earlier replies. Once a reply differs, what is asked after it is a
    consequence of the treatment.
    """
    base, candidate = pair.base, pair.candidate
    for number, (ours, theirs) in enumerate(zip(base.exchanges, candidate.exchanges, strict=False), 1):
        if ours.request != theirs.request:
            return f"request {number}", ours.request, theirs.request
        if ours.reply != theirs.reply:
            return None
    if len(base.exchanges) != len(candidate.exchanges) and pair.is_resolved:
        return "number of requests", str(len(base.exchanges)), str(len(candidate.exchanges))
    return None


_Differences = tuple[tuple[str, "str | None", "str | None"], ...]


class _KindComparison:
    """Compares the kinds of scores pair by pair, each combination once."""

    def __init__(self) -> None:
        self._matching = ScoreMatching()
        self._known: dict[int, _Differences] = {}

    def differences(self, pair: Pair) -> _Differences:
        matches = self._matching.of(pair.base, pair.candidate)
        found = self._known.get(id(matches))  # which keeps them
        if found is None:
            found = self._known[id(matches)] = tuple(
                difference
                for match in matches
                if match.kinds[0] is not None and match.kinds[1] is not None
                for difference in kind_differences(match.kinds[0], match.kinds[1])
            )
        return found

    def references(self, pair: Pair) -> Iterator[tuple[str, str | None, str | None]]:
        """Yield scores that were held against another picture or clip than on the other side."""
        for match in self._matching.of(pair.base, pair.candidate):
            if match.base is None or match.candidate is None:
                continue
            ours, theirs = pair.base.scores[match.base], pair.candidate.scores[match.candidate]
            if ours.is_against_another(theirs):
                yield match.name, ours.against, theirs.against


def kind_differences(base: ScoreKind, candidate: ScoreKind) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the fields in which two kinds of one score differ, with both values."""
    name = base.name
    if base.unit != candidate.unit:
        yield f"unit of {name}", base.unit, candidate.unit
    if base.higher_is_better != candidate.higher_is_better:
        words = {True: "higher is better", False: "lower is better"}
        yield f"direction of {name}", words[base.higher_is_better], words[candidate.higher_is_better]
    for field, one, other in _evaluator_differences(base.evaluator, candidate.evaluator):
        yield f"evaluator {field} of {name}", one, other
    preferred = [kind.fallback and kind.fallback.preferred for kind in (base, candidate)]
    if preferred[0] != preferred[1]:  # why it was not used is in words that may differ from run to run
        yield f"fallback of {name}", _fallback(base), _fallback(candidate)


def _evaluator_differences(
    base: EvaluatorIdentity | None, candidate: EvaluatorIdentity | None
) -> Iterator[tuple[str, str | None, str | None]]:
    if base is None or candidate is None:
        if base is not candidate:
            yield (
                "identity",
                None if base is None else str(base),
                None if candidate is None else str(candidate),
            )
        return
    for field in ("kind", "name", "version", "backend"):
        ours, theirs = getattr(base, field), getattr(candidate, field)
        if ours != theirs:
            yield field, ours, theirs
    yield from _json_differences("settings", dict(base.settings), dict(candidate.settings))
    if base.digest != candidate.digest:
        yield "digest", base.digest, candidate.digest


def _json_differences(path: str, base: Any, candidate: Any) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield where two JSON values differ; items of lists that have names are matched by them."""
    if canonical_json(base) == canonical_json(candidate):
        return
    ours, theirs = _items(base), _items(candidate)
    if ours is None or theirs is None:
        yield path, canonical_json(base), canonical_json(candidate)
        return
    for key in dict.fromkeys((*ours, *theirs)):
        inner = f"{path}[{key}]" if isinstance(base, list) else f"{path}.{key}"
        if key in ours and key in theirs:
            yield from _json_differences(inner, ours[key], theirs[key])
        else:
            yield (
                inner,
                canonical_json(ours[key]) if key in ours else None,
                canonical_json(theirs[key]) if key in theirs else None,
            )


def _items(value: Any) -> dict[str, Any] | None:
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and all(isinstance(item, dict) and "name" in item for item in value):
        named = {str(item["name"]): item for item in value}
        return named if len(named) == len(value) else None
    return None


def _fallback(kind: ScoreKind) -> str:
    fallback = kind.fallback
    return f"in place of {fallback.preferred}: {fallback.because}" if fallback else "none"


def _only(ids: Sequence[str]) -> str:
    if not ids:
        return "has no other"
    more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return f"alone has {', '.join(map(repr, ids[:_MOST_NAMED]))}{more}"


def _numbers(repeats: set[int]) -> str:
    return ", ".join(map(str, sorted(repeats)))


def _yes_no(has_dataset: bool) -> str:
    return "yes" if has_dataset else "no"


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
