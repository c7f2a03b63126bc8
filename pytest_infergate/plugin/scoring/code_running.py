"""The fixture ``sandbox``: running what a model wrote, and scoring how that ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from ...evidence import PASSED, Missing, NoAnswer, Score
from ...sandbox import Job, Outcome, Sandbox, SandboxError, choose_backend
from ..evaluations.evaluation import RunningEvaluation
from ..evaluations.unmade_score import unmade_score

_NAME = "functional"


class ChosenSandbox:
    """The session's sandbox: chosen, and its canary run, when the first code is to be run."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._sandbox: Sandbox | None = None
        self._missing: Missing | None = None

    def get(self) -> Sandbox:
        """Return it. Raises ``NoAnswer`` (``evaluator_unavailable``) where none works; it is tried once."""
        if self._missing is not None:
            raise NoAnswer(self._missing.reason, self._missing.detail)
        if self._sandbox is None:
            try:
                self._sandbox = choose_backend(self._name)
            except NoAnswer as error:
                self._missing = error.missing
                raise
        return self._sandbox


#: The sandbox of this process, once a test has asked for it.
CHOSEN: pytest.StashKey[ChosenSandbox] = pytest.StashKey()


class CodeRunner:
    """Run code that a model wrote, from inside one evaluation; each run is a score, 1 or 0."""

    def __init__(self, running: RunningEvaluation, chosen: ChosenSandbox) -> None:
        self._running = running
        self._chosen = chosen

    def run(
        self,
        code: str,
        tests: str | None = None,
        stdin: str | None = None,
        files: Mapping[str, str | bytes] | None = None,
        timeout: float = 10,
        name: str = _NAME,
    ) -> Outcome:
        """Run ``code``, then ``tests`` in the same interpreter, record the score ``name`` and return the end.

        ``outcome.ok`` needs status 0 and tests that came to their own end; a limit that is hit is not ok.
        The caller asserts on it: a run that is not ok is a score of 0 and no verdict.
        ``files`` are laid into the working folder; ``timeout`` is seconds. A second run without a name gets
        a number. Raises ``NoAnswer`` (``evaluator_unavailable``) where no sandbox works: the code is not
        run and the evaluation is missing, also where the test catches it.
        """
        (outcome,) = self.map([self.job(code, tests, stdin, files, timeout)], name)
        return outcome

    def map(self, jobs: Iterable[Job], name: str = _NAME) -> list[Outcome]:
        """Run several jobs at once, each a score of its own, and return their ends in order."""
        jobs = list(jobs)
        if not jobs:
            return []
        for job in jobs:
            if not isinstance(job, Job):
                raise SandboxError(f"sandbox.map got {job!r:.80}; give a list of sandbox.job(code, tests=…)")
        names = self._names(name, len(jobs))
        try:
            sandbox = self._chosen.get()
            outcomes = sandbox.map(jobs)
        except NoAnswer as error:
            self._running.scores.append(unmade_score(names[0], error.missing, self._running))
            raise
        for one, job, outcome in zip(names, jobs, outcomes, strict=True):
            self._running.scores.append(
                Score.measured(one, float(outcome.ok), evaluator=sandbox.identity(job.timeout), low=0, high=1)
            )
        return outcomes

    @staticmethod
    def job(
        code: str,
        tests: str | None = None,
        stdin: str | None = None,
        files: Mapping[str, str | bytes] | None = None,
        timeout: float = 10,
    ) -> Job:
        """Return what ``map`` runs."""
        return Job(code=code, tests=tests, stdin=stdin, files=files or {}, timeout=timeout)

    def _names(self, name: str, count: int) -> list[str]:
        if name == PASSED:
            raise ValueError(f"score {name!r} is the verdict itself; give this run another name")
        taken = {score.name for score in self._running.scores}
        if count == 1 and name not in taken:
            return [name]
        if name != _NAME and (name in taken or f"{name}_1" in taken):
            raise ValueError(f"score {name!r} is recorded already; give each run a name of its own")
        first = 1 if count > 1 and name not in taken else 2
        numbered = (f"{name}_{n}" for n in range(first, first + count + len(taken)))
        return [one for one in numbered if one not in taken][:count]
