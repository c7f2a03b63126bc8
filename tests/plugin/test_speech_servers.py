"""The server under test hears or speaks: ``infer.transcribe``, ``infer.speak``, and both again from a run."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from pytest_infergate.cli import main
from pytest_infergate.runs.validate import validate_run
from tests.scripted import Script, ScriptedServer
from tests.speech.asr_server import TranscriptionServer

from .conftest import Evaluate, Outcome
from .heard import hearing, speaking, tone, write_clips

SAID = {1.0: "hello big world", 1.1: "one two three", 1.2: ""}
HEAR = """
import pytest

CASES = [
    pytest.param("1.0.wav", "Hello, big world!", id="right"),
    pytest.param("1.1.wav", "one two four", id="wrong"),
    pytest.param("1.2.wav", "hello", id="nothing"),
    pytest.param("gone.wav", "hello", id="gone"),
    pytest.param("page.wav", "hello", id="page"),
]

@pytest.mark.infer_task(min_pass_rate=0.1, max_missing=1)
@pytest.mark.infer_wer(max=0.3)
@pytest.mark.parametrize(("clip", "words"), CASES)
def test_it(infer, wer, clip, words):
    try:
        heard = infer.transcribe(clip, language="en")
    except Exception:
        return  # to catch it changes nothing
    wer.check(hypothesis=heard, reference=words)

@pytest.mark.infer_task
@pytest.mark.infer_wer(max=1.0)
def test_nothing_is_an_answer(infer, wer):
    wer.check(hypothesis=infer.transcribe("1.2.wav", allow=["empty_reply"]), reference="hello")

@pytest.mark.infer_task
def test_form(infer):
    infer.transcribe("1.0.wav", response_format="srt")
"""
VERDICTS = {
    "right#0": "passed",
    "wrong#0": "failed",
    "nothing#0": "missing empty_reply",
    "gone#0": "missing undecodable_media",
    "page#0": "missing undecodable_media",
}


@pytest.fixture
def ears(pytester: pytest.Pytester) -> Iterator[TranscriptionServer]:
    write_clips(pytester.path, *SAID)
    (pytester.path / "page.wav").write_text("<!doctype html><html>Sign in</html>")
    with hearing(SAID) as server:
        yield server


def of_task(outcome: Outcome, name: str) -> dict[str, str]:
    return {
        id.partition("/")[2]: f"missing {one['missing']['reason']}" if one["missing"] else one["verdict"]
        for id, one in outcome.records.items()
        if id.startswith(f"test_it.{name}/")
    }


def by_name(outcome: Outcome, id: str) -> dict[str, float]:
    return {score["name"]: score["value"] for score in outcome.records[id]["scores"]}


def test_a_clip_is_transcribed_by_the_server_under_test_and_again_from_the_run(
    evaluate: Evaluate, ears: TranscriptionServer, capsys: pytest.CaptureFixture[str]
) -> None:
    first = evaluate(HEAR, url=ears.url)
    assert of_task(first, "test_it") == VERDICTS
    assert of_task(first, "test_nothing_is_an_answer") == {"0#0": "passed"}
    assert of_task(first, "test_form") == {"0#0": "missing evaluator_error"}
    assert "accepted: json, verbose_json" in first.records["test_it.test_form/0#0"]["missing"]["detail"]
    # What is no clip is not sent.
    assert len(ears.requests) == 4
    (exchange,) = first.records["test_it.test_it/right#0"]["exchanges"]
    assert exchange["endpoint"] == "transcription"
    assert exchange["request"]["sampling"] == {
        "language": "en",
        "response_format": "json",
        "temperature": 0,
    }
    assert exchange["request"]["audio"]["media_type"] == "audio/wav"
    figures = by_name(first, "test_it.test_it/right#0")
    assert figures["latency"] > 0
    assert figures["real_time_factor"] == pytest.approx(figures["latency"] / 1.0)
    assert first.records["test_it.test_it/right#0"]["scores"][0]["evaluator"]["kind"] == "error_rate"
    assert validate_run(first.folder).is_valid

    again = evaluate(HEAR, f"--infer-replay={first.folder}", url=None)
    assert of_task(again, "test_it") == VERDICTS
    assert len(ears.requests) == 4
    assert {one["source"] for record in again.records.values() for one in record["exchanges"]} == {"replay"}
    assert validate_run(again.folder).is_valid

    assert main(["row", str(first.folder), "test_it.test_it/right#0"]) == 2
    assert "asked for a transcription, and a row holds a prompt" in capsys.readouterr().err
    assert main(["show", str(first.folder), "--sample", "right"]) == 0
    assert "transcription, HTTP 200" in capsys.readouterr().out


def test_without_a_server_there_is_no_transcript(evaluate: Evaluate, ears: TranscriptionServer) -> None:
    outcome = evaluate(HEAR, f"--infer-asr={ears.url}", url=None)
    assert of_task(outcome, "test_it")["right#0"] == "missing unreachable"
    assert ears.requests == []


SPEAK = """
import pytest

@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.4)
@pytest.mark.parametrize("words", ["hello big world", "one two four"])
def test_it(infer, wer, words):
    clip = infer.speak(words, voice="amy")
    assert clip.duration_s in (1.0, 1.1) and clip.real_time_factor > 0
    wer.check(audio=clip, script=words)
"""
CLIPS = {"hello big world": tone(1.0), "one two four": tone(1.1)}


@pytest.mark.parametrize("how", ["plain", "xdist"])
def test_what_is_spoken_is_kept_and_can_be_heard_again_by_somebody_else(evaluate: Evaluate, how: str) -> None:
    workers = ("-n2",) if how == "xdist" else ()
    with hearing(SAID) as ears, speaking(CLIPS) as server:
        first = evaluate(SPEAK, f"--infer-asr={ears.url}", *workers, url=server.url)
        asked = [received.json for received in server.posts]
    assert first.verdicts == {"hello big world#0": "passed", "one two four#0": "passed"}
    assert {"model": "speaker", "input": "one two four", "response_format": "wav", "voice": "amy"} in asked
    kept = {path.name: path.read_bytes() for path in (first.folder / "artifacts").iterdir()}
    assert sorted(kept.values()) == sorted(CLIPS.values())
    for record in first.records.values():
        (exchange,) = record["exchanges"]
        assert exchange["reply"]["artifact"]["sha256"] in kept
        assert record["scores"][0]["details"]["audio"]["sha256"] in kept
    assert validate_run(first.folder).is_valid

    with hearing({**SAID, 1.1: "one two four"}, model="better") as other:
        again = evaluate(
            SPEAK, f"--infer-replay={first.folder}", f"--infer-asr={other.url}", *workers, url=None
        )
    assert by_name(first, "test_it.test_it/one two four#0")["wer"] == pytest.approx(1 / 3)
    assert by_name(again, "test_it.test_it/one two four#0")["wer"] == 0.0
    assert {path.name for path in (again.folder / "artifacts").iterdir()} == set(kept)
    assert validate_run(again.folder).is_valid
    assert again.run["derived_from"] == {"by": "replay", "runs": [first.run["run_id"]]}


def test_a_clip_that_the_run_lost_is_missing_and_is_not_asked_for(evaluate: Evaluate) -> None:
    with hearing(SAID) as ears, speaking(CLIPS) as server:
        first = evaluate(SPEAK, f"--infer-asr={ears.url}", url=server.url)
        for path in (first.folder / "artifacts").iterdir():
            path.write_bytes(tone(1.0))
        again = evaluate(SPEAK, f"--infer-replay={first.folder}", f"--infer-asr={ears.url}", url=None)
    assert again.verdicts["one two four#0"] == "missing unreachable"
    assert "its sha256 is" in again.records["test_it.test_it/one two four#0"]["missing"]["detail"]


def test_two_servers_each_have_the_clips_of_their_own_run(evaluate: Evaluate) -> None:
    swapped = {"hello big world": tone(1.1), "one two four": tone(1.0)}
    with hearing(SAID) as ears, speaking(CLIPS) as server, speaking(swapped) as base:
        outcome = evaluate(SPEAK, f"--infer-asr={ears.url}", f"--infer-against={base.url}", url=server.url)
    folders = [outcome.folder, outcome.folder.with_name(f"{outcome.folder.name}-base")]
    for folder in folders:
        found = validate_run(folder)
        assert found.is_valid, [str(problem) for problem in found.problems]
        assert len(list((folder / "artifacts").iterdir())) == 2
    base_records = [json.loads(line) for line in (folders[1] / "records.jsonl").read_text().splitlines()]
    assert {record["verdict"] for record in base_records} == {"failed"}


def test_a_resumed_run_takes_the_clips_along(evaluate: Evaluate) -> None:
    with hearing(SAID) as ears, speaking(CLIPS) as server:
        first = evaluate(SPEAK, f"--infer-asr={ears.url}", "-x", "-k", "hello", url=server.url)
        asked = len(server.posts)
        second = evaluate(SPEAK, f"--infer-asr={ears.url}", f"--infer-resume={first.folder}", url=server.url)
        assert len(server.posts) == asked + 1
    assert second.verdicts == {"hello big world#0": "passed", "one two four#0": "passed"}
    assert len(list((second.folder / "artifacts").iterdir())) == 2
    assert validate_run(second.folder).is_valid


CUT = Script(
    content_type="audio/wav", body=[tone(1.0)[:9000]], framing="length", length=32044, ending="close"
)
TROUBLE = [
    ("empty", Script(content_type="audio/wav", body=[]), "empty_reply"),
    ("page", Script(content_type="text/html", body=[b"<html>Sign in</html>"]), "server_error"),
    ("cut", CUT, "broken_stream"),
    ("cut and well sent", Script(content_type="audio/wav", body=[tone(1.0)[:9000]]), "undecodable_media"),
    ("noise", Script(content_type="audio/wav", body=[bytes(range(256)) * 9]), "undecodable_media"),
]


@pytest.mark.parametrize(
    ("script", "reason"), [case[1:] for case in TROUBLE], ids=[case[0] for case in TROUBLE]
)
def test_what_cannot_be_heard_is_missing(evaluate: Evaluate, script: Script, reason: str) -> None:
    listed = b'{"object": "list", "data": [{"id": "speaker", "object": "model"}]}'
    models = Script(content_type="application/json", body=[listed])
    source = SPEAK.replace("    assert clip.duration_s in (1.0, 1.1) and clip.real_time_factor > 0\n", "")
    with (
        hearing(SAID) as ears,
        ScriptedServer(lambda received: models if received.method == "GET" else script) as server,
    ):
        outcome = evaluate(source, f"--infer-asr={ears.url}", "-k", "hello", url=server.url)
    assert outcome.verdict == (f"missing {reason}", "missing", 1)
    assert validate_run(outcome.folder).is_valid
