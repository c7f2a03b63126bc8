"""What comparing two runs costs, for runs of 10,000, 50,000 and 100,000 records.

    python benchmarks/compare_runs.py [--records 10000 50000 100000]

Each record has one exchange of chat, the score of the test and a style score. To reach at 100,000 records:
10 s and 500 MB, with memory that grows no faster than the records.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pytest_infergate.evidence import (
    Evaluation,
    EvaluationKey,
    EvaluatorIdentity,
    Exchange,
    GateRule,
    Record,
    Reply,
    Score,
    Timing,
    Usage,
    Verdict,
    canonical_json,
    digest,
)
from pytest_infergate.runs import RunHead, RunLedger, RunWriter, TaskPlan, utc_now

CODE = digest("code")
TEST = EvaluatorIdentity(kind="test", name="test_math", version="1", digest=CODE)
STYLE = EvaluatorIdentity(kind="heuristic", name="style", version="1")
PLAN = TaskPlan(
    name="test_math",
    version="1",
    digest=CODE,
    rule=GateRule(min_pass_rate=0.5),
    evaluator=TEST,
    has_dataset=True,
)
STARTED = "2026-01-02T03:04:05Z"
QUESTION = "A farmer has some hens, each of which lays some eggs a day. How many does he sell in a week? " * 3
WORKING = "Each hen lays two eggs, so there are as many eggs a day as hens and as many again. " * 4


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, nargs="+", default=[10_000, 50_000, 100_000])
    arguments = parser.parse_args()
    print(f"{'records':>8}  {'bytes each':>10}  {'wall':>7}  {'CPU':>7}  {'peak memory':>11}")
    for count in arguments.records:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for run, failing in (("base", 7), ("candidate", 6)):
                write_run(folder / run, run, count, failing)
            size = (folder / "base" / "records.jsonl").stat().st_size // count
            wall, cpu, memory = compare(folder)
            print(f"{count:>8,}  {size:>10,}  {wall:>5.2f} s  {cpu:>5.2f} s  {memory:>8.0f} MB", flush=True)


def write_run(folder: Path, run: str, count: int, failing: int) -> None:
    """Write a finished run in which every ``failing``-th answer is wrong."""
    head = RunHead(
        run_id=run, started=utc_now(), tool_version="0", argv=(), python="CPython", platform="Linux"
    )
    writer, ledger = RunWriter.create(folder, head), RunLedger([PLAN])
    for made in records(run, count, failing):
        ledger.count(made)
        writer.add(canonical_json(made.as_json()))
    writer.finish(utc_now(), ledger.summary())


def records(run: str, count: int, failing: int) -> Iterator[Record]:
    clock = Timing(scheduled=1.0, sent=1.1, headers=1.2, first_token=1.3, last_token=2.0, done=2.1)
    for number in range(count):
        is_right = bool(number % failing)
        request = {"endpoint": "chat", "messages": [{"role": "user", "content": f"{number}. {QUESTION}"}]}
        exchange = Exchange(
            endpoint="chat",
            request=request,
            request_digest="sha256:" + sha256(str(number).encode()).hexdigest(),
            reply=Reply(text=f"{WORKING}\n#### {number + is_right} ({run})", usage=Usage(prompt_tokens=80)),
            timing=clock,
            attempts=1,
            status=200,
        )
        yield Record(
            evaluation=Evaluation(
                key=EvaluationKey(task=PLAN.name, sample=f"question-{number}"),
                nodeid=f"evals/test_math.py::test_math[question-{number}]",
                task_version="1",
                task_digest=CODE,
                sample_digest="sha256:" + sha256(f"row {number}".encode()).hexdigest(),
            ),
            verdict=Verdict.PASSED if is_right else Verdict.FAILED,
            message=None if is_right else "assert 3 == 4",
            answer=str(number),
            scores=(
                Score(
                    name="passed", value=float(is_right), unit="ratio", higher_is_better=True, evaluator=TEST
                ),
                Score(
                    name="style",
                    value=number % 97 / 97,
                    unit="points",
                    higher_is_better=True,
                    evaluator=STYLE,
                    gates=False,
                ),
            ),
            exchanges=(exchange.as_json(),),
            started=STARTED,
            duration_s=0.5,
        )


def compare(folder: Path) -> tuple[float, float, float]:
    """Return seconds of wall and CPU, and peak megabytes, of the command as a person runs it.

    Raises ``SystemExit`` where it does not call the candidate improved or no worse.
    """
    code = "import sys; from pytest_infergate.cli import main; sys.exit(main(sys.argv[1:]))"
    runs = [str(folder / "base"), str(folder / "candidate")]
    begun = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-c", code, "compare", *runs], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    if status:
        raise SystemExit(f"infergate compare ended with {os.waitstatus_to_exitcode(status)}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    main()
