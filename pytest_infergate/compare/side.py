"""One side of a comparison: a run as far as a comparison looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..evidence import EvaluatorIdentity, Fallback, Pooled, Reason, ReasonGroup, Verdict
from ..runs import TaskPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreKind:
    """What a score means: scores of different kinds are not comparable. Shared by all scores of one kind.

    Raises ``ValueError`` for what no score can have, as ``Score`` does.
    """

    name: str
    unit: str
    higher_is_better: bool
    evaluator: EvaluatorIdentity
    fallback: Fallback | None

    def __post_init__(self) -> None:
        for what, text in (("name", self.name), ("unit", self.unit)):
            if not (isinstance(text, str) and text.strip() and text.isprintable()):
                raise ValueError(f"the {what} of a score is {text!r}; accepted: printable text, not blank")
        if not isinstance(self.higher_is_better, bool):
            raise ValueError(f"score {self.name!r}: higher_is_better is {self.higher_is_better!r}")


@dataclass(frozen=True, slots=True)
class ObservedScore:
    """A score's value, ``None`` where it is missing for ``reason``.

    ``against`` is a short digest (16 hexadecimal digits) of the picture or clip that it was held against,
    ``None`` where there is none. It is of one sample, and so no part of the kind.
    """

    kind: ScoreKind
    value: float | None
    reason: Reason | None = None
    pooled: Pooled | None = None
    against: str | None = None

    def is_against_another(self, other: ObservedScore) -> bool:
        """Whether both were held against something, and that differs."""
        return self.against is not None and other.against is not None and self.against != other.against


@dataclass(frozen=True, slots=True)
class ObservedExchange:
    """Short digests of one exchange with the model: what was asked, and what came back (or why nothing did).

    ``reply`` is equal for replies of the same text, reasoning, tool calls and ending. Behind a ``+`` it holds
    the ids of its tool calls: servers draw them at random, so they are nothing that the model said, and the
    next request repeats them. ``observing.said_of`` leaves them out.
    """

    request: str
    reply: str


def has_delivered(verdict: Verdict, reason: Reason | None) -> bool | None:
    """Say whether an evaluation passed; a reason of the model's group is a no, any other one ``None``."""
    if reason is None:
        return verdict is Verdict.PASSED
    return False if reason.group is ReasonGroup.MODEL else None


@dataclass(frozen=True, slots=True)
class Observation:
    """One evaluation as a comparison sees it. ``reason`` is given where the verdict is missing.

    ``sample_digest`` is a short one, of 16 hexadecimal digits.
    """

    sample_digest: str
    verdict: Verdict
    reason: Reason | None
    exchanges: tuple[ObservedExchange, ...]
    scores: tuple[ObservedScore, ...]
    is_expected_failure: bool = False

    @property
    def delivered(self) -> bool | None:
        """As ``has_delivered`` says."""
        return has_delivered(self.verdict, self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipRate:
    """How often a verdict changed between runs: in ``flips`` of ``pairs``, of which there is one at least."""

    flips: int
    pairs: int

    @property
    def rate(self) -> float:
        return self.flips / self.pairs

    def as_json(self) -> dict[str, int]:
        return {"flips": self.flips, "pairs": self.pairs}


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSide:
    """A task of one run. ``observations``: (sample id, repeat) → what was seen, in the run's order.

    ``flip_rate`` is ``None`` where it was never measured.
    """

    plan: TaskPlan
    observations: Mapping[tuple[str, int], Observation]
    flip_rate: FlipRate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSide:
    """A run as a comparison sees it, whether it is kept as a folder or as a baseline file.

    ``label`` is what a person calls it: its path. ``schema`` is that of its records. ``server`` and ``judge``
    are identities as ``run.json`` holds them. ``conditions`` matter for timing only: concurrency, client,
    machine. ``partial`` names what selected a part of what there is. ``is_finished``: an unfinished run has
    no more to say than that evidence is missing, and neither has one with ``unproven``, which says why it is
    not known whose replies it holds.
    """

    label: str
    run_id: str
    schema: str
    is_finished: bool
    tasks: Mapping[str, TaskSide]
    server: Mapping[str, Any] | None = None
    judge: Mapping[str, Any] | None = None
    partial: tuple[str, ...] = ()
    conditions: Mapping[str, Any] = field(default_factory=dict)
    unproven: str | None = None
