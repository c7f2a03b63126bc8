"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Put ``content`` under ``path``, in place of what is there. Raises ``OSError``."""
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.chmod(beside, 0o644)  # mkstemp lets nobody else read
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
