"""A run folder as it grows, and what a crash leaves."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_infergate.runs import (
    RunFolderError,
    RunWriter,
    Secrets,
    new_run_folder,
    read_run,
    summarise,
)
from pytest_infergate.runs.validate import validate_run

from .made import FINISHED, HEAD, PLANS, RECORDS, line_of, record, write_run

ROOT = Path(__file__).resolve().parents[2]


def run_json(folder: Path) -> dict[str, object]:
    value: dict[str, object] = json.loads((folder / "run.json").read_text(encoding="ascii"))
    return value


def test_a_finished_run_says_what_it_holds(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    raw = (folder / "records.jsonl").read_bytes()
    assert raw.decode("ascii").splitlines() == [line_of(made) for made in RECORDS]
    value = run_json(folder)
    assert list(value)[:4] == ["schema", "run_id", "started", "finished"]
    assert value["records"] == {"count": 6, "sha256": sha256(raw).hexdigest()}
    assert value["finished"] == FINISHED
    assert value["verdict"] == "missing"
    assert value["totals"] == {"planned": 6, "passed": 3, "failed": 1, "missing": 2}
    assert sorted(path.name for path in folder.iterdir()) == ["records.jsonl", "run.json", "verdict.json"]


def test_a_run_says_that_it_is_not_finished_before_the_first_record(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "a" / "run", HEAD)
    value = run_json(writer.folder)
    assert [
        value[name] for name in ("finished", "totals", "tasks", "gates", "verdict", "records", "digest")
    ] == [*(None, None, [], [], None, None, None)]
    writer.close()


def test_each_record_is_on_disk_when_add_returns(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "run", HEAD)
    for number, made in enumerate(RECORDS, 1):
        writer.add(line_of(made))
        assert (tmp_path / "run" / "records.jsonl").read_bytes().count(b"\n") == number == writer.count
    writer.close()


def test_what_is_known_later_is_stated_again(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "run", replace(HEAD, server=None))
    writer.restate(replace(HEAD, partial=("-k capitals",)))
    writer.close()
    value = run_json(tmp_path / "run")
    assert value["server"] == HEAD.server
    assert value["partial"] == {"by": ["-k capitals"]}
    assert value["finished"] is None


def test_an_empty_folder_that_is_there_is_taken(tmp_path: Path) -> None:
    RunWriter.create(tmp_path, HEAD).close()
    assert (tmp_path / "run.json").exists()


def test_a_folder_that_holds_anything_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="is not empty; a run never overwrites another"):
        RunWriter.create(tmp_path, HEAD)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_place_that_cannot_be_a_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(RunFolderError) as caught:
            RunWriter.create(place, HEAD)
        assert str(caught.value).startswith(f"cannot write the run folder {str(place)!r}: ")
        assert "\n" not in str(caught.value)


def test_a_full_disk_keeps_whole_records_and_the_run_unfinished(tmp_path: Path) -> None:
    # A real limit of the system on the size of a file stands for the disk that is full.
    script = """
        import resource, signal
        from pathlib import Path
        from tests.runs.made import HEAD, PLANS, RECORDS, line_of
        from pytest_infergate.runs import RunFolderError, RunWriter, summarise

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        writer = RunWriter.create(Path(__import__("sys").argv[1]), HEAD)
        room = len(line_of(RECORDS[0])) + len(line_of(RECORDS[1])) + 100
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        for made in RECORDS[:2]:
            writer.add(line_of(made))
        for attempt in (
            lambda: writer.add(line_of(RECORDS[2])),
            lambda: writer.add(line_of(RECORDS[3])),
            lambda: writer.finish("2026-01-02T03:05:05Z", summarise(RECORDS[:2], PLANS)),
        ):
            try:
                attempt()
            except RunFolderError as error:
                print(error)
    """
    folder = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-c", dedent(script), str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    said = (
        f"cannot write to {str(folder / 'records.jsonl')!r}: File too large; the 2 records before it are "
        "kept, this one and those after it are lost, and the run stays unfinished: make room and go on with "
        f"--infer-resume={folder}"
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [said] * 3
    assert (folder / "records.jsonl").read_text().splitlines() == [line_of(made) for made in RECORDS[:2]]
    assert read_run(folder).finished is None


@pytest.mark.parametrize("name", ["run.json", "verdict.json"])
def test_a_file_that_is_not_written_leaves_no_half_of_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, target: Path) -> None:
        if Path(target).name == name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        rename(source, target)

    rename = os.replace
    writer = RunWriter.create(tmp_path / "run", HEAD)
    writer.add(line_of(RECORDS[0]))
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(RunFolderError, match=f"cannot write .*{name}': No space left .* --infer-resume="):
        writer.finish(FINISHED, summarise(RECORDS[:1], PLANS))
    assert {path.suffix for path in (tmp_path / "run").iterdir()} == {".json", ".jsonl"}


def test_a_run_that_could_not_begin_leaves_nothing_in_the_way_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(RunFolderError, match=r"No space left on device; nothing is kept: make room"):
            RunWriter.create(tmp_path / "run", HEAD)
    assert not (tmp_path / "run").exists()
    RunWriter.create(tmp_path / "run", HEAD).close()


def test_a_killed_process_leaves_every_judged_record(tmp_path: Path) -> None:
    script = """
        import sys, time
        from pathlib import Path
        from tests.runs.made import HEAD, line_of, record
        from pytest_infergate.runs import RunWriter

        writer = RunWriter.create(Path(sys.argv[1]), HEAD)
        for number in range(50):
            writer.add(line_of(record(str(number))))
        print("judged", flush=True)
        time.sleep(60)
    """
    folder = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-c", dedent(script), str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process:
        assert process.stdout.readline() == "judged\n"
        process.send_signal(signal.SIGKILL)
    assert [made.evaluation.key.sample for made in read_run(folder).records()] == [str(n) for n in range(50)]
    assert int(validate_run(folder).exit_code) == 5


def test_a_closed_run_takes_no_record(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, HEAD)
    writer.close()
    writer.close()
    with pytest.raises(RunFolderError, match="is closed"):
        writer.add(line_of(RECORDS[0]))
    with pytest.raises(RunFolderError, match="is closed"):
        writer.finish(FINISHED, summarise([], PLANS))


def test_known_secrets_are_in_no_file(tmp_path: Path) -> None:
    key = 'sk-"very\\secret'
    said = f"invalid key {key} for http://user:hunter22@host"
    head = replace(
        HEAD,
        argv=("pytest", f"--infer-server=http://user:hunter22@host/{key}"),
        settings={"server": "http://user:hunter22@host"},
        server={**(HEAD.server or {}), "unknown": [key]},
    )
    made = record("france", message=said)
    folder = write_run(
        tmp_path / "run",
        [made],
        head=head,
        secrets=Secrets.of(urls=["http://user:hunter22@host"], keys=[key]),
    )
    for path in folder.iterdir():
        text = path.read_text()
        assert "hunter22" not in text
        assert "very" not in text
    (kept,) = read_run(folder).records()
    assert kept.message == "invalid key [redacted] for http://user:[redacted]@host"


def test_the_default_folder_is_named_by_time_and_kept_out_of_git(tmp_path: Path) -> None:
    folder, run_id = new_run_folder(tmp_path)
    assert folder == tmp_path / ".infergate" / "runs" / run_id
    assert not folder.exists()
    assert (tmp_path / ".infergate" / ".gitignore").read_text() == "*\n"
    assert new_run_folder(tmp_path)[1] != run_id
    assert len(run_id) == len("20260102T030405Z-abcdef")


def test_a_gitignore_that_somebody_wrote_is_kept(tmp_path: Path) -> None:
    (tmp_path / ".infergate").mkdir()
    (tmp_path / ".infergate" / ".gitignore").write_text("runs/\n")
    new_run_folder(tmp_path)
    assert (tmp_path / ".infergate" / ".gitignore").read_text() == "runs/\n"


def test_a_root_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / ".infergate").write_text("")
    with pytest.raises(RunFolderError, match=r"cannot write .*name another run folder with --infer-run=DIR"):
        new_run_folder(tmp_path)


def test_two_sessions_cannot_take_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    listing = Path.iterdir

    def other_session_is_faster(path: Path) -> object:
        entries = list(listing(path))
        os.close(os.open(folder / "records.jsonl", os.O_CREAT))
        return iter(entries)

    monkeypatch.setattr(Path, "iterdir", other_session_is_faster)
    with pytest.raises(RunFolderError, match="File exists"):
        RunWriter.create(folder, HEAD)
