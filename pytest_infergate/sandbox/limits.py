"""What a run of model-written code may use."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from ..evidence import InfergateError

_MIB = 1024 * 1024


class SandboxError(InfergateError):
    """A run that cannot be asked for as written: a limit, a file name, tests that are no Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run; whatever is hit, the run is not ok.

    ``wall_s`` and ``cpu_s`` are seconds (CPU: of each process), ``memory`` is bytes of address space of each
    process, ``processes`` counts processes and threads together, ``file_size`` is bytes of a file and of the
    folder that the run works in, ``output`` is bytes of stdout and of stderr, each. All are above 0. Raises
    ``SandboxError`` otherwise.
    """

    wall_s: float = 10.0
    cpu_s: float = 60.0
    memory: int = 2048 * _MIB
    processes: int = 64
    file_size: int = 64 * _MIB
    output: int = _MIB

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            is_whole = isinstance(value, int) or field.name.endswith("_s")
            if not is_number or not is_whole or not math.isfinite(value) or value <= 0:
                unit = "a number of seconds" if field.name.endswith("_s") else "a whole number"
                raise SandboxError(f"sandbox limit {field.name}={value!r}; give {unit} above 0")

    def as_json(self) -> dict[str, float]:
        # 10 and 10.0 seconds are the same limit.
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: float(value) if name.endswith("_s") else value for name, value in values.items()}
