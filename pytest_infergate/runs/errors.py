"""What can be wrong with a run folder."""

from __future__ import annotations

from ..evidence import InfergateError


class RunFolderError(InfergateError):
    """A run folder cannot be written, read or trusted."""


class NotWrittenError(RunFolderError):
    """The disk did not take a part of a run. ``cause`` says which and why, without what is kept of it."""

    def __init__(self, cause: str, kept: str) -> None:
        super().__init__(f"{cause}; {kept}")
        self.cause = cause


class ForeignFolderError(RunFolderError):
    """The folder is not a run of this tool, or of a newer one: nothing can be said of it."""
