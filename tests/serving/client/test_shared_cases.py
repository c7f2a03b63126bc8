"""Responses and streams that broke other tools, read where they lie, served over real HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.evidence import ReasonGroup
from pytest_infergate.serving import Client, Request
from tests.scripted import Script, ScriptedServer

CASES = Path(__file__).resolve().parents[3] / ".." / "shared" / "cases" / "cases.jsonl"


def _cases() -> list[Any]:
    if not CASES.is_file():
        return []
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").split("\n") if line]
    return [pytest.param(case, id=case["id"]) for case in cases if case["area"] == "B"]


def _script(given: Any) -> Script:
    if isinstance(given, str):
        return Script(body=[given.encode()])
    headers = {name: value for name, value in given["headers"].items() if name != "Content-Type"}
    return Script(
        status=given["status"],
        content_type=given["headers"]["Content-Type"],
        headers=headers,
        body=[given["body"].encode()],
        framing="length",
    )


@pytest.mark.skipif(not CASES.is_file(), reason="the shared cases do not lie beside the project")
@pytest.mark.parametrize("case", _cases())
def test_the_client_comes_to_the_expected_outcome(case: dict[str, Any]) -> None:
    expected = case["expected"]
    with ScriptedServer(_script(case["input"])) as server:
        client = Client(server.url, "scripted", retries=1, timeout=20)
        exchange = client.exchange(
            Request(endpoint="chat", content=({"role": "user", "content": "hi"},)),
        )
        client.close()

    groups = {"score": None, "missing": ReasonGroup.MODEL, "error": ReasonGroup.SERVER}
    group = exchange.error.reason.group if exchange.error else None
    assert group is groups[expected["classification"]]
    reply = exchange.reply
    for name in ("text", "reasoning", "finish_reason"):
        if name in expected:
            assert getattr(reply, name) == expected[name]
    for name in ("prompt_tokens", "completion_tokens"):
        if name in expected:
            assert reply is not None
            assert getattr(reply.usage, name) == expected[name]
    if "partial_text" in expected:
        assert reply is not None
        assert (reply.text, reply.finish_reason) == (expected["partial_text"], None)
    if "tool_calls" in expected:
        assert reply is not None
        calls = [{"id": call.id, "name": call.name, "arguments": call.parsed} for call in reply.tool_calls]
        assert calls == expected["tool_calls"]
    if "retryable" in expected:
        assert (exchange.attempts > 1) is expected["retryable"]
    detail = exchange.error.detail if exchange.error else ""
    for word in (*expected.get("message_names", ()), *([expected["code"]] if "code" in expected else ())):
        assert str(word) in detail
