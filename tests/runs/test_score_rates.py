"""Rates over clips as records come: who is counted, and against what."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.evidence import (
    CorpusRule,
    EvaluatorIdentity,
    Fallback,
    GateRule,
    Missing,
    Pooled,
    Reason,
    Record,
    Score,
    Verdict,
)
from pytest_infergate.runs.score_rates import RateTally, ScoreRate
from pytest_infergate.runs.validate import validate_run

from .made import CAPITALS, missing, record
from .test_merge import Made, merge, run_json

WHO = EvaluatorIdentity(kind="transcriber", name="wer", version="1", backend="good ears")
OTHER = EvaluatorIdentity(kind="transcriber", name="wer", version="1", backend="worse ears")
FALLBACK = Fallback(preferred="good ears", because="gone")
EMPTY = Missing(Reason.EMPTY_REFERENCE, "nothing")


def wer(errors: int, words: int, evaluator: EvaluatorIdentity = WHO, **fields: Any) -> Score:
    return Score(
        name="wer",
        value=errors / words,
        unit="ratio",
        higher_is_better=False,
        evaluator=evaluator,
        pooled=Pooled(part=errors, whole=words),
        **fields,
    )


def inserted(count: int) -> Score:
    return Score(
        name="inserted_words", value=float(count), unit="words", higher_is_better=False, evaluator=WHO
    )


def without(reason: Missing, pooled: Pooled | None = None) -> Score:
    return replace(wer(1, 1), value=None, missing=reason, pooled=pooled)


def clip(sample: str, *scores: Score, **fields: Any) -> Record:
    gone = next((score.missing for score in scores if score.missing), None)
    if gone is not None:
        return missing(sample, gone.reason, gone.detail, scores=scores)
    return record(sample, exchanges=(), scores=scores, **fields)


def rates(*records: Record) -> tuple[ScoreRate, ...]:
    tally = RateTally()
    for made in records:
        tally.count(made)
    return tally.rates()


def test_errors_and_words_are_added_never_rates() -> None:
    (rate,) = rates(clip("a", wer(1, 1)), clip("b", wer(0, 9)))
    assert (rate.corpus.rate, rate.measured, rate.planned) == (0.1, 2, 2)
    assert rate.corpus.median == 0.5


def test_an_evaluation_without_a_clip_is_one_that_is_missing() -> None:
    (rate,) = rates(clip("a", wer(0, 1)), missing("b", Reason.TIMEOUT), missing("c", Reason.NOT_RUN))
    assert (rate.measured, rate.planned) == (1, 3)


def test_a_clip_with_nothing_to_be_spoken_adds_its_errors() -> None:
    (rate,) = rates(
        clip("a", wer(0, 2)), clip("b", inserted(3)), clip("c", without(EMPTY, Pooled(part=1, whole=0)))
    )
    assert (rate.corpus.errors, rate.corpus.reference_length, rate.corpus.rate) == (4, 2, 2.0)
    # The silent clip was measured, the one with an empty reference was not.
    assert (rate.measured, rate.planned) == (2, 3)


def test_who_heard_parts_them_and_a_fallback_is_nobody_else() -> None:
    found = rates(
        clip("a", wer(0, 1)), clip("b", wer(1, 1, OTHER)), clip("c", wer(1, 1, OTHER, fallback=FALLBACK))
    )
    assert [(one.evaluator.backend, one.is_fallback, one.measured, one.planned) for one in found] == [
        ("good ears", False, 1, 3),
        ("worse ears", False, 1, 3),
        ("worse ears", True, 1, 3),
    ]


def test_a_wrong_clip_that_was_announced_counts_nowhere() -> None:
    announced = clip("b", wer(1, 1), verdict=Verdict.FAILED, is_expected_failure=True)
    (rate,) = rates(clip("a", wer(0, 1)), announced)
    assert (rate.corpus.rate, rate.measured, rate.planned) == (0.0, 1, 1)


def test_repeats_of_a_sample_are_one_block() -> None:
    (rate,) = rates(
        *(clip(name, wer(errors, 2), repeat=n) for name, errors in (("a", 0), ("b", 1)) for n in (0, 1))
    )
    assert (rate.measured, rate.corpus.blocks) == (4, 2)


def test_scores_of_others_are_no_clips() -> None:
    judge = EvaluatorIdentity(kind="judge", name="judge", version="1")
    other = Score(name="wer", value=1.0, unit="ratio", higher_is_better=True, evaluator=judge)
    assert rates(clip("a", other)) == ()


def test_shards_are_judged_together_however_each_came_out(tmp_path: Path) -> None:
    plan = replace(CAPITALS, rule=GateRule(corpus=CorpusRule(score="wer", max=0.2)))
    whole = [clip("a", wer(1, 1)), clip("b", wer(0, 9))]
    shards = [Made(records=[made], whole=whole, plans=[plan]) for made in whole]
    merged = merge(tmp_path, *shards)
    found = {gate.name: (gate.verdict, gate.observed) for gate in merged.summary.gates}
    assert found["wer"] == (Verdict.PASSED, "0.1 over 2 of 2 clips")
    gates = [
        {gate["name"]: gate["verdict"] for gate in run_json(tmp_path / name)["gates"]} for name in ("a", "b")
    ]
    assert [gate["wer"] for gate in gates] == ["failed", "passed"]
    assert len(merged.summary.gates) == 2
    assert validate_run(merged.folder).is_valid


@pytest.mark.parametrize("count", [1, 3])
def test_the_json_names_coverage_once(count: int) -> None:
    (rate,) = rates(*(clip(str(n), wer(1, 2)) for n in range(count)), missing("x", Reason.TIMEOUT))
    value = rate.as_json()
    assert (value["measured"], value["planned"]) == (count, count + 1)
    assert not {"expected", "scored", "missing"} & set(value)
