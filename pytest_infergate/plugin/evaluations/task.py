"""A task as collected: its declaration, its data set, and who judges it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...evidence import CorpusRule, EvaluatorIdentity, GateRule
from ...tasks.visual_declaration import VisualDeclaration

if TYPE_CHECKING:
    from ...extract import Extractor
    from ...tasks import Dataset, TaskDeclaration, WerDeclaration


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One test function that is an evaluation.

    ``nodeid`` is the function's, without a sample; ``folder`` the test file's. ``evaluator`` is the
    identity of the score ``passed``: the task's digest, and the extractors that its code reaches. ``wer``
    says how its clips are measured, ``None`` without ``infer_wer``.
    """

    declaration: TaskDeclaration
    digest: str
    nodeid: str
    folder: Path
    evaluator: EvaluatorIdentity
    wer: WerDeclaration | None = None
    visual: VisualDeclaration = field(default_factory=VisualDeclaration)
    extractor: Extractor[Any] | None = None
    dataset: Dataset | None = None

    @property
    def name(self) -> str:
        return self.declaration.name

    @property
    def rule(self) -> GateRule:
        """What its gates ask."""
        wer, rule = self.wer, self.declaration.gate
        if wer is None or wer.corpus_max is None:
            return rule
        return replace(rule, corpus=CorpusRule(score=wer.metric.value, max=wer.corpus_max))

    @property
    def is_empty(self) -> bool:
        """Whether its data set has no sample at all."""
        return self.dataset is not None and not self.dataset.samples

    def describe_data(self) -> str:
        """Say where its samples come from."""
        return f"{self.dataset.path} has no samples" if self.dataset else "the parameter set is empty"
