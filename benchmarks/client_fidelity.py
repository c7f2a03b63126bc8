"""Measure how late the client sees the first token, against a server that knows when it sent it.

    python benchmarks/client_fidelity.py

The server runs in a process of its own and writes into each reply the monotonic time at which it handed
the first token to its socket; the clock is the same for all processes of a machine. The error is the
client's ``first_token`` less that time. 1, 8 and 64 streams run at once, each of 40 tokens, 20 ms apart, the
first after 30 to 350 ms, as prompts of different length have it. To reach: p99 within 5 ms at 64 streams, on
a machine that does nothing else; the load is printed beside the figures.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pytest_infergate.serving import Client, Prefetch, Request
from tests.scripted import Received, Script, ScriptedServer, chunk, sse, usage_chunk

STREAMS = (1, 8, 64)
TOKENS, GAP_S = 40, 0.020
PREFILL_S = (0.030, 0.350)
SAMPLES = 256


def _stream(received: Received) -> Script:
    prefill = random.Random(received.body).uniform(*PREFILL_S)

    def body() -> Iterator[bytes | float]:
        yield sse(chunk("", role="assistant"), done=False)
        yield prefill
        for _ in range(TOKENS):
            yield sse(chunk(f"{time.monotonic():.9f} "), done=False)
            yield GAP_S
        yield sse(chunk(finish="stop"), usage_chunk(8, TOKENS))

    return Script(body=body())


def serve() -> None:
    """Be the server until standard input ends."""
    sys.setswitchinterval(0.0005)  # between its time and the socket the server must not wait for itself
    with ScriptedServer(_stream) as server:
        print(server.url, flush=True)
        sys.stdin.read()


def measure(url: str, streams: int) -> list[float]:
    """Return the error of each first token in seconds, with ``streams`` replies at a time."""
    client = Client(url, "scripted", concurrency=streams)
    prefetch = Prefetch(client.exchange, streams, streams)
    n = max(SAMPLES, streams) if streams > 1 else 32
    prefetch.plan((str(i), lambda i=i: Request(endpoint="completion", content=f"{i}")) for i in range(n))  # type: ignore[misc]
    errors = []
    for i in range(n):
        exchange = prefetch.take(str(i))
        if exchange.reply is None or exchange.timing.first_token is None:
            raise SystemExit(f"no reply: {exchange.error}")
        errors.append(exchange.timing.first_token - float(exchange.reply.text.split()[0]))
    prefetch.cancel()
    client.close()
    return errors


def main() -> None:
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print("streams   p50 ms   p99 ms   max ms")
        for streams in STREAMS:
            errors = sorted(1e3 * error for error in measure(url, streams))
            p99 = statistics.quantiles(errors, n=100, method="inclusive")[98]
            print(f"{streams:7}  {statistics.median(errors):7.2f}  {p99:7.2f}  {errors[-1]:7.2f}", flush=True)
        assert server.stdin is not None
        server.stdin.close()


if __name__ == "__main__":
    serve() if "--serve" in sys.argv else main()
