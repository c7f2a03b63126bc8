"""Test modules that were skipped whole, evaluations and all, before anyone could count them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ...evidence import Gate

#: What the source of a module with evaluations says somewhere: a marker, a fixture, the package.
_MENTION = re.compile(r"\binfer(_task|_extract|_server)?\b|\bpytest_infergate\b")


class SkippedModules:
    """Remembers collections that ended with a skip (``importorskip``, ``allow_module_level``)."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._skipped: dict[str, str] = {}

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            self._skipped[report.nodeid] = reason

    def with_evaluations(self) -> dict[str, str]:
        """Return the skipped modules whose source mentions evaluations, each with the reason of its skip."""
        return {nodeid: reason for nodeid, reason in self._skipped.items() if self._mentions(nodeid)}

    def gates(self) -> Iterator[Gate]:
        """Yield a gate, missing, for each skipped module with evaluations."""
        from ...evidence import Gate, Verdict

        for nodeid, reason in self.with_evaluations().items():
            yield Gate(
                name="collection",
                task=None,
                rule="no module with evaluations is skipped whole",
                observed=f"{nodeid}: {reason}",
                verdict=Verdict.MISSING,
                detail="take the skip away, or leave the module out with --ignore",
            )

    def _mentions(self, nodeid: str) -> bool:
        path = self._root / nodeid.partition("::")[0]
        # A conftest.py that skips takes its whole folder with it.
        modules = path.rglob("*.py") if path.is_dir() else [path]
        try:
            return any(_MENTION.search(module.read_text("utf-8", "replace")) for module in modules)
        except OSError:
            return True  # what cannot be looked at is not known to be harmless


SKIPPED_MODULES = pytest.StashKey[SkippedModules]()
