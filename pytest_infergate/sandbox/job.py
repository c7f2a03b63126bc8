"""What is to be run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from .limits import SandboxError


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One program: ``code``, then ``tests`` in the same interpreter.

    ``tests`` is Python, ``None`` where a status of 0 is all that is asked. ``stdin`` is what the program
    can read, ``None`` is nothing. ``files`` maps a relative path in the working folder, where the code itself
    is ``main.py``, to its content. ``timeout`` is seconds of wall time. Raises ``SandboxError`` for a path
    that leaves the folder.
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
        for name, content in self.files.items():
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
                raise SandboxError(
                    f"sandbox file {name!r} is outside the working folder; give a relative path"
                )
            if path.parts == ("main.py",):
                raise SandboxError("sandbox file 'main.py' is the code itself; give another name")
            if not isinstance(content, (str, bytes)):
                raise SandboxError(f"sandbox file {name!r} is {type(content).__name__}; give str or bytes")
