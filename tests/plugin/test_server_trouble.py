"""Servers that are not there, not the right one, or not the same at the end."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest

from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate

SUITE = """
def test_it(infer):
    assert infer.chat("say yes").text == "yes"
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def serving(
    models: list[str],
    reply: Callable[[Received], Script] | None = None,
    **extra: Script,
) -> ScriptedServer:
    """A server with these models; ``extra`` maps a path (slashes as __) to what it answers."""

    def handle(received: Received) -> Script:
        path = received.path.partition("?")[0]
        if received.method == "POST":
            return reply(received) if reply else Script(body=[reply_stream("yes", model=models[0])])
        if path == "/v1/models":
            return json_script(
                {"object": "list", "data": [{"id": name, "object": "model"} for name in models]}
            )
        return extra.get(path.strip("/").replace("/", "__"), json_script({"detail": "Not Found"}, status=404))

    return ScriptedServer(handle)


def test_a_dead_server_is_unreachable_and_costs_nothing(evaluate: Evaluate) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    outcome = evaluate(SUITE, url=url)
    assert outcome.verdict == ("missing unreachable", "missing", 1)
    (exchange,) = outcome.records["test_it.test_it/0#0"]["exchanges"]
    assert exchange["attempts"] == 0
    outcome.result.stdout.fnmatch_lines(
        [f"infergate: nothing is sent: unreachable: no server answers at {url}*"]
    )


def test_no_server_at_all_says_which_option_to_pass(evaluate: Evaluate) -> None:
    outcome = evaluate(SUITE, url=None)
    assert outcome.verdict == ("missing unreachable", "missing", 1)
    detail = outcome.records["test_it.test_it/0#0"]["missing"]["detail"]
    assert detail == (
        "pass --infer-server=URL (or embedded): there is no source of replies; or leave evaluations out with "
        "-m 'not infer'"
    )


def test_a_web_page_is_no_model_server(evaluate: Evaluate) -> None:
    page = Script(content_type="text/html", body=[b"<html>hello</html>"], framing="length")
    with ScriptedServer(page) as server:
        outcome = evaluate(SUITE, url=server.url)
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    assert len(outcome.result.stderr.lines) == 2
    outcome.result.stderr.fnmatch_lines(["ERROR: --infer-server: *is not a model server*text/html*"])


def test_a_model_must_be_chosen_where_there_are_several(evaluate: Evaluate) -> None:
    with serving(["small", "large"]) as server:
        outcome = evaluate(SUITE, url=server.url)
        assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
        outcome.result.stderr.fnmatch_lines(["ERROR: *2 models*--infer-model=ID: 'small', 'large'"])
        outcome = evaluate(SUITE, "--infer-model=large", url=server.url)
        assert outcome.result.ret == 0
        assert server.posts[0].json["model"] == "large"
        outcome = evaluate(SUITE, "--infer-model=huge", url=server.url)
        assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
        outcome.result.stderr.fnmatch_lines(
            ["ERROR: *does not list the model 'huge'; it has 'small', 'large'"]
        )


def test_a_key_is_sent_and_recorded_nowhere(evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-very-secret-0815")

    def refuse(received: Received) -> Script:
        return json_script({"error": {"message": f"bad key {received.headers['authorization']}"}}, status=401)

    with serving(["m"], refuse) as server:
        url = server.url.replace("http://", "http://someone:hunter2hunter@")
        outcome = evaluate(SUITE, "--infer-api-key-env=MY_KEY", url=server.url)
        assert server.posts[0].headers["authorization"] == "Bearer sk-very-secret-0815"
        with_password = evaluate(SUITE, url=url)
    assert outcome.verdict == ("missing server_error", "missing", 1)
    for one in (outcome, with_password):
        kept = (one.folder / "run.json").read_text() + (one.folder / "records.jsonl").read_text()
        kept += one.result.stdout.str() + one.result.stderr.str()
        for secret in ("sk-very-secret-0815", "hunter2hunter", "c29tZW9uZTpodW50ZXIyaHVudGVy"):
            assert secret not in kept


EXPECTATIONS = [
    # what is expected or declared, whether it holds, why
    (["--infer-expect", "model=m"], True, "the probe told it"),
    (["--infer-expect", "model=n"], False, "the probe told otherwise"),
    (["--infer-expect", "quantization=Q8_0"], False, "unknown is not satisfied"),
    (["--infer-declare", "quantization=Q8_0", "--infer-expect", "quantization=Q8_0"], True, "declared"),
    (["--infer-declare", "model=n"], False, "a declaration cannot overrule the probe"),
    (["--infer-declare", "launch=--flash-attn"], True, "anything the server does not expose can be declared"),
]


@pytest.mark.parametrize(("args", "holds", "why"), EXPECTATIONS)
def test_expectations_are_met_or_nothing_is_sent(
    evaluate: Evaluate, args: list[str], holds: bool, why: str
) -> None:
    with serving(["m"]) as server:
        outcome = evaluate(SUITE, *args, url=server.url)
        posts = len(server.posts)
    if holds:
        assert outcome.verdict == ("passed", "passed", 0), why
    else:
        assert outcome.verdict == ("missing invalid_conditions", "missing", 1), why
        assert posts == 0


def test_a_server_that_changes_during_the_run_proves_nothing(evaluate: Evaluate) -> None:
    replies: list[None] = []

    def props() -> dict[str, Any]:
        return {"build_info": f"b{len(replies)}-abc", "total_slots": 1, "default_generation_settings": {}}

    def handle(received: Received) -> Script:
        if received.method == "POST":
            if "completions" in received.path:
                replies.append(None)
                return Script(body=[reply_stream("yes", model="m")])
            return json_script({"tokens": [1, 2], "prompt": "x"})
        if received.path.startswith("/props"):
            return json_script(props(), headers={"Server": "llama.cpp"})
        if received.path == "/v1/models":
            return json_script({"data": [{"id": "m"}]}, headers={"Server": "llama.cpp"})
        return json_script({"error": {"code": 404}}, status=404, headers={"Server": "llama.cpp"})

    with ScriptedServer(handle) as server:
        outcome = evaluate(SUITE, url=server.url)
    assert outcome.verdict == ("passed", "missing", 1)
    (gate,) = [gate for gate in outcome.run["gates"] if gate["name"] == "identity"]
    assert gate["observed"] == "another server at the end"
    assert "b0-abc" in gate["detail"]
    assert "b1-abc" in gate["detail"]


def test_a_server_that_is_gone_at_the_end_is_unconfirmed(evaluate: Evaluate) -> None:
    def handle(received: Received) -> Script:
        if received.method == "POST":
            answered.append(received)
            return Script(body=[reply_stream("yes", model="m")])
        if received.path == "/v1/models" and not answered:
            return json_script({"data": [{"id": "m"}]})
        return Script(ending="close", head=[b""])

    answered: list[Received] = []
    with ScriptedServer(handle) as server:
        outcome = evaluate(SUITE, url=server.url)
    assert outcome.verdict == ("passed", "missing", 1)


def test_another_model_in_the_reply_is_flagged_and_a_change_between_replies_is_missing(
    evaluate: Evaluate,
) -> None:
    served: list[str] = []

    def reply(received: Received) -> Script:
        return Script(body=[reply_stream("yes", model=served[-1] if len(served) == 1 else served.pop(0))])

    with serving(["m"], reply) as server:
        served[:] = ["another"]
        flagged = evaluate(SUITE, url=server.url)
        served[:] = ["m", "another"]
        changed = evaluate(SUITE + "def test_two(infer): infer.chat('say yes')\n", url=server.url)
    assert flagged.verdict == ("passed", "passed", 0)
    flagged.result.stdout.fnmatch_lines(["*served_model:another*"])
    assert changed.run["verdict"] == "missing"
    assert changed.result.ret == 1


def test_a_server_that_is_loading_is_waited_for(evaluate: Evaluate) -> None:
    asked: list[None] = []

    def handle(received: Received) -> Script:
        if received.method == "POST":
            return Script(body=[reply_stream("yes", model="m")])
        asked.append(None)
        if len(asked) < 3:
            error = {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}
            return json_script(error, status=503, headers={"Server": "llama.cpp"})
        return json_script({"data": [{"id": "m"}]})

    with ScriptedServer(handle) as server:
        outcome = evaluate(SUITE, url=server.url)
        assert outcome.verdict == ("missing unreachable", "missing", 1)
        asked.clear()
        outcome = evaluate(SUITE, "--infer-wait=20", url=server.url)
        assert outcome.verdict == ("passed", "passed", 0)


def test_sampling_that_was_not_sent_is_the_servers_default_or_unknown(evaluate: Evaluate) -> None:
    outcome = evaluate(SUITE)
    defaults = outcome.run["server"]["sampling_defaults"]
    assert defaults["top_p"] is None
    (exchange,) = outcome.records["test_it.test_it/0#0"]["exchanges"]
    assert exchange["request"]["sampling"] == {"max_tokens": 1024, "temperature": 0}


def test_the_infer_server_fixture_tells_who_answers(evaluate: Evaluate) -> None:
    suite = """
    def test_it(infer, infer_server):
        model = infer_server.fields["model"]
        infer.score("known", (model.value, model.origin.value) == ("scripted", "probed"))
    """
    outcome = evaluate(suite)
    assert outcome.verdict == ("passed", "passed", 0)
    assert json.loads((outcome.folder / "records.jsonl").read_text())["scores"][0]["value"] == 1
