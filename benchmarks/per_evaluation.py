"""What an evaluation costs beyond a bare parametrized test, with one exchange, HTTP apart.

    python benchmarks/per_evaluation.py [--runs 5]

The client is replaced by one that returns a ready exchange, so that what is left is ours: the plan, the
prefetch, the verdict, the record on disk. To reach: 1 ms of CPU.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from timing import describe, time_in_turn

COUNT = 3000

BARE = f"""
import pytest

@pytest.mark.parametrize("n", range({COUNT}))
def test_it(n):
    assert n == int(str(n))
"""

EVALUATION = """
import pytest
from pytest_infergate import extract

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {n}")
@pytest.mark.infer_extract(extract.number)
def test_it(answer, sample):
    assert answer == sample["n"]
"""

CANNED = """
import dataclasses
import pytest_infergate.plugin.servers.server as server
from pytest_infergate.evidence import Exchange, Reply, Timing
from pytest_infergate.serving import Client, IdentityComparison, IdentityChange, Known, Origin, ServerIdentity

def exchange(self, request, scheduled=None):
    timing = Timing(**dict.fromkeys(Timing.__slots__, 1.0))
    text = request.messages[-1]["content"].removeprefix("say ")
    return Exchange(
        endpoint="chat", request=request.as_json(), request_digest=request.digest,
        reply=Reply(text=text, served_model="m", timing=timing), timing=timing, attempts=1, status=200,
    )

Client.exchange = exchange
server.probe_server = lambda url, **more: ServerIdentity(
    engine="generic", url=url, fields={"model": Known("m", Origin.PROBED)}
)
server.confirm_identity = lambda *args, **more: IdentityComparison(change=IdentityChange.SAME)
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_bare.py").write_text(BARE)
        (folder / "test_evaluation.py").write_text(EVALUATION)
        (folder / "canned.py").write_text(CANNED)
        (folder / "rows.jsonl").write_text("".join(f'{{"id": "q{n}", "n": {n}}}\n' for n in range(COUNT)))
        bare, evaluation = time_in_turn(
            [
                [*pytest, "test_bare.py"],
                [*pytest, "-p", "canned", "test_evaluation.py", "--infer-server=http://127.0.0.1:9"],
            ],
            folder,
            runs,
        )
    each = [(b.cpu - a.cpu) / COUNT for a, b in zip(bare, evaluation, strict=True)]
    print(f"{COUNT} tests, {runs} pairs; the start of the evaluations' process is in it; to reach: 1 ms")
    print(f"bare test:         {describe([cost.cpu / COUNT for cost in bare], 'ms CPU', 1000)}")
    print(f"evaluation beyond: {describe(each, 'ms CPU', 1000)}")


if __name__ == "__main__":
    main()
