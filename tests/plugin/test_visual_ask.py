"""A judge that looks at pictures: what it says counts after its canaries, and silence is missing."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_infergate.runs.validate import validate_run
from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream
from tests.visual.made import cut, encoded, moving

from .conftest import Evaluate, Outcome
from .test_visual import drawn as drawn  # the fixture
from .test_visual import only, scores, suite

Answer = Callable[[dict[str, Any]], str]
DISC = "visual.open('disc.png')"


def pictures(body: dict[str, Any]) -> list[Image.Image]:
    urls = [
        part["image_url"]["url"] for part in body["messages"][1]["content"] if part["type"] == "image_url"
    ]
    return [Image.open(BytesIO(b64decode(url.partition(",")[2]))).convert("RGB") for url in urls]


def question(body: dict[str, Any]) -> str:
    return str(body["messages"][1]["content"][0]["text"]).splitlines()[1]


def is_red(picture: Image.Image) -> bool:
    raw = picture.tobytes()
    return any(red > 200 and green < 60 for red, green in zip(raw[::3], raw[1::3], strict=True))


def honest(body: dict[str, Any]) -> str:
    """A judge that sees red, and nothing blue."""
    seen = [is_red(picture) for picture in pictures(body)]
    if "SECOND:" in str(body["messages"][1]["content"]):
        word = "tie" if seen[0] is seen[-1] else "first" if seen[0] else "second"
        return json.dumps({"reason": "The colours.", "better": word})
    return said("no" if "blue" in question(body) or not any(seen) else "yes")


def said(word: str) -> str:
    return json.dumps({"reason": "As I see it.", "answer": word})


def is_canary(body: dict[str, Any]) -> bool:
    return pictures(body)[0].size == (256, 256)


def judging(answer: Answer, canary: Answer = honest) -> ScriptedServer:
    def handle(received: Received) -> Script:
        if received.method == "GET":
            return json_script({"object": "list", "data": [{"id": "judge", "object": "model"}]})
        body = received.json
        return Script(body=[reply_stream(canary(body) if is_canary(body) else answer(body), model="judge")])

    return ScriptedServer(handle)


@pytest.fixture
def judge() -> Iterator[ScriptedServer]:
    with judging(honest) as server:
        yield server


def asked(
    evaluate: Evaluate, judge: ScriptedServer | None, body: str, *args: str, marks: str = ""
) -> Outcome:
    options = [] if judge is None else [f"--infer-judge={judge.url}"]
    return evaluate(suite(body, marks), *options, *args, url=None)


@pytest.mark.parametrize(
    ("call", "verdict", "value"),
    [
        (f"visual.ask({DISC}, 'Is it red?')", "passed", 1.0),
        (f"visual.ask({DISC}, 'Is it blue?')", "failed", 0.0),
        (f"visual.ask({DISC}, 'Is it blue?', expect='no')", "passed", 0.0),
        (f"visual.ask({DISC}, 'Is it red?', expect='no')", "failed", 1.0),
        (f"visual.ask({DISC}, 'Is it blue?', expect=None)", "passed", 0.0),
        (f"visual.ask({DISC}, 'Redder?', against=visual.open('blank.png'))", "passed", 1.0),
        (f"visual.ask(visual.open('blank.png'), 'Redder?', against={DISC})", "failed", 0.0),
        (f"visual.ask({DISC}, 'Redder?', against={DISC})", "failed", 0.5),
        (f"visual.check('ask', {DISC}, 'Is it red?', votes=3)", "passed", 1.0),
    ],
)
def test_an_answer_is_a_value_and_holds_or_does_not(
    evaluate: Evaluate, drawn: Path, judge: ScriptedServer, call: str, verdict: str, value: float
) -> None:
    outcome = asked(evaluate, judge, call)
    assert outcome.verdict[:2] == (verdict, verdict)
    score = scores(outcome)["ask"]
    assert (score["value"], score["evaluator"]["kind"]) == (value, "visual")
    assert {exchange["role"] for exchange in only(outcome)["exchanges"]} == {"judge"}
    assert validate_run(outcome.folder).problems == ()


def test_the_record_says_who_judged_how_and_what_each_vote_was(
    evaluate: Evaluate, drawn: Path, judge: ScriptedServer
) -> None:
    outcome = asked(evaluate, judge, f"visual.ask({DISC}, 'Is it red?', votes=3, unanimous=True)")
    score = scores(outcome)["ask"]
    settings = dict(score["evaluator"]["settings"])
    assert settings.pop("canaries").startswith("sha256:")
    assert settings == {
        "form": "picture",
        "votes": 3,
        "rule": "unanimous",
        "temperature": 0.7,
        "max_tokens": 4096,
        "samples": None,
        "background": "white",
        "self": False,
    }
    assert score["evaluator"]["backend"] == "generic (version unknown), model judge, weights unknown"
    assert [vote["verdict"] for vote in score["details"]["seen"]["votes"]] == ["pass"] * 3
    # The picture is known by its bytes, which are not in the record.
    part = only(outcome)["exchanges"][-1]["request"]["messages"][1]["content"][1]
    assert set(part["image_url"]["url"]) == {"sha256", "bytes", "media_type"}


UNUSABLE = [
    # what the judge answers, the reason
    (lambda body: said("unsure"), "evaluator_unavailable"),
    (lambda body: said("YES"), "evaluator_error"),
    (lambda body: "yes", "evaluator_error"),
    (lambda body: json.dumps({"reason": "x", "verdict": "pass"}), "evaluator_error"),
    (lambda body: "", "evaluator_unavailable"),
]


@pytest.mark.parametrize(("answer", "reason"), UNUSABLE)
def test_what_is_no_answer_is_missing(evaluate: Evaluate, drawn: Path, answer: Answer, reason: str) -> None:
    with judging(answer) as server:
        marks = "@pytest.mark.infer_visual(require=['ask'])"
        outcome = asked(evaluate, server, f"visual.ask({DISC}, 'Is it red?')", marks=marks)
    assert outcome.verdict == (f"missing {reason}", "missing", 1)


def test_an_order_that_changes_the_answer_is_missing(evaluate: Evaluate, drawn: Path) -> None:
    with judging(lambda body: json.dumps({"reason": "", "better": "first"})) as server:
        outcome = asked(evaluate, server, f"visual.ask({DISC}, 'Redder?', against={DISC})")
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)


@pytest.mark.parametrize(
    ("more", "verdict"), [("", "passed"), (", unanimous=True", "missing evaluator_error")]
)
def test_two_of_three_votes_are_an_answer_unless_all_must_agree(
    evaluate: Evaluate, drawn: Path, more: str, verdict: str
) -> None:
    with judging(lambda body: said("no" if body["seed"] == 2 else "yes")) as server:
        outcome = asked(evaluate, server, f"visual.ask({DISC}, 'Is it red?', votes=3{more})")
    assert outcome.verdict[0] == verdict
    votes = scores(outcome)["ask"]["details"]["seen"]["votes"]
    assert [vote["verdict"] for vote in votes] == ["pass", "fail", "pass"]


@pytest.mark.parametrize("blind", ["yes", "no", "unsure"])
def test_a_judge_that_does_not_see_its_canaries_counts_nowhere_in_the_run(
    evaluate: Evaluate, drawn: Path, blind: str
) -> None:
    source = "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_it(visual, n):\n"
    with judging(honest, canary=lambda body: said(blind)) as server:
        options = f"--infer-judge={server.url}"
        outcome = evaluate(source + f"    visual.ask({DISC}, 'Is it red?')\n", options, url=None)
        assert len(server.posts) == 3  # the canaries, once, and no question
    assert set(outcome.verdicts.values()) == {"missing evaluator_unavailable"}


def test_no_judge_is_missing(evaluate: Evaluate, drawn: Path) -> None:
    outcome = asked(evaluate, None, f"visual.ask({DISC}, 'Is it red?')")
    assert outcome.verdict == ("missing evaluator_unavailable", "missing", 1)
    assert "--infer-judge" in only(outcome)["missing"]["detail"]


def test_a_question_whose_parent_is_not_so_is_not_asked_and_counts_nowhere(
    evaluate: Evaluate, drawn: Path, judge: ScriptedServer
) -> None:
    body = f"""p = {DISC}
parent = visual.ask(p, 'Is there a blue square?', expect=None)
child = visual.ask(p, 'Is the square large?', parent=parent)
visual.ask(p, 'Is it very large?', parent=child)
visual.ask(p, 'Is it red?', name='red', parent=visual.ask(p, 'Is there a red disc?', name='disc'))"""
    outcome = asked(evaluate, judge, body)
    assert outcome.verdict == ("passed", "passed", 0)
    assert list(scores(outcome)) == ["ask", "disc", "red"]


WRONG = [
    ("'Is it red?', expect='maybe'", "expect='maybe'; accepted: 'yes', 'no' or None"),
    ("'  '", "is no question"),
    ("'Is it red?', votes=0", "votes=0"),
    ("'Is it red?', parent=1", "accepted: what another visual.ask returned"),
    ("'Is it red?', against=7", "accepted: what visual.open returns"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_what_cannot_be_asked_is_an_error(
    evaluate: Evaluate, drawn: Path, judge: ScriptedServer, arguments: str, told: str
) -> None:
    outcome = asked(evaluate, judge, f"visual.ask({DISC}, {arguments})")
    assert outcome.verdict[0] == "missing evaluator_error"
    assert told in only(outcome)["missing"]["detail"]


def test_stored_answers_judge_again_without_a_judge(
    evaluate: Evaluate, drawn: Path, judge: ScriptedServer
) -> None:
    first = asked(evaluate, judge, f"visual.ask({DISC}, 'Is it red?')")
    before = len(judge.posts)
    again = evaluate(suite(f"visual.ask({DISC}, 'Is it red?')"), f"--infer-replay={first.folder}", url=None)
    assert again.verdicts == {"0#0": "passed"}
    assert len(judge.posts) == before


def test_of_a_clip_frames_are_shown_in_order_and_the_record_says_which(
    evaluate: Evaluate, drawn: Path, judge: ScriptedServer
) -> None:
    frames = [Image.new("RGB", (40, 30), (220, 20, number)) for number in (0, 50, 100, 150)]
    frames[0].save(drawn / "clip.gif", save_all=True, append_images=frames[1:], duration=500)
    outcome = asked(evaluate, judge, "visual.ask(visual.open('clip.gif'), 'Is it red?', samples=2)")
    assert outcome.verdict[0] == "passed"
    shown = scores(outcome)["ask"]["details"]["frames"]
    assert [frame["time_s"] for frame in shown["shown"]] == [0.5, 1.5]
    assert shown["rule"] == "2, middles of equal parts of the time"
    blues = [picture.tobytes()[2] for picture in pictures(judge.posts[-1].json)]
    assert blues == sorted(blues)
    assert len(blues) == 2


@pytest.mark.parametrize(
    "call",
    [
        "visual.ask(visual.open('cut.mkv'), 'Is it blue?', expect='no')",
        "visual.ask(visual.open('cut.mkv'), 'Is it blue?', expect=None)",
        f"visual.ask({DISC}, 'Redder?', against=visual.open('cut.mkv'))",
    ],
)
def test_no_answer_holds_of_a_clip_without_its_end(
    evaluate: Evaluate, drawn: Path, judge: ScriptedServer, call: str
) -> None:
    (drawn / "cut.mkv").write_bytes(cut(encoded(moving(), "mkv"), 0.6))
    outcome = asked(evaluate, judge, call)
    assert outcome.verdict == ("missing undecodable_media", "missing", 1)
