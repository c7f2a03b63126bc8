"""From a line of ``records.jsonl`` to what a comparison looks at."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from hashlib import sha256
from sys import intern
from typing import Any

from ..evidence import RECORD_SCHEMA, EvaluatorIdentity, Fallback, Pooled, Reason, Verdict
from .side import Observation, ObservedExchange, ObservedScore, ScoreKind

#: Their evaluators look at replies whatever these say; they never gate and are not compared.
BYPRODUCT = "byproduct"
#: Between what a reply said and the ids of its tool calls.
_IDS = "+"

_VERDICTS = {verdict.value: verdict for verdict in Verdict}
_REASONS = {reason.value: reason for reason in Reason}


class Observer:
    """Reads records of one run; what many of them share is kept once.

    Does without the values of ``evidence`` on the way, since two runs may hold 100,000 records each.
    """

    def __init__(self) -> None:
        self._kinds: dict[tuple[Any, ...], ScoreKind] = {}
        self._scores: dict[tuple[int, float | None, Reason | None], ObservedScore] = {}
        self._alone: dict[int, tuple[ObservedScore]] = {}

    def observe(self, value: Mapping[str, Any]) -> Observation:
        """Return the observation of a record, given as its JSON object.

        Raises ``ValueError``, ``TypeError`` or ``LookupError`` for what cannot be a record.
        """
        verdict, missing = _VERDICTS[value["verdict"]], value["missing"]
        if value["schema"] != RECORD_SCHEMA:
            raise ValueError(f"schema {value['schema']!r} is not {RECORD_SCHEMA!r}")
        if (verdict is Verdict.MISSING) != (missing is not None):
            raise ValueError(f"verdict {verdict.value!r} with missing {missing!r}")
        is_expected = value["expected_failure"]
        if is_expected not in (True, False) or (is_expected and verdict is not Verdict.FAILED):
            raise ValueError(f"verdict {verdict.value!r} with expected_failure {is_expected!r}")
        exchanges = tuple([_exchange(one) for one in value["exchanges"] if one["role"] == "model"])
        if verdict is Verdict.PASSED and not value["scores"] and not value["exchanges"]:
            raise ValueError("passed without a score or an exchange; nothing was evaluated")
        return Observation(
            _digest(value["sample"]["digest"]),
            verdict,
            _REASONS[missing["reason"]] if missing is not None else None,
            exchanges,
            self._observed(value["scores"]),
            is_expected,
        )

    def _observed(self, scores: Sequence[Mapping[str, Any]]) -> tuple[ObservedScore, ...]:
        found = [self._score(one) for one in scores if one["evaluator"]["kind"] != BYPRODUCT]
        if len(found) != 1:
            return tuple(found)
        return self._alone.setdefault(id(found[0]), (found[0],)) if found[0].pooled is None else (found[0],)

    def _score(self, score: Mapping[str, Any]) -> ObservedScore:
        kind, value, missing, pooled = self._kind(score), score["value"], score["missing"], score["pooled"]
        if (value is None) == (missing is None):
            raise ValueError(f"score {kind.name!r} needs a value or a reason why it is missing, not both")
        reason = _REASONS[missing["reason"]] if missing is not None else None
        if value is not None and not (type(value) in (int, float) and math.isfinite(value)):
            raise ValueError(f"score {kind.name!r} is {value!r}; a score is a finite number")
        number = None if value is None else float(value)
        if pooled is not None:
            return ObservedScore(kind, number, reason, Pooled(part=pooled["part"], whole=pooled["whole"]))
        if number not in (0.0, 1.0, None):
            return ObservedScore(kind, number, reason)
        # ``kind`` is kept above, so that its id stays its own.
        key = (id(kind), number, reason)
        known = self._scores.get(key)
        if known is None:
            known = self._scores[key] = ObservedScore(kind, number, reason)
        return known

    def _kind(self, score: Mapping[str, Any]) -> ScoreKind:
        who, fallback = score["evaluator"], score["fallback"]
        key = (
            score["name"],
            score["unit"],
            score["higher_is_better"],
            repr(who),
            None if fallback is None else repr(fallback),
        )
        known = self._kinds.get(key)
        if known is None:
            known = self._kinds[key] = ScoreKind(
                name=score["name"],
                unit=score["unit"],
                higher_is_better=score["higher_is_better"],
                evaluator=EvaluatorIdentity.from_json(who),
                fallback=Fallback(preferred=fallback["from"], because=fallback["because"])
                if fallback is not None
                else None,
            )
        return known


def said_of(exchange: ObservedExchange) -> str:
    """Return the digest of what a reply said, whatever ids the server drew for its tool calls."""
    return exchange.reply.partition(_IDS)[0]


def _exchange(exchange: Mapping[str, Any]) -> ObservedExchange:
    reply, error = exchange["reply"], exchange["error"]
    reason = _REASONS[error["reason"]].value if error is not None else ""
    if reply is None:
        return ObservedExchange(_digest(exchange["request_digest"]), f"none:{reason}")
    calls = reply["tool_calls"]
    said: tuple[Any, ...] = (
        reply["text"],
        reply["reasoning"],
        reply["finish_reason"],
        reply["refusal"],
        reason,
    )
    if reply["artifact"] is not None:
        said = (*said, reply["artifact"]["sha256"])
    if not calls:
        return ObservedExchange(_digest(exchange["request_digest"]), _short_digest(said))
    made = tuple([(call["name"], call["arguments"]) for call in calls])
    ids = _short_digest(tuple([call["id"] for call in calls]))
    return ObservedExchange(_digest(exchange["request_digest"]), f"{_short_digest((*said, made))}{_IDS}{ids}")


def _short_digest(said: tuple[Any, ...]) -> str:
    # 128 bits: what is compared is whether one model said the same again, not who could find a collision.
    # ``ascii`` is one spelling for texts and None on every Python, as JSON is, in a third of the time.
    return sha256(ascii(said).encode("ascii")).hexdigest()[:32]


def _digest(text: Any) -> str:
    """Return the first 64 bits of a digest: a baseline in a repository holds thousands of them."""
    if type(text) is not str or not text.startswith("sha256:"):
        raise ValueError(f"{text!r} is not a digest")
    return intern(text[7:23])  # the other run mostly has the same
