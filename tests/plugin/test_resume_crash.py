"""Whenever a run was cut off: resumed, its records are those of a run that nothing interrupted."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pytest_infergate.runs.validate import validate_run
from tests.scripted import ScriptedServer

from .conftest import Evaluate, Outcome
from .interrupted import FINISHED, SUITE, UNFINISHED, asked, handle, interrupt, resume

LINES = len(FINISHED | UNFINISHED)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(handle) as server:
        yield server


def measured(outcome: Outcome) -> dict[str, Any]:
    """The records by id, less what another session has of its own: times, and where a reply came from."""
    records = outcome.records
    for record in records.values():
        del record["started"], record["duration_s"], record["kept_from"]
        for exchange in record["exchanges"]:
            del exchange["timing"], exchange["source"]
    return records


@st.composite
def cuts(draw: st.DrawFn) -> tuple[int, float]:
    """How many lines are whole, and how much there is of the one after: nothing, a part, all but its end."""
    return draw(st.integers(0, LINES)), draw(st.sampled_from([0.0, 1.0]) | st.floats(0, 1))


def cut(raw: bytes, whole: int, part: float) -> bytes:
    lines = raw.splitlines(keepends=True)
    torn = lines[whole] if whole < len(lines) else b""
    return b"".join(lines[:whole]) + torn[: int(len(torn.rstrip(b"\n")) * part)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts())
@example((0, 0.0))
@example((0, 0.5))
@example((LINES, 0.0))
@example((LINES - 1, 1.0))
def test_a_resumed_run_has_the_records_of_one_that_was_not_interrupted(
    evaluate: Evaluate,
    server: ScriptedServer,
    pytester: pytest.Pytester,
    at: tuple[int, float],
) -> None:
    whole, part = at
    full = Outcome(None, pytester.path / "full")  # type: ignore[arg-type]
    if not full.folder.exists():
        shutil.copytree(evaluate(SUITE).folder, full.folder)
    run = Outcome(None, pytester.path / "cut")  # type: ignore[arg-type]
    shutil.rmtree(run.folder, ignore_errors=True)
    shutil.copytree(full.folder, run.folder)
    interrupt(run.folder, lambda raw: cut(raw, whole, part))
    server.requests.clear()
    again = resume(evaluate, run)
    assert measured(again) == measured(full)
    assert again.run["totals"] == full.run["totals"]
    assert again.run["verdict"] == full.run["verdict"]
    assert validate_run(again.folder).is_valid
    kept = [id for id in list(full.records)[: whole + (part == 1)] if id.partition("/")[2] in FINISHED]
    assert len(server.posts) == LINES - len(kept)


KILLED = """
import os, pathlib, signal

def pytest_runtest_setup(item):
    victim = pathlib.Path("kill")
    if victim.exists() and "refused" in item.name:
        os.kill({pid}, signal.SIGKILL)
        signal.pause()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kill -9 is a signal")
@pytest.mark.parametrize(
    ("pid", "workers"), [("os.getpid()", []), ("os.getppid()", ["-n2"])], ids=["plain", "controller"]
)
def test_kill_9_costs_nothing_that_was_judged(
    evaluate: Evaluate,
    server: ScriptedServer,
    pytester: pytest.Pytester,
    pid: str,
    workers: list[str],
) -> None:
    full = evaluate(SUITE)
    pytester.makeconftest(KILLED.format(pid=pid))
    (pytester.path / "kill").touch()
    killed = evaluate(SUITE, *workers, subprocess=True)
    assert killed.result.ret == -9
    assert killed.run["finished"] is None
    (pytester.path / "kill").unlink()
    lines = (killed.folder / "records.jsonl").read_bytes().splitlines()
    kept = [id for id in (json.loads(line)["id"] for line in lines) if id.partition("/")[2] in FINISHED]
    assert kept or workers
    server.requests.clear()
    again = resume(evaluate, killed, *workers, subprocess=bool(workers))
    assert measured(again) == measured(full)
    # Workers that outlive their controller for a moment may still ask for what they had begun.
    sent = set(asked(server)) if workers else asked(server)
    assert len(sent) == LINES - len(kept)
    assert again.run["verdict"] == full.run["verdict"]


def test_a_run_that_is_killed_while_it_resumes_keeps_what_it_had_kept(
    evaluate: Evaluate,
    server: ScriptedServer,
    pytester: pytest.Pytester,
) -> None:
    full = evaluate(SUITE)
    interrupt(full.folder, lambda raw: cut(raw, LINES - 1, 0))
    pytester.makeconftest(KILLED.format(pid="os.getpid()").replace("refused", "right"))
    (pytester.path / "kill").touch()
    killed = resume(evaluate, full, subprocess=True)
    assert killed.result.ret == -9
    (pytester.path / "kill").unlink()
    server.requests.clear()
    again = resume(evaluate, killed)
    assert asked(server) == ["also right", "broken", "server", "skipped"]
    assert again.verdicts == FINISHED | UNFINISHED
    assert len(again.run["derived_from"]["runs"]) == 2
