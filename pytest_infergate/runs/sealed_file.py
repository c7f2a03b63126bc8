"""Checking a file of JSON lines beside the records against what ``run.json`` says of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any


def sealed_file_problems(
    path: Path,
    problem_of: Callable[[bytes], str | None],
    *,
    sealed: Mapping[str, Any] | None,
    unsealed: str,
    is_finished: bool,
) -> Generator[tuple[str, str], None, bool]:
    """Yield what is wrong with a file: the place, and what. Return whether it was held against its seal.

    ``problem_of`` says what is wrong with a line. ``sealed`` is what ``run.json`` says of the file, ``None``
    where it says that there is none, which means ``unsealed``. A torn last line of an unfinished run is
    tolerated.
    """
    name, lines, hash_ = path.name, 0, sha256()
    if not path.exists():
        if sealed is not None:
            yield name, f"is not there; run.json says {sealed['count']} lines"
        return False
    try:
        with open(path, "rb") as file:
            for number, raw in enumerate(file, 1):
                where = f"{name}:{number}"
                if not raw.endswith(b"\n"):
                    if not is_finished:
                        return False
                    yield where, "the line does not end; the file is torn"
                lines += 1
                hash_.update(raw)
                problem = problem_of(raw)
                if problem is not None:
                    yield where, problem
    except OSError as error:
        yield name, f"cannot be read: {error.strerror}"
        return False
    if not is_finished:
        return False
    if sealed is None:
        yield name, f"is there; run.json says that {unsealed}"
        return False
    for field, found in (("count", lines), ("sha256", hash_.hexdigest())):
        if sealed[field] != found:
            yield name, f"{field} is {found}; run.json says {sealed[field]}"
    return True
