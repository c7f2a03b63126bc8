"""Running an item once more, beside the run whose reports pytest counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import pytest
from _pytest.runner import runtestprotocol

from ...evidence import Record, canonical_json
from ...runs import Because
from .evaluation import RUNNING, RunningEvaluation
from .reruns import RECORD

#: Attribute of a report, and key of a worker's farewell: records that have no report of their own.
BESIDE = "infergate_beside"


class Side(Enum):
    """Which of the two servers was asked."""

    CANDIDATE = "candidate"
    BASE = "base"


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideRecord:
    """What came of running an item once more.

    ``because`` says why there was a further attempt, ``None``: it is the side's own record of the evaluation.
    """

    side: Side
    because: Because | None
    record: Record

    def as_json(self) -> dict[str, Any]:
        return {
            "side": self.side.value,
            "because": self.because.value if self.because else None,
            "record": self.record.as_json(),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> BesideRecord:
        because = value["because"]
        return cls(
            side=Side(value["side"]),
            because=Because(because) if because else None,
            record=Record.from_json(value["record"]),
        )


def read_beside(text: str) -> Iterator[BesideRecord]:
    """Read what an ``Outbox`` sent."""
    return map(BesideRecord.from_json, json.loads(text))


class Outbox:
    """Hands over records that have no report of their own.

    A plain session takes each at once. A worker of xdist has nothing but reports to send them with: they
    travel on the next one, since a further report on the same test is a further test to other plugins, and
    what is left at the end travels with the worker's farewell.
    """

    def __init__(self, take: Callable[[BesideRecord], None] | None) -> None:
        """``take`` is of a plain session, ``None`` in a worker."""
        self._take = take
        self._waiting: list[BesideRecord] = []

    def send(self, record: BesideRecord) -> None:
        if self._take is not None:
            self._take(record)
        else:
            self._waiting.append(record)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, object, object]:
        if self._waiting:
            setattr(report, BESIDE, self._pop())
        return (yield)

    @pytest.hookimpl
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._waiting:
            session.config.workeroutput[BESIDE] = self._pop()  # type: ignore[attr-defined]

    def _pop(self) -> str:
        waiting, self._waiting = self._waiting, []
        return canonical_json([one.as_json() for one in waiting])


def run_beside(item: pytest.Item, running: RunningEvaluation, nextitem: pytest.Item | None) -> Record | None:
    """Run an item through all phases as ``running`` and return its record; no report of it reaches anyone.

    ``nextitem`` ``None``: tear everything down. Returns ``None`` where the test was never judged.
    """
    kept, properties = item.stash[RUNNING], list(item.user_properties)
    item.stash[RUNNING] = running
    _discard_instance(item)
    try:
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    finally:
        item.stash[RUNNING] = kept
        _discard_instance(item)
        item.user_properties[:] = properties
        # What this run printed is no part of what the test's own report shows.
        item._report_sections.clear()
    lines = (vars(report).get(RECORD) for report in reports)
    line = next(filter(None, lines), None)
    return None if line is None else Record.from_json(json.loads(line))


def _discard_instance(item: pytest.Item) -> None:
    """Let the next run of a method have an object of its own, as every test has one."""
    if isinstance(item.parent, pytest.Class) and getattr(item, "_instance", None) is not None:
        del item._instance  # type: ignore[attr-defined]
        item._obj = None  # type: ignore[attr-defined]


def sibling_of(item: pytest.Item) -> pytest.Item:
    """Return what stands for a next item beside ``item``, so that no fixture of a wider scope ends."""
    assert item.parent is not None
    # pytest asks the next item for its chain of collectors only, and a collector's chain is what is needed.
    return cast(pytest.Item, item.parent)
