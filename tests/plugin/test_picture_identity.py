"""A picture is its bytes: no two of them share a reply, and no run goes on over another one."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.scripted import ScriptedServer

from .conftest import Evaluate, Outcome
from .heard import hearing, tone
from .test_visual import png

COLOURS = ("red", "green", "blue", "orange", "purple", "black")
#: Every sample asks the same of its own picture, and gold is what that picture is known by.
MARKED = """
import pytest

@pytest.mark.infer_task(dataset="data/rows.jsonl", prompt=[{"role": "user", "content": [
    {"type": "text", "text": "Which?"}, {"type": "image", "path": "{picture}"}]}])
def test_it(reply, sample):
    assert reply.text == sample["gold"]
"""
FREE = """
import pytest

@pytest.mark.infer_task(dataset="data/rows.jsonl")
def test_it(infer, sample):
    said = infer.chat([{"role": "user", "content": [
        {"type": "text", "text": "Which?"}, {"type": "image", "path": sample["picture"]}]}])
    assert said.text == sample["gold"]
"""
SOURCES = pytest.mark.parametrize("source", [MARKED, FREE], ids=["marker", "infer.chat"])

ROUTES = pytest.mark.parametrize(
    ("source", "workers"), [(MARKED, ()), (FREE, ("-n2",))], ids=["marker", "infer.chat under xdist"]
)


def told(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]


def sent(body: dict[str, Any]) -> bytes:
    (part,) = [one for one in body["messages"][0]["content"] if one["type"] == "image_url"]
    return b64decode(part["image_url"]["url"].partition(",")[2])


@pytest.fixture
def seeing() -> Iterator[ScriptedServer]:
    """A server that answers with what it sees, after a while: requests overlap."""
    with ScriptedServer.answering(lambda body: told(sent(body)), latency=0.02) as server:
        yield server


@pytest.fixture
def rows(pytester: pytest.Pytester) -> Path:
    """A data set in a folder of its own with its pictures; others of the same names are beside the test."""
    data = pytester.path / "data"
    (data / "pictures").mkdir(parents=True)
    (pytester.path / "pictures").mkdir()
    lines = []
    for colour in COLOURS:
        content = png(colour=colour)
        (data / "pictures" / f"{colour}.png").write_bytes(content)
        (pytester.path / "pictures" / f"{colour}.png").write_bytes(png(blank=True))
        lines.append({"id": colour, "picture": f"pictures/{colour}.png", "gold": told(content)})
    (data / "rows.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return data


def digests(outcome: Outcome) -> set[str]:
    return {one["request_digest"] for record in outcome.records.values() for one in record["exchanges"]}


@ROUTES
def test_each_sample_has_the_reply_to_its_own_picture_and_again_from_the_run(
    evaluate: Evaluate, seeing: ScriptedServer, rows: Path, source: str, workers: tuple[str, ...]
) -> None:
    first = evaluate(source, "--infer-concurrency=4", *workers, url=seeing.url)
    assert first.verdicts == {f"{colour}#0": "passed" for colour in COLOURS}
    assert len(seeing.posts) == len(COLOURS) == len(digests(first))
    for colour in COLOURS:
        record = first.records[f"test_it.test_it/{colour}#0"]
        path = rows / "pictures" / f"{colour}.png"
        assert record["files"] == [{"path": str(path), "sha256": sha256(path.read_bytes()).hexdigest()}]
    assert validate_run(first.folder).problems == ()
    again = evaluate(source, f"--infer-replay={first.folder}", *workers, url=None)
    assert again.verdicts == first.verdicts
    assert digests(again) == digests(first)


@SOURCES
def test_pictures_that_are_exchanged_have_no_stored_reply(
    evaluate: Evaluate, seeing: ScriptedServer, rows: Path, source: str
) -> None:
    """Both pictures are in the run, each with the same text: the reply of neither is that of the other."""
    first = evaluate(source, url=seeing.url)
    one, other = rows / "pictures" / "red.png", rows / "pictures" / "blue.png"
    red, blue = one.read_bytes(), other.read_bytes()
    one.write_bytes(blue)
    other.write_bytes(red)
    again = evaluate(source, f"--infer-replay={first.folder}", url=None)
    assert again.verdicts == {
        f"{colour}#0": "missing unreachable" if colour in ("red", "blue") else "passed" for colour in COLOURS
    }


@ROUTES
def test_a_run_does_not_go_on_over_a_picture_that_changed_and_names_it(
    evaluate: Evaluate, seeing: ScriptedServer, rows: Path, source: str, workers: tuple[str, ...]
) -> None:
    first = evaluate(source, "-k", "red or blue", url=seeing.url)
    asked = len(seeing.posts)
    path = rows / "pictures" / "blue.png"
    before = path.read_bytes()
    path.write_bytes(png(colour="yellow"))
    refused = evaluate(source, f"--infer-resume={first.folder}", *workers, url=seeing.url)
    text = "\n".join([*refused.result.outlines, *refused.result.errlines])
    assert refused.result.ret == 4
    (line,) = [one for one in text.splitlines() if one.startswith("ERROR") and "--infer-resume" in one]
    assert f"test_it.test_it/blue#0: its file {str(path)!r} (its sha256) is" in line
    assert len(seeing.posts) == asked

    path.write_bytes(before)
    resumed = evaluate(source, f"--infer-resume={first.folder}", *workers, url=seeing.url)
    assert resumed.verdicts == {f"{colour}#0": "passed" for colour in COLOURS}
    assert len(seeing.posts) == asked + len(COLOURS) - 2
    assert validate_run(resumed.folder).problems == ()
    # What was kept can be gone on with in its turn, and is held to its files still.
    path.write_bytes(png(colour="yellow"))
    assert evaluate(source, f"--infer-resume={resumed.folder}", url=seeing.url).result.ret == 4


@SOURCES
def test_a_picture_that_was_not_kept_may_change(
    evaluate: Evaluate, seeing: ScriptedServer, rows: Path, source: str
) -> None:
    first = evaluate(source, "-k", "red", url=seeing.url)
    (rows / "pictures" / "blue.png").write_bytes(png(colour="yellow"))
    second = evaluate(source, f"--infer-resume={first.folder}", url=seeing.url)
    assert second.verdicts["blue#0"] == "failed"
    assert second.verdicts["red#0"] == "passed"


@SOURCES
def test_runs_over_other_pictures_are_not_compared(
    evaluate: Evaluate, seeing: ScriptedServer, rows: Path, source: str
) -> None:
    """The rows are the same to the letter, and so is every verdict."""
    any_answer = source.replace('== sample["gold"]', "!= 'nothing'")
    first = evaluate(any_answer, url=seeing.url)
    baseline = f"--infer-baseline={first.folder}"
    assert evaluate(any_answer, baseline, url=seeing.url).run["verdict"] == "passed"
    (rows / "pictures" / "blue.png").write_bytes(png(colour="yellow"))
    other = evaluate(any_answer, baseline, url=seeing.url)
    assert set(other.verdicts.values()) == {"passed"}
    assert (other.run["verdict"], other.result.ret) == ("missing", 1)
    other.result.stdout.fnmatch_lines(["  incomparable  test_it.test_it", "    request 1: *", "*blue#0)"])


LOOKED_AT = """
def test_it(infer, visual):
    expected = visual.open("expected.png")
    assert infer.chat("say something").text
    assert expected.width == 64
"""
COMPARED = """
def test_it(visual):
    visual.matches(visual.open("actual.png"), visual.open("expected.png"))
"""
TRANSCRIBED = """
def test_it(infer):
    assert infer.transcribe("clip.wav").text
"""


@pytest.mark.parametrize(
    ("source", "name"),
    [
        pytest.param(LOOKED_AT, "expected.png", id="opened and looked at by the test itself"),
        pytest.param(COMPARED, "expected.png", id="what another one is held against"),
        pytest.param(COMPARED, "actual.png", id="what is held against it"),
        pytest.param(TRANSCRIBED, "clip.wav", id="a clip that was sent"),
    ],
)
def test_whatever_was_read_from_a_file_is_held_to_be_the_same(
    pytester: pytest.Pytester, evaluate: Evaluate, source: str, name: str
) -> None:
    for picture in ("actual.png", "expected.png"):
        (pytester.path / picture).write_bytes(png())
    (pytester.path / "clip.wav").write_bytes(tone(1.0))
    with ScriptedServer.answering(lambda body: "something") as chat, hearing({1.0: "hello"}) as ears:
        url = ears.url if source is TRANSCRIBED else chat.url
        first = evaluate(source, url=url)
        assert first.verdict == ("passed", "passed", 0)
        assert str(pytester.path / name) in [
            file["path"] for record in first.records.values() for file in record["files"]
        ]
        assert evaluate(source, f"--infer-resume={first.folder}", url=url).verdict == ("passed", "passed", 0)
        (pytester.path / name).write_bytes(tone(1.1) if name == "clip.wav" else png(colour="blue"))
        refused = evaluate(source, f"--infer-resume={first.folder}", url=url)
    assert refused.result.ret == 4
    assert str(pytester.path / name) in "\n".join(refused.result.errlines)


def test_what_is_judged_again_in_part_is_judged_again_where_its_picture_changed(
    evaluate: Evaluate, seeing: ScriptedServer, rows: Path
) -> None:
    first = evaluate(FREE, url=seeing.url)
    (rows / "pictures" / "blue.png").write_bytes(png(colour="yellow"))
    again = evaluate(FREE, f"--infer-replay={first.folder}", "--infer-rescore=missing", url=None)
    assert again.verdicts["blue#0"] == "missing unreachable"
    assert {key: record["kept_from"] is None for key, record in again.records.items()} == {
        f"test_it.test_it/{colour}#0": colour == "blue" for colour in COLOURS
    }


#: What the file of a picture in a data set is, and what the line says of it.
UNUSABLE = [
    ("gone", None, "cannot be read: No such file or directory"),
    ("empty", b"", "is empty"),
    ("a page", b"<!doctype html><html>", "begins with b'<!doctyp'; accepted: image/png"),
    ("a pointer", b"version https://git-lfs.github.com/spec/v1\n", "begins with b'version '"),
    ("a sound", tone(1.0), "is wav; accepted: image/png"),
]


@pytest.mark.parametrize(
    ("content", "said"), [case[1:] for case in UNUSABLE], ids=[case[0] for case in UNUSABLE]
)
def test_a_picture_that_cannot_be_sent_is_one_line_with_its_row(
    evaluate: Evaluate, seeing: ScriptedServer, rows: Path, content: bytes | None, said: str
) -> None:
    path = rows / "pictures" / "green.png"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    outcome = evaluate(MARKED, url=seeing.url)
    whole = f"{rows / 'rows.jsonl'}:2: the image file {str(path)!r} {said}"
    assert [line for line in outcome.result.outlines if line.startswith(whole)], "in one line"
    assert "Traceback" not in outcome.result.stdout.str()
    assert outcome.result.ret != 0
    assert seeing.posts == []

    free = evaluate(FREE, url=seeing.url)
    record = free.records["test_it.test_it/green#0"]
    assert record["missing"]["reason"] == "evaluator_error"
    assert said in record["missing"]["detail"]
    assert len(seeing.posts) == len(COLOURS) - 1


LOOKED = """
import pytest

@pytest.mark.infer_task(dataset="data/rows.jsonl")
@pytest.mark.infer_visual(require=["not_blank"])
def test_it(visual, sample):
    visual.not_blank(visual.open(sample["picture"]))
"""


@pytest.mark.parametrize("content", [None, b"", b"<html>", png()[:-60]], ids=["gone", "empty", "page", "cut"])
def test_a_picture_of_a_row_that_cannot_be_looked_at_is_missing(
    evaluate: Evaluate, rows: Path, content: bytes | None
) -> None:
    path = rows / "pictures" / "green.png"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    outcome = evaluate(LOOKED, url=None)
    assert outcome.verdicts == {
        f"{colour}#0": "missing undecodable_media" if colour == "green" else "passed" for colour in COLOURS
    }
    detail = outcome.records["test_it.test_it/green#0"]["missing"]["detail"]
    assert str(path) in detail
    assert "\n" not in detail
