"""The command ``infergate``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from . import __version__
from .commands import (
    Answer,
    add_agreement,
    add_baseline,
    add_compare,
    add_doctor,
    add_init,
    add_merge,
    add_new,
    add_row,
    add_show,
    add_swap,
    add_validate,
)
from .evidence import InfergateError
from .report import ansi_text, plain_text, visible_line

#: Wrong usage, and whatever makes a command unable to answer.
UNUSABLE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. Errors are one line on standard error."""
    try:
        arguments = build_parser().parse_args(argv)
        answer: Answer = arguments.command(arguments)
    except InfergateError as error:
        print(f"infergate: {visible_line(str(error), 2000)}", file=sys.stderr)
        return UNUSABLE
    except OSError as error:
        # What nobody foresaw of a path, such as a name that is too long or a folder that may not be entered.
        what = f"{error.strerror}: {str(error.filename)!r}" if error.filename else str(error)
        print(f"infergate: {visible_line(what, 2000)}; name another path", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("infergate: interrupted", file=sys.stderr)
        return UNUSABLE
    try:
        _print(answer)
    except OSError as error:
        # No answer reached anyone, and its exit code would be taken for one that did.
        print(f"infergate: cannot write to standard output: {error.strerror}", file=sys.stderr)
        _drop_output()
        return UNUSABLE
    return answer.exit_code


class _Parser(argparse.ArgumentParser):
    """Tells wrong usage in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(UNUSABLE, f"infergate: {message}; see {self.prog} --help\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line; the chosen command is in ``command``."""
    parser = _Parser(
        prog="infergate",
        description="Look at what pytest-infergate measured: passed, failed, or missing.",
        epilog="Evaluations run with pytest: pytest --infer-server=URL",
    )
    parser.add_argument("--version", action="version", version=f"infergate {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    adders = (
        *(add_init, add_new, add_doctor, add_show, add_row, add_validate, add_compare),
        *(add_baseline, add_merge, add_swap, add_agreement),
    )
    for add in adders:
        add(commands)
    return parser


def _print(answer: Answer) -> None:
    out = sys.stdout
    if out is None:  # it was closed: the exit code is all that is wanted
        return
    in_colour = out.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    text = (ansi_text if in_colour else plain_text)(answer.lines)
    # A terminal that lacks a character must not keep the rest from being told.
    encoding = out.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    try:
        out.write(text)
        out.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough (infergate show … | head); the exit code stays what it is.
        _drop_output()


def _drop_output() -> None:
    """Let nothing more be written, by Python's own end neither."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
