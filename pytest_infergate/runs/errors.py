"""What can be wrong with a run folder."""

from __future__ import annotations

from pytest_infergate.evidence import InfergateError


class RunFolderError(InfergateError):
    """A run folder cannot be written, read or trusted."""
