"""What can be wrong with what a command is asked for."""

from __future__ import annotations

from ..evidence import InfergateError


class EvaluationNotFound(InfergateError):
    """The run has no such evaluation."""


class LabelsError(InfergateError):
    """Labels do not fit the run that they are compared with."""


class StarterError(InfergateError):
    """The first suite cannot be written."""
