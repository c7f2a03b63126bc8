"""What the plugin's tests share: a scripted server, and a session that is read back from its run folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import ScriptedServer


@dataclass(frozen=True)
class Outcome:
    """A pytest session over evaluations: its result, its run, its records by id."""

    result: pytest.RunResult
    folder: Path

    @property
    def run(self) -> dict[str, Any]:
        return json.loads((self.folder / "run.json").read_text())

    @property
    def records(self) -> dict[str, dict[str, Any]]:
        lines = (self.folder / "records.jsonl").read_text().splitlines()
        return {record["id"]: record for record in map(json.loads, lines)}

    @property
    def verdicts(self) -> dict[str, str]:
        """Record id without its task → the verdict, with the reason where it is missing."""
        return {
            key.partition("/")[2]: f"missing {r['missing']['reason']}" if r["missing"] else r["verdict"]
            for key, r in self.records.items()
        }

    @property
    def verdict(self) -> tuple[str, str, int]:
        """The only record's verdict, the run's, and the exit status."""
        (one,) = self.verdicts.values()
        return one, self.run["verdict"], int(self.result.ret)


Evaluate = Callable[..., Outcome]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server that answers the last message with its text behind ``echo:``."""
    with ScriptedServer.answering(echo) as server:
        yield server


def echo(body: dict[str, Any]) -> str:
    asked = body["messages"][-1]["content"] if "messages" in body else body["prompt"]
    return asked.removeprefix("say ")


@pytest.fixture
def evaluate(pytester: pytest.Pytester, server: ScriptedServer) -> Evaluate:
    """Write a suite and run it against the server; ``url=None`` gives no server."""
    runs = 0

    def run(source: str, *args: str, url: str | None = server.url, subprocess: bool = False) -> Outcome:
        nonlocal runs
        runs += 1
        pytester.makepyfile(test_it=source)
        folder = pytester.path / f"run{runs}"
        options = [f"--infer-run={folder}", "-p", "no:cacheprovider", *args]
        if url is not None:
            options.append(f"--infer-server={url}")
        run = pytester.runpytest_subprocess if subprocess else pytester.runpytest_inprocess
        return Outcome(run(*options), folder)

    return run
