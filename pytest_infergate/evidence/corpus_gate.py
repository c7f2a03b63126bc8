"""The rule over the clips of a task together: a rate of sums against its limit, in three words.

Pure, and shared by the plugin and the command line, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .corpus_rule import CorpusRule
from .gates import Gate
from .verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledRate:
    """The rate over the clips that one evaluator ``measured``; ``None`` where they have no words."""

    measured: int
    rate: float | None


def judge_corpus(
    task: str, rule: CorpusRule, rates: Sequence[PooledRate], *, planned: int, max_missing: float
) -> Gate:
    """Judge the clips of a task together. ``rates`` has one for each evaluator, a fallback's apart.

    A clip that is missing may have any number of words, and a rate has no upper bound: so no verdict is to be
    had where more than ``max_missing`` of ``planned`` is missing. Rates of several evaluators are not one
    rate: there a verdict has to be the same for each.
    """
    measured = sum(one.measured for one in rates)
    missing = max(0, planned - measured)
    known = [one for one in rates if one.rate is not None]
    told = " and ".join(f"{one.rate:.4g}" for one in known) or "no rate"
    observed = f"{told} over {measured} of {planned} clips"
    detail = ""
    holds = {one.rate is not None and one.rate <= rule.max for one in known}
    if not known:
        verdict = Verdict.MISSING
        detail = "no word is to be spoken in them" if measured else "nothing was measured"
    elif missing > max_missing * planned:
        verdict = Verdict.MISSING
        detail = f"{missing} of {planned} clips are missing, {max_missing:g} of them is allowed"
    elif len(holds) > 1:
        verdict = Verdict.MISSING
        detail = "what one evaluator measured is enough and what another did is not: they are not one rate"
    else:
        verdict = Verdict.PASSED if True in holds else Verdict.FAILED
    return Gate(name=rule.score, task=task, rule=str(rule), observed=observed, verdict=verdict, detail=detail)
