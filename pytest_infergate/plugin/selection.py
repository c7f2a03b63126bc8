"""Which evaluations were selected, and what a person chose to leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from .evaluation import RUNNING, RunningEvaluation
from .options import Settings
from .plan import Plan, build_plan

#: Options that select tests; pytest's own, by their name in ``config.option``.
_SELECTING = {
    "keyword": "-k",
    "markexpr": "-m",
    "lf": "--lf",
    "stepwise": "--stepwise",
    "deselect": "--deselect",
    "ignore": "--ignore",
    "ignore_glob": "--ignore-glob",
}


class Selection:
    """Counts what is deselected, and knows the plan once the collection is over."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._deselected = 0
        #: How many evaluations were collected, before anything was left out.
        self.collected = 0

    @pytest.hookimpl
    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._deselected += sum(RUNNING in item.stash for item in items)

    def plan(self, items: Sequence[pytest.Item]) -> Plan:
        """Return what the items that were selected are going to evaluate."""
        running: list[RunningEvaluation] = [item.stash[RUNNING] for item in items if RUNNING in item.stash]
        return build_plan(running, partial=self._partial(self.collected - self._deselected - len(running)))

    def _partial(self, removed: int) -> tuple[str, ...]:
        """Return what made the selection partial, as a person would type it."""
        chosen = [_spell(flag, self._config.getoption(name, None)) for name, flag in _SELECTING.items()]
        by = [text for text in chosen if text]
        by += [f"node id {arg}" for arg in self._config.args if "::" in arg]
        if self._settings.limit is not None:
            by.append(f"--infer-limit={self._settings.limit}")
        if self._deselected and not by:
            by.append(f"{self._deselected} evaluations deselected by a plugin")
        if removed > 0:
            by.append(f"{removed} evaluations taken away by a plugin")
        return tuple(by)


def _spell(flag: str, value: Any) -> str:
    if not value or value == "infer":
        return ""  # "-m infer" selects exactly the evaluations
    if value is True:
        return flag
    return ", ".join(f"{flag} {one}" for one in (value if isinstance(value, list) else [value]))
