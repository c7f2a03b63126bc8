"""Reading a side: whole evidence only, and every kind of broken folder by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.compare import ObservedScore, RunSide, compare_runs, read_side
from pytest_infergate.evidence import (
    EvaluatorIdentity,
    Fallback,
    Missing,
    Pooled,
    Reason,
    Reply,
    Role,
    Score,
    ToolCall,
    Verdict,
)
from pytest_infergate.runs import Derivation, DerivedBy, ForeignFolderError, RunFolderError
from tests.runs.made import (
    CAPITALS,
    HEAD,
    PLANS,
    RECORDS,
    SERVER,
    SUMS,
    edit_run,
    exchange,
    missing,
    record,
    write_run,
)


def test_a_run_is_read_as_a_comparison_sees_it(tmp_path: Path) -> None:
    side = read_side(write_run(tmp_path / "run"))
    assert (side.label, side.run_id, side.schema) == (
        str(tmp_path / "run"),
        HEAD.run_id,
        "infergate.record/1",
    )
    assert side.is_finished
    assert side.server == SERVER
    assert side.conditions == {
        "concurrency": 8,
        "tool": "0.1.0",
        "python": "CPython 3.11.7",
        "platform": "Linux-x86_64",
        "replies": "server",
    }
    assert {name: task.plan for name, task in side.tasks.items()} == {"capitals": CAPITALS, "sums": SUMS}
    capitals = side.tasks["capitals"].observations
    assert list(capitals) == [("france", 0), ("spain", 0), ("peru", 0), ("iran", 0)]
    assert [one.verdict for one in capitals.values()] == [
        Verdict.PASSED,
        Verdict.PASSED,
        Verdict.FAILED,
        Verdict.MISSING,
    ]
    assert capitals["iran", 0].reason is Reason.NO_ANSWER
    whole = RECORDS[0].evaluation.sample_digest.removeprefix("sha256:")
    assert whole.startswith(capitals["france", 0].sample_digest)
    assert len(capitals["france", 0].sample_digest) == 16
    assert [score.value for score in capitals["france", 0].scores] == [1.0]
    assert side.tasks["sums"].observations["3+3", 0].delivered is None


def side_of(folder: Path, *records: Any, **head: Any) -> RunSide:
    plans = PLANS if any(one.evaluation.key.task == "sums" for one in records) else (CAPITALS,)
    return read_side(write_run(folder, records, plans, head=replace(HEAD, **head)))


def reply_digest(folder: Path, made: Any) -> str:
    side = side_of(folder, record("france", exchanges=[made]))
    return side.tasks["capitals"].observations["france", 0].exchanges[0].reply


SAID = [
    # why, two exchanges, whether the model said the same
    ("the same", exchange("Paris"), exchange("Paris"), True),
    ("another text", exchange("Paris"), exchange("paris"), False),
    (
        "another server's word for itself",
        exchange(reply=Reply(text="Paris", served_model="a", fingerprint="1")),
        exchange(reply=Reply(text="Paris", served_model="b", fingerprint="2")),
        True,
    ),
    (
        "another reasoning",
        exchange(reply=Reply(text="Paris", reasoning="a")),
        exchange(reply=Reply(text="Paris", reasoning="b")),
        False,
    ),
    (
        "text that was reasoning",
        exchange(reply=Reply(text="ab")),
        exchange(reply=Reply(text="a", reasoning="b")),
        False,
    ),
    (
        "another ending",
        exchange(reply=Reply(text="Paris", finish_reason="stop")),
        exchange(reply=Reply(text="Paris", finish_reason="length"), allowed=frozenset({Reason.TRUNCATED})),
        False,
    ),
    ("times and counts", exchange("Paris", status=200), exchange("Paris", status=201, attempts=2), True),
    (
        "other arguments of a call",
        exchange(reply=Reply(text="", tool_calls=(ToolCall(name="add", arguments="{}"),))),
        exchange(reply=Reply(text="", tool_calls=(ToolCall(name="add", arguments='{"a":1}'),))),
        False,
    ),
]


@pytest.mark.parametrize(("one", "other", "is_same"), [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_replies_are_the_same_where_the_model_said_the_same(
    tmp_path: Path, one: Any, other: Any, is_same: bool
) -> None:
    digests = reply_digest(tmp_path / "a", one), reply_digest(tmp_path / "b", other)
    assert (digests[0] == digests[1]) is is_same


def test_ids_of_tool_calls_stand_apart_from_what_was_said(tmp_path: Path) -> None:
    digests = [
        reply_digest(
            tmp_path / id,
            exchange(reply=Reply(text="", tool_calls=(ToolCall(name="add", arguments="{}", id=id),))),
        )
        for id in ("call_a", "call_b")
    ]
    assert digests[0] != digests[1]
    assert digests[0].partition("+")[0] == digests[1].partition("+")[0]


def test_no_reply_is_known_by_its_reason(tmp_path: Path) -> None:
    lost = exchange(reply=None, error=Missing(Reason.TIMEOUT, "after 300 s"))
    side = side_of(tmp_path / "run", missing("france", Reason.TIMEOUT, exchanges=[lost]))
    (observed,) = side.tasks["capitals"].observations["france", 0].exchanges
    assert observed.reply == "none:timeout"


def test_exchanges_with_a_judge_are_not_the_models(tmp_path: Path) -> None:
    side = side_of(
        tmp_path / "run", record("france", exchanges=[exchange("yes", role=Role.JUDGE), exchange()])
    )
    assert len(side.tasks["capitals"].observations["france", 0].exchanges) == 1


def test_scores_are_read_whole_and_by_products_left_out(tmp_path: Path) -> None:
    who = EvaluatorIdentity(kind="transcriber", name="whisper", version="1", backend="tiny")
    scores = (
        Score(
            name="wer",
            value=0.25,
            unit="ratio",
            higher_is_better=False,
            evaluator=who,
            fallback=Fallback(preferred="large", because="no weights"),
            pooled=Pooled(part=1, whole=4),
        ),
        Score(
            name="style",
            value=None,
            unit="points",
            higher_is_better=True,
            evaluator=who,
            missing=Missing(Reason.EVALUATOR_ERROR),
            gates=False,
        ),
        Score(
            name="reply_length",
            value=5.0,
            unit="characters",
            higher_is_better=False,
            evaluator=EvaluatorIdentity(kind="byproduct", name="reply_length", version="1"),
            gates=False,
        ),
    )
    side = side_of(tmp_path / "run", record("france", scores=scores), record("spain", scores=scores))
    first, second = (one.scores for one in side.tasks["capitals"].observations.values())
    wer, style = first
    assert wer == ObservedScore(wer.kind, 0.25, None, Pooled(part=1, whole=4))
    assert (wer.kind.evaluator, wer.kind.fallback) == (who, scores[0].fallback)
    assert (wer.kind.unit, wer.kind.higher_is_better) == ("ratio", False)
    assert (style.value, style.reason) == (None, Reason.EVALUATOR_ERROR)
    assert second[0].kind is wer.kind, "one kind is kept once"


def test_a_run_of_stored_replies_says_so(tmp_path: Path) -> None:
    derived = Derivation(by=DerivedBy.REPLAY, runs=("parent",))
    side = side_of(tmp_path / "run", record("france"), derived_from=derived, partial=("-k france",))
    assert (side.conditions["replies"], side.partial) == ("replay", ("-k france",))


def test_an_unfinished_run_has_nothing_to_compare(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", is_finished=False)
    with open(folder / "records.jsonl", "ab") as lines:
        lines.write(b'{"schema": "infergate.rec')  # torn
    side = read_side(folder)
    assert (side.is_finished, side.tasks) == (False, {})


# Folders that cannot be trusted, and how the command ends on them, on either side.

Break = Callable[[Path], object]


def reseal(folder: Path) -> None:
    """State the records as they are now, as somebody would who wants an edit to hold."""
    raw = (folder / "records.jsonl").read_bytes()
    edit_run(
        folder,
        lambda run: run["records"].update(sha256=sha256(raw).hexdigest(), count=raw.count(b"\n")),
    )


def edit_record(change: Callable[[dict[str, Any]], object], number: int = 0) -> Break:
    """Edit one record and seal the run again: what is left to find is what cannot be true."""

    def edit(folder: Path) -> None:
        path = folder / "records.jsonl"
        lines = path.read_text(encoding="ascii").splitlines()
        value = json.loads(lines[number])
        change(value)
        lines[number] = json.dumps(value)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        reseal(folder)

    return edit


def rewrite(name: str, change: Callable[[bytes], bytes], *, then: Break | None = None) -> Break:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_bytes(change(path.read_bytes()))
        if then:
            then(folder)

    return edit


def edit_json(change: Callable[[dict[str, Any]], object]) -> Break:
    """Edit run.json without making its digest right."""

    def edit(folder: Path) -> None:
        path = folder / "run.json"
        value = json.loads(path.read_text())
        change(value)
        path.write_text(json.dumps(value))

    return edit


def turn_passed(value: dict[str, Any]) -> None:
    value.update(verdict="passed", missing=None, message=None)


#: What was done to the folder, what is said of it, the exit code.
BROKEN: list[tuple[str, Break, str, int]] = [
    # No run of this tool, or of a newer one.
    ("no run.json", lambda f: (f / "run.json").unlink(), "has no run.json, so it is not a run", 2),
    ("empty", lambda f: [p.unlink() for p in f.iterdir()], "has no run.json, so it is not a run", 2),
    ("foreign", edit_json(lambda v: v.update(schema="mlflow/3")), "'mlflow/3' is not 'infergate.run/1'", 2),
    ("no schema", edit_json(lambda v: v.pop("schema")), "schema None is not", 2),
    ("newer", edit_json(lambda v: v.update(schema="infergate.run/2")), "is newer than", 2),
    ("a list", rewrite("run.json", lambda raw: b"[]"), "so this is not a run", 2),
    # run.json is damaged or edited.
    ("torn run.json", rewrite("run.json", lambda raw: raw[: len(raw) // 2]), "the file is damaged", 5),
    ("empty run.json", rewrite("run.json", lambda raw: b""), "the file is damaged", 5),
    ("binary run.json", rewrite("run.json", lambda raw: b"\x00\xff" * 99), "the file is damaged", 5),
    ("a total edited", edit_json(lambda v: v["totals"].update(passed=9)), "its digest is sha256:", 5),
    ("the server edited", edit_json(lambda v: v["server"].update(engine="vllm")), "its digest is sha256:", 5),
    ("no digest", edit_json(lambda v: v.pop("digest")), "not as a run is written", 5),
    ("no settings", lambda f: edit_run(f, lambda v: v.pop("settings")), "not as a run is written", 5),
    (
        "tasks that are none",
        lambda f: edit_run(f, lambda v: v.update(tasks=[7])),
        "not as a run is written",
        5,
    ),
    ("no list of tasks", lambda f: edit_run(f, lambda v: v.update(tasks=None)), "not as a run is written", 5),
    (
        "no records stated",
        lambda f: edit_run(f, lambda v: v.update(records=None)),
        "not as a run is written",
        5,
    ),
    (
        "a task listed twice",
        lambda f: edit_run(f, lambda v: v["tasks"].append(v["tasks"][0])),
        "listed twice",
        5,
    ),
    (
        "a task left out",
        lambda f: edit_run(f, lambda v: v["tasks"].pop()),
        "does not list its task 'sums'",
        5,
    ),
    (
        "more planned than there are records",
        lambda f: edit_run(f, lambda v: v["tasks"][1]["totals"].update(planned=3, missing=2)),
        "task 'sums' has totals",
        5,
    ),
    # The records are not those that run.json states.
    (
        "no records",
        lambda f: (f / "records.jsonl").unlink(),
        "No such file or directory; restore the file",
        5,
    ),
    ("empty records", rewrite("records.jsonl", lambda raw: b""), "0 records; run.json says 6", 5),
    (
        "short",
        rewrite("records.jsonl", lambda raw: raw[: raw.rindex(b"\n", 0, -1) + 1]),
        "5 records; run.json",
        5,
    ),
    ("torn", rewrite("records.jsonl", lambda raw: raw[:-9]), "records.jsonl:6: the line does not end", 5),
    (
        "an answer edited",
        rewrite("records.jsonl", lambda raw: raw.replace(b"Cusco", b"Lima_")),
        "its sha256 is",
        5,
    ),
    (
        "another order",
        rewrite("records.jsonl", lambda raw: b"".join(raw.splitlines(keepends=True)[::-1])),
        "its sha256 is",
        5,
    ),
    (
        "a verdict edited, and its totals",
        rewrite("records.jsonl", lambda raw: raw.replace(b'"verdict":"failed"', b'"verdict":"passed"')),
        "its sha256 is",
        5,
    ),
    # Records that cannot be, though the seal holds.
    (
        "no JSON",
        rewrite("records.jsonl", lambda raw: b"x" + raw, then=reseal),
        "records.jsonl:1: not a record",
        5,
    ),
    (
        "not ASCII",
        rewrite("records.jsonl", lambda raw: b"\xc3" + raw, then=reseal),
        "records.jsonl:1: not a",
        5,
    ),
    (
        "null",
        rewrite("records.jsonl", lambda raw: b"null\n" + raw, then=reseal),
        "records.jsonl:1: not a record",
        5,
    ),
    (
        "a number",
        rewrite("records.jsonl", lambda raw: b"7\n" + raw, then=reseal),
        "records.jsonl:1: not a record",
        5,
    ),
    (
        "a blank line",
        rewrite("records.jsonl", lambda raw: b"\n" + raw, then=reseal),
        "records.jsonl:1: not a",
        5,
    ),
    (
        "nested without end",
        rewrite("records.jsonl", lambda raw: b"[" * 100_000 + b"\n" + raw, then=reseal),
        "records.jsonl:1: not a record",
        5,
    ),
    (
        "the same evaluation twice",
        rewrite("records.jsonl", lambda raw: raw + raw.splitlines(keepends=True)[0], then=reseal),
        "capitals/france#0 was judged already; an evaluation counts once",
        5,
    ),
    (
        "another schema",
        edit_record(lambda v: v.update(schema="infergate.record/2")),
        "'infergate.record/2' is",
        5,
    ),
    ("no verdict", edit_record(lambda v: v.pop("verdict")), "field `verdict`", 5),
    ("an unknown verdict", edit_record(lambda v: v.update(verdict="ok")), "value 'ok'", 5),
    (
        "passed and missing",
        edit_record(lambda v: v.update(verdict="passed"), 3),
        "verdict 'passed' with missing",
        5,
    ),
    ("missing without a reason", edit_record(lambda v: v.update(verdict="missing")), "with missing None", 5),
    (
        "an unknown reason",
        edit_record(lambda v: v["missing"].update(reason="unlucky"), 3),
        "value 'unlucky' - at `$.missing.reason`",
        5,
    ),
    (
        "a task of another digest",
        edit_record(lambda v: v["task"].update(digest="sha256:0")),
        "of task version",
        5,
    ),
    (
        "a task of another version",
        edit_record(lambda v: v["task"].update(version="9")),
        "of task version '9'",
        5,
    ),
    ("an unlisted task", edit_record(lambda v: v["task"].update(name="x")), "does not list its task 'x'", 5),
    (
        "an id that is not its own",
        edit_record(lambda v: v.update(id="capitals/x#0")),
        "is not its task/sample",
        5,
    ),
    (
        "a sample without a name",
        edit_record(lambda v: v["sample"].update(id=None)),
        "got `null` - at `$.sample.id`",
        5,
    ),
    (
        "a repeat that is no number",
        edit_record(lambda v: v.update(repeat="0")),
        "got `str` - at `$.repeat`",
        5,
    ),
    (
        "a sample without a digest",
        edit_record(lambda v: v["sample"].update(digest=7)),
        "got `int` - at `$.sample.digest`",
        5,
    ),
    (
        "NaN",
        edit_record(lambda v: v["scores"][0].update(value=float("nan"))),
        "not a record of this run (JSON is malformed",
        5,
    ),
    (
        "a number beyond all numbers",
        rewrite("records.jsonl", lambda raw: raw.replace(b'"value":1.0', b'"value":1e999', 1), then=reseal),
        "records.jsonl:1: not a record",
        5,
    ),
    (
        "a digest that is none",
        edit_record(lambda v: v["sample"].update(digest="md5:0")),
        "'md5:0' is not a digest",
        5,
    ),
    ("infinite", edit_record(lambda v: v["scores"][0].update(value=float("inf"))), "JSON is malformed", 5),
    ("true for 1", edit_record(lambda v: v["scores"][0].update(value=True)), "got `bool`", 5),
    (
        "a score without a value",
        edit_record(lambda v: v["scores"][0].update(value=None)),
        "needs a value or a",
        5,
    ),
    (
        "counts that give another number",
        edit_record(lambda v: v["scores"][0].update(pooled={"part": 0, "whole": 3})),
        "and its pooled counts give another number",
        5,
    ),
    (
        "a score without an evaluator",
        edit_record(lambda v: v["scores"][0].update(evaluator=None)),
        "records.jsonl:1: not a record",
        5,
    ),
    (
        "an evaluator without a name",
        edit_record(lambda v: v["scores"][0]["evaluator"].update(name="")),
        "an evaluator identity needs a name",
        5,
    ),
    ("no exchanges", edit_record(lambda v: v.update(exchanges=None)), "records.jsonl:1: not a record", 5),
    (
        "passed without any evidence",
        edit_record(lambda v: v.update(exchanges=[], scores=[])),
        "passed without a score or an exchange",
        5,
    ),
    (
        "expected to pass",
        edit_record(lambda v: v.update(expected_failure=True)),
        "with expected_failure True",
        5,
    ),
    ("a verdict turned, sealed again", edit_record(turn_passed, 2), "task 'capitals' has totals", 5),
]


@pytest.mark.parametrize(
    ("breaks", "said", "code"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_a_folder_that_cannot_be_trusted_is_one_line_and_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], breaks: Break, said: str, code: int
) -> None:
    whole, broken = write_run(tmp_path / "whole"), write_run(tmp_path / "broken")
    breaks(broken)
    with pytest.raises(RunFolderError, match=re.escape(said)) as caught:
        read_side(broken)
    assert isinstance(caught.value, ForeignFolderError) is (code == 2)
    for pair in ([whole, broken], [broken, whole], [broken, broken]):
        assert main(["compare", *map(str, pair)]) == code
        told = "".join(capsys.readouterr())
        (line,) = told.splitlines()
        assert said in line.replace("\\\\", "\\")
        assert line.startswith("missing evidence: " if code == 5 else "infergate: ")
        assert "failed" not in re.sub(r"\{.*\}", "", line)  # counts of verdicts apart
    assert main(["compare", "--json", str(whole), str(broken)]) == code
    out = capsys.readouterr().out
    assert (json.loads(out)["exit_code"] if code == 5 else 2) == code


@pytest.mark.parametrize("order", [("whole", "open"), ("open", "whole"), ("open", "open")])
def test_a_run_that_is_not_finished_is_missing_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: tuple[str, str]
) -> None:
    write_run(tmp_path / "whole")
    write_run(tmp_path / "open", is_finished=False)
    assert main(["compare", *(str(tmp_path / name) for name in order)]) == 5
    out = capsys.readouterr().out
    who = "base" if order[0] == "open" else "candidate"
    assert f"the {who} is not finished: there is no evidence to compare" in out
    assert out.endswith("comparison: missing evidence\n")


@pytest.mark.parametrize("name", ["absent", "file"])
def test_what_is_no_folder_is_not_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    whole = write_run(tmp_path / "whole")
    (tmp_path / "file").write_text("hello")
    assert main(["compare", str(whole), str(tmp_path / name)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_run_with_itself_is_unchanged_where_nothing_is_missing(tmp_path: Path) -> None:
    whole = write_run(tmp_path / "whole", RECORDS[:3], (CAPITALS,))
    found = compare_runs(read_side(whole), read_side(whole))
    assert [task.outcome.value for task in found.tasks] == ["unchanged"]
    assert "both are the same run" in found.notes
    gaps = write_run(tmp_path / "gaps", (*RECORDS[:3], missing("chad", Reason.TIMEOUT)), (CAPITALS,))
    found = compare_runs(read_side(gaps), read_side(gaps))
    assert [(task.outcome.value, task.detail) for task in found.tasks] == [
        ("missing", "a run compared with itself, and 1 of 4 pairs are missing on a side (2 timeout)")
    ]
