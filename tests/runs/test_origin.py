"""Where and on what a run takes place."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pytest_infergate.runs import Project, project_state, start_of_run


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "file").write_text("1")
    git(tmp_path, "add", "file")
    return tmp_path


def test_a_commit_and_whether_files_differ_from_it(repository: Path) -> None:
    assert project_state(repository) is None  # nothing is committed yet
    git(repository, "commit", "--quiet", "-m", "one")
    commit = git(repository, "rev-parse", "HEAD")
    assert project_state(repository) == Project(commit=commit, is_dirty=False)
    (repository / "new").write_text("an eval, perhaps")
    assert project_state(repository) == Project(commit=commit, is_dirty=True)
    (repository / ".gitignore").write_text("*\n")
    assert project_state(repository) == Project(commit=commit, is_dirty=False)
    (repository / "file").write_text("2")
    assert project_state(repository) == Project(commit=commit, is_dirty=True)


def test_no_project_is_none(tmp_path: Path) -> None:
    assert project_state(tmp_path / "nowhere") is None


def test_a_machine_without_git_has_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert project_state(tmp_path) is None


def test_the_head_says_who_and_when(tmp_path: Path) -> None:
    head = start_of_run("id", root=tmp_path, argv=["pytest"], settings={"retries": 3}, partial=["-k x"])
    assert (head.run_id, head.argv, head.settings, head.partial) == (
        "id",
        ("pytest",),
        {"retries": 3},
        ("-k x",),
    )
    assert head.started.endswith("Z")
