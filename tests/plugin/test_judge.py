"""A model as judge: what counts as a verdict, what is missing, and that neither judge nor record is fooled."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate, Outcome

SUITE = """
import pytest

@pytest.mark.infer_task
def test_it(infer):
    reply = infer.chat("say {said}")
    assert infer.judge("Which planet is red?", reply{more}).passed
"""
_BLOCK = re.compile(r"BEGIN (\w+) (\w{24})\n(.*?)\nEND \1 \2", re.DOTALL)
#: Shipped canaries and the judged question → whether a reply is right.
RIGHT = re.compile(r"Paris|24 legs|= 42|December|yellow|Mars")


def blocks(body: dict[str, Any]) -> dict[str, str]:
    """What a judge is to look at, by the name of the block."""
    return {name: text for name, _, text in _BLOCK.findall(body["messages"][1]["content"])}


def honest(body: dict[str, Any]) -> str:
    """A judge that knows the answers, and reads what is in its blocks and nothing else."""
    shown = blocks(body)
    if "REPLY" in shown:
        return verdict("pass" if RIGHT.search(shown["REPLY"]) else "fail")
    first, second = (bool(RIGHT.search(shown[name])) for name in ("FIRST", "SECOND"))
    better = "tie" if first is second else "first" if first else "second"
    return json.dumps({"reason": "It is right.", "better": better})


def verdict(word: str, reason: str = "As it is.") -> str:
    return json.dumps({"reason": reason, "verdict": word})


def is_canary(body: dict[str, Any]) -> bool:
    return "planet is red" not in blocks(body)["QUESTION"]


def judging(answer: Callable[[dict[str, Any]], str | Script], model: str = "judge") -> ScriptedServer:
    """A judge that knows its canaries and says of everything else what ``answer`` says."""

    def handle(received: Received) -> Script:
        if received.method == "GET":
            return json_script({"object": "list", "data": [{"id": model, "object": "model"}]})
        body = received.json
        said = honest(body) if is_canary(body) else answer(body)
        return Script(body=[reply_stream(said, model=model)]) if isinstance(said, str) else said

    return ScriptedServer(handle)


@pytest.fixture
def judge() -> Iterator[ScriptedServer]:
    with judging(honest) as server:
        yield server


def run(evaluate: Evaluate, judge: ScriptedServer, *args: str, said: str = "Mars", more: str = "") -> Outcome:
    source = SUITE.replace("{said}", said).replace("{more}", more)
    return evaluate(source, f"--infer-judge={judge.url}", *args)


def only(outcome: Outcome) -> dict[str, Any]:
    (record,) = outcome.records.values()
    return record


def test_a_right_reply_passes_and_a_wrong_one_fails(evaluate: Evaluate, judge: ScriptedServer) -> None:
    outcome = run(evaluate, judge)
    assert outcome.verdict == ("passed", "passed", 0)
    assert validate_run(outcome.folder).problems == ()
    outcome = run(evaluate, judge, said="Venus")
    assert outcome.verdict == ("failed", "failed", 1)
    assert validate_run(outcome.folder).problems == ()


def test_the_score_says_who_judged_and_how(evaluate: Evaluate, judge: ScriptedServer) -> None:
    outcome = run(evaluate, judge, more=", reference='Mars'")
    score = next(score for score in only(outcome)["scores"] if score["name"] == "judge")
    assert (score["value"], score["unit"], score["missing"]) == (1.0, "ratio", None)
    evaluator = score["evaluator"]
    assert (evaluator["kind"], evaluator["name"], evaluator["version"]) == ("judge", "judge", "1")
    assert evaluator["backend"] == "generic (version unknown), model judge, weights unknown"
    settings = dict(evaluator["settings"])
    assert settings.pop("canaries").startswith("sha256:")
    assert settings == {
        "form": "single",
        "swap": False,
        "votes": 1,
        "temperature": 0,
        "max_tokens": 4096,
        "criteria": None,
        "reference": True,
        "self": False,
    }
    assert outcome.run["judge"]["fields"]["model"]["value"] == "judge"
    assert [gate["name"] for gate in outcome.run["gates"]].count("judge") == 1
