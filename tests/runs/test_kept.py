"""What a run finished, for another one to keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_infergate.evidence import Reason, ReasonGroup, Record, Verdict, canonical_json
from pytest_infergate.runs import Attempt, Because, Derivation, DerivedBy, RunFolderError, RunWriter
from pytest_infergate.runs.kept import KeptRecords, is_kept

from .made import CAPITALS, HEAD, RECORDS, line_of, missing, record, write_run


def labelled(made: Record) -> Record:
    exchanges = tuple({**one, "source": "resume"} for one in made.exchanges)
    return replace(made, exchanges=exchanges, kept_from=HEAD.run_id)


@pytest.mark.parametrize("reason", Reason)
def test_what_is_missing_is_kept_only_where_the_model_did_not_deliver(reason: Reason) -> None:
    assert is_kept(missing("france", reason)) is (reason.group is ReasonGroup.MODEL)


@pytest.mark.parametrize("verdict", [Verdict.PASSED, Verdict.FAILED])
def test_what_has_a_verdict_is_kept(verdict: Verdict) -> None:
    assert is_kept(record("france", verdict))


@pytest.mark.parametrize("is_finished", [True, False])
def test_records_are_found_by_evaluation_and_labelled(tmp_path: Path, is_finished: bool) -> None:
    kept = KeptRecords.open(write_run(tmp_path / "run", is_finished=is_finished))
    expected = {str(one.evaluation.key): labelled(one) for one in RECORDS if is_kept(one)}
    assert list(kept) == list(expected)
    assert {id: kept.find(id) for id in kept} == expected
    assert kept.find("sums/3+3#0") is None  # timed out
    assert kept.find("capitals/atlantis#0") is None


@pytest.mark.parametrize("left", range(0, 400, 40))
def test_a_torn_last_line_is_nothing(tmp_path: Path, left: int) -> None:
    folder = write_run(tmp_path / "run", RECORDS[:3], [CAPITALS], is_finished=False)
    path = folder / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]) + lines[2][:left])
    assert list(KeptRecords.open(folder)) == ["capitals/france#0", "capitals/spain#0"]


def test_a_run_that_was_killed_before_its_first_record_has_nothing(tmp_path: Path) -> None:
    RunWriter.create(tmp_path / "run", HEAD).close()
    assert list(KeptRecords.open(tmp_path / "run")) == []


def test_attempts_belong_to_what_is_kept(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "run", HEAD)
    wrong, late = record("peru", Verdict.FAILED), missing("iran", Reason.TIMEOUT)
    for made in (wrong, late):
        writer.add(line_of(made))
        attempt = Attempt(because=Because.RERUN, number=1, record=replace(made))
        writer.add_attempt(canonical_json(attempt.as_json()))
    writer.close()
    kept = KeptRecords.open(tmp_path / "run")
    assert kept.attempts("capitals/peru#0") == (
        Attempt(because=Because.RERUN, number=1, record=labelled(wrong)),
    )
    assert kept.attempts("capitals/iran#0") == ()


@pytest.mark.parametrize(
    ("derived", "runs"),
    [
        (None, ("20260102T030405Z-abcdef",)),
        (Derivation(by=DerivedBy.RESUME, runs=("a", "b")), ("a", "b", "20260102T030405Z-abcdef")),
        # What was merged is one run by now.
        (Derivation(by=DerivedBy.MERGE, runs=("a", "b")), ("20260102T030405Z-abcdef",)),
    ],
)
def test_a_chain_of_resumed_runs_is_named_whole(
    tmp_path: Path, derived: Derivation | None, runs: tuple[str, ...]
) -> None:
    folder = write_run(tmp_path / "run", head=replace(HEAD, derived_from=derived))
    assert KeptRecords.open(folder).derivation == Derivation(by=DerivedBy.RESUME, runs=runs)


def edited(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_text(path.read_text().replace("Madrid", "Madras"))


def broken(folder: Path) -> None:
    path = folder / "records.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{}", *lines[2:], ""]))


@pytest.mark.parametrize(
    ("damage", "is_finished", "told"),
    [
        (edited, True, "records.jsonl: sha256 is "),
        (broken, True, "records.jsonl:2: "),
        (broken, False, "records.jsonl:2: "),
        (lambda folder: (folder / "records.jsonl").write_text(""), True, "records.jsonl: lines: 0; "),
    ],
)
def test_a_folder_that_is_not_as_its_run_left_it_is_refused(
    tmp_path: Path, damage: Callable[[Path], object], is_finished: bool, told: str
) -> None:
    folder = write_run(tmp_path / "run", is_finished=is_finished)
    damage(folder)
    with pytest.raises(RunFolderError) as caught:
        KeptRecords.open(folder)
    assert str(caught.value).startswith(f"{str(folder)!r} is not as its run left it: {told}")


def test_a_record_that_changes_under_way_is_named(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    kept = KeptRecords.open(folder)
    (folder / "records.jsonl").write_text("[]\n")
    with pytest.raises(RunFolderError, match=r"the record of capitals/france#0 changed while it was read"):
        kept.find("capitals/france#0")


def test_a_record_of_another_evaluation_in_its_place_is_not_taken_for_it(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    kept = KeptRecords.open(folder)
    (folder / "records.jsonl").write_text(line_of(record("italy")) + "\n")
    with pytest.raises(RunFolderError, match="changed while it was read"):
        kept.find("capitals/france#0")
