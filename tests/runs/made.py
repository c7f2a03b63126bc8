"""Runs made for tests: a few tasks, with a record of each kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pytest_infergate.evidence import (
    Evaluation,
    EvaluationKey,
    EvaluatorIdentity,
    Exchange,
    GateRule,
    Missing,
    Reason,
    Record,
    Reply,
    Score,
    Timing,
    ToolCall,
    Usage,
    Verdict,
    canonical_json,
    digest,
)
from pytest_infergate.runs import RunHead, RunLedger, RunWriter, Secrets, TaskPlan

DIGEST = digest("code")
LAST_LINE = EvaluatorIdentity(kind="extractor", name="last_line", version="1")
CAPITALS = TaskPlan(
    name="capitals", version="1", digest=DIGEST, rule=GateRule(min_pass_rate=0.5), evaluator=LAST_LINE
)
SUMS = TaskPlan(name="sums", version="2", digest=DIGEST, rule=GateRule())
EMPTY = TaskPlan(name="nothing", version="1", digest=DIGEST, rule=GateRule(), is_empty=True)
SERVER = {
    "engine": "llama.cpp",
    "url": "http://127.0.0.1:8080",
    "fingerprint": DIGEST,
    "fields": {
        "model": {"value": "gemma-3", "origin": "probed"},
        "engine_version": {"value": "b6000", "origin": "probed"},
    },
    "unknown": ["quantization"],
    "sampling_defaults": {"top_k": {"value": 40, "origin": "probed"}, "seed": None},
    "changes": {"change": "same", "differences": [], "unconfirmed": [], "detail": ""},
}
HEAD = RunHead(
    run_id="20260102T030405Z-abcdef",
    started="2026-01-02T03:04:05Z",
    tool_version="0.1.0",
    argv=("pytest", "evals"),
    python="CPython 3.11.7",
    platform="Linux-x86_64",
    server=SERVER,
    settings={"concurrency": 8},
)
FINISHED = "2026-01-02T03:05:05Z"


def exchange(text: str = "Paris", **changes: Any) -> Exchange:
    fields: dict[str, Any] = {
        "endpoint": "chat",
        "request": {"messages": [{"role": "user", "content": "Capital of France?"}], "max_tokens": 16},
        "request_digest": digest("request"),
        "reply": Reply(text=text, usage=Usage(prompt_tokens=9, completion_tokens=2)),
        "timing": Timing(scheduled=1.0, sent=1.25, headers=1.5, first_token=1.75, last_token=2.0, done=2.25),
        "attempts": 1,
        "status": 200,
    }
    return Exchange(**(fields | changes))


def record(
    sample: str,
    verdict: Verdict = Verdict.PASSED,
    *,
    plan: TaskPlan = CAPITALS,
    repeat: int = 0,
    missing: Missing | None = None,
    exchanges: Iterable[Exchange] | None = None,
    scores: tuple[Score, ...] | None = None,
    **fields: Any,
) -> Record:
    who = EvaluatorIdentity(kind="task", name=plan.name, version=plan.version, digest=plan.digest)
    if scores is None:
        value = float(verdict is Verdict.PASSED)
        scores = () if missing else (Score.measured("passed", value, evaluator=who),)
    if exchanges is None:
        exchanges = () if missing else (exchange(),)
    return Record(
        evaluation=Evaluation(
            key=EvaluationKey(task=plan.name, sample=sample, repeat=repeat),
            nodeid=f"evals/test_{plan.name}.py::test_it[{sample}]",
            task_version=plan.version,
            task_digest=plan.digest,
            sample_digest=digest(sample),
        ),
        verdict=verdict,
        missing=missing,
        scores=scores,
        exchanges=tuple(made.as_json() for made in exchanges),
        **{"started": "2026-01-02T03:04:06Z", "duration_s": 1.25, **fields},
    )


def missing(sample: str, reason: Reason, detail: str = "", **fields: Any) -> Record:
    return record(sample, Verdict.MISSING, missing=Missing(reason, detail), **fields)


#: One of each kind, in the order of judging.
RECORDS = (
    record("france"),
    record("spain", exchanges=[exchange("Madrid", flags=("suspected_truncation",))]),
    record("peru", Verdict.FAILED, message="assert 'Cusco' == 'Lima'", exchanges=[exchange("Cusco")]),
    missing(
        "iran",
        Reason.NO_ANSWER,
        "no line with text",
        exchanges=[
            exchange(
                "", error=Missing(Reason.EMPTY_REPLY, "no text"), allowed=frozenset({Reason.EMPTY_REPLY})
            )
        ],
    ),
    record(
        "2+2",
        plan=SUMS,
        exchanges=[exchange(reply=Reply(text="", tool_calls=(ToolCall(name="add", arguments="{}"),)))],
    ),
    missing("3+3", Reason.TIMEOUT, "no end after 300 s", plan=SUMS, started=None, duration_s=None),
)
PLANS = (CAPITALS, SUMS)


def line_of(made: Record) -> str:
    return canonical_json(made.as_json())


def write_run(
    folder: Path,
    records: Iterable[Record] = RECORDS,
    plans: Iterable[TaskPlan] = PLANS,
    *,
    head: RunHead = HEAD,
    is_finished: bool = True,
    secrets: Secrets | None = None,
) -> Path:
    ledger = RunLedger(plans)
    writer = RunWriter.create(folder, head, secrets)
    for made in records:
        ledger.count(made)
        writer.add(line_of(made))
    if is_finished:
        writer.finish(FINISHED, ledger.summary())
    writer.close()
    return folder


def edit_run(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Edit ``run.json`` as somebody would who also knows how to make its digest right."""
    path = folder / "run.json"
    value = json.loads(path.read_text(encoding="ascii"))
    change(value)
    value.pop("digest")
    value["digest"] = digest(value) if value["finished"] else None
    path.write_text(json.dumps(value), encoding="ascii")
