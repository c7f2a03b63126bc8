"""Reading runs back, whole and torn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_infergate.evidence import GateRule
from pytest_infergate.runs import ForeignFolderError, RunFolderError, read_run

from .made import HEAD, PLANS, RECORDS, write_run


def test_a_run_reads_back_as_it_was(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "run"))
    assert run.head == HEAD
    assert run.plans == PLANS
    assert tuple(run.records()) == RECORDS
    assert run.count().summary(run.gates).verdict is run.verdict


def test_a_torn_tail_of_an_unfinished_run_keeps_all_other_records(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", is_finished=False)
    path = folder / "records.jsonl"
    whole = path.read_bytes()
    last = len(whole.splitlines(keepends=True)[-1])
    for cut in range(1, last + 1):
        path.write_bytes(whole[:-cut])
        # With all but its line feed the last record is whole.
        assert tuple(read_run(folder).records()) == (RECORDS if cut == 1 else RECORDS[:-1]), cut


def test_a_torn_tail_of_a_finished_run_is_told(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    path = folder / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(RunFolderError, match=r"records.jsonl:6: not a record .*infergate validate"):
        list(read_run(folder).records())


def test_a_bad_line_before_the_last_is_told_even_of_an_unfinished_run(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", is_finished=False)
    path = folder / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"{}\n", *lines[3:]]))
    with pytest.raises(RunFolderError, match=r"records\.jsonl:3: not a record"):
        list(read_run(folder).records())


def test_tasks_of_an_unfinished_run_are_told_by_its_records(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "run", is_finished=False))
    assert (run.finished, run.verdict, run.plans) == (None, None, ())
    assert [(plan.name, plan.rule) for plan in run.count().plans] == [
        ("capitals", GateRule()),
        ("sums", GateRule()),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "has no run.json, so it is not a run"),
        ("[]", "schema None is not 'infergate.run/1'"),
        ("{}", "schema None is not 'infergate.run/1'"),
        ('{"schema": "other/1"}', "schema 'other/1' is not 'infergate.run/1'"),
        ('{"schema": 1}', "schema 1 is not 'infergate.run/1'"),
        (
            '{"schema": "infergate.run/2"}',
            "is newer than 'infergate.run/1', which this version reads; upgrade",
        ),
        ('{"schema": "infergate.run/x"}', "is not 'infergate.run/1'"),
    ],
)
def test_a_folder_that_is_no_run_of_ours_is_foreign(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "run.json").write_text(text)
    with pytest.raises(ForeignFolderError) as caught:
        read_run(tmp_path)
    assert said in str(caught.value)


def test_a_file_or_nothing_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "nowhere"):
        with pytest.raises(ForeignFolderError, match="is not a folder"):
            read_run(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"schema": "infergate.run/1"', "not JSON"),
        ("", "not JSON"),
        ('{"schema": "infergate.run/1", "schema": "infergate.run/1"}', "key 'schema' occurs twice"),
        ('{"schema": "infergate.run/1", "x": NaN}', "NaN is not a number in JSON"),
        ('{"schema": "infergate.run/1", "x": 1e999}', "1e999 is too large"),
        ('{"schema": "infergate.run/1", "x": "é"}', "not ASCII"),
        ("[" * 200_000, "nested too deeply"),
        ('{"schema": "infergate.run/1"}', "not as a run is written"),
    ],
)
def test_a_damaged_run_json_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunFolderError) as caught:
        read_run(tmp_path)
    assert said in str(caught.value)
    assert not isinstance(caught.value, ForeignFolderError)


def test_a_field_of_the_wrong_type_is_told(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    value = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**value, "tasks": 3}))
    with pytest.raises(RunFolderError, match="not as a run is written"):
        read_run(folder)
