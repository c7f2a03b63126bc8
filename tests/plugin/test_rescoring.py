"""``--infer-rescore``: of a stored run only what is missing, or what a fallback scored, is judged again."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.speech.asr_server import TranscriptionServer

from .conftest import Evaluate, Outcome
from .heard import hearing, tone, write_clips

SUITE = """
import pytest

CLIPS = [("1.0.wav", "hello big world"), ("1.1.wav", "one two three"), ("1.2.wav", "nobody said this")]

@pytest.mark.infer_task(min_pass_rate=0.1, max_missing=1)
@pytest.mark.infer_wer(max=0.4)
@pytest.mark.parametrize(("clip", "words"), CLIPS, ids=["hello", "one", "nobody"])
def test_it(wer, clip, words):
    wer.check(audio=clip, script=words)
"""
SAID = {1.0: "hello big world", 1.1: "one two three", 1.2: "something else"}


@pytest.fixture
def ears() -> Iterator[TranscriptionServer]:
    with hearing(SAID) as server:
        yield server


@pytest.fixture
def first(evaluate: Evaluate, pytester: pytest.Pytester, ears: TranscriptionServer) -> Outcome:
    """A run in which one clip was not there yet."""
    write_clips(pytester.path, 1.0, 1.2)
    run = evaluate(SUITE, f"--infer-asr={ears.url}", url=None)
    assert run.verdicts == {
        "hello#0": "passed",
        "one#0": "missing undecodable_media",
        "nobody#0": "failed",
    }
    write_clips(pytester.path, 1.1)
    ears.requests.clear()
    return run


def again(
    evaluate: Evaluate, first: Outcome, ears: TranscriptionServer, *args: str, suite: str = SUITE
) -> Outcome:
    return evaluate(suite, f"--infer-replay={first.folder}", f"--infer-asr={ears.url}", *args, url=None)


def kept(outcome: Outcome) -> dict[str, bool]:
    return {id.partition("/")[2]: one["kept_from"] is not None for id, one in outcome.records.items()}


def test_what_is_missing_is_judged_again_and_the_rest_is_kept(
    evaluate: Evaluate, first: Outcome, ears: TranscriptionServer
) -> None:
    run = again(evaluate, first, ears, "--infer-rescore=missing")
    assert run.verdicts == {"hello#0": "passed", "one#0": "passed", "nobody#0": "failed"}
    assert kept(run) == {"hello#0": True, "one#0": False, "nobody#0": True}
    # Two canaries and one clip.
    assert len(ears.requests) == 3
    id = "test_it.test_it/hello#0"
    assert run.records[id] == {**first.records[id], "kept_from": first.run["run_id"]}
    run.result.stdout.fnmatch_lines(
        [
            f"infergate: 2 kept as run {first.run['run_id']} judged them, 1 judged again",
            "*2 of 3 evaluations were kept as that run judged them: no measure of speed*",
        ]
    )
    assert run.run["settings"]["rescore"] == ["missing"]
    assert run.run["derived_from"] == {"by": "replay", "runs": [first.run["run_id"]]}
    assert validate_run(run.folder).is_valid
    assert json.loads((first.folder / "run.json").read_text()) == first.run


def test_without_a_choice_all_is_judged_again(
    evaluate: Evaluate, first: Outcome, ears: TranscriptionServer
) -> None:
    run = again(evaluate, first, ears)
    assert kept(run) == dict.fromkeys(kept(run), False)
    assert len(ears.requests) == 2 + 3


def test_what_other_code_would_judge_is_judged_again_and_never_kept(
    evaluate: Evaluate, first: Outcome, ears: TranscriptionServer
) -> None:
    stricter = SUITE.replace("wer.check(", "assert clip\n    wer.check(")
    run = again(evaluate, first, ears, "--infer-rescore=missing", suite=stricter)
    assert kept(run) == dict.fromkeys(kept(run), False)


def test_a_clip_that_is_another_by_now_is_judged_again(
    evaluate: Evaluate, first: Outcome, ears: TranscriptionServer, pytester: pytest.Pytester
) -> None:
    (pytester.path / "1.0.wav").write_bytes(tone(1.1))
    run = again(evaluate, first, ears, "--infer-rescore=missing")
    assert kept(run) == {"hello#0": False, "one#0": False, "nobody#0": True}
    assert run.verdicts["hello#0"] == "failed"


@pytest.mark.parametrize(
    ("limit", "is_kept", "verdicts"),
    [
        pytest.param("max=0.3", True, ("passed", "failed"), id="no verdict hangs on it"),
        pytest.param("max=0.2", False, ("failed", "failed"), id="stricter than what passed"),
        pytest.param("max=0.9", False, ("passed", "passed"), id="looser than what failed"),
        pytest.param("", False, ("passed", "passed"), id="none any more"),
    ],
)
def test_what_another_limit_would_decide_is_judged_again(
    evaluate: Evaluate, pytester: pytest.Pytester, limit: str, is_kept: bool, verdicts: tuple[str, str]
) -> None:
    write_clips(pytester.path, 1.0, 1.1, 1.2)
    suite = SUITE.replace("one two three", "one two three four").replace(
        "nobody said this", "something other"
    )
    with hearing(SAID) as ears:
        first = evaluate(suite, f"--infer-asr={ears.url}", url=None)
        assert first.verdicts == {"hello#0": "passed", "one#0": "passed", "nobody#0": "failed"}
        run = again(evaluate, first, ears, "--infer-rescore=missing", suite=suite.replace("max=0.4", limit))
    assert (run.verdicts["one#0"], run.verdicts["nobody#0"]) == verdicts
    assert kept(run)["hello#0"] is True, "no limit is above 0"
    changed = "one#0" if limit == "max=0.2" else "nobody#0"
    assert kept(run)[changed] is is_kept


def test_xdist_keeps_the_same(evaluate: Evaluate, first: Outcome, ears: TranscriptionServer) -> None:
    run = again(evaluate, first, ears, "--infer-rescore=missing", "-n2")
    assert run.verdicts == {"hello#0": "passed", "one#0": "passed", "nobody#0": "failed"}
    assert kept(run) == {"hello#0": True, "one#0": False, "nobody#0": True}


def test_what_a_fallback_scored_or_was_not_allowed_to_is_judged_again(
    evaluate: Evaluate, pytester: pytest.Pytester, ears: TranscriptionServer
) -> None:
    write_clips(pytester.path, 1.0, 1.1, 1.2)
    run = evaluate(SUITE, f"--infer-asr={ears.url}", url=None)
    lines = (run.folder / "records.jsonl").read_text().splitlines()
    by_fallback, forbidden, preferred = map(json.loads, lines)
    fallback = {"from": "a better one", "because": "it was gone"}
    by_fallback["scores"][0]["fallback"] = fallback
    missing = {"reason": "fallback_not_allowed", "detail": "it was gone"}
    forbidden["missing"] = missing
    forbidden["verdict"] = "missing"
    forbidden["scores"][0] |= {"value": None, "pooled": None, "missing": missing, "fallback": fallback}
    # As an interruption would have left it: without a digest over the records.
    records = [by_fallback, forbidden, preferred]
    (run.folder / "records.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    head = run.run
    head |= dict.fromkeys(
        ("finished", "totals", "verdict", "records", "attempts", "collected", "rescored", "digest")
    )
    head |= {"tasks": [], "gates": []}
    head["asr"]["changes"] = None
    (run.folder / "run.json").write_text(json.dumps(head))
    (run.folder / "verdict.json").unlink()
    rescored = again(evaluate, run, ears, "--infer-rescore=fallback")
    assert kept(rescored) == {"hello#0": False, "one#0": False, "nobody#0": True}
    assert [one["scores"][0]["fallback"] for one in rescored.records.values()] == [None] * 3
    gates = {gate["name"]: gate["verdict"] for gate in rescored.run["gates"]}
    assert gates["kept_asr"] == "missing", "what was kept was never confirmed to be of one transcriber"
