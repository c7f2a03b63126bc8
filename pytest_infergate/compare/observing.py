"""From a line of ``records.jsonl`` to what a comparison looks at."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from hashlib import sha256
from sys import intern
from typing import Any

from ..evidence import EvaluatorIdentity, Fallback, Pooled, Reason, Role, Verdict
from .record_line import ExchangeLine, RecordLine, ScoreLine, parse_details
from .side import Observation, ObservedExchange, ObservedScore, ScoreKind

#: Their evaluators look at replies whatever these say; they never gate and are not compared.
BYPRODUCT = "byproduct"
#: The kind of evaluator that looks at pictures and clips.
VISUAL = "visual"
#: Between what a reply said and the ids of its tool calls.
_IDS = "+"


class Observer:
    """Reads records of one run; what many of them share is kept once.

    Does without the values of ``evidence`` on the way, since two runs may hold 100,000 records each.
    """

    def __init__(self) -> None:
        self._kinds: dict[tuple[Any, ...], ScoreKind] = {}
        self._scores: dict[tuple[int, float | None, Reason | None], ObservedScore] = {}
        self._alone: dict[int, tuple[ObservedScore]] = {}

    def observe(self, record: RecordLine) -> Observation:
        """Return the observation of a record. Raises ``ValueError`` for what cannot be a record."""
        verdict, missing = record.verdict, record.missing
        if (verdict is Verdict.MISSING) != (missing is not None):
            raise ValueError(f"verdict {verdict.value!r} with missing {missing!r}")
        if record.expected_failure and verdict is not Verdict.FAILED:
            raise ValueError(f"verdict {verdict.value!r} with expected_failure True")
        if verdict is Verdict.PASSED and not record.scores and not record.exchanges:
            raise ValueError("passed without a score or an exchange; nothing was evaluated")
        return Observation(
            _digest(record.sample.digest),
            verdict,
            missing.reason if missing is not None else None,
            tuple([_exchange(one) for one in record.exchanges if one.role is Role.MODEL]),
            self._observed(record.scores),
            record.expected_failure,
        )

    def _observed(self, scores: Iterable[ScoreLine]) -> tuple[ObservedScore, ...]:
        kinds = [(self._kind(one), one) for one in scores]
        found = [self._score(kind, one) for kind, one in kinds if kind.evaluator.kind != BYPRODUCT]
        if len(found) != 1:
            return tuple(found)
        (only,) = found
        if only.pooled is not None or only.against is not None:  # of this sample alone
            return (only,)
        return self._alone.setdefault(id(only), (only,))

    def _score(self, kind: ScoreKind, score: ScoreLine) -> ObservedScore:
        value, missing, pooled = score.value, score.missing, score.pooled
        if (value is None) == (missing is None):
            raise ValueError(f"score {kind.name!r} needs a value or a reason why it is missing, not both")
        reason = missing.reason if missing is not None else None
        if value is not None and not math.isfinite(value):
            raise ValueError(f"score {kind.name!r} is {value!r}; a score is a finite number")
        against = _against(score) if kind.evaluator.kind == VISUAL else None
        if pooled is not None or against is not None:
            counts = Pooled(part=pooled.part, whole=pooled.whole) if pooled is not None else None
            if counts is not None and not counts.give(value):
                raise ValueError(
                    f"score {kind.name!r} is {value!r}, and its pooled counts give another number"
                )
            return ObservedScore(kind, value, reason, counts, against)
        if value not in (0.0, 1.0, None):
            return ObservedScore(kind, value, reason)
        # ``kind`` is kept in ``_kinds``, so that its id stays its own.
        key = (id(kind), value, reason)
        known = self._scores.get(key)
        if known is None:
            known = self._scores[key] = ObservedScore(kind, value, reason)
        return known

    def _kind(self, score: ScoreLine) -> ScoreKind:
        who, fallback = bytes(score.evaluator), bytes(score.fallback)
        key = (score.name, score.unit, score.higher_is_better, who, fallback)
        known = self._kinds.get(key)
        if known is None:
            instead = json.loads(fallback)
            known = self._kinds[key] = ScoreKind(
                name=score.name,
                unit=score.unit,
                higher_is_better=score.higher_is_better,
                evaluator=EvaluatorIdentity.from_json(json.loads(who)),
                fallback=Fallback.from_json(instead) if instead is not None else None,
            )
        return known


def said_of(exchange: ObservedExchange) -> str:
    """Return the digest of what a reply said, whatever ids the server drew for its tool calls."""
    return exchange.reply.partition(_IDS)[0]


def _exchange(exchange: ExchangeLine) -> ObservedExchange:
    reply, reason = exchange.reply, exchange.error.reason.value if exchange.error is not None else ""
    asked = _digest(exchange.request_digest)
    if reply is None:
        return ObservedExchange(asked, f"none:{reason}")
    said: tuple[Any, ...] = (reply.text, reply.reasoning, reply.finish_reason, reply.refusal, reason)
    if reply.artifact is not None:
        said = (*said, reply.artifact.sha256)
    if not reply.tool_calls:
        return ObservedExchange(asked, _short_digest(said))
    made = tuple([(call.name, call.arguments) for call in reply.tool_calls])
    ids = _short_digest(tuple([call.id for call in reply.tool_calls]))
    return ObservedExchange(asked, f"{_short_digest((*said, made))}{_IDS}{ids}")


def _short_digest(said: tuple[Any, ...]) -> str:
    # 128 bits: what is compared is whether one model said the same again, not who could find a collision.
    # ``ascii`` is one spelling for texts and None on every Python, as JSON is, in a third of the time.
    return sha256(ascii(said).encode("ascii")).hexdigest()[:32]


def _against(score: ScoreLine) -> str | None:
    """Return a short digest of what a picture or a clip was held against; ``None`` where that is nothing."""
    details = parse_details(score.details)
    return intern(details.against[:16]) if details is not None and details.against is not None else None


def _digest(text: str) -> str:
    """Return the first 64 bits of a digest: a baseline in a repository holds thousands of them."""
    if not text.startswith("sha256:"):
        raise ValueError(f"{text!r} is not a digest")
    return intern(text[7:23])  # the other run mostly has the same
