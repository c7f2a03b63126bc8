"""What people and machines are told of a run: text, JUnit properties. Pure."""

from .header import header_lines
from .junit import junit_properties
from .lines import Line, Segment, Style, ansi_text, plain_text
from .remedies import REMEDIES
from .run_text import RunView, run_lines, verdict_line
from .table import percent, task_table
from .visible import visible_block, visible_line

__all__ = [
    "REMEDIES",
    "Line",
    "RunView",
    "Segment",
    "Style",
    "ansi_text",
    "header_lines",
    "junit_properties",
    "percent",
    "plain_text",
    "run_lines",
    "task_table",
    "verdict_line",
    "visible_block",
    "visible_line",
]
