"""Where and on what a run takes place."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from .. import __version__
from .head import Project, RunHead


def utc_now() -> str:
    """Return the time as ISO 8601 in UTC, to the microsecond."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")


def start_of_run(
    run_id: str,
    *,
    root: Path,
    argv: Iterable[str],
    settings: Mapping[str, Any],
    partial: Iterable[str] = (),
) -> RunHead:
    """Return the head of a run that starts now, of the project at ``root``."""
    return RunHead(
        run_id=run_id,
        started=utc_now(),
        tool_version=__version__,
        argv=tuple(argv),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=platform.platform(),
        project=project_state(root),
        settings=dict(settings),
        partial=tuple(partial),
    )


def project_state(root: Path) -> Project | None:
    """Return the commit of the work tree at ``root``; ``None`` where git or a commit is not there.

    Files that git does not ignore and does not track make it dirty: they can be evals.
    """
    command = ["git", "-C", str(root), "status", "--porcelain=v2", "--branch"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode:
        return None
    lines = done.stdout.splitlines()
    commit = next((line.split()[2] for line in lines if line.startswith("# branch.oid ")), "(initial)")
    if commit == "(initial)":
        return None
    return Project(commit=commit, is_dirty=any(not line.startswith("#") for line in lines))
