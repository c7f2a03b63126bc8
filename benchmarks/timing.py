"""Timing whole processes in turn, so that a drift of the machine falls on both sides alike."""

from __future__ import annotations

import resource
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """Seconds of one finished process."""

    wall: float
    cpu: float


def time_process(command: Sequence[str], folder: Path) -> Cost:
    """Run ``command`` in ``folder`` and return what it cost.

    Raises ``SystemExit`` where it does not end with 0.
    """
    begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def time_in_turn(commands: Sequence[Sequence[str]], folder: Path, runs: int) -> list[list[Cost]]:
    """Time every command ``runs`` times, A B A B …, after one run of each that does not count."""
    for command in commands:
        time_process(command, folder)
    costs: list[list[Cost]] = [[] for _ in commands]
    for _ in range(runs):
        for command, column in zip(commands, costs, strict=True):
            column.append(time_process(command, folder))
    return costs


def describe(seconds: Sequence[float], unit: str = "s", scale: float = 1.0) -> str:
    """Return median, minimum and maximum."""
    scaled = sorted(value * scale for value in seconds)
    return f"median {statistics.median(scaled):.3g} {unit}, {scaled[0]:.3g} to {scaled[-1]:.3g} {unit}"
