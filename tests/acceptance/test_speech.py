"""Real transcribers: Whisper tiny.en and base on real speech, and a real server that dies in mid-session.

The recording is read in place from the folder ``shared`` beside the project and is no part of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.examples.embedded_session import EmbeddedSession, infergate, run_embedded
from tests.speech.asr_server import start_process
from tests.speech.espeak import spoken
from tests.speech.whisper_models import BASE_SHA256, TINY_EN_SHA256, base_folder, tiny_en_folder

JFK = Path(__file__).resolve().parents[3] / "shared" / "data" / "jfk.flac"
JFK_WORDS = (
    "And so my fellow Americans ask not what your country can do for you ask what you can do for your country"
)
#: What is said in the clips of a session whose server dies: these are transcribed before, and those after.
BEFORE = {
    "gate": "Please open the garden gate before noon.",
    "bridge": "The old bridge was closed after the heavy rain.",
}
AFTER = {
    "mountain": "There was fresh snow on the mountain this morning.",
    "piano": "My neighbour plays the piano every evening.",
}
SUITE = """
import os
import signal
from pathlib import Path

import pytest

@pytest.fixture
def death(sample):
    doomed = Path("doomed.pid")
    if sample["id"] == "mountain" and doomed.exists():
        os.kill(int(doomed.read_text()), signal.SIGKILL)
        doomed.unlink()

@pytest.mark.infer_task(dataset="clips.jsonl")
@pytest.mark.infer_wer(max=0.7, corpus_max=0.4, normalizer="english", language="en")
def test_clip(death, wer, sample):
    wer.check(audio=sample["audio"], script=sample["script"])
"""
TASK = "test_clips.test_clip"


def write_suite(folder: Path, rows: list[dict[str, Any]]) -> Path:
    suite = folder / "test_clips.py"
    suite.write_text(SUITE)
    (folder / "clips.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return suite


def scores(session: EmbeddedSession) -> dict[str, dict[str, Any]]:
    """Sample → its word error rate."""
    records = map(json.loads, (session.folder / "records.jsonl").read_text("utf-8").splitlines())
    return {
        record["sample"]["id"]: score
        for record in records
        for score in record["scores"]
        if score["name"] == "wer"
    }


@pytest.mark.skipif(not JFK.exists(), reason=f"{JFK.name} is not beside the project on this machine")
def test_two_models_hear_real_speech_and_are_not_compared(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, [{"id": "jfk", "audio": str(JFK), "script": JFK_WORDS}])
    sessions = {
        name: run_embedded(suite, cwd=tmp_path, run=name, source=f"--infer-asr-model={folder}")
        for name, folder in (("tiny.en", tiny_en_folder()), ("base", base_folder()))
    }
    weights = {"tiny.en": TINY_EN_SHA256, "base": BASE_SHA256}
    for name, session in sessions.items():
        assert (session.status, session.run["verdict"]) == (0, "passed"), session.output
        score = scores(session)["jfk"]
        # Measured: no word wrong of 22, by either. One is left for machines that round otherwise.
        assert score["pooled"]["whole"] == 22
        assert score["pooled"]["part"] <= 1
        assert score["value"] == score["pooled"]["part"] / 22
        assert weights[name] in score["evaluator"]["backend"]
        assert score["fallback"] is None
    done = infergate("compare", *(session.folder for session in sessions.values()), cwd=tmp_path)
    assert done.returncode == 4, done.stdout + done.stderr
    assert "incomparable" in done.stdout
    assert "evaluator" in done.stdout
    for digest in weights.values():
        assert digest[:12] in done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the suite is whose server dies, with its clips."""
    folder = tmp_path_factory.mktemp("dies")
    for name, words in {**BEFORE, **AFTER}.items():
        (folder / f"{name}.wav").write_bytes(spoken(words))
    write_suite(
        folder,
        [
            {"id": name, "audio": f"{name}.wav", "script": words}
            for name, words in {**BEFORE, **AFTER}.items()
        ],
    )
    return folder


def listen(folder: Path, run: str, *options: str, dies: bool = True) -> EmbeddedSession:
    """Run the suite with a server of Whisper base in the first place and tiny.en, here, in the second."""
    with start_process(base_folder(), "--model", "whisper-base") as server:
        if dies:
            (folder / "doomed.pid").write_text(str(server.process.pid))
        return run_embedded(
            folder / "test_clips.py",
            f"--infer-asr-model={tiny_en_folder()}",
            *options,
            cwd=folder,
            run=run,
            source=f"--infer-asr={server.url}",
        )


@pytest.fixture(scope="module")
def allowed(folder: Path) -> EmbeddedSession:
    return listen(folder, "allowed", "--infer-asr-fallback=allow")


@pytest.fixture(scope="module")
def forbidden(folder: Path) -> EmbeddedSession:
    return listen(folder, "forbidden")


class TestAServerThatDies:
    """A transcription server is killed between two clips of a session."""

    def test_is_preferred_while_it_lives(self, allowed: EmbeddedSession, forbidden: EmbeddedSession) -> None:
        for session in (allowed, forbidden):
            heard = scores(session)
            for name in BEFORE:
                assert heard[name]["fallback"] is None
                assert heard[name]["value"] is not None
                assert "model whisper-base" in heard[name]["evaluator"]["backend"]

    def test_shows_in_every_later_score_where_a_fallback_is_allowed(self, allowed: EmbeddedSession) -> None:
        assert (allowed.status, allowed.gates) == (0, {TASK: "passed"}), allowed.output
        heard = scores(allowed)
        for name in AFTER:
            assert "model whisper-base" in heard[name]["fallback"]["from"]
            assert heard[name]["fallback"]["because"]
            assert TINY_EN_SHA256 in heard[name]["evaluator"]["backend"]
            assert heard[name]["value"] is not None
        assert "by the fallback faster-whisper" in allowed.output

    def test_leaves_the_later_clips_without_a_rate_where_none_is(self, forbidden: EmbeddedSession) -> None:
        heard = scores(forbidden)
        for name in AFTER:
            assert (heard[name]["value"], heard[name]["pooled"]) == (None, None)
            assert heard[name]["missing"]["reason"] == "fallback_not_allowed"
        assert (forbidden.status, forbidden.run["verdict"]) == (1, "missing"), forbidden.output
        assert forbidden.totals[TASK] == {"planned": 4, "passed": 2, "failed": 0, "missing": 2}

    def test_is_asked_again_later_and_the_two_are_not_compared(
        self, folder: Path, allowed: EmbeddedSession
    ) -> None:
        again = listen(folder, "again", f"--infer-replay={allowed.folder}", dies=False)
        assert (again.status, again.run["verdict"]) == (0, "passed"), again.output
        assert {score["fallback"] for score in scores(again).values()} == {None}
        done = infergate("compare", allowed.folder, again.folder, cwd=folder)
        assert done.returncode == 4, done.stdout + done.stderr
        assert "fallback" in done.stdout
