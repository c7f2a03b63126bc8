"""What replies can be taken from: whole runs, interrupted ones; never what somebody wrote in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.evidence import digest
from tests.scripted import ScriptedServer

from .conftest import Evaluate, Outcome
from .replayed import sources

SUITE = """
import pytest

@pytest.mark.infer_task(min_pass_rate=0.5)
@pytest.mark.parametrize("n", range(4))
def test_it(infer, n):
    assert infer.chat(f"say {n}").text == str(n)
"""


@pytest.fixture
def parent(evaluate: Evaluate) -> Outcome:
    return evaluate(SUITE)


def replay(evaluate: Evaluate, folder: Path, *args: str, **options: Any) -> Outcome:
    return evaluate(SUITE, f"--infer-replay={folder}", *args, url=None, **options)


def refusal(outcome: Outcome) -> str:
    """The one line that a session ends with before anything ran."""
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    assert not outcome.folder.exists()
    lines = [line for line in outcome.result.errlines if line.strip()]
    assert len(lines) == 1
    return lines[0].removeprefix("ERROR: ")


def forge_reply(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_text(path.read_text().replace('"text":"2"', '"text":"3"'))


def seal(folder: Path, **changes: Any) -> None:
    path = folder / "run.json"
    value = json.loads(path.read_text()) | changes
    value.pop("digest")
    path.write_text(json.dumps({**value, "digest": digest(value) if value["finished"] else None}))


def cut(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-40])


def drop_line(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))


def judge_twice(folder: Path) -> None:
    path = folder / "records.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[0]]))
    unfinish(folder)


def unfinish(folder: Path) -> None:
    """Leave the folder as a killed session does."""
    seal(
        folder,
        finished=None,
        totals=None,
        verdict=None,
        records=None,
        rescored=None,
        tasks=[],
        gates=[],
        collected=None,
        attempts=None,
    )


def edit_verdict(folder: Path) -> None:
    path = folder / "run.json"
    path.write_text(path.read_text().replace('"verdict": "passed"', '"verdict": "failed"'))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (forge_reply, "is not as its run left it: the sha256 of records.jsonl is "),
        (cut, "records.jsonl:4: not a record to take replies from (Unterminated string"),
        (drop_line, "is not as its run left it: the number of lines of records.jsonl is 3, run.json says 4"),
        (edit_verdict, "is not as its run left it: the digest of run.json is "),
        (judge_twice, "'test_it.test_it/0#0' was judged already on line 1"),
        (lambda folder: (folder / "records.jsonl").unlink(), "records.jsonl': No such file or directory"),
        (lambda folder: (folder / "run.json").write_text("{"), "run.json: not JSON"),
        (lambda folder: (folder / "run.json").unlink(), "has no run.json, so it is not a run"),
        (lambda folder: (folder / "run.json").write_text('{"schema": "other/1"}'), "so this is not a run"),
        (
            lambda folder: (folder / "run.json").write_text('{"schema": "infergate.run/2"}'),
            "is newer than 'infergate.run/1'",
        ),
        (
            lambda folder: (folder / "run.json").write_text('{"schema": "infergate.run/1"}'),
            "run.json: not as a run",
        ),
    ],
    ids=[
        "forged",
        "torn",
        "short",
        "edited",
        "twice",
        "no records",
        "no JSON",
        "empty",
        "foreign",
        "newer",
        "half",
    ],
)
def test_what_is_not_as_a_run_left_it_is_refused_in_one_line(
    evaluate: Evaluate, parent: Outcome, damage: Callable[[Path], object], told: str
) -> None:
    damage(parent.folder)
    line = refusal(replay(evaluate, parent.folder, subprocess=True))
    assert line.startswith("--infer-replay: ")
    assert told in line


def test_under_xdist_it_is_refused_before_any_worker_starts(evaluate: Evaluate, parent: Outcome) -> None:
    forge_reply(parent.folder)
    outcome = replay(evaluate, parent.folder, "-n2", subprocess=True)
    assert "is not as its run left it" in refusal(outcome)
    assert "workers" not in outcome.result.stdout.str()


def test_a_folder_that_is_not_there_is_refused_with_its_path(evaluate: Evaluate, parent: Outcome) -> None:
    line = refusal(replay(evaluate, parent.folder / "nope", subprocess=True))
    assert line == (
        f"--infer-replay: '{parent.folder / 'nope'}' is not a run folder (no such folder: "
        f"{parent.folder / 'nope'})"
    )


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["plain", "xdist"])
@pytest.mark.parametrize("kept", [0, 1, 3])
@pytest.mark.parametrize("torn", [b"", b'{"answer":null,"dur'])
def test_of_an_interrupted_run_what_it_finished_is_judged_and_the_rest_is_missing(
    evaluate: Evaluate, parent: Outcome, kept: int, torn: bytes, workers: tuple[str, ...]
) -> None:
    unfinish(parent.folder)
    records = parent.folder / "records.jsonl"
    records.write_bytes(b"".join(records.read_bytes().splitlines(keepends=True)[:kept]) + torn)
    again = replay(evaluate, parent.folder, *workers, subprocess=bool(workers))
    assert again.run["totals"] == {"planned": 4, "passed": kept, "failed": 0, "missing": 4 - kept}
    assert again.result.ret == 1
    absent = [record for record in again.records.values() if record["missing"]]
    assert {record["missing"]["reason"] for record in absent} == {"unreachable"}


def test_an_interrupted_run_stays_without_proof_of_whose_replies_it_has(
    evaluate: Evaluate, parent: Outcome
) -> None:
    """Its server was not probed again at the end, so nobody knows whether it was one and the same."""
    unfinish(parent.folder)
    again = replay(evaluate, parent.folder)
    assert again.run["totals"]["passed"] == 4
    assert (again.run["verdict"], again.result.ret) == ("missing", 1)
    (gate,) = (gate for gate in again.run["gates"] if gate["name"] == "identity")
    assert gate["observed"] == f"not confirmed at the end: run {parent.run['run_id']} was interrupted"


def test_a_damaged_line_in_the_middle_of_an_interrupted_run_is_refused(
    evaluate: Evaluate, parent: Outcome
) -> None:
    unfinish(parent.folder)
    path = parent.folder / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"nonsense\n" + lines[1])
    assert "records.jsonl:2: not a record to take replies from" in refusal(
        replay(evaluate, parent.folder, subprocess=True)
    )


def test_what_somebody_wrote_into_a_line_of_an_interrupted_run_is_not_replayed(
    evaluate: Evaluate, parent: Outcome
) -> None:
    unfinish(parent.folder)
    path = parent.folder / "records.jsonl"
    path.write_text(path.read_text().replace('"text":"2"', '"text":["2"]'))
    again = replay(evaluate, parent.folder)
    assert again.verdicts["2#0"] == "missing evaluator_error"
    assert (
        "records.jsonl:3: not a record to take replies from"
        in again.records["test_it.test_it/2#0"]["message"]
    )


def test_a_run_of_another_suite_gives_missing_evidence_and_says_so(
    evaluate: Evaluate, parent: Outcome
) -> None:
    other = SUITE.replace("def test_it", "def test_other")
    again = evaluate(other, f"--infer-replay={parent.folder}", url=None)
    assert again.run["totals"] == {"planned": 4, "passed": 0, "failed": 0, "missing": 4}
    assert again.run["rescored"]["absent"] == ["test_it.test_it"]
    assert again.result.ret == 1
    again.result.stdout.fnmatch_lines(
        [
            "  test_it.test_other: nothing of it in that run",
            "  not judged again, though that run has it: test_it.test_it",
        ]
    )


def test_a_selection_is_a_part_of_the_run_and_says_so(evaluate: Evaluate, parent: Outcome) -> None:
    again = replay(evaluate, parent.folder, "-k", "it and (1 or 2)")
    assert again.run["partial"] is not None
    assert again.run["totals"]["passed"] == 2
    (task,) = again.run["rescored"]["tasks"]
    assert (task["before"]["planned"], task["left_out"]) == (2, 2)


def test_a_session_without_evaluations_is_red(evaluate: Evaluate, parent: Outcome) -> None:
    again = evaluate("def test_plain(): pass", f"--infer-replay={parent.folder}", url=None)
    assert (again.run["verdict"], again.result.ret) == ("missing", 1)


def test_collecting_takes_no_reply_and_writes_no_run(evaluate: Evaluate, parent: Outcome) -> None:
    outcome = replay(evaluate, parent.folder, "--collect-only")
    assert not outcome.folder.exists()
    assert outcome.result.ret == 0


def test_the_parents_own_folder_is_not_written_into(evaluate: Evaluate, parent: Outcome) -> None:
    before = {path.name: path.read_bytes() for path in parent.folder.iterdir()}
    outcome = evaluate(SUITE, f"--infer-replay={parent.folder}", f"--infer-run={parent.folder}", url=None)
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    replay(evaluate, parent.folder)
    assert {path.name: path.read_bytes() for path in parent.folder.iterdir()} == before


def test_an_interrupted_replay_is_missing_and_can_be_replayed_itself(
    pytester: pytest.Pytester, evaluate: Evaluate, parent: Outcome
) -> None:
    slow = f"""{SUITE}
@pytest.mark.infer_task
def test_slow(infer):
    import os, signal
    os.kill(os.getpid(), signal.SIGINT)
"""
    stopped = evaluate(slow, f"--infer-replay={parent.folder}", url=None, subprocess=True)
    assert stopped.result.ret == pytest.ExitCode.INTERRUPTED
    assert stopped.run["totals"] == {"planned": 5, "passed": 4, "failed": 0, "missing": 1}
    assert stopped.run["verdict"] == "missing"
    assert evaluate(SUITE, f"--infer-replay={stopped.folder}", url=None).run["totals"]["passed"] == 4


@pytest.mark.parametrize("name", ["server", "resume", "against", "confirm"])
def test_what_would_ask_a_server_contradicts_a_replay(evaluate: Evaluate, parent: Outcome, name: str) -> None:
    value = {"resume": parent.folder, "confirm": 2}.get(name, "http://127.0.0.1:9")
    line = refusal(replay(evaluate, parent.folder, f"--infer-{name}={value}"))
    assert line == (
        f"--infer-replay={parent.folder} judges stored replies and asks nobody; leave out --infer-{name}"
    )


def test_the_command_line_wins_over_the_sources_of_the_ini_file(
    pytester: pytest.Pytester, evaluate: Evaluate, parent: Outcome, server: ScriptedServer
) -> None:
    asked = "http://127.0.0.1:9"
    pytester.makeini(f"[pytest]\ninfer_server = {asked}\ninfer_judge = {asked}\ninfer_confirm = 2\n")
    again = replay(evaluate, parent.folder)
    assert (again.run["verdict"], again.result.ret) == ("passed", 0)
    assert again.run["judge"] is None
    pytester.makeini(f"[pytest]\ninfer_replay = {parent.folder}\n")
    assert evaluate(SUITE, url=None).run["derived_from"]["runs"] == [parent.run["run_id"]]
    assert evaluate(SUITE, url=server.url).run["derived_from"] is None


def test_what_to_do_about_a_reply_that_is_not_there(evaluate: Evaluate, parent: Outcome) -> None:
    changed = evaluate(
        SUITE.replace("say {n}", "Say {n}!"), f"--infer-replay={parent.folder}", url=None, subprocess=True
    )
    changed.result.stdout.fnmatch_lines(
        [
            "  4  unreachable",
            "     test_it.test_it/0#0: not in run * asked*",
            "  unreachable: a stored reply answers what was asked then and nothing else;*",
        ]
    )


def test_a_run_without_records_gives_no_replies(evaluate: Evaluate) -> None:
    empty = evaluate("def test_plain(): pass")
    assert (empty.folder / "records.jsonl").read_text() == ""
    again = replay(evaluate, empty.folder)
    assert again.run["totals"] == {"planned": 4, "passed": 0, "failed": 0, "missing": 4}
    assert again.result.ret == 1


def test_a_resumed_run_is_replayed_like_any_other(
    evaluate: Evaluate, parent: Outcome, server: ScriptedServer
) -> None:
    unfinish(parent.folder)
    records = parent.folder / "records.jsonl"
    records.write_bytes(b"".join(records.read_bytes().splitlines(keepends=True)[:2]))
    resumed = evaluate(SUITE, f"--infer-resume={parent.folder}", url=server.url)
    again = replay(evaluate, resumed.folder)
    assert sources(resumed) == {"resume", "server"}
    assert sources(again) == {"replay"}
    assert (again.run["totals"]["passed"], again.run["verdict"]) == (4, "passed")


def test_a_merged_run_is_replayed_like_any_other(
    pytester: pytest.Pytester, evaluate: Evaluate, server: ScriptedServer
) -> None:
    shards = [evaluate(SUITE, "-k", half) for half in ("it and (0 or 1)", "it and (2 or 3)")]
    merged = pytester.path / "merged"
    assert main(["merge", *(str(shard.folder) for shard in shards), "-o", str(merged)]) == 0
    again = replay(evaluate, merged)
    assert (again.run["totals"]["passed"], again.run["verdict"]) == (4, "passed")
    assert "identity" in {gate["name"] for gate in again.run["gates"]}
