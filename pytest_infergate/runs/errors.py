"""What can be wrong with a run folder."""

from __future__ import annotations

from ..evidence import InfergateError


class RunFolderError(InfergateError):
    """A run folder cannot be written, read or trusted."""


class ForeignFolderError(RunFolderError):
    """The folder is not a run of this tool, or of a newer one: nothing can be said of it."""
