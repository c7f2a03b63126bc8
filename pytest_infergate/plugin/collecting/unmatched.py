"""Evaluations of the collected modules that no node id on the command line names."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest


class Unmatched:
    """Remembers everything that modules and classes hold.

    ``pytest test_it.py::test_one`` collects the whole module and hands on what is named; nobody is told of
    the rest. A file that is not given stays unread.
    """

    def __init__(self) -> None:
        self._held: dict[pytest.Collector, list[pytest.Item | pytest.Collector]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if isinstance(collector, (pytest.Module, pytest.Class)):
            self._held.setdefault(collector, list(report.result))
        return report

    def items(self) -> Iterator[pytest.Item]:
        """Yield every item, named or not, in the order of its file."""
        for collector in list(self._held):
            if not isinstance(collector, pytest.Class):
                yield from self._items_of(collector)

    def _items_of(self, collector: pytest.Collector) -> Iterator[pytest.Item]:
        if collector not in self._held:  # a class that no node id names was not opened
            collector.ihook.pytest_make_collect_report(collector=collector)
        for node in self._held.get(collector, ()):
            if isinstance(node, pytest.Item):
                yield node
            else:
                yield from self._items_of(node)


UNMATCHED = pytest.StashKey[Unmatched]()
