"""Rules over counts, each with one of the three verdicts.

Pure, and shared by the plugin and the command line, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .corpus_rule import CorpusRule
from .tally import Tally
from .verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRule:
    """What a task must reach. ``min_pass_rate`` ``None``: every sample gates by itself (rate 1).

    ``max_missing`` is the share of planned that may be missing for reasons other than the model's. ``corpus``
    is what its clips must reach together, in a gate of its own; ``None``: nothing.
    """

    min_pass_rate: float | None = None
    max_missing: float = 0.0
    corpus: CorpusRule | None = None

    @property
    def is_tolerant(self) -> bool:
        """Whether one wrong or missing sample leaves the verdict to the task gate."""
        return self.min_pass_rate is not None

    @property
    def min_rate(self) -> float:
        return 1.0 if self.min_pass_rate is None else self.min_pass_rate

    def __str__(self) -> str:
        return f"delivered >= {self.min_rate:g}, missing beyond the model <= {self.max_missing:g}"

    def as_json(self) -> dict[str, Any]:
        return {
            "min_pass_rate": self.min_pass_rate,
            "max_missing": self.max_missing,
            "corpus": self.corpus.as_json() if self.corpus else None,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> GateRule:
        corpus = value["corpus"]
        return cls(**{**value, "corpus": CorpusRule.from_json(corpus) if corpus else None})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A rule, what was observed, and the verdict. ``task`` ``None``: a gate over the whole run."""

    name: str
    task: str | None
    rule: str
    observed: str
    verdict: Verdict
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "task": self.task,
            "rule": self.rule,
            "observed": self.observed,
            "verdict": self.verdict.value,
            "detail": self.detail,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Gate:
        return cls(**{**value, "verdict": Verdict(value["verdict"])})


def judge_task(task: str, tally: Tally, rule: GateRule) -> Gate:
    """Judge one task by its counts.

    hi < min: failed. lo >= min and missing beyond the model <= max_missing: passed. Else missing.
    Announced wrong answers (xfail) are left out of both sides.
    """
    planned = tally.planned - tally.expected_failures
    observed = f"{tally.passed} of {planned} passed, {tally.missing} missing"
    if not planned:
        reasons = ", ".join(reason.value for reason in tally.reasons)
        if tally.expected_failures and not reasons:
            verdict, detail = Verdict.PASSED, f"all {tally.expected_failures} expected to fail, and did"
        else:
            verdict, detail = Verdict.MISSING, f"nothing was evaluated ({reasons or 'nothing planned'})"
    else:
        lo = tally.passed / planned
        hi = (tally.passed + tally.missing) / planned
        beyond = tally.missing_beyond_model / planned
        if hi < rule.min_rate:
            verdict = Verdict.FAILED
            detail = f"at most {hi:.4g} can be reached, {rule.min_rate:g} is asked"
        elif lo >= rule.min_rate and beyond <= rule.max_missing:
            verdict, detail = Verdict.PASSED, ""
        elif lo >= rule.min_rate:
            verdict = Verdict.MISSING
            detail = f"{beyond:.4g} of planned is missing beyond the model, {rule.max_missing:g} is allowed"
        else:
            verdict = Verdict.MISSING
            detail = f"the true rate lies in {lo:.4g} to {hi:.4g}, {rule.min_rate:g} is asked"
    return Gate(name="task", task=task, rule=str(rule), observed=observed, verdict=verdict, detail=detail)
