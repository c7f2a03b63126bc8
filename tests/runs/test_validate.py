"""A run validates only if it is whole and says what its records say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_infergate.evidence import Gate, GateRule, Missing, Reason, Record, Score, Verdict
from pytest_infergate.runs import RunLedger, RunWriter
from pytest_infergate.runs.exit_code import ExitCode
from pytest_infergate.runs.validate import Validation, validate_run

from .made import (
    CAPITALS,
    EMPTY,
    FINISHED,
    HEAD,
    LAST_LINE,
    edit_run,
    exchange,
    line_of,
    missing,
    record,
    write_run,
)

Value = dict[str, Any]
per_run = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.parametrize(
    ("records", "verdict", "exit_code"),
    [
        ([record("france")], Verdict.PASSED, 0),
        ([record("france", Verdict.FAILED)], Verdict.FAILED, 1),
        ([missing("france", Reason.TIMEOUT)], Verdict.MISSING, 5),
    ],
)
def test_a_whole_run_ends_with_its_verdict(
    tmp_path: Path, records: list[Record], verdict: Verdict, exit_code: int
) -> None:
    found = validate_run(write_run(tmp_path / "run", records, [CAPITALS]))
    assert found == Validation(
        folder=tmp_path / "run",
        verdict=verdict,
        records=1,
        problems=(),
        count=0,
        exit_code=ExitCode(exit_code),
    )


@pytest.mark.parametrize("plans", [[EMPTY], [CAPITALS, EMPTY], []])
def test_a_run_in_which_something_was_not_evaluated_is_valid_and_missing(
    tmp_path: Path, plans: list[Any]
) -> None:
    records = [record("france")] if CAPITALS in plans else []
    found = validate_run(write_run(tmp_path / "run", records, plans))
    assert (found.is_valid, found.verdict, found.exit_code) == (True, Verdict.MISSING, ExitCode.MISSING)


def test_gates_over_the_whole_run_are_kept_and_count(tmp_path: Path) -> None:
    gate = Gate(name="identity", task=None, rule="unchanged", observed="changed", verdict=Verdict.MISSING)
    ledger = RunLedger([CAPITALS])
    writer = RunWriter.create(tmp_path / "run", HEAD)
    ledger.count(record("france"))
    writer.add(line_of(record("france")))
    writer.finish(FINISHED, ledger.summary([gate]))
    found = validate_run(tmp_path / "run")
    assert (found.is_valid, found.verdict) == (True, Verdict.MISSING)


@pytest.mark.parametrize("text", [None, "{}", '{"schema": "infergate.run/2"}', '{"schema": "lm-eval/1"}'])
def test_a_foreign_empty_or_newer_folder_is_not_checked(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "run.json").write_text(text)
    found = validate_run(tmp_path)
    assert (found.exit_code, found.verdict, found.is_foreign) == (ExitCode.UNUSABLE, None, True)


def test_a_run_that_is_not_finished_is_missing_evidence_though_all_its_records_passed(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [record("france")], [CAPITALS], is_finished=False)
    found = validate_run(folder)
    assert [str(problem) for problem in found.problems] == [
        "run.json: the run is not finished; records on disk: 1; see what it holds with infergate show, go on "
        "with --infer-resume for a verdict"
    ]
    assert found.exit_code is ExitCode.MISSING
    # A torn last line is what a crash leaves: nothing more is wrong with that.
    with open(folder / "records.jsonl", "ab") as file:
        file.write(line_of(record("spain")).encode()[:-20])
    assert validate_run(folder).problems == found.problems


def edited(folder: Path, change: Callable[[Value], object]) -> str:
    edit_run(folder, change)
    found = validate_run(folder)
    assert found.exit_code is ExitCode.MISSING
    assert found.verdict is None
    return "\n".join(str(problem) for problem in found.problems)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda run: run.update(verdict="passed"), "$.verdict is 'passed'; its records give 'missing'"),
        (lambda run: run["totals"].update(passed=4, missing=1), "$.totals is {'planned': 6, 'passed': 4"),
        (
            lambda run: run["tasks"][0].update(delivered=0.9),
            "$.tasks[0].delivered is 0.9; its records give 0.5",
        ),
        (lambda run: run["tasks"][0].update(accuracy=1.0), "$.tasks[0].accuracy is 1.0"),
        (lambda run: run["tasks"][0].update(interval=[0.5, 0.6]), "$.tasks[0].interval is [0.5, 0.6]"),
        (lambda run: run["tasks"][0].update(bounds=[0.5, 0.6]), "$.tasks[0].bounds is [0.5, 0.6]"),
        (lambda run: run["tasks"][0].update(reasons={}), "$.tasks[0].reasons is {}"),
        # A rule that was relaxed afterwards no longer is the one that its gate states.
        (lambda run: run["tasks"][0]["rule"].update(min_pass_rate=0.1), "$.gates[0].rule is"),
        (lambda run: run["gates"][1].update(verdict="passed"), "$.gates[1].verdict is 'passed'"),
        (lambda run: run["gates"][1].update(observed="all"), "$.gates[1].observed is 'all'"),
        (lambda run: run["gates"].pop(), "$.gates is '1 entries'; its records give '2 entries'"),
        (lambda run: run["records"].update(count=5), "lines: 6; run.json says 5"),
        (lambda run: run["records"].update(sha256="0" * 64), "run.json says " + "0" * 64),
        (lambda run: run["tasks"].pop(), "sums/2+2#0: run.json does not list its task"),
        (lambda run: run["tasks"][0].update(version="9"), "run.json says '9'"),
        (
            lambda run: run["tasks"].append(run["tasks"][0]),
            "$.tasks is '3 entries'; its records give '2 entries'",
        ),
        (lambda run: run.update(extra=1), "Additional properties are not allowed ('extra' was unexpected)"),
        (lambda run: run.pop("python"), "'python' is a required property"),
        (lambda run: run.update(finished="yesterday"), "$.finished: 'yesterday'"),
        (lambda run: run["tasks"][0]["reasons"].update(bored=1), "bored"),
        (lambda run: run.update(finished=None), "$"),  # finished, and yet with a verdict
    ],
)
def test_an_edited_run_does_not_validate_even_with_its_digest_made_right(
    tmp_path: Path, change: Callable[[Value], object], said: str
) -> None:
    assert said in edited(write_run(tmp_path / "run"), change)


def test_an_edit_that_no_recount_can_see_shows_in_the_digest(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    path = folder / "run.json"
    path.write_text(path.read_text().replace("gemma-3", "gemma-4"))
    found = validate_run(folder)
    assert [problem.where for problem in found.problems] == ["run.json"]
    assert found.problems[0].what.startswith("its digest is sha256:")


def rewrite(folder: Path, change: Callable[[list[bytes]], list[bytes]]) -> Validation:
    """Change the lines of the records as somebody would who also makes count, hash and digest right."""
    path = folder / "records.jsonl"
    raw = b"".join(change(path.read_bytes().splitlines(keepends=True)))
    path.write_bytes(raw)
    stated = {"count": raw.count(b"\n"), "sha256": sha256(raw).hexdigest()}
    edit_run(folder, lambda run: run.update(records=stated))
    return validate_run(folder)


def one_edit(change: Callable[[Value], object]) -> Callable[[list[bytes]], list[bytes]]:
    def apply(lines: list[bytes]) -> list[bytes]:
        value = json.loads(lines[0])
        change(value)
        return [json.dumps(value).encode() + b"\n", *lines[1:]]

    return apply


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "$.totals is"),
        (
            lambda lines: [*lines, lines[0]],
            "records.jsonl:7: capitals/france#0: judged already at records.jsonl:1",
        ),
        (lambda lines: [*lines, b"\n"], "records.jsonl:7: not JSON"),
        (
            lambda lines: [b'{"schema":1,"schema":2}\n', *lines[1:]],
            "records.jsonl:1: key 'schema' occurs twice",
        ),
        (lambda lines: [lines[0].replace(b"1.25", b"NaN", 1), *lines[1:]], "NaN is not a number in JSON"),
        (lambda lines: [lines[0].replace(b"1.25", b"1e999", 1), *lines[1:]], "1e999 is too large"),
        (lambda lines: [lines[0].replace(b"Paris", "Pâris".encode(), 1), *lines[1:]], "is not ASCII"),
        (lambda lines: [b"[" * 100_000 + b"\n", *lines[1:]], "records.jsonl:1: nested too deeply"),
        (lambda lines: [b"3\n", *lines[1:]], "records.jsonl:1: $: 3 is not of type 'object'"),
        (
            one_edit(lambda r: r.update(schema="infergate.record/2")),
            "$.schema: 'infergate.record/1' was expected",
        ),
        (one_edit(lambda r: r.update(verdict="ok")), "$.verdict: 'ok' is not one of"),
        (
            one_edit(lambda r: (r.update(verdict="failed"), r["scores"][0].update(value=0.0))),
            "its records give",
        ),
        (one_edit(lambda r: r.update(verdict="failed")), "failed though the score 'passed' is 1.0"),
        (one_edit(lambda r: r["scores"][0].update(value=0.0)), "passed though the score 'passed' is 0.0"),
        (one_edit(lambda r: r.update(started=None)), "passed though it never started"),
        (
            one_edit(lambda r: r["exchanges"][0].update(reply=None)),
            "passed though exchange 0 did not deliver (no reply)",
        ),
        (
            one_edit(lambda r: r["exchanges"][0]["reply"].update(finish_reason="length")),
            "passed though exchange 0 did not deliver (truncated)",
        ),
        (
            one_edit(lambda r: r["exchanges"][0]["reply"].update(text="", tool_calls=[])),
            "passed though exchange 0 did not deliver (empty_reply)",
        ),
        (one_edit(lambda r: r.update(verdict="missing")), "$.missing: None is not of type 'object'"),
        (one_edit(lambda r: r.update(missing={"reason": "timeout", "detail": ""})), "$.missing"),
        (one_edit(lambda r: r.update(extra=1)), "'extra' was unexpected"),
        (one_edit(lambda r: r.pop("message")), "'message' is a required property"),
        (one_edit(lambda r: r.update(repeat=1)), "id 'capitals/france#0' is not its task/sample#repeat"),
        (one_edit(lambda r: r.update(repeat=-1)), "$.repeat: -1 is less than the minimum of 0"),
        (one_edit(lambda r: r.update(repeat=True)), "$.repeat: True is not of type 'integer'"),
        (one_edit(lambda r: r.update(duration_s=-1)), "$.duration_s"),
        (one_edit(lambda r: r["task"].update(digest="md5:1")), "$.task.digest"),
        (one_edit(lambda r: r["task"].update(version="0")), "of task version '0'"),
        (one_edit(lambda r: r["scores"][0].update(value=None)), "$.scores[0].missing"),
        (one_edit(lambda r: r["scores"][0].pop("evaluator")), "'evaluator' is a required property"),
        (one_edit(lambda r: r["exchanges"][0].update(status=7)), "$.exchanges[0].status"),
        (one_edit(lambda r: r["exchanges"][0].update(allowed=["not_run"])), "$.exchanges[0].allowed[0]"),
        (
            one_edit(lambda r: r["exchanges"][0].update(allowed=["timeout", "timeout"])),
            "has non-unique elements",
        ),
        (one_edit(lambda r: r["exchanges"][0]["usage"].update(prompt_tokens=-1)), "$.exchanges[0].usage"),
        (one_edit(lambda r: r.update(expected_failure=True)), "only a wrong answer can be expected"),
        (
            one_edit(lambda r: r["exchanges"][0].update(error={"reason": "timeout", "detail": ""})),
            "passed though exchange 0 did not deliver (timeout), which is not allowed",
        ),
        (one_edit(lambda r: r.update(scores=[], exchanges=[])), "passed without a score or an exchange"),
    ],
)
def test_edited_records_do_not_validate_even_with_all_hashes_made_right(
    tmp_path: Path, change: Callable[[list[bytes]], list[bytes]], said: str
) -> None:
    found = rewrite(write_run(tmp_path / "run"), change)
    assert said in "\n".join(str(problem) for problem in found.problems)
    assert (found.exit_code, found.verdict) == (ExitCode.MISSING, None)


def test_a_passed_record_with_a_missing_score_does_not_validate(tmp_path: Path) -> None:
    score = Score.measured("wer", float("nan"), evaluator=LAST_LINE)
    folder = write_run(tmp_path / "run", [record("france", scores=(score,))], [CAPITALS])
    (problem,) = validate_run(folder).problems
    assert problem.what == "capitals/france#0: passed though the score 'wer' is missing (invalid_score)"


def test_what_was_allowed_may_be_judged(tmp_path: Path) -> None:
    cut = exchange(error=Missing(Reason.TRUNCATED, ""), allowed=frozenset({Reason.TRUNCATED}))
    assert validate_run(write_run(tmp_path / "run", [record("france", exchanges=[cut])], [CAPITALS])).is_valid


def test_many_problems_are_counted_and_the_first_ones_told(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    (folder / "records.jsonl").write_bytes(b"{}\n" * 5000)
    found = validate_run(folder)
    assert (found.count, len(found.problems)) == (5002, 20)


@pytest.mark.parametrize("name", ["records.jsonl", "run.json"])
def test_a_file_that_is_gone_is_told(tmp_path: Path, name: str) -> None:
    folder = write_run(tmp_path / "run")
    (folder / name).unlink()
    assert validate_run(folder).exit_code in (ExitCode.MISSING, ExitCode.UNUSABLE)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("finished") / "run")


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    return shutil.copytree(finished, tmp_path / "copy")


@per_run
@given(data=st.data())
def test_any_flipped_byte_of_the_records_is_found(copy: Path, finished: Path, data: st.DataObject) -> None:
    raw = bytearray((finished / "records.jsonl").read_bytes())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    (copy / "records.jsonl").write_bytes(raw)
    assert not validate_run(copy).is_valid


@per_run
@given(data=st.data())
def test_any_line_deleted_doubled_moved_or_cut_is_found(
    copy: Path, finished: Path, data: st.DataObject
) -> None:
    lines = (finished / "records.jsonl").read_bytes().splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.integers(0, len(lines) - 1).filter(lambda i: i != at))
    swapped = list(lines)
    swapped[at], swapped[other] = swapped[other], swapped[at]
    cut = data.draw(st.integers(1, len(lines[-1])))
    changed = data.draw(
        st.sampled_from(
            [
                [*lines[:at], *lines[at + 1 :]],
                [*lines[:at], lines[at], *lines[at:]],
                swapped,
                [*lines[:-1], lines[-1][:-cut]],
            ]
        )
    )
    (copy / "records.jsonl").write_bytes(b"".join(changed))
    assert not validate_run(copy).is_valid


def number_paths(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in number_paths(item, (*path, key))]
    if isinstance(value, list):
        return [found for key, item in enumerate(value) for found in number_paths(item, (*path, key))]
    return [path] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


@per_run
@given(data=st.data())
def test_any_edited_number_of_run_json_is_found(copy: Path, finished: Path, data: st.DataObject) -> None:
    value = json.loads((finished / "run.json").read_text())
    path = data.draw(st.sampled_from(number_paths(value)))
    parent = value
    for key in path[:-1]:
        parent = parent[key]
    old = parent[path[-1]]
    parent[path[-1]] = data.draw((st.integers() | st.floats(0, 1)).filter(lambda new: new != old))
    (copy / "run.json").write_text(json.dumps(value))
    assert not validate_run(copy).is_valid


@per_run
@given(
    st.lists(st.sampled_from([None, Verdict.FAILED, *Reason]), min_size=1, max_size=12),
    st.builds(GateRule, min_pass_rate=st.none() | st.floats(0, 1), max_missing=st.floats(0, 1)),
)
def test_every_run_that_is_written_validates(
    tmp_path: Path, outcomes: list[Verdict | Reason | None], rule: GateRule
) -> None:
    records = [
        missing(str(i), outcome) if isinstance(outcome, Reason) else record(str(i), outcome or Verdict.PASSED)
        for i, outcome in enumerate(outcomes)
    ]
    shutil.rmtree(tmp_path / "any", ignore_errors=True)
    found = validate_run(write_run(tmp_path / "any", records, [replace(CAPITALS, rule=rule)]))
    assert found.problems == ()
    assert found.records == len(records)
