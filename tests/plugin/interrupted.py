"""A suite with every kind of ending, what a crash leaves of its run, and a session that resumes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate, Outcome, echo

#: In the order of asking.
ENDINGS = ["right", "wrong", "cut", "nothing", "refused", "server", "broken", "skipped", "also right"]
SUITE = """
import pytest
from pytest_infergate import NoAnswer

ENDINGS = {endings}

@pytest.mark.infer_task(prompt="say {ending}")
@pytest.mark.parametrize("ending", ENDINGS)
def test_it(reply, ending):
    if ending == "broken":
        raise OSError("the test's own fault")
    if ending == "skipped":
        pytest.skip("not today")
    if ending == "nothing":
        raise NoAnswer
    assert reply.text == ending
""".replace("{endings}", repr(ENDINGS))
#: What asking again can tell nothing new of.
FINISHED = {
    "right#0": "passed",
    "wrong#0": "failed",
    "cut#0": "missing truncated",
    "nothing#0": "missing no_answer",
    "refused#0": "missing refused",
    "also right#0": "passed",
}
UNFINISHED = {
    "server#0": "missing server_error",
    "broken#0": "missing evaluator_error",
    "skipped#0": "missing skipped",
}


def handle(received: Received) -> Script:
    if received.method == "GET":
        is_list = received.path.endswith("/models")
        models = {"object": "list", "data": [{"id": "scripted", "object": "model"}]}
        return json_script(models) if is_list else json_script({"error": "no"}, status=404)
    said = echo(received.json)
    if said == "server":
        return json_script({"error": {"message": "no"}}, status=400)
    finish = {"cut": "length", "refused": "content_filter"}.get(said, "stop")
    return Script(body=[reply_stream("other" if said == "wrong" else said, finish=finish)])


#: What ``run.json`` does not say before the end.
_OF_THE_END = ("finished", "totals", "verdict", "records", "attempts", "collected", "rescored", "digest")


def interrupt(folder: Path, keep: Callable[[bytes], bytes]) -> None:
    """Make a finished run what a crash would have left of it: ``keep`` of the bytes of its records."""
    path = folder / "records.jsonl"
    path.write_bytes(keep(path.read_bytes()))
    run = json.loads((folder / "run.json").read_text())
    run |= dict.fromkeys(_OF_THE_END) | {"tasks": [], "gates": []}
    run["server"]["changes"] = None
    (folder / "run.json").write_text(json.dumps(run))
    (folder / "verdict.json").unlink()


def asked(server: ScriptedServer) -> list[str]:
    """Return what was asked, but for requests that a session broke off before they were sent whole."""
    return sorted(echo(received.json) for received in server.posts if received.body)


def resume(evaluate: Evaluate, run: Outcome, *args: str, suite: str = SUITE, **options: Any) -> Outcome:
    return evaluate(suite, f"--infer-resume={run.folder}", *args, **options)
