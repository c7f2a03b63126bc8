"""Media of a run: kept whole, copied with the records that name them, and missed where they are gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_infergate.evidence import Artifact, Record, Reply
from pytest_infergate.runs import ArtifactStore, RunFolderError, RunLedger, RunWriter, artifacts_of
from pytest_infergate.runs.kept import KeptRecords
from pytest_infergate.runs.merging import merge_runs
from pytest_infergate.runs.validate import validate_run

from .made import CAPITALS, FINISHED, HEAD, exchange, line_of, record
from .test_merge import Made, write_all

CLIP = b"RIFF....WAVE"
ARTIFACT = Artifact.of(CLIP, "audio/wav")


def spoken(sample: str = "france") -> Record:
    return record(sample, exchanges=[exchange(reply=Reply(text="", artifact=ARTIFACT))])


def write(folder: Path, *records: Record) -> Path:
    writer, ledger = RunWriter.create(folder, HEAD), RunLedger([CAPITALS])
    for made in records:
        writer.artifacts.add(CLIP, "audio/wav")
        writer.add(line_of(made))
        ledger.count(made)
    writer.finish(FINISHED, ledger.summary())
    return folder


def test_a_file_is_named_by_its_bytes_and_written_once(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path)
    assert store.add(CLIP, "audio/wav") == store.add(CLIP, "audio/wav") == ARTIFACT
    assert [path.name for path in store.folder.iterdir()] == [ARTIFACT.sha256]
    assert store.read(ARTIFACT) == CLIP


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "artifacts").write_text("in the way")
    with pytest.raises(RunFolderError, match=r"cannot write .*; make room and run again"):
        ArtifactStore(tmp_path).add(CLIP, "audio/wav")


@pytest.mark.parametrize("name", ["..", "a" * 63, "A" * 64, "../" + "a" * 61, "", "a" * 64 + "\n"])
def test_a_name_that_is_no_digest_is_no_artifact(name: str) -> None:
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        Artifact(sha256=name, size=1, media_type="audio/wav")


def test_a_record_names_its_media_and_delivers_by_them() -> None:
    assert list(artifacts_of(spoken())) == [ARTIFACT]
    assert Reply(text="", artifact=ARTIFACT).missing is None
    assert Record.from_json(spoken().as_json()) == spoken()


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda path: path.unlink(), "the file is not there"),
        (lambda path: path.write_bytes(b"other"), "its sha256 is "),
        (lambda path: path.write_bytes(CLIP[:-1]), "its sha256 is "),
    ],
)
def test_a_run_without_its_media_is_no_evidence(
    tmp_path: Path, damage: Callable[[Path], object], problem: str
) -> None:
    folder = write(tmp_path / "run", spoken())
    assert validate_run(folder).is_valid
    damage(folder / "artifacts" / ARTIFACT.sha256)
    found = validate_run(folder)
    assert not found.is_valid
    assert f"artifacts/{ARTIFACT.sha256}: {problem}" in found.problems[0].what
    with pytest.raises(RunFolderError, match="restore the file"):
        ArtifactStore(folder).read(ARTIFACT)


def shards(root: Path) -> list[Path]:
    """Two shards of one task, written as sessions write them."""
    whole = [spoken("a"), spoken("b")]
    folders = write_all(root, *(Made(records=[made], whole=whole, plans=[CAPITALS]) for made in whole))
    for folder in folders:
        ArtifactStore(folder).add(CLIP, "audio/wav")
    return folders


def test_merging_copies_what_the_records_name(tmp_path: Path) -> None:
    merged = merge_runs(shards(tmp_path), tmp_path / "whole", argv=[])
    assert ArtifactStore(merged.folder).read(ARTIFACT) == CLIP
    assert validate_run(merged.folder).is_valid


def test_merging_a_shard_without_its_media_is_refused(tmp_path: Path) -> None:
    folders = shards(tmp_path)
    (folders[1] / "artifacts" / ARTIFACT.sha256).unlink()
    with pytest.raises(RunFolderError, match="the file is not there"):
        merge_runs(folders, tmp_path / "whole", argv=[])


def test_a_run_that_is_taken_back_takes_its_media_along(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "run", HEAD)
    writer.artifacts.add(CLIP, "audio/wav")
    writer.discard()
    assert not (tmp_path / "run").exists()


def test_what_is_kept_knows_where_its_media_are(tmp_path: Path) -> None:
    kept = KeptRecords.open(write(tmp_path / "run", spoken()))
    assert kept.media.read(ARTIFACT) == CLIP
