"""What a sandboxed run costs beyond the interpreter's own start.

    python benchmarks/sandbox.py [--runs 20]

Bare interpreter, run without tests, run with tests, in turn. To reach: 60 ms beyond ``python -I -c pass``.
``map`` is timed on programs that sleep, so that what goes at once is seen apart from the cores there are.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from timing import describe

from pytest_infergate.sandbox import Job, choose_backend

CODE = "def double(n):\n    return n * 2\n"
TESTS = "def check(candidate):\n    assert candidate(21) == 42\n\ncheck(double)\n"
SLEEPERS = [Job(code="import time; time.sleep(0.5)")] * 8


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    sandbox = choose_backend()
    ways: dict[str, Callable[[], object]] = {
        "python -I -c pass": lambda: subprocess.run([sys.executable, "-I", "-c", "pass"], check=True),
        "run(code)": lambda: sandbox.run(CODE),
        "run(code, tests)": lambda: sandbox.run(CODE, TESTS),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            begun = time.perf_counter()
            way()
            taken[name].append(time.perf_counter() - begun)
    bare = taken["python -I -c pass"]
    print(f"{sandbox.identity().backend}; {runs} rounds; to reach: 60 ms beyond the bare interpreter")
    for name, seconds in taken.items():
        beyond = [one - base for one, base in zip(seconds, bare, strict=True)]
        ratio = statistics.median(seconds) / statistics.median(bare)
        print(
            f"{name:18} {describe(seconds, 'ms', 1000)}; beyond {describe(beyond, 'ms', 1000)}; x {ratio:.1f}"
        )
    begun = time.perf_counter()
    sandbox.map(SLEEPERS)
    wall = time.perf_counter() - begun
    print(f"map of {len(SLEEPERS)} sleeps of 0.5 s: {wall:.2f} s, in turn {0.5 * len(SLEEPERS):.1f} s")


if __name__ == "__main__":
    main()
