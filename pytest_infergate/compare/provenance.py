"""Whether it is known whose replies, and whose judgements, a run holds. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from ..evidence import Gate, Verdict
from ..runs.verdict_file import BASELINE_GATE, SHARD_BASELINE_GATE

#: Gates over a run that say nothing of the evaluations in it: those of comparisons, and of what is not in it.
_ELSEWHERE = frozenset({BASELINE_GATE, SHARD_BASELINE_GATE, "collection", "nothing_evaluated"})
#: How the names of gates begin that a second server of the session has, which is judged by its own run.
_BESIDE = "base_"


def unproven_by(gates: Iterable[Gate]) -> str | None:
    """Return which gate over a whole run keeps it from being evidence, and what it observed; else ``None``.

    A server that was another one at the end, or that nobody could ask who it is, may have been any model.
    """
    for gate in gates:
        is_of_run = gate.task is None and gate.name not in _ELSEWHERE and not gate.name.startswith(_BESIDE)
        if is_of_run and gate.verdict is not Verdict.PASSED:
            named = gate.observed.startswith(f"{gate.name}: ")
            return gate.observed if named else f"{gate.name}: {gate.observed}"
    return None
