"""Where this process keeps the media of a run: in its folder, or with the records that travel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ...evidence import Artifact, NoAnswer, Reason
from ...runs import ArtifactStore, RunFolderError
from ..evaluations.evaluation import RunningEvaluation
from ..evaluations.kept_media import SENT_AT_MOST, KeptPicture

#: The media of the run, and of the second server's; absent in a worker of xdist on another host.
ARTIFACTS = pytest.StashKey[ArtifactStore]()
BASE_ARTIFACTS = pytest.StashKey[ArtifactStore]()
#: The keys in a worker's input.
_FOLDERS = {"infergate_run": ARTIFACTS, "infergate_base_run": BASE_ARTIFACTS}


def keep_media(
    running: RunningEvaluation, content: bytes, artifact: Artifact, store: ArtifactStore | None
) -> None:
    """Keep what the server under test made; ``store`` ``None``: another host writes the run.

    Raises ``NoAnswer`` (``evaluator_error``) where it cannot be kept: evidence that is not there is none.
    """
    if store is not None:
        try:
            store.add(content, artifact.media_type)
        except RunFolderError as error:
            raise NoAnswer(Reason.EVALUATOR_ERROR, error) from error
        return
    sent = sum(len(one.content) for one in running.now.pictures) + len(content)
    if sent > SENT_AT_MOST or running.is_beside:
        raise NoAnswer(
            Reason.EVALUATOR_ERROR,
            f"{sent:,} bytes were made on another host than the run is on, from where {SENT_AT_MOST:,} of an "
            "evaluation are taken along, and none of a second server's; run the workers on one host",
        )
    running.now.pictures.append(KeptPicture(content=content, media_type=artifact.media_type))


def send_folders(config: pytest.Config, workerinput: dict[str, Any]) -> None:
    """Let a worker on the same host write the media of the runs itself."""
    for name, key in _FOLDERS.items():
        store = config.stash.get(key, None)
        if store is not None:
            workerinput[name] = json.dumps(str(store.run))


def receive_folders(config: pytest.Config) -> None:
    """Take from the controller, in a worker, where the runs are kept."""
    for name, key in _FOLDERS.items():
        text = config.workerinput.get(name)  # type: ignore[attr-defined]
        if text is not None:
            config.stash[key] = ArtifactStore(Path(json.loads(text)))
