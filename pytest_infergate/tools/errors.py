"""What can be wrong with a tool, as against a call of it."""

from __future__ import annotations

from ..evidence import InfergateError


class ToolError(InfergateError):
    """A tool is not usable as written: a fault of the evaluation."""


class ArgumentsError(InfergateError):
    """A call's arguments are none for its tool: a fault of the model, told to it as the call's result."""
