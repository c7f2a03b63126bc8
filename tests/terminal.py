"""What tests of commands share: how one is run, and how what it prints is written down."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

#: Arguments → exit code, standard output, standard error.
Cli = Callable[..., tuple[int, str, str]]


def block(text: str) -> str:
    """Return lines that a test holds indented."""
    return dedent(text).lstrip("\n")
