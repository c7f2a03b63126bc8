"""Servers that answer the chat example: rightly, wrongly, or with words that hold no answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.scripted import Script, ScriptedServer, call_stream

SUITE = Path(__file__).resolve().parents[2] / "examples" / "chat_model"


@dataclass(frozen=True)
class Call:
    """A tool call to answer with."""

    name: str
    arguments: Mapping[str, Any]


Answer = Callable[[str], "str | Call"]


def rows(dataset: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SUITE / dataset).read_text(encoding="utf-8").splitlines()]


def right(asked: str) -> str | Call:
    """What a good model says to the last message of a request."""
    for row in rows("choices.jsonl"):
        if row["question"] in asked:
            return f"I look at each option in turn.\n\nAnswer: {row['answer']}"
    for row in rows("problems.jsonl"):
        if row["problem"] in asked:
            return f"Step by step, the result is \\boxed{{{row['result']}}}."
    for row in rows("messages.jsonl"):
        if row["message"] == asked:
            return str(row["mood"])
    for row in rows("requests.jsonl"):
        if row["request"] == asked:
            return Call(**row["call"])
    if asked.startswith("Explain "):
        topic = asked.split()[1]
        return f"You know {topic} from every day, and you can find out more of it by yourself."
    return "29" if asked.startswith("And the other") else "23"


def wrong(asked: str) -> str | Call:
    """An answer of the right form that is wrong."""
    for row in rows("choices.jsonl"):
        if row["question"] in asked:
            return f"Answer: {'ABCD'['ABCD'.index(row['answer']) - 1]}"
    if "boxed" in asked:
        return "The result is \\boxed{1000}."
    for row in rows("messages.jsonl"):
        if row["message"] == asked:
            return "neutral" if row["mood"] == "positive" else "positive"
    if any(row["request"] == asked for row in rows("requests.jsonl")):
        return Call("get_weather", {"city": "Nowhere"})
    return "word " * 40 if asked.startswith("Explain ") else "24"


def evasive(asked: str) -> str | Call:
    """Words in which no question of the suite finds an answer."""
    return "Let me think about that for a while."


def serving(answer: Answer) -> ScriptedServer:
    """Return a chat server that gives ``answer`` to the last message of each request."""

    def answers(body: dict[str, Any]) -> str | Script:
        said = answer(body["messages"][-1]["content"])
        return Script(body=[call_stream(said.name, said.arguments)]) if isinstance(said, Call) else said

    return ScriptedServer.answering(answers)
