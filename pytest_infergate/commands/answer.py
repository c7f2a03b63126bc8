"""What a command has to say, and how it ends."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
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


def add_json_option(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="answer in JSON, for programs")
