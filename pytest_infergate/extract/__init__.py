"""Answers out of replies: versioned adapters, each with a written rule. Pure.

Ready: ``number``, ``boxed``, ``yes_no``, ``last_line``, ``final_answer``, ``tool_calls``. Made by a call:
``choice(options)``, ``regex(pattern)``, ``code(language=None)``, ``json_value(schema=None)``.
"""

from ..evidence import split_reasoning
from .boxed import boxed
from .choice import choice
from .code import code
from .extractor import Extractor, GoldError
from .final_answer import final_answer
from .json_value import SchemaViolation, json_value
from .last_line import last_line
from .number import number
from .regex import regex
from .tool_calls import tool_calls
from .yes_no import yes_no

__all__ = [
    "Extractor",
    "GoldError",
    "SchemaViolation",
    "boxed",
    "choice",
    "code",
    "final_answer",
    "json_value",
    "last_line",
    "number",
    "regex",
    "split_reasoning",
    "tool_calls",
    "yes_no",
]
