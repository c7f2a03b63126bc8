"""A baseline file holds what a comparison needs of a run, and shows when it is not as it was written."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_infergate.compare import FlipRate, Outcome, compare_runs, read_side
from pytest_infergate.compare.baseline import Baseline
from pytest_infergate.compare.baseline_check import check_baseline
from pytest_infergate.compare.baseline_file import (
    baseline_text,
    read_baseline,
    read_baseline_json,
    summary_json,
    write_baseline,
)
from pytest_infergate.compare.baseline_saving import make_baseline
from pytest_infergate.evidence import (
    EvaluatorIdentity,
    Fallback,
    Missing,
    Pooled,
    Reason,
    Record,
    Score,
    Verdict,
    digest,
)
from pytest_infergate.runs import ForeignFolderError, RunFolderError, Secrets, TaskPlan
from pytest_infergate.runs.schemas import load_schema
from tests.runs.made import CAPITALS, HEAD, RECORDS, SUMS, exchange, missing, record, write_run
from tests.runs.test_schemas import objects_of

REPEATED = replace(CAPITALS, name="poems", repeat=2, has_dataset=True, margin=0.1)
WER = EvaluatorIdentity(kind="wer", name="wer", version="1", backend="whisper 1.0", settings={"beam": 5})
STYLE = EvaluatorIdentity(kind="judge", name="style", version="2")
FALLBACK = Fallback(preferred="large", because="out of memory")


def scored(sample: str, **fields: Any) -> Record:
    scores = (
        Score.measured("wer", 0.25, evaluator=WER, higher_is_better=False, pooled=Pooled(part=2, whole=8)),
        Score.measured("style", 3, evaluator=STYLE, unit="points", fallback=FALLBACK, gates=False),
        Score(
            name="style",
            value=None,
            unit="points",
            higher_is_better=True,
            evaluator=STYLE,
            missing=Missing(Reason.EVALUATOR_UNAVAILABLE, "no judge"),
            gates=False,
        ),
    )
    return record(sample, scores=scores, **fields)


#: One of each kind.
EVERYTHING = (
    *RECORDS,
    scored("clip"),
    record("oslo", Verdict.FAILED, is_expected_failure=True),
    *(record("ode", plan=REPEATED, repeat=n) for n in (0, 1)),
    record("crème \u202e/#0", exchanges=[]),
)
PLANS = (SUMS, REPEATED, CAPITALS)


def saved(folder: Path, records: Any = EVERYTHING, plans: Any = PLANS, **head: Any) -> Baseline:
    return make_baseline([write_run(folder, records, plans, head=replace(HEAD, **head))])


def test_what_is_read_is_what_was_saved(tmp_path: Path) -> None:
    made = saved(tmp_path / "run")
    made = replace(
        made,
        side=replace(
            made.side,
            tasks={n: replace(t, flip_rate=FlipRate(flips=1, pairs=9)) for n, t in made.side.tasks.items()},
        ),
    )
    write_baseline(tmp_path / "b.json", made)
    again = read_baseline(tmp_path / "b.json")
    assert replace(again.side, label=made.side.label) == made.side
    assert replace(again, side=made.side) == made
    assert baseline_text(again) == baseline_text(made)
    assert check_baseline(tmp_path / "b.json").problem is None


def test_a_run_is_unchanged_against_its_own_baseline(tmp_path: Path) -> None:
    records = [record("france"), record("peru", Verdict.FAILED), scored("clip")]
    write_baseline(tmp_path / "b.json", saved(tmp_path / "run", records, [CAPITALS]))
    comparison = compare_runs(read_side(tmp_path / "b.json"), read_side(tmp_path / "run"))
    assert [task.outcome for task in comparison.tasks] == [Outcome.UNCHANGED]
    assert (comparison.treatment, comparison.timing) == ((), ())


verdicts = st.sampled_from(
    [Verdict.PASSED, Verdict.FAILED, *(reason for reason in Reason if reason is not Reason.EMPTY_DATASET)]
)


ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[Record], list[TaskPlan]]:
    records = []
    plans = [CAPITALS, REPEATED]
    for plan in plans:
        for id in draw(st.lists(ids, unique=True, min_size=1, max_size=6)):
            for number in range(plan.repeat):
                said = draw(verdicts)
                if isinstance(said, Reason):
                    records.append(missing(id, said, plan=plan, repeat=number))
                    continue
                number_ = draw(st.floats(-1e9, 1e9))
                pooled = draw(st.none() | st.builds(Pooled, part=st.integers(0, 9), whole=st.floats(1, 1e9)))
                number_ = number_ if pooled is None else pooled.part / pooled.whole
                against = draw(st.none() | st.sampled_from(["ab" * 32, "cd" * 32]))
                by = STYLE if against is None else replace(STYLE, kind="visual", digest="")
                score = replace(
                    Score.measured("f1", number_, evaluator=by, pooled=pooled), details={"against": against}
                )
                asked = [exchange(draw(st.sampled_from(["Lima", "Oslo"])))]
                records.append(record(id, said, plan=plan, repeat=number, scores=(score,), exchanges=asked))
    return records, plans


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs(), st.randoms(use_true_random=False))
def test_saving_loses_nothing_and_knows_no_order(
    tmp_path_factory: pytest.TempPathFactory, run: tuple[list[Record], list[TaskPlan]], chance: random.Random
) -> None:
    """The order of judging, which differs from run to run under xdist, leaves no trace in the file."""
    records, plans = run
    folder = tmp_path_factory.mktemp("runs")
    made = saved(folder / "one", records, plans)
    chance.shuffle(records)
    chance.shuffle(plans)
    other = saved(folder / "other", records, plans)
    assert baseline_text(other) == baseline_text(made)
    write_baseline(folder / "b.json", made)
    again = read_baseline(folder / "b.json")
    assert again.side.tasks == made.side.tasks
    base, candidate = (compare_runs(side, made.side) for side in (again.side, made.side))
    assert {t.task: t.outcome for t in base.tasks} == {t.task: t.outcome for t in candidate.tasks}


def test_the_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    write_run(tmp_path / "run", EVERYTHING, PLANS)
    code = (
        "from pathlib import Path; from pytest_infergate.compare.baseline_saving import make_baseline; "
        "from pytest_infergate.compare.baseline_file import baseline_text; "
        f"print(baseline_text(make_baseline([Path({str(tmp_path / 'run')!r})], with_replies=True)))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(texts) == 1


def test_one_changed_verdict_is_one_changed_line_and_the_counts(tmp_path: Path) -> None:
    before = baseline_text(saved(tmp_path / "one", [record(n) for n in "abcd"], [CAPITALS])).splitlines()
    changed = [record("a"), record("b", Verdict.FAILED), record("c"), record("d")]
    after = baseline_text(saved(tmp_path / "two", changed, [CAPITALS])).splitlines()
    assert len(before) == len(after)
    differing = [new for old, new in zip(before, after, strict=True) if old != new]
    assert [line.split(":")[0] for line in differing] == ['"digest"', '{"name"', '{"id"']
    assert differing[2].startswith('{"id":"b","verdict":"failed",')


def test_it_is_small(tmp_path: Path) -> None:
    records = [record(f"gsm8k-test-{n:04}") for n in range(1319)]
    text = baseline_text(saved(tmp_path / "run", records, [CAPITALS]))
    assert len(text) < 250_000
    assert len(text.splitlines()) < 1319 + 120


def test_replies_are_kept_only_where_they_are_asked_for(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [record("peru", exchanges=[exchange("Lima, I think")])], [CAPITALS])
    assert "Lima" not in baseline_text(make_baseline([folder]))
    made = make_baseline([folder], with_replies=True)
    write_baseline(tmp_path / "b.json", made)
    again = read_baseline(tmp_path / "b.json")
    assert again.replies == {"capitals": {("peru", 0): ("Lima, I think",)}}
    assert again.side.tasks == make_baseline([folder]).side.tasks
    assert check_baseline(tmp_path / "b.json").problem is None


SECRET = "sk-verysecret-0123456789"


def test_no_secret_is_in_it(tmp_path: Path) -> None:
    server = {
        **dict(HEAD.server or {}),
        "url": f"http://me:{SECRET}@127.0.0.1",
        "fields": {
            "launch_command": {"value": f"serve --api-key {SECRET}", "origin": "probed"},
        },
    }
    asked = exchange(f"the key is {SECRET}", error=None)
    records = [record(f"id {SECRET}", exchanges=[asked], message=SECRET, answer=SECRET)]
    folder = write_run(
        tmp_path / "run", records, [CAPITALS], head=replace(HEAD, server=server), secrets=Secrets([SECRET])
    )
    text = baseline_text(make_baseline([folder], with_replies=True))
    assert "[redacted]" in text
    assert SECRET not in text


def test_it_names_no_folder_of_the_machine(tmp_path: Path) -> None:
    head = replace(HEAD, argv=("pytest", str(tmp_path)), settings={"replay": str(tmp_path)})
    folder = write_run(tmp_path / "run", head=head)
    assert str(tmp_path) not in baseline_text(make_baseline([folder], with_replies=True))


# what is not as it was written


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_baseline(tmp_path / "b.json", saved(tmp_path / "run"))
    return tmp_path / "b.json"


def test_a_file_torn_at_any_line_is_damaged(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for end in range(1, len(lines)):
        file.write_bytes(b"".join(lines[:end]))
        found = check_baseline(file)
        assert int(found.exit_code) == 5, end
        assert found.problem is not None
        assert "damaged" in found.problem
        assert "\n" not in found.problem
        with pytest.raises(RunFolderError) as error:
            read_side(file)
        assert not isinstance(error.value, ForeignFolderError)


def test_a_file_without_one_of_its_lines_is_not_as_it_was_written(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for without in range(len(lines)):
        file.write_bytes(b"".join([*lines[:without], *lines[without + 1 :]]))
        assert int(check_baseline(file).exit_code) in (2, 5), lines[without]


@pytest.mark.parametrize(
    ("raw", "code", "said"),
    [
        (b"", 2, "not a baseline file"),
        (b"\n", 2, "not a baseline file"),
        (b"{", 5, "damaged"),
        (b"{}", 2, "not a baseline file"),
        (b"[]", 2, "not a baseline file"),
        (b"null", 2, "not a baseline file"),
        (b"\x89PNG\r\n", 2, "not a baseline file"),
        (b"question,answer\n", 2, "not a baseline file"),
        (b'{"schema": "infergate.run/1"}', 2, "not a baseline file"),
        (b'{"schema": "infergate.baseline/2"}', 2, "is newer than 'infergate.baseline/1'"),
        (b'{"schema": "infergate.baseline/99", "digest": 1}', 2, "upgrade pytest-infergate"),
        (b'{"schema": "infergate.baseline/0"}', 2, "not a baseline file"),
        (b'{"schema": "infergate.baseline/x"}', 2, "not a baseline file"),
        (b'{"schema": 1}', 2, "not a baseline file"),
        (b'{"schema": "infergate.baseline/1"}', 5, "its digest is sha256:"),
        (b'{\n"schema": "infergate.baseline/1",\n<<<<<<< main\n', 5, "damaged"),
        (b'{\r\n"schema": "infergate.baseline/1",\r\n', 5, "damaged"),
        (b"\xff" * 8, 2, "not a baseline file"),
        (b"[" * 100_000, 2, "not a baseline file"),
    ],
)
def test_what_is_no_baseline(file: Path, raw: bytes, code: int, said: str) -> None:
    file.write_bytes(raw)
    found = check_baseline(file)
    assert int(found.exit_code) == code
    assert found.problem is not None
    assert said in found.problem
    assert "\n" not in found.problem
    assert (found.tasks, found.evaluations) == (0, 0)


def test_a_folder_is_told_to_be_one(tmp_path: Path) -> None:
    """A run folder is given where its baseline file is asked for."""
    found = check_baseline(tmp_path)
    assert int(found.exit_code) == 2
    assert found.problem is not None
    assert found.problem.endswith(
        "is a folder; name a baseline file, which infergate baseline save makes of a run"
    )


def test_a_file_that_is_not_there_is_foreign(tmp_path: Path) -> None:
    found = check_baseline(tmp_path / "none.json")
    assert int(found.exit_code) == 2
    assert found.problem is not None
    assert "No such file" in found.problem


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"verdict":"failed"', '"verdict":"passed"'),
        ('"passed":2', '"passed":3'),
        ('"margin":0.1', '"margin":0.9'),
        ('"france"', '"franche"'),
        ('"run_id": "', '"run_id": "x'),
        ('"infergate.record/1"', '"infergate.record/2"'),
        ('"gemma-3"', '"gemma-4"'),
    ],
)
def test_an_edit_by_hand_shows(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    found = check_baseline(file)
    assert int(found.exit_code) == 5
    assert found.problem is not None
    assert "edited by hand" in found.problem
    with pytest.raises(RunFolderError, match="edited by hand"):
        read_side(file)


def test_line_ends_and_blanks_are_no_edit(file: Path) -> None:
    """Git may turn line ends on its way to a checkout."""
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert check_baseline(file).problem is None


def task_of(value: dict[str, Any], name: str) -> dict[str, Any]:
    (task,) = (task for task in value["tasks"] if task["name"] == name)
    return dict(task)


EDITS: list[tuple[Any, str]] = [
    (lambda v: v["tasks"][0]["samples"].pop(), "totals"),
    (lambda v: v["tasks"][0]["samples"].append(v["tasks"][0]["samples"][0]), "is there twice"),
    (lambda v: v["tasks"].append(v["tasks"][0]), "is there twice"),
    (lambda v: v["tasks"][0]["totals"].update(passed=99), "totals"),
    (lambda v: v["tasks"][0]["samples"][0].update(verdict="fine"), "'fine'"),
    (lambda v: v["tasks"][0]["samples"][0].update(asked=[["a"]]), "unpack"),
    (lambda v: v["tasks"][0]["samples"][0].update(scores=[[-1, 0]]), "place -1"),
    (lambda v: v["tasks"][0]["samples"][0].update(scores=[[99, 0]]), "out of range"),
    (lambda v: v["tasks"][0]["samples"][0].update(scores=[[0, "fine"]]), "fine"),
    (lambda v: v["tasks"][0]["samples"][0].update(extra=1), "Additional properties"),
    (lambda v: v["tasks"][0].update(evaluator=-1), "minimum"),
    (lambda v: v["tasks"][0].update(repeat=0), "minimum"),
    (lambda v: v["tasks"][0].update(flip_rate={"flips": 1, "pairs": 0}), "minimum"),
    (lambda v: v.pop("history"), "'history'"),
    (lambda v: v.update(verdict="fine"), "'fine'"),
    (lambda v: v.update(extra=1), "Additional properties"),
    (lambda v: v.update(run_id=""), "run_id"),
    (lambda v: v.update(tasks={}), "tasks"),
    (lambda v: v.update(server={"engine": "x"}), "server"),
]


@pytest.mark.parametrize(("edit", "said"), EDITS)
def test_an_edit_with_the_right_digest_is_held_against_the_schema_and_a_recount(
    file: Path, edit: Any, said: str
) -> None:
    value = json.loads(file.read_text())
    edit(value)
    value["digest"] = digest({name: item for name, item in value.items() if name != "digest"})
    file.write_text(json.dumps(value))
    found = check_baseline(file)
    assert int(found.exit_code) == 5
    assert found.problem is not None
    assert said in found.problem
    assert "\n" not in found.problem


def test_what_is_said_of_a_baseline_is_what_it_holds(file: Path) -> None:
    baseline = read_baseline(file)
    value = read_baseline_json(file.read_bytes(), file)
    told = summary_json(baseline)
    for name in told.keys() - {"tasks"}:
        assert told[name] == value[name], name
    assert [task["totals"] for task in told["tasks"]] == [task["totals"] for task in value["tasks"]]


def test_nothing_is_left_where_it_cannot_be_written(tmp_path: Path) -> None:
    made = saved(tmp_path / "run")
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe")  # as a device would be, it is kept
    for path in (tmp_path, tmp_path / "file" / "b.json", tmp_path / "pipe"):
        with pytest.raises(RunFolderError):
            write_baseline(path, made)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "pipe", "run"]


def test_every_object_of_the_schema_is_closed_and_described() -> None:
    found = list(objects_of(load_schema("baseline")))
    assert len(found) >= 8
    for path, schema in found:
        assert schema["additionalProperties"] is False, path
        for field, told in schema["properties"].items():
            assert {"description", "$ref", "const"} & set(told), f"{path}.{field}"
