"""What is wrong with how a judge is used."""

from __future__ import annotations

from ..evidence import InfergateError


class JudgeError(InfergateError):
    """A judge cannot be asked as it was written, or a canary row cannot be read."""
