"""Models that look at pictures, and models that make them: whose reply is whose, and what is looked at."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.scripted import ScriptedServer

from .conftest import Evaluate
from .test_visual import drawn as drawn  # the fixture
from .test_visual import only, png
from .test_visual_ask import is_red, pictures

#: Two samples that differ in nothing but the bytes of their picture.
ROWS = [{"id": name, "picture": f"{name}.png"} for name in ("disc", "blank")]
MARKED = """
import pytest
@pytest.mark.infer_task(dataset="rows.jsonl", prompt=[{"role": "user", "content": [
    {"type": "text", "text": "Red?"}, {"type": "image", "path": "{picture}"}]}])
def test_it(reply, sample):
    assert reply.text == ("red" if sample.id == "disc" else "white")
"""
FREE = """
import pytest
@pytest.mark.infer_task(dataset="rows.jsonl")
def test_it(infer, sample):
    said = infer.chat([{"role": "user", "content": [
        {"type": "text", "text": "Red?"}, {"type": "image", "path": sample["picture"]}]}])
    assert said.text == ("red" if sample.id == "disc" else "white")
"""


def seeing(body: dict[str, Any]) -> str:
    (part,) = [one for one in body["messages"][0]["content"] if one["type"] == "image_url"]
    (picture,) = pictures({"messages": [None, {"content": [part]}]})
    return "red" if is_red(picture) else "white"


@pytest.mark.parametrize("source", [MARKED, FREE], ids=["marker", "infer.chat"])
def test_samples_with_other_pictures_never_share_a_reply(
    evaluate: Evaluate, drawn: Path, source: str
) -> None:
    (drawn / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    with ScriptedServer.answering(seeing) as server:
        first = evaluate(source, url=server.url)
        assert first.run["verdict"] == "passed"
        digests = {one["exchanges"][0]["request_digest"] for one in first.records.values()}
        assert len(digests) == 2
        asked = len(server.posts)
        replay = f"--infer-replay={first.folder}"
        assert evaluate(source, replay, url=None).run["verdict"] == "passed"
        # The picture of a sample becomes that of the other one: its stored reply is not that of this request.
        (drawn / "blank.png").write_bytes(png(colour="blue"))
        changed = evaluate(source, replay, url=None)
        assert changed.verdicts["disc#0"] == "passed"
        assert changed.verdicts["blank#0"].startswith("missing")
        assert len(server.posts) == asked


def made_by(text: str) -> str:
    return f"def test_it(infer, visual):\n    p = visual.open(infer.chat('draw'))\n    {text}\n"


DISC = '<circle cx="20" cy="20" r="9" fill="red"/>'
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48">{DISC}</svg>'
URL = f"data:image/png;base64,{b64encode(png()).decode()}"
REPLIES = [
    # what the model writes, the verdict
    (f"Here you are:\n```svg\n{SVG}\n```", "passed"),
    (f"![a disc]({URL})", "passed"),
    (SVG.replace("64", "65"), "failed"),
    (SVG[:-20], "missing undecodable_media"),
    (f"![a]({URL}) or {SVG}", "missing no_answer"),
    ("I cannot draw.", "missing no_answer"),
    ("https://example.org/disc.png", "missing no_answer"),
    (URL[:-40], "missing undecodable_media"),
    (SVG.replace("<circle", "<script>alert(1)</script><circle"), "missing undecodable_media"),
]


@pytest.mark.parametrize(("reply", "verdict"), REPLIES)
def test_what_a_model_draws_in_its_reply_is_looked_at(evaluate: Evaluate, reply: str, verdict: str) -> None:
    with ScriptedServer.answering(lambda body: reply) as server:
        first = evaluate(made_by("visual.size(p, 64, 48)"), url=server.url)
    assert first.verdict[0] == verdict
    assert validate_run(first.folder).problems == ()
    again = evaluate(made_by("visual.size(p, 64, 48)"), f"--infer-replay={first.folder}", url=None)
    assert again.verdict[0] == verdict
    assert only(again)["exchanges"][0]["source"] == "replay"
