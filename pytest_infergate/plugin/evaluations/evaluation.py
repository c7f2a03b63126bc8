"""What one evaluation gathers while its test runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from time import monotonic  # by name: a test may put another clock into the module
from typing import TYPE_CHECKING

import pytest

from ...evidence import (
    PASSED,
    Evaluation,
    EvaluatorIdentity,
    Exchange,
    InputFile,
    NoAnswer,
    Record,
    Role,
    Score,
    Verdict,
    canonical_json,
)
from ...traits import byproduct_scores
from .judgement import Ending, Judgement, PhaseEnd, judge_evaluation

if TYPE_CHECKING:
    from ...tasks import Sample
    from .kept_media import KeptPicture, NewReference
    from .task import Task


@dataclass(slots=True, kw_only=True)
class Gathered:
    """What one attempt at an evaluation gathered so far.

    ``has_run``: the test's body was run; ``raised`` is what it raised then.
    """

    exchanges: list[Exchange] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)
    answer: str | None = None
    #: Media that were read from files, to be sent or looked at.
    files: list[InputFile] = field(default_factory=list)
    #: The visual checks that came to a verdict, by name.
    checked: set[str] = field(default_factory=set)
    #: What is said of the first thing that a marker asks and that does not hold: a rate above its limit, a
    #: required check. The evaluation fails, also where the test catches it.
    broken_rule: str | None = None
    #: Pictures that its scores name, and references to write, until a report took them along.
    pictures: list[KeptPicture] = field(default_factory=list)
    references: list[NewReference] = field(default_factory=list)
    #: Scores that nothing hangs on, beside those of the test.
    byproducts: list[Score] = field(default_factory=list)
    #: How often a stored exchange answered, by role and request digest; empty where a server is asked.
    answered: Counter[tuple[Role, str]] = field(default_factory=Counter)
    ends: list[PhaseEnd] = field(default_factory=list)
    has_run: bool = False
    raised: BaseException | None = None
    started: datetime | None = None
    clock: float = 0.0
    duration_s: float | None = None

    @property
    def has_failed(self) -> bool:
        """Whether its test has come to a wrong answer, expected or not."""
        return any(end.ending in (Ending.WRONG, Ending.EXPECTED_WRONG) for end in self.ends)

    def break_rule(self, told: str) -> None:
        """Note that something does not hold which a marker asks, as ``told``; the first one counts."""
        self.broken_rule = self.broken_rule or told

    def keep_to_rules(self) -> None:
        """End as a wrong answer where a rule is broken and the test did not say so. May be called again."""
        if self.broken_rule is not None and not self.has_failed:
            self.ends.append(PhaseEnd(phase="call", ending=Ending.WRONG, message=self.broken_rule))

    def judge(self) -> Judgement:
        return judge_evaluation(self.ends, self.exchanges, self.scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a run that is resumed had finished of an evaluation: what its reports show, and a JUnit file."""

    run_id: str
    judgement: Judgement
    properties: tuple[tuple[str, str], ...]


@dataclass(slots=True, kw_only=True)
class RunningEvaluation:
    """One evaluation under way: the plan it carries out and what it gathered so far.

    ``first`` is the attempt that counts; ``again`` are those after it, where another plugin runs tests again.
    ``shown`` is the verdict that a report has shown already, so that a teardown which changes it
    can be shown too. ``is_placeholder``: the item stands for a data set without samples, so that the
    session is red; there is no evaluation to record. ``refusal``: why this kind of item cannot be
    evaluated. ``is_beside``: nobody is shown the reports of this run.
    ``kept``: there is a verdict from before, and the item is passed over.
    """

    evaluation: Evaluation
    task: Task
    sample: Sample
    is_placeholder: bool = False
    is_beside: bool = False
    refusal: str | None = None
    kept: Kept | None = None
    first: Gathered = field(default_factory=Gathered)
    again: list[Gathered] = field(default_factory=list)
    shown: Verdict | None = None
    _gone: int = 0

    @property
    def attempts(self) -> list[Gathered]:
        return [self.first, *self.again]

    @property
    def now(self) -> Gathered:
        """The attempt under way."""
        return self.again[-1] if self.again else self.first

    @property
    def exchanges(self) -> list[Exchange]:
        return self.now.exchanges

    @property
    def scores(self) -> list[Score]:
        return self.now.scores

    @property
    def ends(self) -> list[PhaseEnd]:
        return self.now.ends

    def anew(self) -> RunningEvaluation:
        """Return the same evaluation for one more run beside the test's own, with nothing gathered yet."""
        return RunningEvaluation(
            evaluation=self.evaluation, task=self.task, sample=self.sample, is_beside=True
        )

    def begin(self) -> None:
        """Begin: a test that has run begins another attempt, which shares nothing with those before."""
        if self.now.has_run or self.now.ends:
            self.again.append(Gathered())
        self.now.started = datetime.now(timezone.utc)
        self.now.clock = monotonic()

    def after(self, attempt: Gathered) -> list[Gathered]:
        """Return the attempts that began after this one."""
        attempts = self.attempts
        return attempts[next(n for n, one in enumerate(attempts, 1) if one is attempt) :]

    @property
    def unsent(self) -> list[Gathered]:
        """The attempts whose records no report has taken along yet."""
        return self.attempts[self._gone :]

    def let_go(self) -> None:
        """Note that a report took the records of all attempts along."""
        self._gone = len(self.attempts)
        for attempt in self.attempts:
            attempt.pictures.clear()
            attempt.references.clear()

    def note_missing(self, error: NoAnswer) -> None:
        """Keep that there is nothing to judge, also where the test catches it."""
        end = PhaseEnd(phase="call", ending=Ending.NO_ANSWER, missing=error.missing, message=str(error))
        self.ends.append(end)

    def note_file(self, file: InputFile) -> None:
        """Keep which file was read, so that a run which goes on knows whether it is still the same."""
        self.now.files.append(file)

    @contextmanager
    def noting_missing(self) -> Iterator[None]:
        """Note a ``NoAnswer`` that is raised inside, and let it go on."""
        try:
            yield
        except NoAnswer as error:
            self.note_missing(error)
            raise

    def note_answer(self, value: object) -> None:
        """Keep what was read out of the reply, for the record and for votes between repeats."""
        try:
            self.now.answer = canonical_json(value)
        except (TypeError, ValueError, RecursionError):
            self.now.answer = repr(value)

    def record(self, gathered: Gathered) -> Record:
        """Return the line to keep of an attempt; one without a score of its own gets ``passed``."""
        judgement = gathered.judge()
        scores = tuple(gathered.scores) or (passed_score(judgement, self.task.evaluator),)
        exchanges = tuple(exchange.as_json() for exchange in gathered.exchanges)
        started = gathered.started
        if started and gathered.duration_s is None:
            gathered.duration_s = round(monotonic() - gathered.clock, 6)
        return Record(
            evaluation=self.evaluation,
            verdict=judgement.verdict,
            missing=judgement.missing,
            is_expected_failure=judgement.is_expected_failure,
            message=judgement.message,
            answer=gathered.answer,
            scores=(
                *scores,
                *byproduct_scores([one for one in exchanges if one["role"] == "model"]),
                *gathered.byproducts,
            ),
            exchanges=exchanges,
            started=started.isoformat(timespec="milliseconds") if started else None,
            duration_s=gathered.duration_s,
            files=tuple(dict.fromkeys(gathered.files)),
        )


def passed_score(judgement: Judgement, evaluator: EvaluatorIdentity) -> Score:
    """Return the score ``passed``: 1, 0, or missing with the evaluation's reason."""
    value = None if judgement.missing else float(judgement.verdict is Verdict.PASSED)
    return Score(
        name=PASSED,
        value=value,
        unit="ratio",
        higher_is_better=True,
        evaluator=evaluator,
        missing=judgement.missing,
    )


#: The evaluation that a pytest item is; absent on items that are none.
RUNNING = pytest.StashKey[RunningEvaluation]()
