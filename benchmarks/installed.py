"""What it costs to have the plugin installed in a session without evaluations.

    python benchmarks/installed.py [--runs 15]

Two whole pytest processes in turn, with the plugin and with ``-p no:infergate``. To reach: 20 ms.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from timing import describe, time_in_turn


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    bare = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:infergate"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_it.py").write_text("def test_it(): pass\n")
        without, with_plugin = time_in_turn([bare, bare[:-2]], folder, runs)
    cpu = [b.cpu - a.cpu for a, b in zip(without, with_plugin, strict=True)]
    wall = [b.wall - a.wall for a, b in zip(without, with_plugin, strict=True)]
    print(f"one test, {runs} pairs; to reach: 20 ms")
    print(f" CPU more: {describe(cpu, 'ms', 1000)}")
    print(f"wall more: {describe(wall, 'ms', 1000)}")


if __name__ == "__main__":
    main()
