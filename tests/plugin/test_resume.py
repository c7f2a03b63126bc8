"""A run that goes on where another one was interrupted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate, Outcome, echo
from .interrupted import ENDINGS, FINISHED, SUITE, UNFINISHED, asked, handle, interrupt, resume


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(handle) as server:
        yield server


@pytest.fixture
def first(evaluate: Evaluate, server: ScriptedServer) -> Outcome:
    """A run with all kinds of endings; the server has forgotten it."""
    outcome = evaluate(SUITE)
    assert outcome.verdicts == FINISHED | UNFINISHED
    server.requests.clear()
    return outcome


def test_what_was_finished_is_kept_and_the_rest_is_asked(
    evaluate: Evaluate, server: ScriptedServer, first: Outcome
) -> None:
    before = {path.name: path.read_bytes() for path in first.folder.iterdir()}
    again = resume(evaluate, first)
    assert asked(server) == ["broken", "server", "skipped"]
    assert again.verdicts == first.verdicts
    assert again.run["totals"] == first.run["totals"]
    assert again.result.ret == 1
    # The run that was resumed is as it was.
    assert {path.name: path.read_bytes() for path in first.folder.iterdir()} == before
    again.result.stdout.fnmatch_lines([f"infergate: 6 kept from run {first.run['run_id']}, 3 asked"])


def test_a_kept_record_is_the_old_one_with_its_exchanges_labelled(evaluate: Evaluate, first: Outcome) -> None:
    again = resume(evaluate, first)
    for id, record in first.records.items():
        if id.partition("/")[2] in FINISHED:
            for exchange in record["exchanges"]:
                assert exchange["source"] == "server"
                exchange["source"] = "resume"
            assert again.records[id] == {**record, "kept_from": first.run["run_id"]}
        else:
            assert {exchange["source"] for exchange in again.records[id]["exchanges"]} <= {"server"}
            assert again.records[id]["kept_from"] is None


def test_the_new_run_is_whole_and_names_the_old_one(evaluate: Evaluate, first: Outcome) -> None:
    again = resume(evaluate, first)
    assert again.run["derived_from"] == {"by": "resume", "runs": [first.run["run_id"]]}
    assert again.run["run_id"] != first.run["run_id"]
    assert again.run["finished"] is not None
    assert validate_run(again.folder).is_valid
    third = resume(evaluate, again)
    assert third.run["derived_from"]["runs"] == [first.run["run_id"], again.run["run_id"]]
    assert third.verdicts == first.verdicts
    assert validate_run(third.folder).is_valid


def test_neither_fixtures_nor_bodies_of_what_is_kept_run(
    evaluate: Evaluate, server: ScriptedServer, pytester: pytest.Pytester
) -> None:
    suite = """
        import pathlib, pytest

        def note(what):
            with open("ran.txt", "a") as file:
                file.write(f"{what}\\n")

        @pytest.fixture(scope="module", autouse=True)
        def of_module():
            note("module")
            yield
            note("end of module")

        @pytest.fixture(autouse=True)
        def of_test(request):
            note(f"set up {request.node.name}")
            yield
            note(f"tear down {request.node.name}")

        @pytest.mark.infer_task
        @pytest.mark.parametrize("n", range(3))
        def test_it(infer, n):
            note(f"run {n}")
            infer.chat(f"say {n}")
            if n == 1 and pathlib.Path("break").exists():
                raise OSError("no")
    """
    (pytester.path / "break").touch()
    first = evaluate(suite)
    assert first.verdicts == {"0#0": "passed", "1#0": "missing evaluator_error", "2#0": "passed"}
    (pytester.path / "break").unlink()
    (pytester.path / "ran.txt").unlink()
    again = resume(evaluate, first, suite=suite)
    assert (pytester.path / "ran.txt").read_text().splitlines() == [
        *("module", "set up test_it[1]", "run 1", "tear down test_it[1]", "end of module")
    ]
    assert again.result.ret == 0
    again.result.assert_outcomes(passed=3)


def test_fixtures_of_modules_end_between_items_that_are_passed_over(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    """pytest refuses an item of another module while fixtures of the one before are alive."""
    module = """
        import pathlib, pytest

        @pytest.fixture(scope="module")
        def of_module():
            yield
            with open("ended.txt", "a") as file:
                file.write(__name__)

        @pytest.mark.infer_task
        @pytest.mark.parametrize("n", range(2))
        def test_it(infer, of_module, n):
            infer.chat(f"say {n}")
            if n == 0 and pathlib.Path("break").exists():
                raise OSError("no")
    """
    pytester.makepyfile(test_a=module, test_b=module, test_c=module)
    (pytester.path / "break").touch()
    first = evaluate("")
    (pytester.path / "break").unlink()
    again = resume(evaluate, first, suite="")
    again.result.assert_outcomes(passed=6)
    assert (pytester.path / "ended.txt").read_text() == "test_atest_btest_c" * 2


@pytest.mark.parametrize("tolerance", ["", ", min_pass_rate=0.5"], ids=["strict", "tolerant"])
@pytest.mark.parametrize("mark", ["", "@pytest.mark.xfail", "@pytest.mark.xfail(strict=True)"])
def test_a_kept_verdict_is_shown_as_a_fresh_one(evaluate: Evaluate, tolerance: str, mark: str) -> None:
    suite = f"""
        import pytest

        @pytest.mark.infer_task(prompt="say {{word}}"{tolerance})
        @pytest.mark.parametrize("word", ["blue", "wrong", "red"])
        {mark}
        def test_it(reply, word):
            assert reply.text == word
    """
    first = evaluate(suite, "-rA")
    again = resume(evaluate, first, "-rA", suite=suite)
    assert again.result.ret == first.result.ret
    assert again.result.parseoutcomes() == first.result.parseoutcomes()
    assert again.verdicts == first.verdicts
    assert [gate["verdict"] for gate in again.run["gates"]] == [
        gate["verdict"] for gate in first.run["gates"]
    ]

    def letters(outcome: Outcome) -> list[str]:
        return [line for line in outcome.result.outlines if line.startswith(("test_it.py ", "gates "))]

    assert letters(again) == letters(first)


def test_what_was_wrong_says_where_it_is_kept_from(evaluate: Evaluate, first: Outcome) -> None:
    again = resume(evaluate, first)
    again.result.stdout.fnmatch_lines(["*test_it?wrong?*", "*", f"kept from run {first.run['run_id']}"])
    kept = f"kept from run {first.run['run_id']}"
    assert again.result.stdout.str().count(kept) >= 2


def test_a_junit_file_says_it_too(evaluate: Evaluate, first: Outcome, pytester: pytest.Pytester) -> None:
    resume(evaluate, first, "--junitxml=out.xml")
    text = (pytester.path / "out.xml").read_text()
    assert text.count(f'name="infer.kept_from" value="{first.run["run_id"]}"') == len(FINISHED)
    assert text.count('name="infer.verdict" value="passed"') == 2


def test_the_report_says_what_was_kept(
    evaluate: Evaluate, first: Outcome, capsys: pytest.CaptureFixture[str]
) -> None:
    from pytest_infergate.cli import main

    again = resume(evaluate, first)
    line = "6 of 9 evaluations were kept from the run that this one resumes"
    again.result.stdout.fnmatch_lines([f"{line}*"])
    capsys.readouterr()
    main(["show", str(again.folder)])
    told = capsys.readouterr().out
    assert line in told
    assert f"kept from  {first.run['run_id']} (resume)" in told


def test_workers_decide_the_same(evaluate: Evaluate, server: ScriptedServer, first: Outcome) -> None:
    again = resume(evaluate, first, "-n2", subprocess=True)
    assert again.verdicts == first.verdicts
    assert asked(server) == ["broken", "server", "skipped"]
    assert again.result.ret == 1
    assert validate_run(again.folder).is_valid
    again.result.stdout.fnmatch_lines(["*6 kept from run *, 3 asked"])


def test_where_nothing_is_missing_nothing_is_asked(evaluate: Evaluate, server: ScriptedServer) -> None:
    suite = """
        import pytest

        @pytest.mark.infer_task(prompt="say {word}")
        @pytest.mark.parametrize("word", ["blue", "red"])
        def test_it(reply, word):
            assert reply.text == word
    """
    first = evaluate(suite)
    server.requests.clear()
    again = resume(evaluate, first, suite=suite)
    assert server.posts == []
    assert (again.result.ret, again.run["verdict"]) == (0, "passed")


def test_a_new_sample_is_asked(evaluate: Evaluate, server: ScriptedServer, pytester: pytest.Pytester) -> None:
    suite = """
        import pytest

        @pytest.mark.infer_task(dataset="words.jsonl", prompt="say {word}")
        def test_it(reply, sample):
            assert reply.text == sample["word"]
    """
    rows = [{"id": word, "word": word} for word in ("red", "blue", "green")]
    data = pytester.path / "words.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows[:2]))
    first = evaluate(suite)
    server.requests.clear()
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = resume(evaluate, first, suite=suite)
    assert asked(server) == ["green"]
    assert again.run["totals"]["passed"] == 3


def test_only_what_is_selected_is_kept(evaluate: Evaluate, server: ScriptedServer, first: Outcome) -> None:
    again = resume(evaluate, first, "-k", "wrong or server")
    assert again.verdicts == {"wrong#0": "failed", "server#0": "missing server_error"}
    assert asked(server) == ["server"]
    text = again.result.stdout.str()
    assert "1 kept from run" in text
    assert "not collected now" not in text


def test_a_limit_keeps_the_first_samples(
    evaluate: Evaluate, server: ScriptedServer, pytester: pytest.Pytester
) -> None:
    suite = """
        import pytest

        @pytest.mark.infer_task(dataset="words.jsonl", prompt="say {word}")
        def test_it(reply, sample):
            assert reply.text == sample["word"]
    """
    rows = [{"word": word} for word in ("red", "blue", "green", "grey")]
    (pytester.path / "words.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    first = evaluate(suite, "--infer-limit=2")
    server.requests.clear()
    more = resume(evaluate, first, "--infer-limit=3", suite=suite)
    assert asked(server) == ["green"]
    server.requests.clear()
    less = resume(evaluate, more, "--infer-limit=1", suite=suite)
    assert (asked(server), less.run["totals"]["planned"]) == ([], 1)
    assert "not collected" not in less.result.stdout.str()


def test_a_session_that_stops_early_loses_nothing_that_was_kept(
    evaluate: Evaluate, server: ScriptedServer, first: Outcome
) -> None:
    again = resume(evaluate, first, "-x")
    # The first wrong answer, which is kept, ends it; requests may have run ahead by then.
    assert set(asked(server)) <= {"broken", "server", "skipped"}
    assert {id: verdict for id, verdict in again.verdicts.items() if id in FINISHED} == FINISHED
    assert {again.verdicts[id] for id in UNFINISHED} == {"missing not_run"}
    third = resume(evaluate, again)
    assert third.verdicts == first.verdicts


def test_nothing_is_sent_where_tests_are_only_collected(
    evaluate: Evaluate, server: ScriptedServer, first: Outcome
) -> None:
    server.requests.clear()
    again = resume(evaluate, first, "--collect-only")
    assert again.result.ret == 0
    assert server.requests == []
    assert not again.folder.exists()


def test_what_is_nowhere_now_is_named(evaluate: Evaluate, first: Outcome, pytester: pytest.Pytester) -> None:
    two = """
        def test_other(infer):
            assert infer.chat("say hello").text == "hello"
    """
    pytester.makepyfile(test_two=two)
    both = evaluate(SUITE)
    (pytester.path / "test_two.py").unlink()
    again = resume(evaluate, both)
    assert "test_two.test_other/0#0" not in again.records
    again.result.stdout.fnmatch_lines(
        [
            "infergate: 1 evaluation that it finished is not collected now, and in the new run neither: "
            "test_two.test_other/0#0"
        ]
    )


def test_further_attempts_at_what_is_kept_are_kept(evaluate: Evaluate, first: Outcome) -> None:
    rerun = evaluate(SUITE, "--reruns=1")
    again = resume(evaluate, rerun, "--reruns=1")

    def attempts(outcome: Outcome) -> dict[str, list[Any]]:
        lines = (outcome.folder / "attempts.jsonl").read_text().splitlines()
        told: dict[str, list[Any]] = {}
        for one in map(json.loads, lines):
            told.setdefault(one["record"]["id"].partition("/")[2], []).append(
                (one["because"], one["number"], [e["source"] for e in one["record"]["exchanges"]])
            )
        return told

    assert attempts(rerun)["wrong#0"] == [("rerun", 1, ["server"])]
    # What is kept is not run again by the other plugin either.
    assert attempts(again)["wrong#0"] == [("rerun", 1, ["resume"])]
    assert attempts(again)["server#0"] == [("rerun", 1, ["server"])]
    assert validate_run(again.folder).is_valid


def test_replies_of_another_model_under_the_same_name_are_seen(evaluate: Evaluate) -> None:
    """What only replies tell is not known before one came; then it counts."""
    name = ["first build"]

    def handle(received: Received) -> Script:
        if received.method == "GET":
            return json_script({"object": "list", "data": [{"id": "m", "object": "model"}]})
        said = echo(received.json)
        if said == "red" and name[0] == "first build":
            return json_script({"error": "no"}, status=400)
        return Script(body=[reply_stream(said, model=name[0])])

    suite = """
        import pytest

        @pytest.mark.infer_task(prompt="say {word}")
        @pytest.mark.parametrize("word", ["blue", "red"])
        def test_it(reply, word):
            assert reply.text == word
    """
    with ScriptedServer(handle) as server:
        first = evaluate(suite, url=server.url)
        name[0] = "second build"
        again = resume(evaluate, first, suite=suite, url=server.url)
    assert again.verdicts == {"blue#0": "passed", "red#0": "passed"}
    assert (again.result.ret, again.run["verdict"]) == (1, "missing")
    (gate,) = [gate for gate in again.run["gates"] if gate["name"] == "served_model"]
    assert "'first build'" in gate["observed"]


def test_a_torn_results_file_keeps_the_whole_lines(
    evaluate: Evaluate, server: ScriptedServer, first: Outcome
) -> None:
    """Three questions, the crash in the third: two are kept, one is asked, and nothing is glued."""
    interrupt(first.folder, keep=lambda raw: raw[: raw.index(b"\n", raw.index(b"\n") + 1) + 40])
    again = resume(evaluate, first)
    assert asked(server) == sorted(set(ENDINGS) - {"right", "wrong"})
    raw = (again.folder / "records.jsonl").read_bytes()
    assert all(json.loads(line) for line in raw.splitlines())
    assert again.verdicts == FINISHED | UNFINISHED
