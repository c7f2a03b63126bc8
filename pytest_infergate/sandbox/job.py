"""What is to be run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from .limits import SandboxError

#: Bytes of one part of a path, and of the whole: what Linux file systems hold.
_LONGEST_PART, _LONGEST_PATH = 255, 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One program: ``code``, then ``tests`` in the same interpreter.

    ``tests`` is Python, ``None`` where a status of 0 is all that is asked. ``stdin`` is what the program
    can read, ``None`` is nothing. ``files`` maps a relative path in the working folder, where the code itself
    is ``main.py``, to its content. ``timeout`` is seconds of wall time. Raises ``SandboxError`` for a path
    that leaves the folder or that no folder can hold beside the others.
    """

    code: str
    tests: str | None = None
    stdin: str | None = None
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    timeout: float = 10.0

    def __post_init__(self) -> None:
        for name in ("code", "tests", "stdin"):
            value = getattr(self, name)
            if not isinstance(value, str) and not (value is None and name != "code"):
                raise SandboxError(f"sandbox {name} is {type(value).__name__}; give a str")
        if not isinstance(self.files, Mapping):
            raise SandboxError(
                f"sandbox files is {type(self.files).__name__}; give a dict of relative path to content"
            )
        folders = {folder for name in self.files if isinstance(name, str) for folder in _folders(name)}
        for name, content in self.files.items():
            if not isinstance(name, str):
                raise SandboxError(f"sandbox file {name!r} is {type(name).__name__}; give its path as a str")
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
                raise SandboxError(
                    f"sandbox file {name!r} is outside the working folder; give a relative path"
                )
            if path.parts == ("main.py",):
                raise SandboxError("sandbox file 'main.py' is the code itself; give another name")
            if path in folders or PurePosixPath("main.py") in path.parents:
                raise SandboxError(f"sandbox file {name!r} is a file and a folder at once; rename one")
            if not _can_be_held(path):
                raise SandboxError(
                    f"sandbox file {name!r:.80} is no file name; give whole Unicode characters, each part of "
                    f"the path at most {_LONGEST_PART} bytes"
                )
            if not isinstance(content, (str, bytes)):
                raise SandboxError(f"sandbox file {name!r} is {type(content).__name__}; give str or bytes")


def _folders(name: str) -> list[PurePosixPath]:
    return list(PurePosixPath(name).parents)[:-1]


def _can_be_held(path: PurePosixPath) -> bool:
    try:
        parts = [part.encode() for part in path.parts]
    except UnicodeEncodeError:
        return False
    return sum(map(len, parts)) + len(parts) <= _LONGEST_PATH and all(
        len(part) <= _LONGEST_PART for part in parts
    )
