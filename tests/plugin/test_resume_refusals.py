"""What may not be mixed into one run ends the session before anything is asked, with one line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate, Outcome, echo
from .interrupted import interrupt, resume

SUITE = """
import pytest
from pytest_infergate import extract
{above}
@pytest.mark.infer_task(dataset="words.jsonl", prompt={prompt}{task})
@pytest.mark.infer_extract(extract.{extractor})
def test_it(answer, sample):
    {body}
"""
AS_IT_WAS = {
    "above": "",
    "prompt": '"say {word}"',
    "task": "",
    "extractor": "last_line",
    "body": 'assert answer == sample["word"]',
}
WORDS = [{"id": "a", "word": "red"}, {"id": "b", "word": "blue"}]


class Served:
    """A server whose identity a test changes."""

    def __init__(self) -> None:
        self.model = "scripted"
        self.owner: str | None = "scripted"

    def __call__(self, received: Received) -> Script:
        if received.method == "GET":
            model = {"id": self.model, "object": "model", "created": 1}
            if self.owner is not None:
                model["owned_by"] = self.owner
            is_list = received.path.endswith("/models")
            listed = {"object": "list", "data": [model]}
            return json_script(listed) if is_list else json_script({"error": "no"}, status=404)
        said = echo(received.json)
        return Script(body=[reply_stream(said)])


@pytest.fixture
def served() -> Served:
    return Served()


@pytest.fixture
def server(served: Served) -> Iterator[ScriptedServer]:
    with ScriptedServer(served) as server:
        yield server


@pytest.fixture
def data(pytester: pytest.Pytester) -> Path:
    path = pytester.path / "words.jsonl"
    write(path, WORDS)
    return path


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def first(evaluate: Evaluate, data: Path) -> Outcome:
    """A run that was cut off in its second evaluation."""
    outcome = evaluate(SUITE.format(**AS_IT_WAS))
    assert outcome.result.ret == 0
    interrupt(outcome.folder, lambda raw: raw[: raw.index(b"\n") + 100])
    return outcome


def refused(again: Outcome, server: ScriptedServer) -> str:
    """The line that a refused session ends with; nothing was asked, and no run is left behind."""
    assert again.result.ret == pytest.ExitCode.USAGE_ERROR
    assert server.posts == []
    assert not again.folder.exists()
    lines = [line for line in again.result.errlines + again.result.outlines if line.startswith("ERROR: ")]
    (line,) = lines
    assert "Traceback" not in again.result.stdout.str() + again.result.stderr.str()
    return line.removeprefix("ERROR: ")


CHANGES: dict[str, tuple[dict[str, str], str]] = {
    "the test's code": (
        {"body": 'assert sample["word"] == answer'},
        r"test_it\.test_it/a#0: its task digest \(.*\) is 'sha256:\w{64}' there and 'sha256:\w{64}' now",
    ),
    "the version": (
        {"task": ', version="2"'},
        r"test_it\.test_it/a#0: its task version is '1' there and '2' now",
    ),
    "the prompt in the mark": (
        {"prompt": '"say  {word}"'},
        r"test_it\.test_it/a#0: its task digest \(.*\) is 'sha256:\w{64}' there and 'sha256:\w{64}' now",
    ),
    "a setting in the mark": (
        {"task": ", max_tokens=7"},
        r"test_it\.test_it/a#0: its task digest \(.*\) is 'sha256:\w{64}' there and 'sha256:\w{64}' now",
    ),
    "the number of repeats": (
        {"task": ", repeat=2"},
        r"test_it\.test_it/a#0: its task digest \(.*\) is 'sha256:\w{64}' there and 'sha256:\w{64}' now",
    ),
    "the extractor": (
        {"extractor": "final_answer"},
        r"test_it\.test_it/a#0: its task digest \(.*\) is 'sha256:\w{64}' there and 'sha256:\w{64}' now",
    ),
}


@pytest.mark.parametrize(("change", "told"), CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_task_is_named_with_what_was_and_what_is(
    evaluate: Evaluate, server: ScriptedServer, first: Outcome, change: dict[str, str], told: str
) -> None:
    server.requests.clear()
    again = resume(evaluate, first, suite=SUITE.format(**(AS_IT_WAS | change)))
    line = refused(again, server)
    assert re.fullmatch(
        rf"--infer-resume=\S+: {told}; put it back, or start anew without --infer-resume", line
    ), line


def test_a_changed_row_is_named(
    evaluate: Evaluate, server: ScriptedServer, first: Outcome, data: Path
) -> None:
    server.requests.clear()
    write(data, [{"id": "a", "word": "rose"}, WORDS[1]])
    line = refused(resume(evaluate, first, suite=SUITE.format(**AS_IT_WAS)), server)
    assert re.search(r"/a#0: its sample digest \(.*\) is 'sha256:\w{64}' there and 'sha256:\w{64}' now", line)


def test_a_changed_row_that_was_never_judged_is_no_hindrance(
    evaluate: Evaluate, first: Outcome, data: Path
) -> None:
    write(data, [WORDS[0], {"id": "b", "word": "sky"}])
    again = resume(evaluate, first, suite=SUITE.format(**AS_IT_WAS))
    assert (again.result.ret, again.verdicts) == (0, {"a#0": "passed", "b#0": "passed"})


def test_a_prompt_from_elsewhere_is_seen_by_its_request(
    evaluate: Evaluate, server: ScriptedServer, data: Path, pytester: pytest.Pytester
) -> None:
    """The task digest covers the test's module; what another module says is in the request."""
    (pytester.path / "prompts.py").write_text('PROMPT = "say {word}"')
    suite = SUITE.format(**(AS_IT_WAS | {"above": "import prompts", "prompt": "prompts.PROMPT"}))
    first = evaluate(suite, subprocess=True)
    interrupt(first.folder, lambda raw: raw[: raw.index(b"\n") + 1])
    (pytester.path / "prompts.py").write_text('PROMPT = "please say {word}"')
    server.requests.clear()
    line = refused(resume(evaluate, first, suite=suite, subprocess=True), server)
    assert re.search(r"/a#0: its request digest \(.*\) is '\S{71}' there and '\S{71}' now", line)


def test_how_many_more_differ_is_told(
    evaluate: Evaluate, server: ScriptedServer, data: Path, first: Outcome
) -> None:
    whole = evaluate(SUITE.format(**AS_IT_WAS))
    server.requests.clear()
    changed = SUITE.format(**(AS_IT_WAS | {"task": ", max_tokens=7"}))
    assert " now (1 more evaluations differ); " in refused(resume(evaluate, whole, suite=changed), server)


def test_gates_may_change(evaluate: Evaluate, first: Outcome) -> None:
    again = resume(evaluate, first, suite=SUITE.format(**(AS_IT_WAS | {"task": ", min_pass_rate=0.5"})))
    assert (again.result.ret, again.run["verdict"]) == (0, "passed")


def test_workers_refuse_the_same(evaluate: Evaluate, server: ScriptedServer, first: Outcome) -> None:
    server.requests.clear()
    changed = SUITE.format(**(AS_IT_WAS | {"task": ", max_tokens=7"}))
    again = resume(evaluate, first, "-n2", suite=changed, subprocess=True)
    assert "its task digest" in refused(again, server)


def rename(served: Served) -> None:
    served.model = "other"


def disown(served: Served) -> None:
    served.owner = None


def sell(served: Served) -> None:
    served.owner = "somebody else"


SERVERS: dict[str, tuple[Callable[[Served], None], list[str], list[str], str]] = {
    "another model": (rename, [], [], "model: scripted (probed) there, other (probed) now"),
    "another value": (sell, [], [], "owned_by: scripted (probed) there, somebody else (probed) now"),
    "no longer told": (disown, [], [], "owned_by: scripted (probed) there, unknown now"),
    "another declaration": (
        lambda served: None,
        ["--infer-declare=kernel=a"],
        ["--infer-declare=kernel=b"],
        "kernel: a (declared) there, b (declared) now",
    ),
    "no declaration any more": (
        lambda served: None,
        ["--infer-declare=kernel=a"],
        [],
        "kernel: a (declared) there, unknown now",
    ),
    "a declaration that was not": (
        lambda served: None,
        [],
        ["--infer-declare=kernel=b"],
        "kernel: unknown there, b (declared) now",
    ),
}


@pytest.mark.parametrize(("change", "before", "now", "told"), SERVERS.values(), ids=SERVERS.keys())
def test_another_server_is_named_by_what_differs(
    evaluate: Evaluate,
    server: ScriptedServer,
    served: Served,
    data: Path,
    change: Callable[[Served], None],
    before: list[str],
    now: list[str],
    told: str,
) -> None:
    suite = SUITE.format(**AS_IT_WAS)
    first = evaluate(suite, *before)
    interrupt(first.folder, lambda raw: raw[: raw.index(b"\n") + 1])
    server.requests.clear()
    change(served)
    again = resume(evaluate, first, *now, suite=suite)
    assert refused(again, server) == (
        f"--infer-resume={first.folder}: the server is not the one of run {first.run['run_id']}: {told}; "
        "name that server, or start anew without --infer-resume"
    )


def test_the_same_server_elsewhere_is_the_same(evaluate: Evaluate, served: Served, first: Outcome) -> None:
    with ScriptedServer(served) as moved:
        again = resume(evaluate, first, suite=SUITE.format(**AS_IT_WAS), url=moved.url)
        assert (again.result.ret, len(moved.posts)) == (0, 1)


def test_a_server_that_does_not_answer_may_be_any(evaluate: Evaluate, first: Outcome) -> None:
    with ScriptedServer(Script()) as gone:
        pass
    again = resume(evaluate, first, suite=SUITE.format(**AS_IT_WAS), url=gone.url)
    line = refused(again, gone)
    assert f"the server at {gone.url} never said who it is, so it is not known to be the same" in line


def test_a_run_whose_server_never_answered_has_nothing_to_keep(
    evaluate: Evaluate, server: ScriptedServer, data: Path
) -> None:
    with ScriptedServer(Script()) as gone:
        pass
    suite = SUITE.format(**AS_IT_WAS)
    first = evaluate(suite, url=gone.url)
    assert set(first.verdicts.values()) == {"missing unreachable"}
    line = refused(resume(evaluate, first, suite=suite), server)
    assert f"the server of run {first.run['run_id']} never said who it is" in line


def test_a_run_without_a_server_is_not_of_this_one(
    evaluate: Evaluate, server: ScriptedServer, data: Path
) -> None:
    suite = SUITE.format(**AS_IT_WAS)
    first = evaluate(suite, url=None)
    line = refused(resume(evaluate, first, suite=suite), server)
    assert f"run {first.run['run_id']} had no server" in line


def test_a_run_whose_server_changed_proves_nothing_to_keep(
    evaluate: Evaluate, served: Served, data: Path
) -> None:
    suite = SUITE.format(**AS_IT_WAS)

    def changing(received: Received) -> Script:
        served.owner = "somebody else" if changed.posts else "scripted"
        return served(received)

    with ScriptedServer(changing) as changed:
        first = evaluate(suite, url=changed.url)
        assert first.run["server"]["changes"]["change"] == "changed"
        changed.requests.clear()
        line = refused(resume(evaluate, first, suite=suite, url=changed.url), changed)
    assert f"the server of run {first.run['run_id']} changed while that run went on (owned_by: " in line


def edit_a_record(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_text(path.read_text().replace('"verdict":"passed"', '"verdict":"failed"', 1))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda folder: (folder / "run.json").unlink(), "has no run.json, so it is not a run"),
        (lambda folder: (folder / "run.json").write_text("{}"), "is not 'infergate.run/1'"),
        (
            lambda folder: (folder / "run.json").write_text('{"schema": "infergate.run/2"}'),
            "is newer than 'infergate.run/1', which this version reads; upgrade pytest-infergate",
        ),
        (lambda folder: (folder / "run.json").write_text("{"), "the file is damaged"),
        (lambda folder: (folder / "records.jsonl").unlink(), "records.jsonl: cannot be read"),
        (
            lambda folder: (folder / "records.jsonl").write_text("{}\n"),
            "is not as its run left it: records.jsonl:1: ",
        ),
        (
            edit_a_record,
            "is not as its run left it: records.jsonl:1: test_it.test_it/a#0: failed though the score",
        ),
    ],
    ids=["no run", "foreign", "newer", "damaged", "no records", "a foreign record", "an edited record"],
)
def test_a_folder_that_is_no_run_is_refused(
    evaluate: Evaluate,
    server: ScriptedServer,
    first: Outcome,
    damage: Callable[[Path], object],
    told: str,
) -> None:
    damage(first.folder)
    server.requests.clear()
    line = refused(resume(evaluate, first, suite=SUITE.format(**AS_IT_WAS)), server)
    assert line.startswith("--infer-resume: ")
    assert told in line
    assert server.requests == []


def test_a_finished_run_that_was_edited_is_refused(
    evaluate: Evaluate, server: ScriptedServer, data: Path
) -> None:
    suite = SUITE.format(**AS_IT_WAS)
    first = evaluate(suite)
    records = first.folder / "records.jsonl"
    records.write_text(records.read_text().replace('"text":"red"', '"text":"tea"'))
    server.requests.clear()
    line = refused(resume(evaluate, first, suite=suite), server)
    assert "is not as its run left it: records.jsonl: sha256 is " in line


def test_a_replayed_run_cannot_be_resumed(evaluate: Evaluate, server: ScriptedServer, data: Path) -> None:
    suite = SUITE.format(**AS_IT_WAS)
    first = evaluate(suite)
    replayed = evaluate(suite, f"--infer-replay={first.folder}", url=None)
    server.requests.clear()
    line = refused(resume(evaluate, replayed, suite=suite), server)
    assert "judged the replies of" in line
    assert "--infer-replay" in line


def test_the_run_itself_is_never_written_to(evaluate: Evaluate, first: Outcome) -> None:
    suite = SUITE.format(**AS_IT_WAS)
    again = resume(evaluate, first, f"--infer-run={first.folder}", suite=suite)
    assert again.result.ret == pytest.ExitCode.USAGE_ERROR
    again.result.stderr.fnmatch_lines(["ERROR: run folder * is not empty; a run never overwrites another*"])


def test_a_judge_is_held_to_be_the_same(evaluate: Evaluate, served: Served, data: Path) -> None:
    suite = SUITE.format(**AS_IT_WAS)
    with ScriptedServer.answering(echo, model="strict") as judge:
        first = evaluate(suite, f"--infer-judge={judge.url}")
        interrupt(first.folder, lambda raw: raw[: raw.index(b"\n") + 1])
        without = resume(evaluate, first, suite=suite)
        same = resume(evaluate, first, f"--infer-judge={judge.url}", suite=suite)
    with ScriptedServer.answering(echo, model="mild") as other:
        another = resume(evaluate, first, f"--infer-judge={other.url}", suite=suite)
    assert same.result.ret == 0
    for again, told in (
        (without, "had a judge, and there is none now; add --infer-judge=URL, or start anew"),
        (another, "the judge is not the one of run"),
    ):
        assert again.result.ret == pytest.ExitCode.USAGE_ERROR
        assert told in again.result.stderr.str()


def test_a_judge_that_was_not_there_may_come(evaluate: Evaluate, first: Outcome) -> None:
    """Without one, what it had to judge is missing, and asked again."""
    with ScriptedServer.answering(echo) as judge:
        again = resume(evaluate, first, f"--infer-judge={judge.url}", suite=SUITE.format(**AS_IT_WAS))
    assert again.result.ret == 0
