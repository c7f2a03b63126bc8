"""How far a judge agrees with people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..evidence import wilson_interval
from .kappa import Kappa, cohen_kappa


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What comparing verdicts with labels gave.

    ``planned`` counts the labels, ``judged`` those with a verdict, ``agreed`` those with the same one.
    ``accuracy`` is ``agreed / judged`` with Wilson's 95 % interval, ``None`` where nothing was judged.
    ``table`` counts (label, verdict) pairs.
    """

    planned: int
    judged: int
    agreed: int
    accuracy: float | None
    accuracy_interval: tuple[float, float] | None
    kappa: Kappa | None
    table: Mapping[tuple[str, str], int]

    @property
    def missing(self) -> int:
        return self.planned - self.judged

    def as_json(self) -> dict[str, Any]:
        kappa = self.kappa
        return {
            "planned": self.planned,
            "judged": self.judged,
            "missing": self.missing,
            "agreed": self.agreed,
            "accuracy": self.accuracy,
            "accuracy_interval": list(self.accuracy_interval) if self.accuracy_interval else None,
            "kappa": kappa.value if kappa else None,
            "kappa_interval": [kappa.low, kappa.high] if kappa and kappa.low is not None else None,
            "table": [
                {"label": label, "verdict": verdict, "count": count}
                for (label, verdict), count in sorted(self.table.items())
            ],
        }


def measure_agreement(pairs: Iterable[tuple[str, str | None]]) -> Agreement:
    """Compare people's labels with a judge's verdicts, in pairs; ``None`` is a verdict that is missing.

    A missing verdict neither agrees nor disagrees: it is counted, and left out of accuracy and kappa.
    """
    pairs = tuple(pairs)
    judged = [(label, verdict) for label, verdict in pairs if verdict is not None]
    agreed = sum(label == verdict for label, verdict in judged)
    return Agreement(
        planned=len(pairs),
        judged=len(judged),
        agreed=agreed,
        accuracy=agreed / len(judged) if judged else None,
        accuracy_interval=wilson_interval(agreed, len(judged)) if judged else None,
        kappa=cohen_kappa(judged),
        table=Counter(judged),
    )
