"""What the tests of replays share: a suite with every kind of exchange, and a server that gives them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.scripted import (
    Script,
    ScriptedServer,
    call_stream,
    chunk,
    json_script,
    reply_stream,
    sse,
    usage_chunk,
)

from .conftest import Outcome

ROWS = [
    {"id": "one", "said": "It is 1.", "gold": 1},
    {"id": "two", "said": "2 or 3? 4!", "gold": 2},
    {"id": "none", "said": "no idea", "gold": 3},
    {"id": "cut", "said": "CUT 4", "gold": 4},
    {"id": "broken", "said": "BROKEN", "gold": 5},
]
#: A test of each kind of exchange; not all pass, and some are missing.
KINDS = '''
import pytest
from pytest_infergate import Reply, extract

def weather(city: str) -> str:
    """Tell the weather."""
    return f"sun in {city}"

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {said}", repeat=2, min_pass_rate=0.1)
@pytest.mark.infer_extract(extract.number)
def test_rows(answer, sample):
    assert answer == sample["gold"]

@pytest.mark.infer_task(endpoint="completion", prompt="say done", max_tokens=3)
def test_completion(reply):
    assert reply.text == "done" and reply.usage.completion_tokens == 1

@pytest.mark.infer_task(prompt="say again")
def test_the_same_request_again(reply, infer):
    assert [reply.text, infer.chat("say again").text, infer.chat("say again").text] == ["again"] * 3

@pytest.mark.infer_task
def test_every_time_another_reply(infer):
    assert len({infer.chat("COUNT").text for _ in range(3)}) == 3

@pytest.mark.infer_task
def test_conversation(infer):
    first = infer.chat("say 1")
    second = infer.chat([*first.messages, {"role": "user", "content": "say 2"}])
    assert [m["content"] for m in second.messages] == ["say 1", "1", "say 2", "2"]

@pytest.mark.infer_task
def test_tools(infer):
    run = infer.run_tools("TOOLS", tools=[weather])
    assert run.reply.text == "sun in Rome" and len(run.steps) == 1

@pytest.mark.infer_task(tools=[weather], prompt="say <tool_call>{{\\"name\\": \\"weather\\"}}</tool_call>")
def test_leak(reply):
    assert "weather" in reply.text

@pytest.mark.infer_task(max_tokens=1, allow=["truncated"])
def test_allowed(infer):
    assert infer.chat("say CUT").finish_reason == "length"
    assert infer.chat("say BROKEN", allow=["server_error"]).text == ""

@pytest.mark.infer_task
def test_reasoning(infer):
    reply = infer.chat("THINK")
    assert (reply.reasoning, reply.text) == ("Let me see.", "42")

@pytest.mark.infer_task(prompt="say REFUSED")
def test_refused(reply):
    assert reply

@pytest.mark.infer_task(prompt="say EMPTY")
def test_empty(reply):
    assert reply

@pytest.mark.infer_task(schema={"type": "object"})
def test_schema(infer):
    infer.score("length", len(infer.chat("say {{}}").text), unit="characters")

@pytest.mark.infer_task
def test_who_it_is(infer, infer_server):
    assert infer.chat("say " + infer_server.model).text == "scripted"
'''


def kinds_server() -> ScriptedServer:
    """A server for ``KINDS``: what is said decides how it answers."""
    asked = 0

    def answer(body: dict[str, Any]) -> str | Script:
        nonlocal asked
        is_chat = "messages" in body
        last = body["messages"][-1] if is_chat else {"role": "user", "content": body["prompt"]}
        text = str(last["content"]).removeprefix("say ")
        if last["role"] == "tool":
            return text
        if text == "BROKEN":
            return json_script({"error": {"message": "out of memory"}}, status=500)
        if text == "TOOLS":
            return Script(body=[call_stream("weather", {"city": "Rome"})])
        if text == "THINK":
            return Script(
                body=[
                    sse(
                        chunk(reasoning_content="Let me see."),
                        chunk("42"),
                        chunk(finish="stop"),
                        usage_chunk(3, 9),
                    )
                ]
            )
        if text == "REFUSED":
            return Script(body=[sse(chunk("I"), chunk(finish="content_filter"))])
        if text == "EMPTY":
            return Script(body=[sse(chunk(""), chunk(finish="stop"))])
        if text == "COUNT":
            asked += 1
            return str(asked)
        if text.startswith("CUT"):
            return Script(body=[reply_stream(text, is_chat=is_chat, finish="length")])
        return text

    return ScriptedServer.answering(answer)


def write_rows(folder: Path, rows: list[dict[str, Any]] = ROWS) -> None:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def evidence(outcome: Outcome) -> dict[str, Any]:
    """Records by id, less when they were made and where the replies came from."""
    kept = {}
    for id, record in outcome.records.items():
        exchanges = [{**one, "source": None} for one in record["exchanges"]]
        kept[id] = {**record, "started": None, "duration_s": None, "exchanges": exchanges}
    return kept


def sources(outcome: Outcome) -> set[str]:
    return {one["source"] for record in outcome.records.values() for one in record["exchanges"]}
