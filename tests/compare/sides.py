"""Sides of a comparison made for tests: a letter for each evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_infergate.compare import (
    Observation,
    ObservedExchange,
    ObservedScore,
    RunComparison,
    RunSide,
    ScoreKind,
    TaskComparison,
    TaskSide,
    compare_runs,
)
from pytest_infergate.evidence import (
    EvaluatorIdentity,
    GateRule,
    Pooled,
    Reason,
    Verdict,
    digest,
)
from pytest_infergate.runs import TaskPlan

CODE = digest("code")
TEST = EvaluatorIdentity(kind="test", name="math", version="1", settings={"extractors": []}, digest=CODE)
PASSED = ScoreKind(name="passed", unit="ratio", higher_is_better=True, evaluator=TEST, fallback=None)
STYLE = ScoreKind(
    name="style",
    unit="points",
    higher_is_better=True,
    evaluator=EvaluatorIdentity(kind="heuristic", name="style", version="1"),
    fallback=None,
)
WER = ScoreKind(
    name="wer",
    unit="ratio",
    higher_is_better=False,
    evaluator=EvaluatorIdentity(kind="transcriber", name="whisper", version="1", backend="tiny.en"),
    fallback=None,
)

#: passed, failed, failed as expected, cut by the limit, refused; not the model's: timed out, never ran,
#: no evaluator.
LETTERS: Mapping[str, tuple[Verdict, Reason | None]] = {
    "P": (Verdict.PASSED, None),
    "F": (Verdict.FAILED, None),
    "X": (Verdict.FAILED, None),
    "T": (Verdict.MISSING, Reason.TRUNCATED),
    "R": (Verdict.MISSING, Reason.REFUSED),
    "s": (Verdict.MISSING, Reason.TIMEOUT),
    "n": (Verdict.MISSING, Reason.NOT_RUN),
    "e": (Verdict.MISSING, Reason.EVALUATOR_UNAVAILABLE),
}


def exchange(request: str = "ask", reply: str = "said") -> ObservedExchange:
    return ObservedExchange(digest(request), reply)


def observation(
    letter: str,
    sample: str,
    *,
    said: str = "",
    exchanges: Iterable[ObservedExchange] | None = None,
    scores: Iterable[ObservedScore] = (),
    passed: ScoreKind = PASSED,
) -> Observation:
    """``said`` is what the model said beside its verdict's letter; two letters are two replies."""
    verdict, reason = LETTERS[letter]
    if exchanges is None:
        exchanges = () if letter == "n" else (exchange(f"ask {sample}", f"{said}{letter}"),)
    own = (ObservedScore(passed, float(verdict is Verdict.PASSED)),) if reason is None else ()
    return Observation(digest(sample), verdict, reason, tuple(exchanges), (*own, *scores), letter == "X")


def plan(name: str = "math", **changes: Any) -> TaskPlan:
    fields: dict[str, Any] = {
        "name": name,
        "version": "1",
        "digest": CODE,
        "rule": GateRule(),
        "evaluator": TEST,
        "has_dataset": True,
    }
    return TaskPlan(**{**fields, **changes})


def task(letters: str, *, said: str = "", name: str = "math", **changes: Any) -> TaskSide:
    """Make a task of samples s0, s1 …, each repeated ``repeat`` times, a letter for each evaluation."""
    made = plan(name, **changes)
    return TaskSide(
        plan=made,
        observations={
            (f"s{number // made.repeat}", number % made.repeat): observation(
                letter, f"s{number // made.repeat}", said=said
            )
            for number, letter in enumerate(letters)
        },
    )


def task_of(observations: Mapping[str, Observation], **changes: Any) -> TaskSide:
    return TaskSide(plan=plan(**changes), observations={(id, 0): one for id, one in observations.items()})


def server(engine: str = "llama.cpp", unknown: Iterable[str] = (), **fields: Any) -> dict[str, Any]:
    """Make an identity as ``run.json`` holds it; ``sampling_*`` are defaults of sampling."""
    known = {"model": "gemma-3", "quantization": "Q8_0", **fields}
    sampling = {name[9:]: value for name, value in known.items() if name.startswith("sampling_")}
    return {
        "engine": engine,
        "url": "http://127.0.0.1:8080",
        "fingerprint": digest(known),
        "fields": {
            name: {"value": value, "origin": "probed"}
            for name, value in known.items()
            if not name.startswith("sampling_")
        },
        "unknown": list(unknown),
        "sampling_defaults": {
            "seed": None,
            **{name: {"value": value, "origin": "probed"} for name, value in sampling.items()},
        },
        "changes": {"change": "same", "differences": [], "unconfirmed": [], "detail": ""},
    }


def side(*tasks: TaskSide, label: str = "base", **changes: Any) -> RunSide:
    fields: dict[str, Any] = {
        "label": label,
        "run_id": f"id of {label}",
        "schema": "infergate.record/1",
        "is_finished": True,
        "tasks": {one.plan.name: one for one in tasks},
        "server": server(),
    }
    return RunSide(**{**fields, **changes})


def compare(base: TaskSide, candidate: TaskSide, **options: Any) -> TaskComparison:
    """Compare one task on both sides."""
    (found,) = compare_sides([base], [candidate], **options).tasks
    return found


def compare_sides(base: Iterable[TaskSide], candidate: Iterable[TaskSide], **options: Any) -> RunComparison:
    return compare_runs(side(*base), side(*candidate, label="candidate"), **options)


def score(kind: ScoreKind, value: float | None, pooled: tuple[float, float] | None = None) -> ObservedScore:
    counts = Pooled(part=pooled[0], whole=pooled[1]) if pooled else None
    return ObservedScore(kind, value, Reason.EVALUATOR_ERROR if value is None else None, counts)
