"""A run judged again from its stored replies: the same evidence, no server, no network."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.scripted import ScriptedServer

from .conftest import Evaluate, Outcome
from .replayed import KINDS, evidence, kinds_server, sources, write_rows
from .test_steering import SCHEMA, talking

#: Sockets that raise, and say so in a file, since a client may swallow what was raised.
NO_NETWORK = """
import socket

def refuse(*args, **kwargs):
    with open({told!r}, "a") as told:
        told.write(repr(args))
    raise RuntimeError("this session has no network")

for name in ("create_connection", "create_server", "getaddrinfo", "gethostbyname", "socketpair"):
    setattr(socket, name, refuse)
socket.socket.__init__ = socket.socket.connect = refuse
"""


@pytest.fixture
def parent(pytester: pytest.Pytester, evaluate: Evaluate) -> Outcome:
    """A run with every kind of exchange."""
    write_rows(pytester.path)
    with kinds_server() as server:
        return evaluate(KINDS, url=server.url)


def replay(evaluate: Evaluate, parent: Outcome, source: str, *args: str, **options: Any) -> Outcome:
    return evaluate(source, f"--infer-replay={parent.folder}", *args, url=None, **options)


def test_the_suite_has_replies_of_every_kind(parent: Outcome) -> None:
    """Otherwise the tests below would say little."""
    assert parent.run["totals"] == {"planned": 22, "passed": 12, "failed": 2, "missing": 8}
    errors = {
        one["error"]["reason"] for r in parent.records.values() for one in r["exchanges"] if one["error"]
    }
    assert errors == {"truncated", "server_error", "refused", "empty_reply"}
    flags = {flag for r in parent.records.values() for one in r["exchanges"] for flag in one["flags"]}
    assert flags == {"tool_calls_leaked", "constraint_ignored"}


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["plain", "xdist"])
def test_with_nothing_changed_the_evidence_is_the_same_and_no_socket_is_opened(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    evaluate: Evaluate,
    parent: Outcome,
    workers: tuple[str, ...],
) -> None:
    told = pytester.path / "told.txt"
    pytester.makepyfile(no_network=NO_NETWORK.format(told=str(told)))
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=":")
    # That other plugin opens a socket of its own under xdist.
    plugins = ("-p", "no_network", "-p", "no:rerunfailures")
    again = replay(evaluate, parent, KINDS, *plugins, *workers, subprocess=True)
    assert not told.exists()
    assert evidence(again) == evidence(parent)
    assert sources(again) == {"replay"}
    assert (again.run["verdict"], again.result.ret) == (parent.run["verdict"], parent.result.ret)
    assert validate_run(again.folder).problems == ()


def test_the_refusal_of_sockets_is_one(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, evaluate: Evaluate
) -> None:
    """The proof above would prove nothing if a session could open one."""
    told = pytester.path / "told.txt"
    pytester.makepyfile(no_network=NO_NETWORK.format(told=str(told)))
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=":")
    evaluate(
        ONE.format(arguments="", body=ASKS.format("")),
        "-p",
        "no_network",
        url="http://127.0.0.1:9",
        subprocess=True,
    )
    assert told.exists()


def test_the_run_names_its_parent_and_whose_replies_they_are(evaluate: Evaluate, parent: Outcome) -> None:
    again = replay(evaluate, parent, KINDS)
    run, before = again.run, parent.run
    assert run["derived_from"] == {"by": "replay", "runs": [before["run_id"]]}
    assert run["run_id"] != before["run_id"]
    assert run["server"] == before["server"]
    assert [gate["verdict"] for gate in run["gates"] if gate["name"] == "identity"] == ["passed"]
    again.result.stdout.fnmatch_lines(
        [f"infergate: replies of {before['run_id']}, from http://*, model scripted, *; no server is asked"]
    )
    assert parent.run == before  # nothing is overwritten


def test_a_replay_can_be_replayed(evaluate: Evaluate, parent: Outcome) -> None:
    again = replay(evaluate, replay(evaluate, parent, KINDS), KINDS)
    assert evidence(again) == evidence(parent)


ONE = """
import pytest

@pytest.mark.infer_task({arguments})
def test_it(infer):
    {body}
"""
ASKS = 'assert infer.chat("say 5"{}).text == "5"'


@pytest.mark.parametrize(
    ("arguments", "body", "told"),
    [
        ("", 'assert infer.chat("say five").text', "differs in message 1 of 1"),
        (
            "",
            'assert infer.chat([{"role": "user", "content": "say 5"}] * 2).text',
            "differs in the number of messages (1 there, 2 here)",
        ),
        ("", 'assert infer.complete("say 5").text', "differs in endpoint ('chat' there, 'completion' here)"),
        ("max_tokens=7", ASKS.format(""), "differs in sampling.max_tokens (1024 there, 7 here)"),
        ("", ASKS.format(", seed=3"), "differs in sampling.seed (not sent there, 3 here)"),
        ("repeat=2", ASKS.format(""), "differs in sampling.seed (not sent there, 0 here)"),
        (
            "",
            f'{ASKS.format("")}\n    assert infer.chat("say 5").text',
            ": asked this once there, and once more now",
        ),
        ('name="other"', ASKS.format(""), ", which has no record of this evaluation"),
    ],
)
def test_what_was_not_asked_then_is_missing_and_says_why(
    evaluate: Evaluate, arguments: str, body: str, told: str
) -> None:
    parent = evaluate(ONE.format(arguments="", body=ASKS.format("")))
    assert parent.run["verdict"] == "passed"
    again = replay(evaluate, parent, ONE.format(arguments=arguments, body=body))
    first = next(iter(again.records.values()))
    assert (first["verdict"], first["missing"]["reason"]) == ("missing", "unreachable")
    assert first["missing"]["detail"].startswith(f"not in run {parent.run['run_id']}")
    assert told in first["missing"]["detail"]
    assert (again.run["verdict"], again.result.ret) == ("missing", 1)


def test_what_was_not_asked_then_is_missing_also_where_a_test_catches_that(evaluate: Evaluate) -> None:
    parent = evaluate(ONE.format(arguments="", body=ASKS.format("")))
    body = 'try: infer.chat("say 6")\n    except Exception: pass'
    assert replay(evaluate, parent, ONE.format(arguments="", body=body)).run["verdict"] == "missing"


def test_a_picture_with_other_bytes_is_another_request(pytester: pytest.Pytester, evaluate: Evaluate) -> None:
    content = '[{"type": "image", "path": "a.png"}, {"type": "text", "text": "?"}]'
    suite = ONE.format(
        arguments="", body=f'assert infer.chat([{{"role": "user", "content": {content}}}]).text'
    )
    png = b"\x89PNG\r\n\x1a\n" + bytes(20)
    (pytester.path / "a.png").write_bytes(png)
    with ScriptedServer.answering(lambda body: "a cat") as server:
        parent = evaluate(suite, url=server.url)
    assert replay(evaluate, parent, suite).run["verdict"] == "passed"
    (pytester.path / "a.png").write_bytes(png + b"\1")
    again = replay(evaluate, parent, suite)
    assert again.verdict == ("missing unreachable", "missing", 1)


def test_what_is_allowed_now_decides_and_not_what_was_allowed_then(evaluate: Evaluate) -> None:
    body = 'assert infer.chat("say CUT").text.startswith("CUT")'
    strict, lifted = (
        ONE.format(arguments="", body=body),
        ONE.format(arguments="allow=['truncated']", body=body),
    )
    with kinds_server() as server:
        parents = evaluate(strict, url=server.url), evaluate(lifted, url=server.url)
    assert [parent.verdict[0] for parent in parents] == ["missing truncated", "passed"]
    assert replay(evaluate, parents[0], lifted).verdict[0] == "passed"
    assert replay(evaluate, parents[1], strict).verdict[0] == "missing truncated"


def test_a_test_that_answers_with_an_error_of_its_own_is_judged_as_ever(evaluate: Evaluate) -> None:
    parent = evaluate(ONE.format(arguments="", body=ASKS.format("")))
    body = f"{ASKS.format('')}; raise LookupError('a bug')"
    again = replay(evaluate, parent, ONE.format(arguments="", body=body))
    assert again.verdict == ("missing evaluator_error", "missing", 1)


@pytest.mark.parametrize("engine", ["llamacpp", "vllm", "ollama", "generic"])
def test_a_schema_is_asked_for_in_the_words_of_the_server_that_was_asked(
    evaluate: Evaluate, engine: str
) -> None:
    body = f"assert infer.chat('?', schema={SCHEMA!r}).text == '{{\"n\": 1}}'"
    with talking(engine, {"content": '{"n": 1}'}) as server:
        parent = evaluate(ONE.format(arguments="", body=body), url=server.url)
    assert parent.run["server"]["engine"] == engine
    assert parent.run["verdict"] == "passed"
    again = replay(evaluate, parent, ONE.format(arguments="", body=body))
    assert evidence(again) == evidence(parent)
    assert again.run["server"] == parent.run["server"]


def test_a_bound_on_reasoning_that_the_server_had_no_word_for_is_refused_again(evaluate: Evaluate) -> None:
    body = "assert infer.chat('?', reasoning_budget=5).text"
    with talking("generic", {"content": "4"}) as server:
        parent = evaluate(ONE.format(arguments="", body=body), url=server.url)
    assert parent.verdict[0] == "missing invalid_conditions"
    assert evidence(replay(evaluate, parent, ONE.format(arguments="", body=body))) == evidence(parent)


def test_a_server_that_never_answered_gave_no_replies(evaluate: Evaluate) -> None:
    suite = ONE.format(arguments="", body=ASKS.format(""))
    parent = evaluate(suite, "--infer-retries=0", url="http://127.0.0.1:9")
    again = replay(evaluate, parent, suite)
    assert evidence(again) == evidence(parent)
    assert again.verdict == ("missing unreachable", "missing", 1)


def test_replies_of_a_server_that_changed_meanwhile_stay_no_evidence(evaluate: Evaluate) -> None:
    models = iter(["a", "b"])
    suite = ONE.format(arguments="", body=f"{ASKS.format('')}; {ASKS.format('')}")
    with imitating(models) as server:
        parent = evaluate(suite, url=server.url)
    again = replay(evaluate, parent, suite)
    for outcome in (parent, again):
        assert outcome.verdict == ("passed", "missing", 1)
        assert {"served_model": "missing"}.items() <= gates(outcome).items()


def imitating(models: Any) -> ScriptedServer:
    from tests.scripted import Received, Script, json_script, reply_stream

    def handle(received: Received) -> Script:
        if received.method == "GET":
            return json_script({"object": "list", "data": [{"id": "a", "object": "model"}]})
        return Script(body=[reply_stream("5", model=next(models))])

    return ScriptedServer(handle)


def gates(outcome: Outcome) -> dict[str, str]:
    return {gate["name"]: gate["verdict"] for gate in outcome.run["gates"]}


def test_a_server_that_was_another_one_at_the_end_stays_no_evidence(evaluate: Evaluate) -> None:
    suite = ONE.format(arguments="", body=ASKS.format(""))
    parent = evaluate(suite)
    run = json.loads((parent.folder / "run.json").read_text())
    for gate in run["gates"]:
        if gate["name"] == "identity":
            gate.update(verdict="missing", observed="another server at the end")
    seal(parent, run, verdict="missing")
    again = replay(evaluate, parent, suite)
    assert again.verdict == ("passed", "missing", 1)
    assert gates(again)["identity"] == "missing"


def seal(outcome: Outcome, run: dict[str, Any], **changes: Any) -> None:
    """Write ``run.json`` as a run that came to this would have."""
    from pytest_infergate.evidence import digest

    run.update(changes)
    run.pop("digest")
    (outcome.folder / "run.json").write_text(json.dumps({**run, "digest": digest(run)}))


@pytest.mark.parametrize(
    ("options", "gate"),
    [
        (("--infer-expect=model=scripted",), None),
        (("--infer-expect=model=other",), "model is expected to be 'other'"),
        (("--infer-model=other",), "model is expected to be 'other'"),
        (("--infer-expect=quantization=Q8_0",), "quantization is expected to be 'Q8_0'"),
        (("--infer-expect=quantization=Q8_0", "--infer-declare=quantization=Q8_0"), None),
        (("--infer-declare=model=other",), "model is declared as 'other'"),
    ],
)
def test_expectations_hold_for_the_server_that_gave_the_replies(
    evaluate: Evaluate, options: tuple[str, ...], gate: str | None
) -> None:
    suite = ONE.format(arguments="", body=ASKS.format(""))
    again = replay(evaluate, evaluate(suite), suite, *options)
    if gate is None:
        assert again.verdict == ("passed", "passed", 0)
        return
    assert again.verdict == ("missing invalid_conditions", "missing", 1)
    (conditions,) = (one for one in again.run["gates"] if one["name"] == "conditions")
    assert gate in conditions["observed"]
    assert conditions["detail"] == "no reply was taken"


def test_what_is_declared_about_the_server_now_is_recorded(evaluate: Evaluate) -> None:
    suite = ONE.format(arguments="", body=ASKS.format(""))
    parent = evaluate(suite)
    fields = replay(evaluate, parent, suite, "--infer-declare=kernel=fused").run["server"]["fields"]
    assert fields == {
        **parent.run["server"]["fields"],
        "kernel": {"value": "fused", "origin": "declared"},
    }


def test_a_test_that_another_plugin_runs_again_gets_the_same_replies_again(evaluate: Evaluate) -> None:
    suite = ONE.format(arguments="", body=ASKS.format("") + "; raise AssertionError")
    parent = evaluate(suite)
    again = replay(evaluate, parent, suite, "--reruns=2")
    assert again.verdict == ("failed", "failed", 1)
    attempts = [json.loads(line) for line in (again.folder / "attempts.jsonl").read_text().splitlines()]
    assert [attempt["record"]["verdict"] for attempt in attempts] == ["failed", "failed"]
    assert validate_run(again.folder).problems == ()


def test_threads_of_a_test_share_the_stored_replies(evaluate: Evaluate) -> None:
    body = """from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda n: infer.chat("COUNT").text, range(24)))
    assert sorted(map(int, said)) == list(range(1, 25))"""
    with kinds_server() as server:
        parent = evaluate(ONE.format(arguments="", body=body), url=server.url)
    again = replay(evaluate, parent, ONE.format(arguments="", body=body))
    assert [outcome.verdict for outcome in (parent, again)] == [("passed", "passed", 0)] * 2
