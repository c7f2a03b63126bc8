"""What scoring transcripts costs: 10,000, 50,000 and 100,000 utterances of ten words, with each normalizer.

    python benchmarks/word_error_rate.py [--utterances 10000 50000 100000] [--normalizers none basic english]

One word in ten is heard wrong. Each utterance is normalized, aligned and pooled; at the end come the corpus
rate and its interval. To reach: 100,000 in seconds, with memory that grows no faster than the utterances.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time

from pytest_infergate.evidence import Pooled
from pytest_infergate.speech.alignment import Unit, align
from pytest_infergate.speech.corpus import CorpusTally
from pytest_infergate.speech.normalizing import NORMALIZERS, parse_normalizer

_SENTENCES = (
    "The train to London leaves at nine thirty, and it's $12.50 for twenty-one stops; don't wait a second "
    "longer: the colour of the theatre isn't what they'd expected in nineteen eighty four."
)
WORDS = _SENTENCES.split()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--utterances", type=int, nargs="+", default=[10_000, 50_000, 100_000])
    parser.add_argument("--normalizers", nargs="+", choices=NORMALIZERS, default=["none", "basic", "english"])
    parser.add_argument("--score", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.score:
        score(arguments.score[0], int(arguments.score[1]))
        return
    print(f"{'normalizer':<16}{'utterances':>11}{'wall':>9}{'CPU':>9}{'each':>9}{'peak memory':>13}   rate")
    for name in arguments.normalizers:
        for count in arguments.utterances:
            wall, cpu, memory, rate = measure(name, count)
            each, size = f"{cpu / count * 1e6:.0f} µs", f"{memory:.0f} MB"
            print(
                f"{name:<16}{count:>11,}{wall:>7.2f} s{cpu:>7.2f} s{each:>9}{size:>13}   {rate}", flush=True
            )


def score(name: str, count: int) -> None:
    """Score ``count`` utterances and print their pooled rate."""
    normalizer, draw, tally = parse_normalizer(name), random.Random(count), CorpusTally()
    for _ in range(count):
        words = draw.choices(WORDS, k=10)
        heard = [word if draw.random() < 0.9 else draw.choice(WORDS) for word in words]
        found = align(" ".join(words), " ".join(heard), normalizer, Unit.WORD)
        tally.add(Pooled(part=found.errors, whole=found.reference_length))
    corpus = tally.rate()
    assert corpus.interval is not None
    print(f"{corpus.rate:.4f} ({corpus.interval[0]:.4f} to {corpus.interval[1]:.4f})")


def measure(name: str, count: int) -> tuple[float, float, float, str]:
    """Return seconds of wall and CPU, peak megabytes, and the rate, of a process that scores ``count``."""
    command = [sys.executable, __file__, "--score", name, str(count)]
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    rate = child.stdout.read().strip()
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    if status:
        raise SystemExit(f"scoring ended with {os.waitstatus_to_exitcode(status)}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, rate


if __name__ == "__main__":
    main()
