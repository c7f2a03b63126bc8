"""What the server under test made is kept with the run, wherever that is written, or it is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from pytest_infergate.evidence import Artifact, NoAnswer, Reason
from pytest_infergate.plugin.evaluations.evaluation import RunningEvaluation
from pytest_infergate.plugin.evaluations.kept_media import SENT_AT_MOST, keep_pictures, media_text
from pytest_infergate.plugin.run.run_media import keep_media
from pytest_infergate.runs import ArtifactStore

MADE = b"\x89PNG and so on"


def under_way(*, is_beside: bool = False) -> RunningEvaluation:
    nothing = cast(Any, None)
    return RunningEvaluation(evaluation=nothing, task=nothing, sample=nothing, is_beside=is_beside)


def keep(running: RunningEvaluation, content: bytes, store: ArtifactStore | None = None) -> Artifact:
    artifact = Artifact.of(content, "image/png")
    keep_media(running, content, artifact, store)
    return artifact


def test_on_the_host_of_the_run_it_is_in_its_folder_at_once(tmp_path: Path) -> None:
    running, store = under_way(), ArtifactStore(tmp_path)
    assert store.read(keep(running, MADE, store)) == MADE
    assert running.now.pictures == []


def test_from_another_host_it_travels_with_the_report(tmp_path: Path) -> None:
    running, store = under_way(), ArtifactStore(tmp_path)
    artifact = keep(running, MADE)
    assert not (tmp_path / "artifacts").exists()
    assert keep_pictures(media_text(running.now.pictures, []), store) == []
    assert store.read(artifact) == MADE


def test_what_is_too_much_to_travel_is_missing() -> None:
    running = under_way()
    keep(running, bytes(SENT_AT_MOST - 1))
    with pytest.raises(NoAnswer, match="run the workers on one host") as raised:
        keep(running, MADE)
    assert raised.value.reason is Reason.EVALUATOR_ERROR


def test_what_the_second_server_made_on_another_host_is_missing() -> None:
    with pytest.raises(NoAnswer, match="none of a second server's"):
        keep(under_way(is_beside=True), MADE)


def test_what_the_disk_does_not_take_is_missing(tmp_path: Path) -> None:
    (tmp_path / "artifacts").write_text("no folder")
    with pytest.raises(NoAnswer, match="make room") as raised:
        keep(under_way(), MADE, ArtifactStore(tmp_path))
    assert raised.value.reason is Reason.EVALUATOR_ERROR
