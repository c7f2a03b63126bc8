"""What can be wrong with what a command is asked for."""

from __future__ import annotations

from ..evidence import InfergateError


class EvaluationNotFound(InfergateError):
    """The run has no such evaluation."""


class StarterError(InfergateError):
    """The first suite cannot be written."""
