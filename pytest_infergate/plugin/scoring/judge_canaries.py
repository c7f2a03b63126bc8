"""The judge's canaries in this session: read once, asked once, before its first score counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...evidence import Exchange, Missing, Reason, digest
from ...judge import (
    SHIPPED_CANARIES,
    Ask,
    Canary,
    JudgeError,
    canary_problem,
    decide,
    picture_canaries,
    plan_asks,
    read_canary,
)
from ...tasks import load_dataset

AskJudge = Callable[[Sequence[Ask]], Sequence[Exchange]]


@dataclass(slots=True)
class CanarySet:
    """The canaries of one form, single or pairwise, and what became of them."""

    canaries: tuple[Canary, ...]
    digest: str
    _is_asked: bool = field(default=False, init=False)
    _missing: Missing | None = field(default=None, init=False)

    def missing(self, ask: AskJudge) -> Missing | None:
        """Say why the judge's scores do not count, ``None`` where they do; asks it the first time."""
        if not self._is_asked:
            self._missing = self._try(ask)
            self._is_asked = True
        return self._missing

    def _try(self, ask: AskJudge) -> Missing | None:
        planned = [plan_asks(canary.case, 1) for canary in self.canaries]
        came = iter(ask([one for asks in planned for one in asks]))
        problems = []
        for canary, asks in zip(self.canaries, planned, strict=True):
            problem = canary_problem(canary, decide(asks, [next(came) for _ in asks]))
            if problem is not None:
                problems.append(problem)
        if not problems:
            return None
        return Missing(
            Reason.EVALUATOR_UNAVAILABLE,
            f"the judge is not fit to judge: {len(problems)} of {len(self.canaries)} canaries came out "
            f"wrong; {problems[0]}",
        )


class JudgeCanaries:
    """Every canary set that this process came across."""

    def __init__(self) -> None:
        self._read: dict[Path | None, tuple[Canary, ...]] = {}
        self._sets: dict[tuple[Path | None, bool], CanarySet] = {}
        self._pictures: dict[bool, CanarySet] = {}

    def read(self, path: Path | None, *, is_pairwise: bool) -> CanarySet:
        """Return the shipped canaries of a form with those of the file at ``path``.

        Raises ``DatasetError`` and ``JudgeError`` for a file that cannot be used or adds nothing.
        """
        key = (path, is_pairwise)
        if key not in self._sets:
            canaries = _of_form(self._rows(SHIPPED_CANARIES), is_pairwise)
            if path is not None:
                added = _of_form(self._rows(path), is_pairwise)
                if not added:
                    form = "two replies (with 'against')" if is_pairwise else "one reply (without 'against')"
                    raise JudgeError(f"{path}: no canary for {form}; add a row, or leave canary= out")
                canaries += added
            told = [[repr(canary.case), canary.expected.value] for canary in canaries]
            self._sets[key] = CanarySet(canaries, digest(told))
        return self._sets[key]

    def of_pictures(self, *, is_pairwise: bool) -> CanarySet:
        """Return the shipped pictures with a known answer."""
        if is_pairwise not in self._pictures:
            canaries = picture_canaries(is_pairwise=is_pairwise)
            told = [[repr(canary.case), canary.expected.value] for canary in canaries]
            self._pictures[is_pairwise] = CanarySet(canaries, digest(told))
        return self._pictures[is_pairwise]

    def _rows(self, path: Path) -> tuple[Canary, ...]:
        if path not in self._read:
            samples = load_dataset(path).samples
            self._read[path] = tuple(
                read_canary(dict(sample), id=sample.id, source=_shown(sample.source)) for sample in samples
            )
        return self._read[path]


def _of_form(canaries: Sequence[Canary], is_pairwise: bool) -> tuple[Canary, ...]:
    return tuple(canary for canary in canaries if canary.case.is_pairwise is is_pairwise)


def _shown(source: str) -> str:
    """Return a row's place; of a shipped one without the folder that this package is installed in."""
    return source.replace(str(SHIPPED_CANARIES), "pytest_infergate/judge/canaries.jsonl")
