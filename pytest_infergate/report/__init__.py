"""What people and machines are told of a run: text, JUnit properties. Pure."""

from .comparison_table import OUTCOME_STYLES, comparison_table
from .comparison_text import comparison_lines
from .header import against_lines, header_lines, server_text
from .identity_text import identity_lines
from .junit import junit_properties
from .lines import VERDICT_STYLES, Line, Segment, Style, ansi_text, heading, line, plain_text
from .record_text import record_lines
from .remedies import REMEDIES
from .run_text import RunView, run_lines, verdict_line
from .table import percent, task_table
from .visible import visible_block, visible_line

__all__ = [
    "OUTCOME_STYLES",
    "REMEDIES",
    "VERDICT_STYLES",
    "Line",
    "RunView",
    "Segment",
    "Style",
    "against_lines",
    "ansi_text",
    "comparison_lines",
    "comparison_table",
    "header_lines",
    "heading",
    "identity_lines",
    "junit_properties",
    "line",
    "percent",
    "plain_text",
    "record_lines",
    "run_lines",
    "server_text",
    "task_table",
    "verdict_line",
    "visible_block",
    "visible_line",
]
