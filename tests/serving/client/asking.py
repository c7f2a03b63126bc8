"""One client, one scripted server, and what came of asking."""

from __future__ import annotations

from typing import Any

from pytest_infergate.evidence import Exchange
from pytest_infergate.serving import Client, Request
from tests.scripted import Script, ScriptedServer, reply_stream

HI = Request(endpoint="chat", content=({"role": "user", "content": "hi"},), sampling={"max_tokens": 3})
BLUE = Script(body=[reply_stream("blue")])


def ask(
    scripts: Any, *, request: Request = HI, times: int = 1, **options: Any
) -> tuple[list[Exchange], ScriptedServer]:
    """Return the exchanges of one client, one after another, and the server as it is afterwards."""
    with ScriptedServer(scripts) as server:
        client = Client(server.url, "scripted", **{"timeout": 20, **options})
        exchanges = [client.exchange(request) for _ in range(times)]
        client.close()
    return exchanges, server


def ask_once(scripts: Any, **options: Any) -> Exchange:
    return ask(scripts, **options)[0][0]
