"""What differs between those who judged, then and now, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..evidence import EvaluatorIdentity, Fallback, canonical_json
from ..runs.rescored import EvaluatorChange
from .side import Observation, ObservedScore, ScoreKind

#: Hex digits of a digest that tell two of them apart for a person.
_SHORT = 12
_LONGEST = 80


def is_judged_anew(then: Observation, now: Observation) -> bool:
    """Whether a score has another evaluator, another fallback or another reference than it had."""
    return any(
        not _is_same(old.kind, new.kind) or old.is_against_another(new) for old, new in _pairs(then, now)
    )


def evaluator_changes(
    old: EvaluatorIdentity | None,
    new: EvaluatorIdentity | None,
    pairs: Iterable[tuple[Observation, Observation]],
) -> tuple[EvaluatorChange, ...]:
    """Return every field in which evaluators differ, each once; empty where all are the same.

    Of references that differ, one for each name of a score is shown: the first.

    ``old`` and ``new`` are the test's own, ``None`` where a run does not name it; ``pairs`` are evaluations
    then and now, whose scores are compared by name. A score that one side lacks has no other evaluator: its
    test did not come as far, or its code is another, which shows in the test's own identity.
    """
    found: dict[EvaluatorChange, None] = {}
    if old is not None and new is not None:
        found.update(dict.fromkeys(_fields(old, new)))
    seen = set()
    references: dict[str, EvaluatorChange] = {}
    for then, now in pairs:
        for before, after in _pairs(then, now):
            name = after.kind.name
            if name not in references and before.is_against_another(after):
                references[name] = EvaluatorChange(
                    field=f"reference of {name}", before=before.against, after=after.against
                )
            key = id(before.kind), id(after.kind)  # a side keeps each kind once
            if key not in seen:
                seen.add(key)
                found.update(dict.fromkeys(_of_kinds(before.kind, after.kind)))
    return (*found, *references.values())


def _pairs(then: Observation, now: Observation) -> Iterator[tuple[ObservedScore, ObservedScore]]:
    scores = {score.kind.name: score for score in then.scores}
    for score in now.scores:
        before = scores.get(score.kind.name)
        if before is not None:
            yield before, score


def _is_same(old: ScoreKind, new: ScoreKind) -> bool:
    return old.evaluator == new.evaluator and old.fallback == new.fallback


def _of_kinds(old: ScoreKind, new: ScoreKind) -> Iterator[EvaluatorChange]:
    if _is_same(old, new):
        return
    then, now = old.evaluator, new.evaluator
    if (then.kind, then.name) != (now.kind, now.name):
        yield EvaluatorChange(field=f"evaluator of {new.name}", before=str(then), after=str(now))
        return
    yield from _fields(then, now)
    yield from _pair(f"fallback of {new.name}", _fallback(old.fallback), _fallback(new.fallback))


def _fields(old: EvaluatorIdentity, new: EvaluatorIdentity) -> Iterator[EvaluatorChange]:
    called = "test" if new.kind == "test" else f"{new.kind} {new.name}"
    yield from _pair(f"version of the {called}", old.version, new.version)
    yield from _pair(f"backend of the {called}", old.backend, new.backend)
    then, now = dict(old.settings), dict(new.settings)
    yield from _extractors(then.pop("extractors", []), now.pop("extractors", []))
    for name in sorted(then.keys() | now.keys()):
        yield from _pair(f"{name} of the {called}", _json(then, name), _json(now, name))
    if new.kind == "test":  # of any other evaluator the digest says no more than its fields
        yield from _pair("code of the test", _short(old.digest), _short(new.digest))


def _extractors(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterator[EvaluatorChange]:
    """Compare the extractors that a test reaches, by their names; one name may stand for several."""
    for name in sorted({one["name"] for one in (*old, *new)}):
        then = [one for one in old if one["name"] == name and one not in new]
        now = [one for one in new if one["name"] == name and one not in old]
        yield from _pair(f"extractor {name}", _versions(then), _versions(now))
        if then and now:
            yield from _pair(f"settings of extractor {name}", _settings(then), _settings(now))


def _versions(extractors: list[dict[str, Any]]) -> str | None:
    return ", ".join(sorted(f"v{one['version']}" for one in extractors)) or None


def _settings(extractors: list[dict[str, Any]]) -> str:
    return ", ".join(sorted(canonical_json(one["settings"]) for one in extractors))


def _pair(field: str, before: str | None, after: str | None) -> Iterator[EvaluatorChange]:
    if before != after:
        yield EvaluatorChange(field=field, before=_cut(before), after=_cut(after))


def _json(settings: dict[str, Any], name: str) -> str | None:
    if name not in settings:
        return None
    value = settings[name]
    return value if isinstance(value, str) else canonical_json(value)


def _fallback(fallback: Fallback | None) -> str | None:
    return None if fallback is None else f"in place of {fallback.preferred}"


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= _LONGEST else f"{text[: _LONGEST - 2]} …"


def _short(digest: str) -> str:
    return digest.partition(":")[2][:_SHORT]
