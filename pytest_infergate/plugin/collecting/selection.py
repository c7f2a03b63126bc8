"""Which evaluations were selected, and what a person chose to leave out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from ..evaluations.evaluation import RUNNING, RunningEvaluation
from ..evaluations.origin import is_evaluation
from ..evaluations.plan import Plan, build_plan
from ..options.settings import Settings
from .collection import evaluation_of
from .task_book import TaskBook
from .unmatched import UNMATCHED

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

    def __init__(self, config: pytest.Config, settings: Settings, book: TaskBook) -> None:
        self._config = config
        self._settings = settings
        self._book = book
        self._deselected = 0
        self._collected: list[RunningEvaluation] = []

    def collect(self, items: Iterable[pytest.Item]) -> None:
        """Note these evaluations, before anything is left out."""
        self._collected += [item.stash[RUNNING] for item in items]

    @pytest.hookimpl
    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._deselected += sum(RUNNING in item.stash for item in items)

    def plan(self, items: Sequence[pytest.Item]) -> Plan:
        """Return what the items that were selected are going to evaluate."""
        running: list[RunningEvaluation] = [item.stash[RUNNING] for item in items if RUNNING in item.stash]
        removed = len(self._collected) - self._deselected - len(running)
        return build_plan(running, self._everything(), partial=self._partial(removed))

    def _everything(self) -> list[RunningEvaluation]:
        """Return what was collected, with what node ids passed over, each evaluation once."""
        unmatched = self._config.stash.get(UNMATCHED, None)
        if unmatched is None:
            return self._collected
        known = {one.evaluation.nodeid: one for one in self._collected}
        for item in unmatched.items():
            found = known.pop(item.nodeid, None)
            if found is not None:
                known[item.nodeid] = found  # in its place in the file
            elif is_evaluation(item):
                known[item.nodeid] = evaluation_of(item, self._book)
        return list(known.values())

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
