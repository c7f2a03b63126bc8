"""Files that a command writes for a person to go on with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .errors import StarterError


def write_new(files: Mapping[Path, str], remedy: str) -> None:
    """Write text files and the folders they need; overwrite nothing.

    Raises ``StarterError``, which ends with ``remedy``, where one is there already or cannot be written.
    """
    there = [str(path) for path in files if path.exists()]
    if there:
        raise StarterError(
            f"already there: {', '.join(map(repr, there))}; nothing is overwritten, so {remedy}"
        )
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise StarterError(f"cannot write {str(path)!r}: {error.strerror}; {remedy}") from error
