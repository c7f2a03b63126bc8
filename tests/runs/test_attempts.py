"""Further attempts at an evaluation: kept beside its record, sealed, checked, and counted nowhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.evidence import Record, Verdict, canonical_json
from pytest_infergate.runs import (
    ATTEMPT_SCHEMA,
    Attempt,
    Because,
    RerunFinding,
    RunFolderError,
    RunLedger,
    RunWriter,
    Secrets,
    read_run,
    summarise,
)
from pytest_infergate.runs.validate import validate_run

from .made import CAPITALS, FINISHED, HEAD, edit_run, line_of, record

FIRST = record("peru", Verdict.FAILED)
SECOND = record("peru")


def line(made: Record = SECOND, because: Because = Because.RERUN, number: int = 1, **changes: Any) -> str:
    attempt = Attempt(because=because, number=number, record=made)
    return canonical_json(attempt.as_json() | changes)


def write(folder: Path, *lines: str, is_finished: bool = True) -> Path:
    records = [FIRST, record("france")]
    writer = RunWriter.create(folder, HEAD)
    for made in records:
        writer.add(line_of(made))
    for text in lines:
        writer.add_attempt(text)
    if is_finished:
        writer.finish(FINISHED, summarise(records, [CAPITALS]))
    writer.close()
    return folder


def run_json(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return value


def test_an_attempt_reads_back_as_it_was_written(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", line(), line(because=Because.CONFIRM), line(FIRST, number=2))
    assert list(read_run(folder).attempts()) == [
        Attempt(because=Because.RERUN, number=1, record=SECOND),
        Attempt(because=Because.CONFIRM, number=1, record=SECOND),
        Attempt(because=Because.RERUN, number=2, record=FIRST),
    ]
    assert json.loads(line()) == {
        "schema": ATTEMPT_SCHEMA,
        "because": "rerun",
        "number": 1,
        "record": SECOND.as_json(),
    }


def test_a_run_in_which_nothing_was_asked_again_has_no_such_file(tmp_path: Path) -> None:
    folder = write(tmp_path / "run")
    assert sorted(path.name for path in folder.iterdir()) == ["records.jsonl", "run.json", "verdict.json"]
    assert run_json(folder)["attempts"] is None
    assert list(read_run(folder).attempts()) == []
    assert validate_run(folder).is_valid


def test_attempts_are_sealed_with_the_run(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", line())
    raw = (folder / "attempts.jsonl").read_bytes()
    assert raw.decode("ascii") == line() + "\n"
    assert run_json(folder)["attempts"] == {"count": 1, "sha256": sha256(raw).hexdigest()}
    assert validate_run(folder).is_valid


def test_each_attempt_is_on_disk_when_it_was_added(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "run", HEAD)
    writer.add(line_of(FIRST))
    for number in (1, 2):
        writer.add_attempt(line(number=number))
        assert (tmp_path / "run" / "attempts.jsonl").read_bytes().count(b"\n") == number
    writer.close()
    with pytest.raises(RunFolderError, match="is closed; no attempt can be added"):
        writer.add_attempt(line(number=3))


def test_an_attempt_changes_no_number_of_the_run(tmp_path: Path) -> None:
    plain, again = write(tmp_path / "plain"), write(tmp_path / "again", line(), line(number=2))
    changing = {"attempts", "digest"}
    assert {k: v for k, v in run_json(plain).items() if k not in changing} == {
        k: v for k, v in run_json(again).items() if k not in changing
    }
    assert read_run(again).count().summary() == read_run(plain).count().summary()


def test_known_secrets_are_in_no_attempt(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "run", HEAD, Secrets(["sk-hunter22"]))
    writer.add(line_of(FIRST))
    writer.add_attempt(line(replace(SECOND, message="the key sk-hunter22 is wrong")))
    writer.close()
    assert "hunter22" not in (tmp_path / "run" / "attempts.jsonl").read_text()


def test_an_attempt_that_cannot_be_kept_leaves_the_run_unfinished(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "run", HEAD)
    writer.add(line_of(FIRST))
    (tmp_path / "run" / "attempts.jsonl").mkdir()
    for attempt in (
        lambda: writer.add_attempt(line()),
        lambda: writer.finish(FINISHED, summarise([FIRST], [CAPITALS])),
    ):
        with pytest.raises(
            RunFolderError, match=r"cannot write .*attempts\.jsonl': File exists; the 1 records"
        ):
            attempt()
    writer.close()
    assert read_run(tmp_path / "run").finished is None


@pytest.mark.parametrize(
    ("attempts", "found"),
    [
        ([], None),
        ([line()], RerunFinding(count=1, changed=1, example="capitals/peru#0")),
        # Twice wrong is no change.
        ([line(FIRST)], RerunFinding(count=1, changed=0, example="capitals/peru#0")),
        # One evaluation, however often it is run again, and whichever of the attempts came out otherwise.
        ([line(FIRST), line(number=2)], RerunFinding(count=1, changed=1, example="capitals/peru#0")),
        ([line(), line(FIRST, number=2)], RerunFinding(count=1, changed=1, example="capitals/peru#0")),
        # The example is one that changed, where there is one.
        (
            [line(record("france")), line()],
            RerunFinding(count=2, changed=1, example="capitals/peru#0"),
        ),
        # Asking again to confirm is this tool's own doing.
        ([line(because=Because.CONFIRM)], None),
    ],
)
def test_a_run_tells_what_another_plugin_ran_again(
    tmp_path: Path, attempts: list[str], found: RerunFinding | None
) -> None:
    assert read_run(write(tmp_path / "run", *attempts)).count().findings().reruns == found


def test_reruns_that_are_told_one_by_one_are_told_the_same() -> None:
    ledger = RunLedger([CAPITALS])
    for again in (Verdict.PASSED, Verdict.FAILED):
        ledger.count_rerun("capitals/peru#0", first=Verdict.FAILED, again=again)
    assert ledger.findings().reruns == RerunFinding(count=1, changed=1, example="capitals/peru#0")


FAULTS: dict[str, tuple[list[str], str]] = {
    "not JSON": (["{"], "attempts.jsonl:1: "),
    "another schema": (
        [line(schema="infergate.attempt/2")],
        "attempts.jsonl:1: $.schema: 'infergate.attempt/1' was expected",
    ),
    "an unknown cause": (
        [canonical_json(json.loads(line()) | {"because": "luck"})],
        "attempts.jsonl:1: $.because: 'luck' is not one of",
    ),
    "a number below 1": ([line(number=0)], "attempts.jsonl:1: $.number: 0 is less than the minimum of 1"),
    "a record that is none": (
        [canonical_json(json.loads(line()) | {"record": {}})],
        "attempts.jsonl:1: record: $: ",
    ),
    "a record against itself": (
        [line(replace(SECOND, started=None, duration_s=None))],
        "attempts.jsonl:1: capitals/peru#0: passed though it never started",
    ),
    "nothing that was judged": (
        [line(record("spain"))],
        "attempts.jsonl:1: capitals/spain#0: has no record; a further attempt needs a first",
    ),
    "one that is left out": (
        [line(), line(number=3)],
        "attempts.jsonl:2: capitals/peru#0: number 3 of its attempts to rerun; 2 comes here",
    ),
}


@pytest.mark.parametrize("is_finished", [True, False])
@pytest.mark.parametrize(("lines", "told"), FAULTS.values(), ids=FAULTS.keys())
def test_an_attempt_that_cannot_be_one_is_named(
    tmp_path: Path, lines: list[str], told: str, is_finished: bool
) -> None:
    found = validate_run(write(tmp_path / "run", *lines, is_finished=is_finished))
    assert not found.is_valid
    assert int(found.exit_code) == 5
    assert any(str(problem).startswith(told) for problem in found.problems), found.problems


def tear(folder: Path) -> None:
    path = folder / "attempts.jsonl"
    path.write_bytes(path.read_bytes()[:-20])


def edit(folder: Path) -> None:
    path = folder / "attempts.jsonl"
    path.write_text(path.read_text().replace("Paris", "Lyons"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (tear, "attempts.jsonl:1: the line does not end; the file is torn"),
        (edit, "attempts.jsonl: sha256 is "),
        (
            lambda folder: (folder / "attempts.jsonl").unlink(),
            "attempts.jsonl: is not there; run.json says 1",
        ),
        (
            lambda folder: edit_run(folder, lambda run: run.update(attempts=None)),
            "attempts.jsonl: is there; run.json says that no evaluation was asked again",
        ),
        (lambda folder: edit_run(folder, lambda run: run.pop("attempts")), "run.json: $: 'attempts' is a"),
    ],
)
def test_a_finished_run_whose_attempts_were_touched_is_not_valid(
    tmp_path: Path, change: Callable[[Path], object], told: str
) -> None:
    folder = write(tmp_path / "run", line())
    change(folder)
    found = validate_run(folder)
    assert any(str(problem).startswith(told) for problem in found.problems), found.problems
    assert found.verdict is None


def test_a_torn_last_attempt_of_an_unfinished_run_is_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", line(), line(number=2), is_finished=False)
    tear(folder)
    assert [attempt.number for attempt in read_run(folder).attempts()] == [1]
    assert [problem.where for problem in validate_run(folder).problems] == ["run.json"]


def test_a_line_that_is_no_attempt_is_named_with_its_place(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", line(), "{}")
    with pytest.raises(RunFolderError, match=r"attempts\.jsonl:2: not an attempt"):
        list(read_run(folder).attempts())
