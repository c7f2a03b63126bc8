"""Servers that transcribe and list no models: known by their routes, asked under a name that is given."""

from __future__ import annotations

import pytest

from pytest_infergate.serving import probe_server
from pytest_infergate.serving.probe_errors import NotAModelServer
from tests.scripted import Received, Script, ScriptedServer, json_script

GONE = json_script({"error": "not found"}, status=404)


def minds_the_method(received: Received) -> Script:
    is_route = received.path == "/v1/audio/transcriptions"
    return json_script({"detail": "Method Not Allowed"}, status=405) if is_route else GONE


def whisper_cpp(received: Received) -> Script:
    return Script(
        status=404, content_type="text/html", headers={"server": "whisper.cpp"}, body=[b"File Not Found"]
    )


@pytest.mark.parametrize("handler", [minds_the_method, whisper_cpp])
def test_it_is_known_once_its_model_is_named(handler: object) -> None:
    with ScriptedServer(handler) as server:  # type: ignore[arg-type]
        identity = probe_server(server.url, model="whisper-large")
        assert (identity.engine, identity.model) == ("generic", "whisper-large")
        with pytest.raises(NotAModelServer, match=r"has no model list .* say which model with --infer-model"):
            probe_server(server.url)


def test_a_server_of_anything_else_is_none() -> None:
    with ScriptedServer(GONE) as server, pytest.raises(NotAModelServer):
        probe_server(server.url, model="whisper-large")
