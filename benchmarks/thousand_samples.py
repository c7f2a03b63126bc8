"""A thousand samples against a server that takes 200 ms, 64 at a time: the whole process.

    python benchmarks/thousand_samples.py [--runs 5]

Ideal wall time is 16 waves of 200 ms, 3.2 s. To reach: 1.3 times that, and 3.5 s of CPU. The server is a
process of its own, so that its CPU is not counted. Needs the project installed in the Python that runs this.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import Cost, describe, time_process

SAMPLES, LATENCY_S, SLOTS = 1000, 0.2, 64
IDEAL_S = -(-SAMPLES // SLOTS) * LATENCY_S

SUITE = """
import pytest
from pytest_infergate import extract

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {n}")
@pytest.mark.infer_extract(extract.number)
def test_it(answer, sample):
    assert answer == sample["n"]
"""

SERVER = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).resolve().parents[1])!r})
from tests.scripted import ScriptedServer
answer = lambda body: body["messages"][-1]["content"].removeprefix("say ")
with ScriptedServer.answering(answer, latency={LATENCY_S}) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


def run_once(folder: Path, url: str, number: int) -> Cost:
    """Return what one whole pytest process cost."""
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--infer-server={url}"),
        *(f"--infer-concurrency={SLOTS}", f"--infer-run=run{number}"),
    ]
    cost = time_process(command, folder)
    totals = json.loads((folder / f"run{number}" / "run.json").read_text())["totals"]
    if totals["passed"] != SAMPLES:
        raise SystemExit(f"only {totals} of {SAMPLES}")
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_it.py").write_text(SUITE)
        (folder / "rows.jsonl").write_text("".join(f'{{"id": "q{n}", "n": {n}}}\n' for n in range(SAMPLES)))
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            url = server.stdout.readline().strip()
            run_once(folder, url, 0)  # compiles what pytest rewrites
            costs = [run_once(folder, url, number + 1) for number in range(runs)]
        finally:
            server.stdin.close()
            server.wait()
    print(f"{SAMPLES} samples, {LATENCY_S * 1000:g} ms, {SLOTS} slots, {runs} runs; ideal wall {IDEAL_S:g} s")
    print(f"wall: {describe([cost.wall for cost in costs])} (to reach: {1.3 * IDEAL_S:.2f} s)")
    print(f" CPU: {describe([cost.cpu for cost in costs])} (to reach: 3.5 s)")


if __name__ == "__main__":
    main()
