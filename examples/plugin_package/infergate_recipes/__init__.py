"""Extractors and evaluators for evaluations about cooking."""

from .duration import Duration, duration
from .line_width import LineWidth

__all__ = ["Duration", "LineWidth", "duration"]
