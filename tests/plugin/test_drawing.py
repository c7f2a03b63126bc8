"""The server under test draws: ``infer.draw``, what is looked at, what the run keeps, and all of it again."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.runs.validate import validate_run
from tests.scripted import Received, Script, ScriptedServer, json_script

from .conftest import Evaluate, Outcome
from .test_visual import only, png

LISTED = {"object": "list", "data": [{"id": "brush", "object": "model"}]}
Answer = Callable[[dict[str, Any]], Script]


def brush(answer: Answer) -> ScriptedServer:
    """Return a server that draws: its answer to each body; it has no other route."""

    def handle(received: Received) -> Script:
        if received.method == "GET" and received.path.endswith("/models"):
            return json_script(LISTED)
        if received.path == "/v1/images/generations":
            return answer(received.json)
        return json_script({"error": {"message": "no such route", "code": 404}}, status=404)

    return ScriptedServer(handle)


def picture(content: bytes, **fields: Any) -> Script:
    return json_script({"created": 1, "data": [{"b64_json": b64encode(content).decode(), **fields}]})


def drawing(pictures: Mapping[str, bytes]) -> ScriptedServer:
    """Return a server that draws what is given for each prompt."""
    return brush(lambda body: picture(pictures[body["prompt"]]))


def words(outcome: Outcome, id: str) -> str:
    missing = outcome.records[f"test_it.test_it/{id}"]["missing"]
    return missing["detail"] if missing else ""


PAINT = """
import pytest

@pytest.mark.infer_task
@pytest.mark.infer_visual(require=["size", "not_blank"])
@pytest.mark.parametrize("prompt", ["a disc", "nothing"])
def test_it(infer, visual, prompt):
    drawn = visual.open(infer.draw(prompt, size="64x48"))
    visual.size(drawn, 64, 48)
    visual.not_blank(drawn)
"""
PICTURES = {"a disc": png(), "nothing": png(blank=True)}
VERDICTS = {"a disc#0": "passed", "nothing#0": "failed"}


@pytest.mark.parametrize("how", ["plain", "xdist"])
def test_what_is_drawn_is_looked_at_kept_and_looked_at_again(
    evaluate: Evaluate, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    workers = ("-n2",) if how == "xdist" else ()
    with drawing(PICTURES) as server:
        first = evaluate(PAINT, *workers, url=server.url)
        asked = [received.json for received in server.posts]
    assert first.verdicts == VERDICTS
    assert len(asked) == 2
    assert {
        "model": "brush",
        "prompt": "a disc",
        "n": 1,
        "response_format": "b64_json",
        "size": "64x48",
    } in asked
    kept = {path.name: path.read_bytes() for path in (first.folder / "artifacts").iterdir()}
    assert sorted(kept.values()) == sorted(PICTURES.values())
    for record in first.records.values():
        (exchange,) = record["exchanges"]
        assert exchange["endpoint"] == "picture"
        drawn = exchange["reply"]["artifact"]
        assert drawn["sha256"] in kept
        assert drawn["media_type"] == "image/png"
        looked_at = [score for score in record["scores"] if score["evaluator"]["kind"] == "visual"]
        assert [one["details"]["media"]["sha256"] for one in looked_at] == [drawn["sha256"]] * 2
        (latency,) = [score for score in record["scores"] if score["name"] == "latency"]
        assert latency["value"] > 0
        assert not latency["gates"]
    assert validate_run(first.folder).problems == ()

    again = evaluate(PAINT, f"--infer-replay={first.folder}", *workers, url=None)
    assert again.verdicts == VERDICTS
    assert {one["source"] for record in again.records.values() for one in record["exchanges"]} == {"replay"}
    assert {path.name for path in (again.folder / "artifacts").iterdir()} == set(kept)
    assert validate_run(again.folder).problems == ()

    capsys.readouterr()
    assert main(["row", str(first.folder), "test_it.test_it/a disc#0"]) == 2
    assert "asked for a picture, and a row holds a prompt" in capsys.readouterr().err
    assert main(["show", str(first.folder), "--sample", "a disc"]) == 0
    shown = capsys.readouterr().out
    assert "picture, HTTP 200" in shown
    size = len(PICTURES["a disc"])
    whole = "".join(line.strip() for line in shown.splitlines())  # a terminal may be narrow
    assert f"{size:,} bytes: artifacts/{sha256(PICTURES['a disc']).hexdigest()}" in whole
    assert "(empty)" not in shown


#: What the server answers, the verdict of a test that only looks whether there is something, and why.
ANSWERS = [
    ("a picture", picture(png()), "passed", ""),
    ("a blank one", picture(png(blank=True)), "failed", ""),
    ("an SVG", picture(b'<svg xmlns="http://www.w3.org/2000/svg"><circle r="40"/></svg>'), "passed", ""),
    ("cut off", picture(png()[:-60]), "missing undecodable_media", "cut off"),
    ("no picture", picture(b"hello, no picture"), "missing undecodable_media", "media of 17 bytes"),
    ("a page", picture(b"<html>Sign in</html>"), "missing undecodable_media", "HTML"),
    ("no data", json_script({"data": []}), "missing empty_reply", "its data are empty"),
    ("two", json_script({"data": [{"b64_json": "aGk="}] * 2}), "missing server_error", "2 pictures"),
    (
        "an address",
        json_script({"data": [{"url": "http://127.0.0.1:9/x.png"}]}),
        "missing server_error",
        "never",
    ),
    ("no base64", json_script({"data": [{"b64_json": "?"}]}), "missing server_error", "is not base64"),
    ("an error with 200", json_script({"error": "CUDA"}), "missing server_error", "CUDA"),
    (
        "a refusal",
        json_script({"error": {"message": "no", "code": "moderation_blocked"}}, status=400),
        "missing refused",
        "no",
    ),
    ("no route", json_script({"detail": "Not Found"}, status=404), "missing server_error", "HTTP 404"),
    ("too many", json_script({"error": "busy"}, status=429), "missing rate_limited", "HTTP 429"),
    ("a fault", json_script({"error": "CUDA"}, status=500), "missing server_error", "HTTP 500"),
    (
        "a page in place of all",
        Script(content_type="text/html", body=[b"<html>"]),
        "missing server_error",
        "html",
    ),
    ("never", Script(head=[], ending="hang"), "missing timeout", "deadline"),
]
LOOK = """
def test_it(infer, visual):
    visual.not_blank(visual.open(infer.draw("a disc")))
"""
#: Nothing that a test catches turns green.
CAUGHT = """
def test_it(infer, visual):
    try:
        visual.open(infer.draw("a disc"))
    except Exception:
        pass
"""


@pytest.mark.parametrize(
    ("script", "verdict", "said"), [case[1:] for case in ANSWERS], ids=[case[0] for case in ANSWERS]
)
def test_each_answer_has_its_verdict(evaluate: Evaluate, script: Script, verdict: str, said: str) -> None:
    quick = ("--infer-retries=0", "--infer-timeout=1")
    with brush(lambda body: script) as server:
        outcome = evaluate(LOOK, *quick, url=server.url)
        caught = evaluate(CAUGHT, *quick, url=server.url)
    assert outcome.verdict[0] == verdict
    if said:
        assert said in only(outcome)["missing"]["detail"]
        assert caught.verdict[0] == verdict
        assert caught.run["verdict"] == "missing"
    for one in (outcome, caught):
        assert validate_run(one.folder).problems == ()
    again = evaluate(LOOK, f"--infer-replay={outcome.folder}", url=None)
    assert again.verdict[0] == verdict


def test_what_the_server_made_of_the_prompt_is_kept(
    evaluate: Evaluate, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """
def test_it(infer):
    reply = infer.draw("a disc")
    assert reply.revised_prompt == "A red disc on white" and not reply.text
"""
    with brush(lambda body: picture(png(), revised_prompt="A red disc on white")) as server:
        first = evaluate(source, url=server.url)
    assert first.verdict[0] == "passed"
    (exchange,) = only(first)["exchanges"]
    assert exchange["reply"]["revised_prompt"] == "A red disc on white"
    assert validate_run(first.folder).problems == ()
    assert evaluate(source, f"--infer-replay={first.folder}", url=None).verdict[0] == "passed"
    capsys.readouterr()
    assert main(["show", str(first.folder), "--sample", "0"]) == 0
    assert "revised prompt\n    A red disc on white\n" in capsys.readouterr().out


HAND_MADE = """
import hashlib
import pytest
from pytest_infergate import Reply
from pytest_infergate.evidence import Artifact

PICTURE = open("disc.png", "rb").read()
MADE = Artifact.of(PICTURE, "image/png")

@pytest.mark.parametrize("reply", [
    pytest.param(Reply(text="", artifact=MADE, content=PICTURE), id="whole"),
    pytest.param(Reply(text="data:image/png;base64,AAAA", artifact=MADE, content=PICTURE), id="beside text"),
    pytest.param(Reply(text="", artifact=MADE), id="record"),
    pytest.param(Reply(text="", artifact=MADE, content=b"no picture"), id="other bytes"),
    pytest.param(Reply(text=""), id="empty"),
])
def test_it(visual, reply):
    assert visual.size(visual.open(reply), 64, 48).passed
"""


def test_a_reply_with_an_artifact_is_that_artifact(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    (pytester.path / "disc.png").write_bytes(png())
    outcome = evaluate(HAND_MADE, url=None)
    assert outcome.verdicts == {
        "whole#0": "passed",
        "beside text#0": "passed",
        "record#0": "missing undecodable_media",
        "other bytes#0": "missing undecodable_media",
        "empty#0": "missing no_answer",
    }
    assert "are not at hand, only its record is" in words(outcome, "record#0")


JUDGED = """
def test_it(infer):
    assert infer.judge("Is it a disc?", infer.draw("a disc"), allow_self=True).passed
"""


def test_a_picture_is_no_text_to_judge(evaluate: Evaluate) -> None:
    with drawing(PICTURES) as server, ScriptedServer.answering(lambda body: '{"verdict": "pass"}') as judge:
        outcome = evaluate(JUDGED, f"--infer-judge={judge.url}", url=server.url)
    assert outcome.verdict[0].startswith("missing")


def gpt_image(body: dict[str, Any]) -> Script:
    if "response_format" in body:
        error = {"message": "Unknown parameter: 'response_format'.", "param": "response_format"}
        return json_script({"error": error}, status=400)
    return picture(png())


def test_a_server_that_refuses_the_form_is_asked_without_it(evaluate: Evaluate) -> None:
    source = LOOK.replace('"a disc"', '"a disc", output_format="png"')
    with brush(gpt_image) as server:
        outcome = evaluate(source, "--infer-retries=0", url=server.url)
        assert len(server.posts) == 2
    assert outcome.verdict == ("passed", "passed", 0)
    (exchange,) = only(outcome)["exchanges"]
    assert exchange["flags"] == ["field_left_out:response_format"]
    assert exchange["request"]["sampling"] == {
        "n": 1,
        "response_format": "b64_json",
        "output_format": "png",
    }
    assert evaluate(source, f"--infer-replay={outcome.folder}", url=None).verdict[0] == "passed"


SENT = [
    # the marker's arguments, those of the call, what is sent beside model and prompt in each repeat
    ("", "", [{"n": 1, "response_format": "b64_json"}]),
    (
        "",
        "size='8x8', quality='hd'",
        [{"n": 1, "response_format": "b64_json", "size": "8x8", "quality": "hd"}],
    ),
    ("", "n=None, response_format=None, size=None", [{}]),
    ("", "response_format=None, n=None, extra_body={'steps': 4}", [{"steps": 4}]),
    ("seed=5, max_tokens=9", "n=None, response_format=None", [{"seed": 5}]),
    ("seed=5", "n=None, response_format=None, seed=7", [{"seed": 7}]),
    ("seed=5", "n=None, response_format=None, seed=None", [{}]),
    ("repeat=2", "n=None, response_format=None", [{}, {}]),
    ("repeat=2", "n=None, response_format=None, seed=7", [{"seed": 7}, {"seed": 8}]),
]


@pytest.mark.parametrize(("marker", "call", "sent"), SENT)
def test_fields_are_sent_as_they_are_given(
    evaluate: Evaluate, marker: str, call: str, sent: list[dict[str, Any]]
) -> None:
    source = f"""
import pytest

@pytest.mark.infer_task({marker})
def test_it(infer):
    assert infer.draw("a disc", {call}).artifact
"""
    with brush(lambda body: picture(png())) as server:
        outcome = evaluate(source, url=server.url)
        assert [one.json for one in server.posts] == [
            {"model": "brush", "prompt": "a disc", **one} for one in sent
        ]
    assert outcome.run["verdict"] == "passed"


REFUSED = [
    ("''", "got ''; accepted: a text that says what to draw"),
    ("['a']", "got ['a']; accepted: a text that says what to draw"),
    ("'a', n=2", "n=2; accepted: 1, or None to send none"),
    ("'a', n=True", "n=True; accepted: 1"),
    ("'a', response_format='url'", "response_format='url'; accepted: 'b64_json'"),
    (
        "'a', size='8x8', extra_body={'size': '9x9'}",
        "accepted: a dict of fields that are not given beside it",
    ),
    ("'a', extra_body={'n': 2}", "accepted: a dict of fields that are not given beside it"),
    ("'a', extra_body='n'", "accepted: a dict of fields that are not given beside it"),
    ("'a', stream=True", "the option 'stream' of a picture is set by the request itself"),
    ("'a', style={1, 2}", "the request is not JSON"),
    ("'a', allow=['nonsense']", "nonsense"),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_what_cannot_be_asked_is_one_line_and_is_not_sent(evaluate: Evaluate, call: str, said: str) -> None:
    with brush(lambda body: picture(png())) as server:
        outcome = evaluate(f"def test_it(infer):\n    infer.draw({call})\n", url=server.url)
        assert server.posts == []
    assert outcome.verdict[0] == "missing evaluator_error"
    assert said in only(outcome)["missing"]["detail"]


def test_a_reason_that_is_allowed_leaves_a_reply_without_a_picture(evaluate: Evaluate) -> None:
    source = """
def test_it(infer):
    reply = infer.draw("a disc", allow=["refused"])
    assert reply.artifact is None and reply.content is None
"""
    refused = json_script({"error": {"message": "no", "code": "content_policy_violation"}}, status=400)
    with brush(lambda body: refused) as server:
        outcome = evaluate(source, url=server.url)
        looked = evaluate(
            f"{source}    assert visual.open(reply)\n".replace("(infer)", "(infer, visual)"), url=server.url
        )
    assert outcome.verdict[0] == "passed"
    assert only(outcome)["exchanges"][0]["allowed"] == ["refused"]
    assert looked.verdict[0] == "missing no_answer"


def test_without_a_server_nothing_is_drawn(evaluate: Evaluate) -> None:
    assert evaluate(CAUGHT, url=None).verdict[0] == "missing unreachable"


def test_what_was_deselected_is_not_drawn(evaluate: Evaluate) -> None:
    with drawing(PICTURES) as server:
        outcome = evaluate(PAINT, "-k", "disc", url=server.url)
        assert [one.json["prompt"] for one in server.posts] == ["a disc"]
    assert outcome.run["partial"] is not None
    assert outcome.run["verdict"] == "passed"


def test_a_picture_that_the_run_lost_is_missing_and_is_not_asked_for(evaluate: Evaluate) -> None:
    with drawing(PICTURES) as server:
        first = evaluate(PAINT, url=server.url)
        asked = len(server.posts)
        for path in (first.folder / "artifacts").iterdir():
            path.write_bytes(png(colour="blue"))
        assert not validate_run(first.folder).is_valid
        again = evaluate(PAINT, f"--infer-replay={first.folder}", url=None)
        assert len(server.posts) == asked
    assert set(again.verdicts.values()) == {"missing unreachable"}
    assert "its sha256 is" in words(again, "a disc#0")


def test_another_prompt_or_another_size_has_no_stored_picture(evaluate: Evaluate) -> None:
    with drawing(PICTURES) as server:
        first = evaluate(PAINT, url=server.url)
    other = PAINT.replace('size="64x48"', 'size="640x480"')
    again = evaluate(other, f"--infer-replay={first.folder}", url=None)
    assert set(again.verdicts.values()) == {"missing unreachable"}
    assert "sampling.size ('64x48' there, '640x480' here)" in words(again, "a disc#0")


def test_two_servers_each_have_the_pictures_of_their_own_run(evaluate: Evaluate) -> None:
    swapped = {"a disc": png(blank=True), "nothing": png(colour="blue")}
    with drawing(PICTURES) as server, drawing(swapped) as base:
        outcome = evaluate(PAINT, f"--infer-against={base.url}", url=server.url)
    folders = [outcome.folder, outcome.folder.with_name(f"{outcome.folder.name}-base")]
    for folder, pictures in zip(folders, (PICTURES, swapped), strict=True):
        assert validate_run(folder).problems == ()
        kept = [path.read_bytes() for path in (folder / "artifacts").iterdir()]
        assert sorted(kept) == sorted(pictures.values())
    base_records = [json.loads(line) for line in (folders[1] / "records.jsonl").read_text().splitlines()]
    assert {record["sample"]["id"]: record["verdict"] for record in base_records} == {
        "a disc": "failed",
        "nothing": "passed",
    }


def test_a_resumed_run_takes_the_pictures_along_and_draws_the_rest(evaluate: Evaluate) -> None:
    with drawing(PICTURES) as server:
        first = evaluate(PAINT, "-k", "disc", url=server.url)
        asked = len(server.posts)
        second = evaluate(PAINT, f"--infer-resume={first.folder}", url=server.url)
        assert [one.json["prompt"] for one in server.posts[asked:]] == ["nothing"]
    assert second.verdicts == VERDICTS
    assert len(list((second.folder / "artifacts").iterdir())) == 2
    assert validate_run(second.folder).problems == ()


def test_what_the_page_shows_runs(evaluate: Evaluate) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "visual-media.md").read_text("utf-8")
    (source,) = re.findall(r"^```python test_drawing.py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with brush(lambda body: picture(png(size=(512, 512)))) as server:
        outcome = evaluate(source, url=server.url)
        assert {one.json["seed"] for one in server.posts} == {7}
    assert len(outcome.verdicts) == 2
    assert set(outcome.verdicts.values()) == {"passed"}


def test_a_drawn_picture_is_held_against_a_reference(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    source = 'def test_it(infer, visual):\n    visual.matches(visual.open(infer.draw("a disc")))\n'
    (pytester.path / "references" / "test_it").mkdir(parents=True)
    made: list[Path] = []
    with drawing(PICTURES) as server:
        absent = evaluate(source, url=server.url)
        evaluate(source, "--infer-update-references", url=server.url)
        made += (pytester.path / "references").rglob("*.png")
        same = evaluate(source, url=server.url)
    with drawing({"a disc": png(colour="blue")}) as server:
        other = evaluate(source, url=server.url)
    assert absent.verdict[0].startswith("missing")
    assert len(made) == 1
    assert same.verdict[0] == "passed"
    assert other.verdict[0] == "failed"


def test_two_servers_of_which_one_refuses_the_form_were_asked_the_same(evaluate: Evaluate) -> None:
    with drawing({"a disc": png()}) as server, brush(gpt_image) as base:
        outcome = evaluate(LOOK, f"--infer-against={base.url}", url=server.url)
    assert outcome.verdict == ("passed", "passed", 0)
    assert "unchanged" in outcome.result.stdout.str()
    assert "incomparable" not in outcome.result.stdout.str()


def test_shards_bring_their_pictures_into_one_run(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    with drawing(PICTURES) as server:
        shards = [evaluate(PAINT, "-k", name, url=server.url).folder for name in ("disc", "nothing")]
    whole = pytester.path / "whole"
    assert main(["merge", *map(str, shards), "-o", str(whole)]) in (0, 1)
    kept = [path.read_bytes() for path in (whole / "artifacts").iterdir()]
    assert sorted(kept) == sorted(PICTURES.values())
    assert validate_run(whole).problems == ()
