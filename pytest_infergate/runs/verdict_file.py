"""``verdict.json``: what a run came to, for other tools. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..evidence import Verdict, combine_verdicts, digest
from .exit_code import ExitCode, first_code
from .summary import TaskPlan

VERDICT_SCHEMA = "infergate.verdict/1"
#: The name of the gates over comparisons with baselines.
BASELINE_GATE = "baseline"
#: Of those in a merged run, which were judged on a part of it.
SHARD_BASELINE_GATE = f"shard_{BASELINE_GATE}"

_CODES = {Verdict.FAILED.value: ExitCode.FAILED, Verdict.MISSING.value: ExitCode.MISSING}


def verdict_json(run: Mapping[str, Any], comparisons: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the object of ``verdict.json`` of a finished run.

    ``run`` is the object of its ``run.json``; ``comparisons`` are those with its baselines, as JSON. All else
    follows from these two, so whoever checks the file makes it again.
    """
    partial = run["partial"]
    found = {(gate["task"], gate["name"]): Verdict(gate["verdict"]) for gate in run["gates"]}
    value = {
        "schema": VERDICT_SCHEMA,
        "run_id": run["run_id"],
        "run_digest": run["digest"],
        "verdict": run["verdict"],
        "exit_code": int(_exit_code(run, comparisons)),
        "partial": list(partial["by"]) if partial else [],
        "totals": run["totals"],
        "tasks": [
            {
                "name": task["name"],
                "verdict": combine_verdicts(
                    found[task["name"], name] for name in TaskPlan.from_json(task).own_gates
                ).value,
                **{name: task[name] for name in ("totals", "delivered", "bounds")},
            }
            for task in run["tasks"]
        ],
        "gates": run["gates"],
        "baselines": list(comparisons),
    }
    return {**value, "digest": digest(value)}


def _exit_code(run: Mapping[str, Any], comparisons: Iterable[Mapping[str, Any]]) -> ExitCode:
    """Return 0 for a run that passed, else the first in rank of what its gates and comparisons give.

    The gate of a comparison says failed or missing; the comparison itself says which of the codes that is.
    """
    if run["verdict"] == Verdict.PASSED.value:
        return ExitCode.PASSED
    codes = {ExitCode(one["exit_code"]) for one in comparisons}
    for gate in run["gates"]:
        if gate["name"] != BASELINE_GATE or gate["task"] is None:
            codes.add(_CODES.get(gate["verdict"], ExitCode.PASSED))
    return first_code(codes - {ExitCode.PASSED})
