"""A pytest session of its own on the embedded model, as a person starts one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENOUGH = 900  # seconds: the longest of them takes a tenth of it


@dataclass(frozen=True, kw_only=True)
class EmbeddedSession:
    """A finished session: its exit status, what it printed, and its run folder."""

    status: int
    output: str
    folder: Path

    @property
    def run(self) -> dict[str, Any]:
        run: dict[str, Any] = json.loads((self.folder / "run.json").read_text("utf-8"))
        return run

    @property
    def totals(self) -> dict[str, dict[str, int]]:
        """Task → planned, passed, failed, missing."""
        return {task["name"]: task["totals"] for task in self.run["tasks"]}

    @property
    def gates(self) -> dict[str, str]:
        """Task → the verdict of its gate."""
        return {gate["task"]: gate["verdict"] for gate in self.run["gates"] if gate["task"]}


def run_embedded(*arguments: str | Path, cwd: Path, run: str = "run", source: str = "") -> EmbeddedSession:
    """Run ``pytest ARGUMENTS`` in ``cwd``, in which ``run`` becomes the run folder.

    ``source`` is the option that says where replies come from, if not from the embedded server's own model.
    """
    folder = cwd / run
    own = [source or "--infer-server=embedded", f"--infer-run={folder}", "-p", "no:cacheprovider"]
    done = call("-m", "pytest", *arguments, *own, cwd=cwd)
    return EmbeddedSession(status=done.returncode, output=done.stdout + done.stderr, folder=folder)


def infergate(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run ``infergate ARGUMENTS`` in ``cwd``."""
    return call(
        "-c", "import sys; from pytest_infergate.cli import main; sys.exit(main())", *arguments, cwd=cwd
    )


def call(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    # What pytest and xdist tell their own processes is not for a session that is not theirs.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", timeout=ENOUGH
    )
