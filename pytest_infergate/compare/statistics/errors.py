"""What the procedures refuse to compute."""

from __future__ import annotations

from ...evidence import InfergateError


class StatisticsError(InfergateError, ValueError):
    """Numbers were given that the procedure cannot say anything about."""
