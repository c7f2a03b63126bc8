"""What can be wrong with what a command is asked for."""

from __future__ import annotations

from ..evidence import InfergateError


class EvaluationNotFound(InfergateError):
    """The run has no such evaluation."""


class LabelsError(InfergateError):
    """Labels do not fit the run that they are compared with."""


class OptionError(InfergateError):
    """Options of a command do not go together."""


class RowError(InfergateError):
    """An evaluation cannot be made a row of a data set."""


class SwapError(InfergateError):
    """Two servers cannot be measured one after the other as it was asked for."""


class NotMeasured(SwapError):
    """A server did not serve, or was not measured to the end: there is no evidence of it."""


class StarterError(InfergateError):
    """A suite or a task to start from cannot be written."""
