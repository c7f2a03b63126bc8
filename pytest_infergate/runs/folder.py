"""Where a run is kept, and what its files are called."""

from __future__ import annotations

import secrets
from datetime import datetime, timezone
from pathlib import Path

from .errors import RunFolderError

RUN_FILE = "run.json"
RECORDS_FILE = "records.jsonl"
#: Only there where an evaluation was asked again.
ATTEMPTS_FILE = "attempts.jsonl"
#: Only there where a part of what was collected was selected.
COLLECTED_FILE = "collected.jsonl"
#: What a finished run came to, for other tools.
VERDICT_FILE = "verdict.json"


def new_run_id() -> str:
    """Return a name no other run has: the time in UTC and a random part, sorting by time."""
    return f"{datetime.now(timezone.utc):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"


def new_run_folder(root: Path) -> tuple[Path, str]:
    """Return ``root/.infergate/runs/<run_id>`` and the id; the folder itself is not made.

    ``.infergate`` is made with a ``.gitignore`` of its own, since runs hold what people asked a model.
    Raises ``RunFolderError`` where it cannot be written.
    """
    home, run_id = root / ".infergate", new_run_id()
    try:
        home.mkdir(exist_ok=True)
        ignore = home / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="ascii")
    except OSError as error:
        raise RunFolderError(
            f"cannot write {str(home)!r}: {error.strerror}; name another run folder with --infer-run=DIR"
        ) from error
    return home / "runs" / run_id, run_id
