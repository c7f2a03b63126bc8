"""What turned from pass to fail is asked again before it is called worse."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.compare.confirmation import read_confirmed
from pytest_infergate.runs.validate import validate_run
from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate, Outcome, echo
from .numbered import FREE, PROMPTED, SUITES, base_of, suite, write_rows

COUNT = 8


@pytest.fixture(autouse=True)
def _rows(pytester: pytest.Pytester) -> None:
    write_rows(pytester, COUNT)


@pytest.fixture
def base() -> Iterator[ScriptedServer]:
    with ScriptedServer.answering(echo) as server:
        yield server


def scripted(answers: dict[str, str], default: str = "P") -> ScriptedServer:
    """A server that answers each sample by its letters, one a request, and the last one from then on.

    P right, F wrong, R refused, s an error of the server.
    """
    asked: Counter[str] = Counter()
    lock = threading.Lock()

    def handle(received: Received) -> Script:
        if received.method == "GET":
            listed = {"data": [{"id": "scripted", "object": "model"}]}
            return json_script(listed) if "models" in received.path else json_script({}, status=404)
        said = echo(received.json)
        letters = answers.get(said, default)
        with lock:
            letter = letters[min(asked[said], len(letters) - 1)]
            asked[said] += 1
        if letter == "s":
            return json_script({"error": {"message": "no"}}, status=500)
        finish = "content_filter" if letter == "R" else "stop"
        return Script(body=[reply_stream(said if letter == "P" else "no", finish=finish)])

    return ScriptedServer(handle)


def asked(server: ScriptedServer) -> Counter[str]:
    return Counter(echo(post.json) for post in server.posts)


def planned(**more: int) -> Counter[str]:
    """Each sample once, and these so many times more."""
    return Counter({str(n): 1 for n in range(COUNT)}) + Counter({name[1:]: n for name, n in more.items()})


def attempts(outcome: Outcome) -> list[str]:
    """The further attempts: sample, number and verdict."""
    path = outcome.folder / "attempts.jsonl"
    lines = map(json.loads, path.read_text().splitlines()) if path.exists() else ()
    told = []
    for line in lines:
        record = line["record"]
        assert line["because"] == "confirm"
        assert record["exchanges"]
        told.append(f"{record['sample']['id']}#{record['repeat']} {line['number']} {record['verdict']}")
    return told


def confirmed(outcome: Outcome) -> dict[str, bool]:
    found = read_confirmed(base_of(outcome).folder, outcome.folder)
    return {sample: is_ for (_, sample, _), is_ in found.items()}


@SUITES
@pytest.mark.parametrize("arguments", ["", "min_pass_rate=0.1"], ids=["strict", "tolerant"])
def test_both_servers_are_asked_again_and_nothing_more(
    evaluate: Evaluate, base: ScriptedServer, source: str, arguments: str
) -> None:
    with scripted({"2": "F", "5": "FP"}) as candidate:
        outcome = evaluate(
            suite(source, arguments), f"--infer-against={base.url}", "--infer-confirm=3", url=candidate.url
        )
        assert asked(candidate) == asked(base) == planned(s2=3, s5=3)
    assert attempts(outcome) == [
        *(f"s2#0 {n} failed" for n in (1, 2, 3)),
        *(f"s5#0 {n} passed" for n in (1, 2, 3)),
    ]
    assert attempts(base_of(outcome)) == [f"s{sample}#0 {n} passed" for sample in (2, 5) for n in (1, 2, 3)]
    assert confirmed(outcome) == {"s2": True, "s5": False}
    # Nothing of it counts.
    assert outcome.run["totals"] == {"planned": COUNT, "passed": 6, "failed": 2, "missing": 0}
    assert base_of(outcome).run["totals"] == {"planned": COUNT, "passed": COUNT, "failed": 0, "missing": 0}
    assert validate_run(outcome.folder).is_valid
    assert validate_run(base_of(outcome).folder).is_valid


def test_without_the_option_nothing_is_asked_again(evaluate: Evaluate, base: ScriptedServer) -> None:
    with scripted({"2": "FP"}) as candidate:
        outcome = evaluate(suite(), f"--infer-against={base.url}", url=candidate.url)
        assert asked(candidate) == asked(base) == planned()
    assert not (outcome.folder / "attempts.jsonl").exists()


#: What the candidate and the base answer on a sample, and how often each is asked for it.
TURNED = [
    ("F", "P", 3, 3, "a wrong answer"),
    ("R", "P", 3, 3, "a refusal is not delivered either"),
    ("s", "P", 1, 1, "an error of the server is no answer that could be wrong"),
    ("F", "F", 1, 1, "it was wrong before"),
    ("F", "R", 1, 1, "it was refused before"),
    ("F", "s", 1, 1, "nobody knows what it was before"),
    ("P", "F", 1, 1, "a gain is nothing to be alarmed of"),
]


@pytest.mark.parametrize(
    ("candidate", "base", "times", "base_times"),
    [case[:4] for case in TURNED],
    ids=[case[4] for case in TURNED],
)
def test_only_what_turned_from_pass_to_fail_is_asked_again(
    evaluate: Evaluate, candidate: str, base: str, times: int, base_times: int
) -> None:
    with scripted({"3": candidate}) as one, scripted({"3": base}) as other:
        evaluate(
            suite(), f"--infer-against={other.url}", "--infer-confirm=2", "--infer-retries=0", url=one.url
        )
        assert asked(one) == planned(s3=times - 1)
        assert asked(other) == planned(s3=base_times - 1)


def test_the_further_requests_of_a_prompt_are_in_flight_together(
    evaluate: Evaluate, server: ScriptedServer
) -> None:
    """The server answers none of them before all three are there."""
    before = evaluate(suite(PROMPTED))
    together = threading.Barrier(3, timeout=20)
    first = threading.Event()

    def answer(body: dict[str, Any]) -> str:
        said = echo(body)
        if said == "2":
            if first.is_set():
                together.wait()
            first.set()
            return "no"
        return said

    with ScriptedServer.answering(answer) as candidate:
        outcome = evaluate(
            suite(PROMPTED),
            f"--infer-baseline={before.folder}",
            *("--infer-confirm=3", "--infer-concurrency=3"),
            url=candidate.url,
        )
        assert asked(candidate) == planned(s2=3)
    assert attempts(outcome) == [f"s2#0 {n} failed" for n in (1, 2, 3)]
    assert not together.broken


@SUITES
def test_a_stored_baseline_says_what_passed_before(
    evaluate: Evaluate, server: ScriptedServer, source: str
) -> None:
    before = evaluate(suite(source))
    assert before.result.ret == 0
    with scripted({"1": "F", "6": "FPP"}) as candidate:
        outcome = evaluate(
            suite(source), f"--infer-baseline={before.folder}", "--infer-confirm=2", url=candidate.url
        )
        assert asked(candidate) == planned(s1=2, s6=2)
    assert outcome.result.ret == 1
    assert attempts(outcome) == ["s1#0 1 failed", "s1#0 2 failed", "s6#0 1 passed", "s6#0 2 passed"]
    found = read_confirmed(before.folder, outcome.folder)
    assert {sample: is_ for (_, sample, _), is_ in found.items()} == {"s1": True, "s6": False}
    assert not (before.folder / "attempts.jsonl").exists()


def test_a_test_that_changed_is_not_asked_again(evaluate: Evaluate) -> None:
    """It is not comparable, so no answer could confirm anything."""
    before = evaluate(suite())
    changed = suite().replace("assert", "assert True and")
    with scripted({"1": "F"}) as candidate:
        evaluate(changed, f"--infer-baseline={before.folder}", "--infer-confirm=2", url=candidate.url)
        assert asked(candidate) == planned()


def test_what_failed_in_the_baseline_is_not_asked_again(evaluate: Evaluate) -> None:
    with scripted({"1": "F"}) as broken:
        before = evaluate(suite(), url=broken.url)
        evaluate(suite(), f"--infer-baseline={before.folder}", "--infer-confirm=2", url=broken.url)
        assert asked(broken) == planned() + planned()


@SUITES
@pytest.mark.parametrize("way", ["against", "baseline"])
def test_xdist_workers_ask_again(evaluate: Evaluate, base: ScriptedServer, source: str, way: str) -> None:
    before = evaluate(suite(source), url=base.url)
    told = asked(base)
    option = f"--infer-against={base.url}" if way == "against" else f"--infer-baseline={before.folder}"
    with scripted({"0": "F", "7": "F", "4": "FP"}) as candidate:
        outcome = evaluate(
            suite(source), option, "--infer-confirm=2", "-n2", url=candidate.url, subprocess=True
        )
        assert asked(candidate) == planned(s0=2, s4=2, s7=2)
    again = planned(s0=2, s4=2, s7=2) if way == "against" else Counter()
    assert asked(base) - told == again
    assert sorted(attempts(outcome)) == [
        *(f"s0#0 {n} failed" for n in (1, 2)),
        *(f"s4#0 {n} passed" for n in (1, 2)),
        *(f"s7#0 {n} failed" for n in (1, 2)),
    ]
    assert outcome.run["totals"] == {"planned": COUNT, "passed": 5, "failed": 3, "missing": 0}
    assert validate_run(outcome.folder).is_valid


def test_repeats_are_asked_again_one_by_one(evaluate: Evaluate, base: ScriptedServer) -> None:
    source = """
import pytest

@pytest.mark.infer_task(repeat=3)
def test_it(infer):
    assert infer.chat("say x").text == "x"
"""
    with scripted({"x": "PFP"}) as candidate:
        outcome = evaluate(
            source,
            f"--infer-against={base.url}",
            "--infer-confirm=1",
            "--infer-concurrency=1",
            url=candidate.url,
        )
        assert [post.json["seed"] for post in candidate.posts] == [0, 1, 1, 2]
    assert outcome.verdicts == {"0#0": "passed", "0#1": "failed", "0#2": "passed"}
    assert attempts(outcome) == ["0#1 1 passed"]


def test_a_test_that_asks_nothing_is_not_run_again(evaluate: Evaluate, server: ScriptedServer) -> None:
    source = """
import pytest

@pytest.mark.infer_task
def test_it(infer, request):
    infer.score("x", 1.0)
    assert (request.config.rootpath / "good").exists()
"""
    good = Path.cwd() / "good"
    good.touch()
    before = evaluate(source)
    assert before.result.ret == 0
    good.unlink()
    outcome = evaluate(source, f"--infer-baseline={before.folder}", "--infer-confirm=3")
    assert outcome.result.ret == 1
    assert not server.posts
    assert not (outcome.folder / "attempts.jsonl").exists()


def test_fixtures_are_made_anew_and_taken_down_each_time(evaluate: Evaluate, base: ScriptedServer) -> None:
    source = """
import pytest
events = []

@pytest.fixture(scope="module")
def wide():
    events.append("up")
    yield
    events.append("down")

@pytest.fixture
def narrow(wide):
    events.append("in")
    yield
    events.append("out")

@pytest.mark.infer_task
@pytest.mark.parametrize("n", "ab")
def test_it(infer, narrow, n):
    assert infer.chat(f"say {n}").text == n

def test_events():
    assert events == ["up"] + ["in", "out"] * 8
"""
    with scripted({"a": "F"}) as candidate:
        outcome = evaluate(source, f"--infer-against={base.url}", "--infer-confirm=2", url=candidate.url)
    outcome.result.assert_outcomes(passed=2, failed=2)  # with the gate of the comparison


def test_with_tools_the_whole_loop_is_asked_again(evaluate: Evaluate, base: ScriptedServer) -> None:
    source = """
import pytest

def add(a: int, b: int) -> int:
    "Add."
    return a + b

@pytest.mark.infer_task
def test_it(infer):
    assert infer.run_tools("say done", tools=[add]).reply.text == "done"
"""
    with scripted({"done": "F"}) as candidate:
        outcome = evaluate(source, f"--infer-against={base.url}", "--infer-confirm=2", url=candidate.url)
        assert len(candidate.posts) == len(base.posts) == 3
    assert attempts(outcome) == ["0#0 1 failed", "0#0 2 failed"]


def test_the_first_failure_is_confirmed_before_the_session_ends(
    evaluate: Evaluate, base: ScriptedServer
) -> None:
    with scripted({"2": "F"}) as candidate:
        outcome = evaluate(
            suite(), f"--infer-against={base.url}", "--infer-confirm=2", "-x", url=candidate.url
        )
    assert attempts(outcome) == ["s2#0 1 failed", "s2#0 2 failed"]
    assert outcome.run["totals"]["missing"] == COUNT - 3


def test_another_plugins_reruns_do_not_mix_with_it(evaluate: Evaluate, base: ScriptedServer) -> None:
    with scripted({"2": "FP"}) as candidate:
        outcome = evaluate(
            suite(), f"--infer-against={base.url}", "--infer-confirm=2", "--reruns=1", url=candidate.url
        )
        assert asked(candidate) == planned(s2=3)
        assert asked(base) == planned(s2=2)
    lines = [json.loads(line) for line in (outcome.folder / "attempts.jsonl").read_text().splitlines()]
    assert [line["because"] for line in lines] == ["rerun", "confirm", "confirm"]
    assert outcome.verdicts["s2#0"] == "failed"


def test_the_command_comes_to_what_the_session_came_to(
    evaluate: Evaluate, base: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A loss that did not come again: inconclusive, and with the option that lets that pass no alarm."""
    with scripted({str(n): "FP" for n in range(7)}) as candidate:
        options = (f"--infer-against={base.url}", "--infer-confirm=2")
        outcome = evaluate(suite(FREE, "min_pass_rate=0.1"), *options, url=candidate.url)
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "missing"
    outcome.result.stdout.fnmatch_lines(["*7 of 7 flips were not confirmed*", "*inconclusive*"])
    assert main(["compare", str(base_of(outcome).folder), str(outcome.folder)]) == 3
    assert "not confirmed" in capsys.readouterr().out
    edit = outcome.folder / "attempts.jsonl"
    edit.write_text(edit.read_text().replace('"passed"', '"failed"'))
    assert main(["compare", str(base_of(outcome).folder), str(outcome.folder)]) == 5


def test_what_asking_again_could_not_settle_excuses_nothing(evaluate: Evaluate, base: ScriptedServer) -> None:
    """The server breaks when it is asked again, and what stays open may pass: the loss stands."""
    with scripted({str(n): "Fs" for n in range(7)}) as candidate:
        outcome = evaluate(
            suite(FREE, "min_pass_rate=0.1"),
            f"--infer-against={base.url}",
            "--infer-confirm=2",
            "--infer-on-inconclusive=pass",
            "--infer-retries=0",
            url=candidate.url,
        )
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "failed"
