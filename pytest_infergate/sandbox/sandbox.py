"""What every sandbox can do."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

from ..evidence import EvaluatorIdentity
from .conduct import Launch, conduct
from .job import Job
from .limits import Limits
from .outcome import Outcome

#: Version of the rule by which a run is scored; a change of it makes scores incomparable.
VERSION = "1"


class Sandbox(Protocol):
    """Runs code that nobody trusts."""

    def run(
        self,
        code: str,
        tests: str | None = None,
        stdin: str | None = None,
        files: Mapping[str, str | bytes] | None = None,
        timeout: float = 10,
    ) -> Outcome:
        """Run ``code``, then ``tests`` in the same interpreter, and return how that ended.

        ``files`` are laid into the working folder; ``timeout`` is seconds of wall time. Raises ``NoAnswer``
        (``evaluator_unavailable``) where the code could not be run, ``SandboxError`` for a job that is none.
        """
        ...

    def map(self, jobs: Iterable[Job]) -> list[Outcome]:
        """Run several jobs at once, as many as there are cores, and return their outcomes in order."""
        ...

    def identity(self, timeout: float = 10) -> EvaluatorIdentity:
        """Return who scores a run with this time limit: the backend, its version, the limits."""
        ...


class ProcessSandbox(ABC):
    """A sandbox that starts a process for each run."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()

    @property
    @abstractmethod
    def backend(self) -> str:
        """Name and version of what isolates, and of the interpreter."""

    @abstractmethod
    def launch(self, limits: Limits) -> AbstractContextManager[Launch]:
        """Prepare one run."""

    def run(
        self,
        code: str,
        tests: str | None = None,
        stdin: str | None = None,
        files: Mapping[str, str | bytes] | None = None,
        timeout: float = 10,
    ) -> Outcome:
        return self._run(Job(code=code, tests=tests, stdin=stdin, files=files or {}, timeout=timeout))

    def map(self, jobs: Iterable[Job]) -> list[Outcome]:
        with ThreadPoolExecutor(cores()) as pool:
            return list(pool.map(self._run, jobs))

    def identity(self, timeout: float = 10) -> EvaluatorIdentity:
        return EvaluatorIdentity(
            kind="sandbox",
            name="python",
            version=VERSION,
            backend=self.backend,
            settings={"limits": self._limits(timeout).as_json()},
        )

    def _run(self, job: Job) -> Outcome:
        limits = self._limits(job.timeout)
        with self.launch(limits) as launch:
            return conduct(launch, job, limits)

    def _limits(self, timeout: float) -> Limits:
        return replace(self.limits, wall_s=timeout)


def cores() -> int:
    """Return how many runs go at once: the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
