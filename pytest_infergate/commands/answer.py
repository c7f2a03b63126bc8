"""What a command has to say, and how it ends."""

from __future__ import annotations

import json
import shutil
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..report import Line, line


@dataclass(frozen=True, slots=True)
class Answer:
    """The lines for standard output, and the exit code."""

    lines: Sequence[Line]
    exit_code: int = 0

    @classmethod
    def of_json(cls, value: Any, exit_code: int = 0) -> Answer:
        """Answer a program: indented ASCII JSON."""
        text = json.dumps(value, indent=2, allow_nan=False)
        return cls([line(row) for row in text.split("\n")], exit_code)


def answer_with(command: Callable[[Namespace], Answer], parser: ArgumentParser) -> None:
    """Make ``command`` what a parser's arguments are for, with an option that asks for JSON."""
    parser.add_argument("--json", action="store_true", help="answer in JSON, for programs")
    parser.set_defaults(command=command)


def terminal_width() -> int:
    """Return the columns there are for lines; 100 where nobody knows."""
    return shutil.get_terminal_size((100, 24)).columns
