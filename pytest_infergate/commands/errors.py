"""What can be wrong with what a command is asked for."""

from __future__ import annotations

from ..evidence import InfergateError


class EvaluationNotFound(InfergateError):
    """The run has no such evaluation."""


class LabelsError(InfergateError):
    """Labels do not fit the run that they are compared with."""


class RowError(InfergateError):
    """An evaluation cannot be made a row of a data set."""


class StarterError(InfergateError):
    """A suite or a task to start from cannot be written."""
