"""Counting records as they come, without keeping them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..evidence import (
    ComponentTally,
    Gate,
    Reason,
    Record,
    RepeatOutcome,
    Repeats,
    Tally,
    Verdict,
    combine_verdicts,
    judge_corpus,
    judge_task,
    summarise_repeats,
)
from ..traits import NOTICES, Lengths
from .errors import RunFolderError
from .findings import Findings, FlagFinding, MissingFinding, RerunFinding, WrongFinding
from .score_rates import RateTally, ScoreRate
from .summary import RunSummary, TaskPlan, TaskSummary


@dataclass(slots=True)
class _Counts:
    plan: TaskPlan
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    reasons: Counter[Reason] = field(default_factory=Counter)
    expected: int = 0
    wrong: Record | None = None
    components: ComponentTally = field(default_factory=ComponentTally)
    samples: dict[str, list[RepeatOutcome]] = field(default_factory=dict)
    lengths: Lengths = field(default_factory=Lengths)
    rates: RateTally = field(default_factory=RateTally)

    def repeats(self) -> Repeats | None:
        if self.plan.repeat == 1:
            return None
        judged_by = self.plan.evaluator.digest if self.plan.evaluator else self.plan.digest
        return summarise_repeats(self.samples.values(), repeats=self.plan.repeat, judged_by=judged_by)

    def judge_rates(self, rates: Sequence[ScoreRate]) -> Gate | None:
        rule = self.plan.rule.corpus
        if rule is None:
            return None
        pooled = [one.pooled for one in rates if one.name == rule.score]
        return judge_corpus(
            self.plan.name,
            rule,
            pooled,
            planned=self.rates.planned,
            max_missing=self.plan.rule.max_missing,
        )

    def tally(self) -> Tally:
        reasons = dict(self.reasons)
        if self.plan.is_empty:
            reasons[Reason.EMPTY_DATASET] = 1
        return Tally(
            passed=self.verdicts[Verdict.PASSED],
            failed=self.verdicts[Verdict.FAILED],
            missing=self.verdicts[Verdict.MISSING],
            expected_failures=self.expected,
            reasons=reasons,
        )


class RunLedger:
    """Counts every record once and says what the run comes to.

    Memory grows with the number of tasks, and by a few bytes for each record. The plugin, ``show`` and
    ``validate`` all count here, so that they cannot disagree.
    """

    def __init__(self, plans: Iterable[TaskPlan] = ()) -> None:
        self._tasks: dict[str, _Counts] = {}
        self._missing: dict[Reason, tuple[str, str]] = {}
        self._flags: dict[str, str] = {}
        self._flag_counts: Counter[str] = Counter()
        self._has_changed: dict[str, bool] = {}
        self._kept = 0
        for plan in plans:
            self.plan(plan)

    def plan(self, plan: TaskPlan) -> None:
        """Expect a task. The same plan again changes nothing, as xdist workers all bring it.

        Raises ``RunFolderError`` where another task has that name.
        """
        known = self._tasks.setdefault(plan.name, _Counts(plan))
        if known.plan != plan:
            raise RunFolderError(
                f"task {plan.name!r} is planned twice with different contents: digest {known.plan.digest} "
                f"and {plan.digest}; give one of them another name with infer_task(name=…)"
            )

    @property
    def plans(self) -> tuple[TaskPlan, ...]:
        return tuple(counts.plan for counts in self._tasks.values())

    def count(self, record: Record) -> None:
        """Count a record of a planned task; ``KeyError`` for another one."""
        counts = self._tasks[record.evaluation.key.task]
        counts.verdicts[record.verdict] += 1
        if record.missing is not None:
            reason = record.missing.reason
            counts.reasons[reason] += 1
            if reason not in self._missing:
                self._missing[reason] = (str(record.evaluation.key), record.missing.detail)
        elif record.verdict is Verdict.FAILED:
            counts.expected += record.is_expected_failure
            if counts.wrong is None or (counts.wrong.is_expected_failure and not record.is_expected_failure):
                counts.wrong = record
        counts.components.count(record.scores)
        counts.rates.count(record)
        if counts.plan.repeat > 1:
            outcome = RepeatOutcome(verdict=record.verdict, answer=record.answer)
            counts.samples.setdefault(record.evaluation.key.sample, []).append(outcome)
        self._kept += record.kept_from is not None
        flags = {flag for exchange in record.exchanges for flag in exchange["flags"]}
        for score in record.scores:
            if score.evaluator.kind == "byproduct" and score.value is not None:
                flags |= {n.text for n in NOTICES if n.score == score.name and score.value >= n.at_least}
                if score.name == "reply_length":
                    counts.lengths.add(score.value, str(record.evaluation.key))
        for flag in flags:
            self._flag_counts[flag] += 1
            self._flags.setdefault(flag, str(record.evaluation.key))

    def count_rerun(self, id: str, *, first: Verdict, again: Verdict) -> None:
        """Note that another plugin ran the evaluation ``id`` again. Its verdict stays the first."""
        self._has_changed[id] = self._has_changed.get(id, False) or again is not first

    def summary(self, gates: Iterable[Gate] = ()) -> RunSummary:
        """Judge every task; ``gates`` are further gates that are already judged."""
        tasks = []
        for name, counts in self._tasks.items():
            tally, rates = counts.tally(), counts.rates.rates()
            tasks.append(
                TaskSummary(
                    plan=counts.plan,
                    tally=tally,
                    gate=judge_task(name, tally, counts.plan.rule),
                    components=counts.components.components(),
                    repeats=counts.repeats(),
                    rates=rates,
                    corpus_gate=counts.judge_rates(rates),
                )
            )
        clips = (task.corpus_gate for task in tasks if task.corpus_gate is not None)
        everything = (*(task.gate for task in tasks), *clips, *gates)
        return RunSummary(
            tasks=tuple(tasks),
            totals=sum((task.tally for task in tasks), Tally()),
            gates=everything,
            # A gate from outside cannot pass for tasks that are not there.
            verdict=combine_verdicts(
                [*(gate.verdict for gate in everything), *(() if tasks else (Verdict.MISSING,))]
            ),
        )

    def findings(self) -> Findings:
        """Return what deserves an example, as far as counted."""
        reasons: Counter[Reason] = Counter()
        for counts in self._tasks.values():
            reasons.update(counts.tally().reasons)
            if counts.plan.is_empty:
                self._missing.setdefault(Reason.EMPTY_DATASET, (counts.plan.name, "the data set has no rows"))
        return Findings(
            missing=tuple(
                MissingFinding(
                    reason=reason,
                    count=reasons[reason],
                    example=self._missing[reason][0],
                    detail=self._missing[reason][1],
                )
                for reason in Reason
                if reasons[reason]
            ),
            wrong=tuple(
                WrongFinding(
                    task=name,
                    count=counts.verdicts[Verdict.FAILED],
                    expected=counts.expected,
                    is_tolerated=counts.plan.rule.is_tolerant,
                    example=str(counts.wrong.evaluation.key),
                    message=counts.wrong.message or "",
                )
                for name, counts in self._tasks.items()
                if counts.wrong is not None
            ),
            flags=(
                *(
                    FlagFinding(flag=flag, count=self._flag_counts[flag], example=self._flags[flag])
                    for flag in sorted(self._flags)
                ),
                *self._unusual_lengths(),
            ),
            reruns=self._reruns(),
            kept=self._kept,
        )

    def _reruns(self) -> RerunFinding | None:
        if not self._has_changed:
            return None
        changed = [id for id, has_changed in self._has_changed.items() if has_changed]
        example = changed[0] if changed else next(iter(self._has_changed))
        return RerunFinding(count=len(self._has_changed), changed=len(changed), example=example)

    def _unusual_lengths(self) -> Iterator[FlagFinding]:
        for name, counts in self._tasks.items():
            unusual = counts.lengths.unusual()
            if unusual is not None:
                text = f"{name}: {unusual.longest:.0f} characters, the median reply has {unusual.median:.0f}"
                yield FlagFinding(flag=text, count=unusual.count, example=unusual.example)


def summarise(records: Iterable[Record], plans: Iterable[TaskPlan], gates: Iterable[Gate] = ()) -> RunSummary:
    """Count ``records`` of the planned tasks and judge them; ``KeyError`` for a task not planned."""
    ledger = RunLedger(plans)
    for record in records:
        ledger.count(record)
    return ledger.summary(gates)
