"""Two servers in one session: asked in turn, each with a whole run of its own, compared at the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate, Outcome, echo
from .numbered import FREE, PROMPTED, SUITES, base_of, suite, write_rows

#: Samples of the data set.
COUNT = 6
NUMBERS = [str(n) for n in range(COUNT)]


@pytest.fixture(autouse=True)
def _rows(pytester: pytest.Pytester) -> None:
    write_rows(pytester, COUNT)


@pytest.fixture
def base() -> Iterator[ScriptedServer]:
    with ScriptedServer.answering(echo) as server:
        yield server


def wrong_on(*numbers: int, model: str = "scripted") -> ScriptedServer:
    """A server that answers these samples wrong, always."""
    wrong = {str(number) for number in numbers}
    return ScriptedServer.answering(lambda body: "no" if echo(body) in wrong else echo(body), model=model)


def asked(server: ScriptedServer) -> list[str]:
    return [echo(post.json) for post in server.posts]


def screen(outcome: Outcome) -> str:
    return "\n".join(outcome.result.outlines)


@SUITES
@pytest.mark.parametrize("arguments", ["", "min_pass_rate=0.5"], ids=["strict", "tolerant"])
def test_two_good_servers_are_green_and_leave_two_whole_runs(
    evaluate: Evaluate, base: ScriptedServer, server: ScriptedServer, source: str, arguments: str
) -> None:
    outcome = evaluate(suite(source, arguments), f"--infer-against={base.url}")
    assert outcome.result.ret == 0
    outcome.result.assert_outcomes(passed=COUNT)
    assert sorted(asked(base)) == sorted(asked(server)) == NUMBERS
    for side, url in ((outcome, server.url), (base_of(outcome), base.url)):
        assert side.run["verdict"] == "passed"
        assert side.run["totals"] == {"planned": COUNT, "passed": COUNT, "failed": 0, "missing": 0}
        assert side.run["server"]["url"] == url
        assert side.run["settings"]["server"] == url
        assert side.run["server"]["changes"]["change"] == "same"
        assert validate_run(side.folder).is_valid
    assert outcome.run["run_id"] != base_of(outcome).run["run_id"]


@SUITES
def test_they_are_asked_in_turn_and_each_goes_first_as_often(
    evaluate: Evaluate, base: ScriptedServer, server: ScriptedServer, source: str
) -> None:
    outcome = evaluate(suite(source), f"--infer-against={base.url}", "--infer-concurrency=1")
    assert outcome.result.ret == 0
    order = sorted([(post.at, "b") for post in base.posts] + [(post.at, "c") for post in server.posts])
    letters = "".join(letter for _, letter in order)
    # At no time is one server more than the window ahead of the other.
    lead = [letters[:n].count("b") - letters[:n].count("c") for n in range(len(letters))]
    assert max(map(abs, lead)) <= (4 if source is PROMPTED else 1)
    if source is FREE:
        # The last one's candidate is last, since the fixtures of the module end with it.
        assert letters == "bc" + "cb" + "bc" + "cb" + "bc" + "bc"


@SUITES
def test_wrong_answers_of_the_base_are_no_fault_of_the_candidate(
    evaluate: Evaluate, server: ScriptedServer, source: str
) -> None:
    with wrong_on(0, 1, 2) as base:
        outcome = evaluate(suite(source), f"--infer-against={base.url}")
    assert outcome.result.ret == 0
    outcome.result.assert_outcomes(passed=COUNT)
    assert outcome.run["verdict"] == "passed"
    assert base_of(outcome).run["verdict"] == "failed"
    assert base_of(outcome).run["totals"] == {"planned": COUNT, "passed": 3, "failed": 3, "missing": 0}


@pytest.mark.parametrize("arguments", ["", "min_pass_rate=0.1"], ids=["strict", "tolerant"])
def test_a_worse_candidate_is_red_also_where_its_task_is_content(
    evaluate: Evaluate, pytester: pytest.Pytester, base: ScriptedServer, arguments: str
) -> None:
    write_rows(pytester, 20)
    with wrong_on(*range(12)) as candidate:
        outcome = evaluate(suite(PROMPTED, arguments), f"--infer-against={base.url}", url=candidate.url)
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "failed"
    assert base_of(outcome).run["verdict"] == "passed"
    assert "regressed" in screen(outcome)


def test_a_base_that_is_not_there_makes_the_comparison_missing(
    evaluate: Evaluate, base: ScriptedServer
) -> None:
    base.stop()
    outcome = evaluate(suite(PROMPTED), f"--infer-against={base.url}", "--infer-retries=0")
    assert outcome.result.ret == 1
    outcome.result.assert_outcomes(passed=COUNT)
    assert outcome.run["verdict"] == "missing"
    assert set(base_of(outcome).verdicts.values()) == {"missing unreachable"}


def test_a_base_that_dies_in_the_middle_makes_it_missing_too(evaluate: Evaluate) -> None:
    def answers(body: dict[str, Any]) -> str:
        if echo(body) == "3":
            dying.stop()
        return echo(body)

    with ScriptedServer.answering(answers) as dying:
        outcome = evaluate(
            suite(FREE, "min_pass_rate=0.1"), f"--infer-against={dying.url}", "--infer-retries=0"
        )
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "missing"
    base = base_of(outcome)
    assert base.run["totals"]["passed"] == 3
    assert base.run["totals"]["missing"] == 3
    assert validate_run(base.folder).is_valid


def test_a_base_that_turns_into_another_server_proves_nothing(evaluate: Evaluate) -> None:
    """All its answers are right; yet nobody knows whose they are."""
    posts = 0

    def handle(received: Received) -> Script:
        nonlocal posts
        name = "first" if posts < 3 else "second"
        if received.method == "GET":
            found = received.path.endswith("/models")
            return json_script(
                {"data": [{"id": "m", "object": "model", "owned_by": name}]} if found else {},
                status=200 if found else 404,
            )
        posts += 1
        return Script(body=[reply_stream(echo(received.json), model=name)])

    with ScriptedServer(handle) as base:
        outcome = evaluate(suite(), f"--infer-against={base.url}")
    assert base_of(outcome).run["verdict"] == "missing"
    assert outcome.run["verdict"] == "missing"
    assert outcome.result.ret == 1


def test_expectations_are_of_the_candidate_alone(evaluate: Evaluate, server: ScriptedServer) -> None:
    with wrong_on(model="other") as base:
        good = evaluate(suite(), f"--infer-against={base.url}", "--infer-expect=model=scripted")
        assert good.result.ret == 0
        told = len(server.posts)
        bad = evaluate(suite(), f"--infer-against={base.url}", "--infer-expect=model=other")
    assert bad.result.ret == 1
    assert bad.run["verdict"] == "missing"
    assert len(server.posts) == told
    assert set(bad.verdicts.values()) == {"missing invalid_conditions"}
    assert "declared" not in json.dumps(base_of(good).run["server"])


def test_a_server_that_lists_several_models_has_an_option_of_its_own(evaluate: Evaluate) -> None:
    def handle(received: Received) -> Script:
        if received.method == "GET":
            return (
                json_script({"data": [{"id": "a"}, {"id": "b"}]})
                if "models" in received.path
                else json_script({}, status=404)
            )
        return Script(body=[reply_stream(echo(received.json), model=received.json["model"])])

    with ScriptedServer(handle) as base:
        refused = evaluate(suite(), f"--infer-against={base.url}")
        assert refused.result.ret == pytest.ExitCode.USAGE_ERROR
        refused.result.stderr.fnmatch_lines(["*--infer-against: *choose one with --infer-against-model=ID*"])
        outcome = evaluate(suite(), f"--infer-against={base.url}", "--infer-against-model=b")
        assert outcome.result.ret == 0
        assert {post.json["model"] for post in base.posts} == {"b"}


def test_no_key_goes_to_the_other_server(
    evaluate: Evaluate, base: ScriptedServer, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFER_API_KEY", "sk-candidate-123456")
    evaluate(suite(), f"--infer-against={base.url}")
    assert all("authorization" not in request.headers for request in base.requests)
    assert any(
        request.headers.get("authorization") == "Bearer sk-candidate-123456" for request in server.requests
    )
    monkeypatch.setenv("INFER_AGAINST_API_KEY", "sk-base-654321")
    seen = len(base.requests), len(server.requests)
    outcome = evaluate(suite(), f"--infer-against={base.url}")
    assert {r.headers.get("authorization") for r in base.requests[seen[0] :] if r.method == "POST"} == {
        "Bearer sk-base-654321"
    }
    assert {r.headers.get("authorization") for r in server.requests[seen[1] :] if r.method == "POST"} == {
        "Bearer sk-candidate-123456"
    }
    for side in (outcome, base_of(outcome)):
        written = "".join(path.read_text() for path in side.folder.iterdir())
        assert "sk-" not in written


def test_a_server_against_itself_is_said_to_be_one(evaluate: Evaluate, server: ScriptedServer) -> None:
    outcome = evaluate(suite(), f"--infer-against={server.url}/v1")
    assert outcome.result.ret == 0
    assert sorted(asked(server)) == sorted(NUMBERS * 2)
    outcome.result.stdout.fnmatch_lines(
        [
            f"infergate: {server.url}, *, 4 at a time",
            f"infergate against: {server.url}, *, 4 at a time; the same server: *noise",
        ]
    )


def test_the_place_of_the_base_run_must_be_free(
    evaluate: Evaluate, pytester: pytest.Pytester, base: ScriptedServer, server: ScriptedServer
) -> None:
    taken = pytester.path / "run1-base"
    taken.mkdir()
    (taken / "note.txt").write_text("mine")
    outcome = evaluate(suite(), f"--infer-against={base.url}")
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    assert not outcome.folder.exists()
    assert not server.posts
    assert not base.posts
    assert [path.name for path in taken.iterdir()] == ["note.txt"]


@SUITES
def test_the_first_failure_ends_the_session_after_both_were_asked(
    evaluate: Evaluate, base: ScriptedServer, source: str
) -> None:
    with wrong_on(2) as candidate:
        outcome = evaluate(suite(source), f"--infer-against={base.url}", "-x", url=candidate.url)
    assert outcome.result.ret == 1
    expected = ["passed", "passed", "failed", *["missing not_run"] * 3]
    assert list(outcome.verdicts.values()) == expected
    assert list(base_of(outcome).verdicts.values()) == ["passed"] * 3 + ["missing not_run"] * 3


def test_an_interrupt_keeps_what_both_had(evaluate: Evaluate, base: ScriptedServer) -> None:
    source = (
        suite()
        + """
    if sample["n"] == "3":
        import os, signal
        os.kill(os.getpid(), signal.SIGINT)
"""
    )
    outcome = evaluate(source, f"--infer-against={base.url}", subprocess=True)
    assert outcome.result.ret == pytest.ExitCode.INTERRUPTED
    for side in (outcome, base_of(outcome)):
        assert side.run["totals"] == {"planned": COUNT, "passed": 3, "failed": 0, "missing": 3}
        assert validate_run(side.folder).is_valid
    assert outcome.run["verdict"] == "missing"


@SUITES
def test_xdist_workers_ask_both(
    evaluate: Evaluate, pytester: pytest.Pytester, base: ScriptedServer, source: str
) -> None:
    write_rows(pytester, 20)
    numbers = sorted(str(n) for n in range(20))
    with wrong_on(*range(12)) as candidate:
        outcome = evaluate(
            suite(source),
            f"--infer-against={base.url}",
            "-n2",
            "--junitxml=out.xml",
            url=candidate.url,
            subprocess=True,
        )
        assert sorted(asked(candidate)) == sorted(asked(base)) == numbers
    assert outcome.result.ret == 1
    outcome.result.assert_outcomes(passed=8, failed=13)  # with the gate of the comparison
    assert outcome.run["totals"] == {"planned": 20, "passed": 8, "failed": 12, "missing": 0}
    assert base_of(outcome).run["totals"] == {"planned": 20, "passed": 20, "failed": 0, "missing": 0}
    assert "regressed" in screen(outcome)
    assert (pytester.path / "out.xml").read_text().count("<testcase ") == 20 + 1  # the gate


FIXTURES = """
import pytest
events = []

@pytest.fixture(scope="module")
def wide():
    events.append("up")
    yield "wide"
    events.append("down")

@pytest.fixture
def narrow(wide):
    events.append("in")
    yield wide
    events.append("out")

@pytest.mark.infer_task(dataset="rows.jsonl")
@pytest.mark.parametrize("tail", ["a", "b"])
def test_it(infer, sample, narrow, infer_server, tail):
    assert infer.chat(f"say {sample['n']}{tail}").text == sample["n"] + tail
    print("url", infer_server.url)

def test_events():
    assert events.count("up") == 1
    assert events.count("in") == events.count("out") == 24
    assert "down" not in events
"""


def test_fixtures_of_a_module_live_through_both_and_others_are_made_for_each(
    evaluate: Evaluate, base: ScriptedServer, server: ScriptedServer
) -> None:
    outcome = evaluate(FIXTURES, f"--infer-against={base.url}", "-s")
    assert outcome.result.ret == 0
    outcome.result.assert_outcomes(passed=13)
    for each in (base, server):
        assert screen(outcome).count(f"url {each.url}") == 12
    assert sorted(outcome.records) == sorted(base_of(outcome).records)


BROKEN = """
import pytest

@pytest.fixture(scope="module")
def wide():
    yield
    raise RuntimeError("teardown of the module")

@pytest.mark.infer_task(dataset="rows.jsonl")
def test_it(infer, sample, wide):
    assert infer.chat(f"say {sample['n']}").text == sample["n"]
"""


def test_the_end_of_a_modules_fixture_belongs_to_the_candidate(
    evaluate: Evaluate, base: ScriptedServer
) -> None:
    outcome = evaluate(BROKEN, f"--infer-against={base.url}")
    assert outcome.result.ret == 1
    assert list(outcome.verdicts.values()) == ["passed"] * 5 + ["missing evaluator_error"]
    assert set(base_of(outcome).verdicts.values()) == {"passed"}


def test_repeats_tools_and_subtests(evaluate: Evaluate, base: ScriptedServer) -> None:
    source = """
import pytest
from pytest_infergate import extract

@pytest.mark.infer_task(repeat=3, prompt="say hi")
@pytest.mark.infer_extract(extract.last_line)
def test_repeated(answer):
    assert answer == "hi"

@pytest.mark.infer_task
def test_parts(infer, subtests):
    reply = infer.chat("say parts")
    with subtests.test("one"):
        assert reply.text == "parts"

def add(a: int, b: int) -> int:
    "Add."
    return a + b

@pytest.mark.infer_task
def test_tools(infer):
    run = infer.run_tools("say done", tools=[add])
    assert run.reply.text == "done"
"""
    with ScriptedServer.answering(lambda body: "wrong") as bad:
        outcome = evaluate(source, f"--infer-against={bad.url}")
    assert outcome.result.ret == 0
    assert base_of(outcome).run["totals"] == {"planned": 5, "passed": 0, "failed": 5, "missing": 0}
    assert outcome.run["totals"] == {"planned": 5, "passed": 5, "failed": 0, "missing": 0}


def test_what_the_base_printed_is_not_shown_as_the_candidates(
    evaluate: Evaluate, base: ScriptedServer
) -> None:
    source = """
import pytest

@pytest.mark.infer_task
def test_it(infer, record_property):
    text = infer.chat("say yes").text
    record_property("text", text)
    print("it said", text)
    assert text == "yes"
"""
    with ScriptedServer.answering(lambda body: "nope") as candidate:
        outcome = evaluate(source, f"--infer-against={base.url}", "--junitxml=out.xml", url=candidate.url)
    assert outcome.result.ret == 1
    assert "it said nope" in screen(outcome)
    assert "it said yes" not in screen(outcome)


def test_a_session_with_nothing_to_evaluate_is_red(evaluate: Evaluate, base: ScriptedServer) -> None:
    outcome = evaluate("def test_it(): pass", f"--infer-against={base.url}")
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "missing"


def test_collecting_alone_asks_nobody(
    evaluate: Evaluate, base: ScriptedServer, server: ScriptedServer
) -> None:
    outcome = evaluate(suite(PROMPTED), f"--infer-against={base.url}", "--collect-only")
    assert outcome.result.ret == 0
    assert not base.requests
    assert not server.requests
    assert not base_of(outcome).folder.exists()


DYING = """
import os, signal
import pytest

runs = 0

@pytest.mark.infer_task(dataset="rows.jsonl", min_pass_rate=0.1)
def test_it(infer, sample):
    global runs
    assert infer.chat(f"say {sample['n']}").text == sample["n"]
    if sample["n"] == "3":
        runs += 1
        if runs == DEATH:
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("death", [1, 2], ids=["first of the two", "second of the two"])
def test_a_killed_worker_leaves_no_comparison_that_passes(
    evaluate: Evaluate, base: ScriptedServer, death: int
) -> None:
    """What was on its way is not run; what was judged before is kept."""
    source = DYING.replace("DEATH", str(death))
    outcome = evaluate(source, f"--infer-against={base.url}", "-n2", subprocess=True)
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "missing"
    for side in (outcome, base_of(outcome)):
        assert side.run["totals"]["planned"] == COUNT
        assert side.run["totals"]["passed"] >= COUNT - 2
        assert validate_run(side.folder).is_valid
    lost = [side.verdicts["s3#0"] for side in (outcome, base_of(outcome))]
    assert "missing not_run" in lost


def test_the_judge_is_asked_once_for_its_canaries_and_judges_both(
    evaluate: Evaluate, base: ScriptedServer
) -> None:
    source = """
import pytest

@pytest.mark.infer_task
def test_it(infer):
    reply = infer.chat("say fine")
    assert infer.judge("How is it?", reply, reference="fine").passed
"""

    def judged(body: dict[str, Any]) -> str:
        return "not a verdict"

    with ScriptedServer.answering(judged, model="judge") as judge:
        outcome = evaluate(source, f"--infer-against={base.url}", f"--infer-judge={judge.url}")
        asked_once = len(judge.posts)
        evaluate(source, f"--infer-judge={judge.url}")
        assert len(judge.posts) == 2 * asked_once
    assert outcome.result.ret == 1
    for side in (outcome, base_of(outcome)):
        assert side.verdicts == {"0#0": "missing evaluator_unavailable"}
        assert side.run["judge"]["fields"]["model"]["value"] == "judge"


def test_a_method_has_an_object_of_its_own_for_each_side(evaluate: Evaluate, server: ScriptedServer) -> None:
    """What the base said would be judged as the candidate's else."""
    source = """
import pytest

@pytest.fixture(scope="class")
def wide():
    yield []

@pytest.mark.infer_task
class TestIt:
    kept = None

    def setup_method(self):
        assert self.kept is None

    @pytest.mark.parametrize("n", "ab")
    def test_it(self, infer, wide, n):
        wide.append(n)
        self.kept = self.kept or infer.chat(f"say {n}").text
        assert self.kept == n
        assert len(wide) <= 4
"""
    with ScriptedServer.answering(lambda body: "no") as base:
        outcome = evaluate(source, f"--infer-against={base.url}")
        assert outcome.result.ret == 0
        assert set(outcome.verdicts.values()) == {"passed"}
        assert set(base_of(outcome).verdicts.values()) == {"failed"}
