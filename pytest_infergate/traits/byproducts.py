"""Scores that come free with replies already held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..evidence import EvaluatorIdentity, Score
from .loops import loop_share
from .scripts import unexpected_script_share


@dataclass(frozen=True, slots=True)
class Notice:
    """From which value on a by-product deserves a look, and what is then to be seen."""

    score: str
    at_least: float
    text: str


NOTICES = (
    Notice("reply_loop", 0.5, "repetition loop"),
    Notice("reply_unexpected_script", 0.2, "another script than the prompt's"),
    Notice("transcript_empty", 1.0, "no word was heard"),
    Notice("transcript_words_in_silence", 1.0, "words were heard in a silent clip"),
    Notice("transcript_sampled", 1.0, "transcribed at a temperature above 0: words may differ another time"),
    Notice("transcript_language_differs", 1.0, "another language was heard than was asked for"),
    Notice("transcript_end_unknown", 1.0, "the transcriber does not say where its words end"),
    Notice("transcript_repetition", 0.0, "the transcript says words again"),
)


def _identity(name: str) -> EvaluatorIdentity:
    return EvaluatorIdentity(kind="byproduct", name=name, version="1")


_LENGTH, _LOOP, _SCRIPT = map(_identity, ("reply_length", "reply_loop", "reply_unexpected_script"))


def byproduct_scores(exchanges: Sequence[Mapping[str, Any]]) -> tuple[Score, ...]:
    """Return length, loop and script of what the model said, for exchanges as a record holds them.

    The length is of all replies together in characters; loop and script are of the worst reply. None of
    them gates. Empty where the model said nothing.
    """
    said = [(exchange["reply"]["text"], exchange["request"]) for exchange in exchanges if exchange["reply"]]
    said = [(text, request) for text, request in said if text.strip()]
    if not said:
        return ()
    scores = [
        _score("characters", False, _LENGTH, float(sum(len(text) for text, _ in said))),
        _score("ratio", False, _LOOP, max(loop_share(text) for text, _ in said)),
    ]
    shares = [unexpected_script_share(text, " ".join(_texts(request))) for text, request in said]
    known = [share for share in shares if share is not None]
    if known:
        scores.append(_score("ratio", False, _SCRIPT, max(known)))
    return tuple(scores)


def byproduct(name: str, value: float, *, unit: str, higher_is_better: bool = False) -> Score:
    """Return a score that nothing hangs on; its evaluator goes by its name."""
    return _score(unit, higher_is_better, _identity(name), value)


def _score(unit: str, higher_is_better: bool, evaluator: EvaluatorIdentity, value: float) -> Score:
    return Score(
        name=evaluator.name,
        value=value,
        unit=unit,
        higher_is_better=higher_is_better,
        evaluator=evaluator,
        gates=False,
    )


def _texts(request: Mapping[str, Any]) -> Iterator[str]:
    """Every text of a prompt: a completion's, or those of all messages and their parts."""
    if "prompt" in request:
        yield request["prompt"]
    for message in request.get("messages", ()):
        content = message.get("content")
        if isinstance(content, str):
            yield content
        elif isinstance(content, list):
            yield from (part["text"] for part in content if isinstance(part.get("text"), str))
