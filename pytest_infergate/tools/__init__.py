"""Tools that a model may call: defined once, sent, checked, and run. Pure but for the tools themselves."""

from .checks import Call, WrongCalls, check_calls, compare_calls
from .errors import ToolError
from .leaks import Leak, find_leaks
from .loop import CallFault, ToolRun, ToolStep, run_loop
from .tool import Tool, parse_tools, tool

__all__ = [
    "Call",
    "CallFault",
    "Leak",
    "Tool",
    "ToolError",
    "ToolRun",
    "ToolStep",
    "WrongCalls",
    "check_calls",
    "compare_calls",
    "find_leaks",
    "parse_tools",
    "run_loop",
    "tool",
]
