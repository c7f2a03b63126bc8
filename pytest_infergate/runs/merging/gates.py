"""The gates of shards that are not a task's own, brought together. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...evidence import Gate, Verdict, combine_verdicts
from ..verdict_file import BASELINE_GATE, SHARD_BASELINE_GATE
from .shard import Shard

#: Judged anew, over the replies of all shards.
_JUDGED_AGAIN = frozenset({"served_model", "served_judge"})


def carried_gates(shards: Sequence[Shard]) -> Iterator[Gate]:
    """Yield the gates of all shards, each kind once: it passed where it passed in every shard.

    A gate over a comparison with a baseline was judged on a part of the suite; it is carried as such.
    """
    found: dict[tuple[str, str | None, str], list[tuple[Shard, Gate]]] = {}
    for shard in shards:
        for gate in shard.run.gates:
            if gate.name not in _JUDGED_AGAIN:
                found.setdefault((gate.name, gate.task, gate.rule), []).append((shard, gate))
    for gates in found.values():
        yield _combined(gates)


def _combined(gates: Sequence[tuple[Shard, Gate]]) -> Gate:
    first = gates[0][1]
    if first.name == BASELINE_GATE:
        first = replace(first, name=SHARD_BASELINE_GATE)
    if all(gate == gates[0][1] for _, gate in gates):
        return first
    verdict = combine_verdicts([gate.verdict for _, gate in gates])
    telling = [(shard, gate) for shard, gate in gates if gate.verdict is verdict]
    if verdict is Verdict.PASSED and len({gate.observed for _, gate in telling}) == 1:
        return first
    observed = dict.fromkeys(f"{gate.observed} in {shard.label}" for shard, gate in telling)
    details = dict.fromkeys(gate.detail for _, gate in telling if gate.detail)
    return replace(first, verdict=verdict, observed="; ".join(observed), detail="; ".join(details))
