"""The interpreter that runs the code: this one, and the folders it needs."""

from __future__ import annotations

import platform
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path

#: Folders that are the system's own and bound as a whole; an interpreter in them needs nothing more.
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/sbin")


def interpreter_roots() -> tuple[Path, ...]:
    """Return the folders outside the system's that this interpreter lives in, outer before inner.

    A virtual environment's, its base's, and those that symbolic links between them pass through.
    """
    roots = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix), Path(sys.base_exec_prefix)}
    link = Path(sys.executable)
    for _ in range(40):  # as many links as Linux follows
        roots.add(link.parent.parent)
        if not link.is_symlink():
            break
        link = link.parent / link.readlink()
    roots |= {root.resolve() for root in roots}
    outside = {root for root in roots if not any(root.is_relative_to(folder) for folder in SYSTEM)}
    return tuple(sorted(root for root in outside if not outside.intersection(root.parents)))


def interpreter_version() -> str:
    """Return the interpreter as the evaluator's identity names it."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def runner_command(python: str, inlet: str, outlet: str) -> list[str]:
    """Return the command that runs the runner, cut off from the user's environment and settings.

    ``inlet`` and ``outlet`` are the channel's ends as it sees them: numbers of open files, or paths.
    """
    return [python, "-I", "-B", "-X", "utf8", "-c", _runner_source(), inlet, outlet]


@cache
def _runner_source() -> str:
    return files(__package__).joinpath("runner.py").read_text(encoding="utf-8")
