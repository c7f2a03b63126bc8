"""Shards come together as the run that one session would have made, or are refused by name."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_infergate.evidence import (
    EvaluatorIdentity,
    Gate,
    GateRule,
    Missing,
    Reason,
    Record,
    Score,
    Verdict,
    digest,
)
from pytest_infergate.runs import (
    CollectedEvaluation,
    CollectedTask,
    ForeignFolderError,
    Project,
    RunFolderError,
    RunHead,
    RunLedger,
    RunWriter,
    TaskPlan,
    read_run,
)
from pytest_infergate.runs.merging import MergedRun, MergeRefused, RefusalKind, merge_runs
from pytest_infergate.runs.merging.task_order import order_tasks
from pytest_infergate.runs.validate import validate_run

from .made import CAPITALS, DIGEST, EMPTY, FINISHED, HEAD, SERVER, SUMS, edit_run, line_of, record

#: Three repeats of each sample: what repeats say together is counted over all shards.
DICE = TaskPlan(name="dice", version="1", digest=DIGEST, rule=GateRule(min_pass_rate=0.4), repeat=3)
PLANS = (CAPITALS, SUMS, DICE)


def evaluation_of(made: Record) -> CollectedEvaluation:
    key = made.evaluation.key
    return CollectedEvaluation(key.sample, key.repeat, made.evaluation.sample_digest)


def collected(records: Iterable[Record], plans: Iterable[TaskPlan]) -> list[CollectedTask]:
    records = list(records)
    known = {made.evaluation.key.task for made in records}
    return [
        CollectedTask(
            plan=plan,
            nodeid=f"evals/test_{plan.name}.py::test_it",
            evaluations=tuple(evaluation_of(r) for r in records if r.evaluation.key.task == plan.name),
        )
        for plan in plans
        if plan.name in known or plan.is_empty
    ]


@dataclass(frozen=True)
class Made:
    """A shard to write: its records, and the whole that it was selected from (``None``: it is whole)."""

    records: Sequence[Record]
    whole: Sequence[Record] | None = None
    plans: Sequence[TaskPlan] = PLANS
    head: RunHead = HEAD
    gates: Sequence[Gate] = ()
    finished: str = FINISHED

    def write(self, folder: Path) -> Path:
        selected = {made.evaluation.key.task for made in self.records}
        plans = [plan for plan in self.plans if plan.name in selected or (plan.is_empty and not self.whole)]
        ledger = RunLedger(plans)
        writer = RunWriter.create(folder, replace(self.head, run_id=f"{self.head.run_id}-{folder.name}"))
        if self.whole is not None:
            writer.add_collected(collected(self.whole, self.plans))
        for made in self.records:
            ledger.count(made)
            writer.add(line_of(made))
        writer.finish(self.finished, ledger.summary(self.gates))
        return folder


def write_all(root: Path, *shards: Made) -> list[Path]:
    return [shard.write(root / name) for name, shard in zip("abcdefgh", shards, strict=False)]


def merge(root: Path, *shards: Made, allow_gaps: bool = False) -> MergedRun:
    return merge_runs(write_all(root, *shards), root / "all", argv=["merge"], allow_gaps=allow_gaps)


def run_json(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return value


def records_of(task: TaskPlan, *samples: str, verdict: Verdict = Verdict.PASSED) -> list[Record]:
    return [record(sample, verdict, plan=task) for sample in samples]


verdicts = st.sampled_from(["passed", "failed", "no_answer", "timeout"])


@st.composite
def runs(draw: st.DrawFn) -> list[Record]:
    """The records of a run over three tasks, in the order of its plan."""
    made = []
    for plan in PLANS:
        for sample in range(draw(st.integers(1, 4))):
            for repeat in range(plan.repeat):
                how, id = draw(verdicts), f"{plan.name}-{sample}"
                if how in ("passed", "failed"):
                    made.append(record(id, Verdict(how), plan=plan, repeat=repeat, answer=f'"{how}"'))
                else:
                    missing = Missing(Reason(how))
                    made.append(record(id, Verdict.MISSING, plan=plan, repeat=repeat, missing=missing))
    return made


@settings(max_examples=25, deadline=None)
@given(runs(), st.data())
def test_any_split_in_any_order_comes_together_as_the_run_itself(
    whole: list[Record], data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, 5), "shards")
    part = data.draw(st.lists(st.integers(0, count - 1), min_size=len(whole), max_size=len(whole)), "parts")
    shards = []
    for number in range(count):
        records = [made for made, place in zip(whole, part, strict=True) if place == number]
        # Workers of xdist write records as they come.
        records = data.draw(st.permutations(records), "order of writing")
        shards.append(Made(records, whole if len(records) < len(whole) else None))
    with TemporaryDirectory() as name:
        root = Path(name)
        at_once = run_json(Made(whole).write(root / "once"))
        folders = data.draw(st.permutations(write_all(root, *shards)), "order of naming")
        merge_runs(folders, root / "all", argv=["merge"])
        merged = run_json(root / "all")
        assert validate_run(root / "all").is_valid
        if count > 1:
            assert (root / "all" / "records.jsonl").read_bytes() == (
                root / "once" / "records.jsonl"
            ).read_bytes()
        for field_ in ("totals", "tasks", "gates", "verdict", "server", "settings", "partial", "collected"):
            assert merged[field_] == at_once[field_], field_


def test_a_merge_of_merges_is_the_merge_of_all(tmp_path: Path) -> None:
    whole = [*records_of(CAPITALS, "a", "b", "c"), *records_of(SUMS, "d")]
    one, two, three = write_all(tmp_path, *(Made(whole[i : i + 1], whole) for i in (0, 2, 1)))
    four = Made(whole[3:], whole).write(tmp_path / "four")
    merge_runs([one, two], tmp_path / "x", argv=[], allow_gaps=True)
    assert run_json(tmp_path / "x")["partial"] == {"by": ["2 of the suite's 4 evaluations in no shard"]}
    merge_runs([three, four], tmp_path / "y", argv=[], allow_gaps=True)
    merge_runs([tmp_path / "y", tmp_path / "x"], tmp_path / "all", argv=[])
    assert [made.evaluation.key.sample for made in read_run(tmp_path / "all").records()] == [
        "a",
        "b",
        "c",
        "d",
    ]
    assert run_json(tmp_path / "all")["partial"] is None
    assert set(run_json(tmp_path / "all")["derived_from"]["runs"]) == {
        run_json(tmp_path / name)["run_id"] for name in "xy"
    }


def test_a_task_gate_is_judged_on_the_whole(tmp_path: Path) -> None:
    """Half of it is wrong in one shard, and the rate of the task holds; the reverse is as true."""
    whole = [*records_of(CAPITALS, *"abc"), *records_of(CAPITALS, *"de", verdict=Verdict.FAILED)]
    red, green = Made(whole[3:], whole), Made(whole[:3], whole)
    merged = merge(tmp_path, red, green)
    assert run_json(tmp_path / "a")["verdict"] == "failed"
    assert merged.summary.verdict is Verdict.PASSED


@dataclass(frozen=True)
class Refused:
    """Two shards that do not make one run, what is said of them, and of which kind it is."""

    why: str
    says: str
    first: Made
    second: Made
    kind: RefusalKind = RefusalKind.DIFFERENT


WHOLE = [*records_of(CAPITALS, *"abcd"), *records_of(SUMS, "e")]
HERE, THERE = WHOLE[:2], WHOLE[2:]


def server(change: Callable[[dict[str, Any]], object]) -> RunHead:
    value = deepcopy(SERVER)
    change(value)
    return replace(HEAD, server=value)


def known(name: str, value: object, origin: str = "probed") -> RunHead:
    return server(lambda s: s["fields"].__setitem__(name, {"value": value, "origin": origin}))


def with_plan(changed: TaskPlan) -> Made:
    """The second shard of a suite whose task ``capitals`` is another."""
    plans = [changed if plan.name == changed.name else plan for plan in PLANS]
    whole = [
        record(made.evaluation.key.sample, plan=changed) if made.evaluation.key.task == "capitals" else made
        for made in WHOLE
    ]
    return Made(whole[2:], whole, plans)


def scored_by(backend: str | None, sample: str) -> Record:
    judge = EvaluatorIdentity(kind="sandbox", name="python", version="1", backend=backend)
    return record(sample, scores=(Score.measured("functional", 1.0, evaluator=judge),))


def sourced(source: str, sample: str) -> Record:
    made = record(sample)
    return replace(made, exchanges=tuple({**one, "source": source} for one in made.exchanges))


OTHER = digest("other code")
FIRST = Made(HERE, WHOLE)
REFUSED = [
    Refused(
        "another model",
        "server.model: gemma-3 in a, llama-3 in b",
        FIRST,
        Made(THERE, WHOLE, head=known("model", "llama-3")),
    ),
    Refused(
        "a build that only one tells",
        "server.quantization: unknown in a, Q4 in b",
        FIRST,
        Made(THERE, WHOLE, head=known("quantization", "Q4")),
    ),
    Refused(
        "another engine",
        "server.engine: llama.cpp in a, vllm in b",
        FIRST,
        Made(THERE, WHOLE, head=server(lambda s: s.update(engine="vllm"))),
    ),
    Refused(
        "another default",
        "server.sampling_defaults.top_k: 40 in a, 50 in b",
        FIRST,
        Made(
            THERE,
            WHOLE,
            head=server(lambda s: s["sampling_defaults"].update(top_k={"value": 50, "origin": "probed"})),
        ),
    ),
    Refused(
        "another fingerprint in replies",
        "server.system_fingerprint: x in a, y in b",
        Made(HERE, WHOLE, head=known("system_fingerprint", "x", "reply")),
        Made(THERE, WHOLE, head=known("system_fingerprint", "y", "reply")),
    ),
    Refused(
        "another judge",
        "judge.model: gemma-3 in a, qwen in b",
        Made(HERE, WHOLE, head=replace(HEAD, judge=SERVER)),
        Made(THERE, WHOLE, head=replace(HEAD, judge=known("model", "qwen").server)),
    ),
    Refused(
        "another version of the tool",
        "tool.version: 0.1.0 in a, 0.2.0 in b",
        FIRST,
        Made(THERE, WHOLE, head=replace(HEAD, tool_version="0.2.0")),
    ),
    Refused(
        "another commit",
        "project.commit: aaa in a, bbb in b",
        Made(HERE, WHOLE, head=replace(HEAD, project=Project(commit="aaa", is_dirty=False))),
        Made(THERE, WHOLE, head=replace(HEAD, project=Project(commit="bbb", is_dirty=False))),
    ),
    Refused(
        "another deadline",
        "settings.timeout_s: none in a, 5 in b",
        FIRST,
        Made(THERE, WHOLE, head=replace(HEAD, settings={"timeout_s": 5})),
    ),
    Refused(
        "another limit",
        "settings.limit: none in a, 10 in b",
        FIRST,
        Made(THERE, WHOLE, head=replace(HEAD, settings={"limit": "10"})),
    ),
    Refused(
        "other code",
        f"task capitals: digest: {DIGEST} in a, {OTHER} in b",
        FIRST,
        with_plan(replace(CAPITALS, digest=OTHER)),
    ),
    Refused(
        "another version of the task",
        "task capitals: version: 1 in a, 2 in b",
        FIRST,
        with_plan(replace(CAPITALS, version="2")),
    ),
    Refused(
        "another gate",
        'task capitals: rule: {"corpus":null,"max_missing":0.0,"min_pass_rate":0.5} in a, '
        '{"corpus":null,"max_missing":0.0,"min_pass_rate":0.1} in b',
        FIRST,
        with_plan(replace(CAPITALS, rule=GateRule(min_pass_rate=0.1))),
    ),
    Refused(
        "another extractor",
        "task capitals: evaluator: ",
        FIRST,
        with_plan(
            replace(CAPITALS, evaluator=EvaluatorIdentity(kind="extractor", name="last_line", version="2"))
        ),
    ),
    Refused(
        "another row under one id",
        f"task capitals/c#0: sample.digest: {digest('c')} in a, {OTHER} in b",
        FIRST,
        Made(
            THERE,
            [
                replace(made, evaluation=replace(made.evaluation, sample_digest=OTHER))
                if made.evaluation.key.sample == "c"
                else made
                for made in WHOLE
            ],
        ),
    ),
    Refused(
        "a row more",
        "task capitals: collected evaluations: 4 without capitals/z#0 in a, 5 with capitals/z#0 in b",
        FIRST,
        Made(THERE, [*WHOLE, *records_of(CAPITALS, "z")]),
    ),
    Refused(
        "two wholes",
        "task capitals: collected evaluations: 2 with capitals/a#0 in a, 2 without capitals/a#0 in b",
        Made(records_of(CAPITALS, *"ab")),
        Made(records_of(CAPITALS, *"cd")),
    ),
    Refused(
        "another sandbox",
        "task capitals: evaluator of the score functional: sandbox python v1 on bubblewrap 0.8 in a, "
        "sandbox python v1 on subprocess in b",
        Made([scored_by("bubblewrap 0.8", "a")], [scored_by(None, "a"), scored_by(None, "b")]),
        Made([scored_by("subprocess", "b")], [scored_by(None, "a"), scored_by(None, "b")]),
    ),
    Refused(
        "stored replies",
        "replies: from a server in a, from stored replies in b",
        FIRST,
        Made([sourced("replay", "c"), *WHOLE[3:]], WHOLE),
    ),
    Refused(
        "an evaluation twice",
        "task capitals: 1 evaluation is in two shards, such as capitals/b#0: passed in a, passed in b",
        FIRST,
        Made(WHOLE[1:], WHOLE),
        RefusalKind.OVERLAP,
    ),
    Refused(
        "with two verdicts",
        "task capitals: 1 evaluation is in two shards, such as capitals/b#0: passed in a, failed in b",
        FIRST,
        Made([*records_of(CAPITALS, "b", verdict=Verdict.FAILED), *THERE], WHOLE),
        RefusalKind.OVERLAP,
    ),
    Refused(
        "a part and the whole",
        "task capitals: 2 evaluations are in two shards, such as capitals/a#0: passed in a, passed in b",
        FIRST,
        Made(WHOLE),
        RefusalKind.OVERLAP,
    ),
    Refused(
        "one is missing",
        "task capitals: 1 of its 4 evaluations are in no shard, such as capitals/c#0",
        FIRST,
        Made(THERE[1:], WHOLE),
        RefusalKind.GAP,
    ),
    Refused(
        "a task is missing",
        "task sums: all 1 evaluation is in no shard, such as sums/e#0",
        FIRST,
        Made(THERE[:-1], WHOLE),
        RefusalKind.GAP,
    ),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.why)
def test_what_is_no_single_run_is_refused_by_name(
    case: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = [
        case.first.write(Path("a")),
        replace(case.second, head=replace(case.second.head, started="2026-01-02T03:04:06Z")).write(Path("b")),
    ]
    with pytest.raises(MergeRefused) as caught:
        merge_runs(list(reversed(folders)), Path("all"), argv=[])
    told = [str(refusal) for refusal in caught.value.refusals]
    assert any(text.startswith(case.says) for text in told), told
    assert {refusal.kind for refusal in caught.value.refusals} == {case.kind}
    assert "\n" not in str(caught.value)
    assert case.kind.remedy in str(caught.value)
    assert not Path("all").exists()


AGREE = [
    (
        "replicas at two places",
        server(lambda s: s.update(url="http://127.0.0.1:9")),
        "http://127.0.0.1:8080, http://127.0.0.1:9",
    ),
    ("started at another time", known("started_at", 5), "http://127.0.0.1:8080"),
    (
        "a fingerprint that one shard's replies told",
        known("system_fingerprint", "x", "reply"),
        "http://127.0.0.1:8080",
    ),
    ("stored media, which need no server", replace(HEAD, server=None), "http://127.0.0.1:8080"),
    ("another machine", replace(HEAD, platform="Darwin"), "http://127.0.0.1:8080"),
    (
        "another margin, which decides nothing here",
        replace(HEAD, settings={"concurrency": 1, "margin": 0.1}),
        "http://127.0.0.1:8080",
    ),
]


@pytest.mark.parametrize(("why", "head", "url"), AGREE, ids=[case[0] for case in AGREE])
def test_what_does_not_matter_may_differ(why: str, head: RunHead, url: str, tmp_path: Path) -> None:
    merge(tmp_path, FIRST, Made(THERE, WHOLE, head=head))
    assert run_json(tmp_path / "all")["server"]["url"] == url
    assert validate_run(tmp_path / "all").is_valid


def gate(verdict: Verdict, name: str = "identity", observed: str = "", detail: str = "") -> Gate:
    return Gate(
        name=name, task=None, rule="r", observed=observed or verdict.value, verdict=verdict, detail=detail
    )


GOOD = gate(Verdict.PASSED)
CARRIED = [
    # gates of a, gates of b, the gates of the run, why
    ([GOOD], [GOOD], [GOOD], "one kind, once"),
    ([GOOD], [], [GOOD], "one shard asked nobody"),
    (
        [GOOD],
        [gate(Verdict.MISSING)],
        [gate(Verdict.MISSING, observed="missing in {b}")],
        "one server changed",
    ),
    (
        [gate(Verdict.MISSING, detail="x")],
        [gate(Verdict.MISSING, detail="y")],
        [gate(Verdict.MISSING, observed="missing in {a}; missing in {b}", detail="x; y")],
        "both did",
    ),
    (
        [gate(Verdict.FAILED, "baseline")],
        [gate(Verdict.PASSED, "baseline")],
        [gate(Verdict.FAILED, "shard_baseline", "failed in {a}")],
        "a comparison of a part is no comparison of the whole",
    ),
    ([gate(Verdict.MISSING, "served_model")], [], [], "judged anew, over all replies"),
    ([GOOD], [gate(Verdict.MISSING, "collection")], [GOOD, gate(Verdict.MISSING, "collection")], "two kinds"),
]


@pytest.mark.parametrize(("ours", "theirs", "expected", "why"), CARRIED)
def test_gates_over_a_session_are_carried(
    ours: list[Gate], theirs: list[Gate], expected: list[Gate], why: str, tmp_path: Path
) -> None:
    merge(tmp_path, Made(HERE, WHOLE, gates=ours), Made(THERE, WHOLE, gates=theirs))
    shown = [
        replace(one, observed=one.observed.format(a=tmp_path / "a", b=tmp_path / "b")) for one in expected
    ]
    assert list(read_run(tmp_path / "all").gates) == shown, why
    worst = {one.verdict for one in expected} - {Verdict.PASSED}
    assert (run_json(tmp_path / "all")["verdict"] == "passed") is not worst


def test_replies_of_another_model_are_seen_where_each_shard_has_one(tmp_path: Path) -> None:
    def served(sample: str, model: str) -> Record:
        made = record(sample)
        replies = [{**one["reply"], "served_model": model} for one in made.exchanges]
        exchanges = tuple({**one, "reply": r} for one, r in zip(made.exchanges, replies, strict=True))
        return replace(made, exchanges=exchanges)

    whole = [served("a", "small"), served("b", "large")]
    merged = merge(tmp_path, Made(whole[:1], whole), Made(whole[1:], whole))
    assert [run_json(tmp_path / name)["verdict"] for name in "ab"] == ["passed", "passed"]
    assert merged.summary.verdict is Verdict.MISSING
    assert "served_model" in [one.name for one in merged.summary.gates]


PARTIAL = [
    # what a shard says of its selection, what the run says, why
    ("-k capital", None, "the shard knows what it left out"),
    ("node id evals/test_capitals.py::test_it[a]", None, "the same"),
    ("12 evaluations deselected by a plugin", None, "the same"),
    ("--infer-limit=10", "--infer-limit=10", "no shard has the other rows"),
    ("--ignore evals/slow", "--ignore evals/slow", "nobody looked into that folder"),
    ("--lf", "--lf", "files without a failure were not read"),
]


@pytest.mark.parametrize(("reason", "expected", "why"), PARTIAL)
def test_a_run_stays_partial_by_what_no_shard_knows(
    reason: str, expected: str | None, why: str, tmp_path: Path
) -> None:
    head = replace(HEAD, partial=(reason,))
    merge(tmp_path, Made(HERE, WHOLE, head=head), Made(THERE, WHOLE, head=head))
    assert run_json(tmp_path / "all")["partial"] == (expected and {"by": [expected]}), why


def test_gaps_that_are_accepted_are_told(tmp_path: Path) -> None:
    merged = merge(tmp_path, FIRST, allow_gaps=True)
    assert merged.partial == ("3 of the suite's 5 evaluations in no shard",)
    assert run_json(tmp_path / "all")["totals"]["planned"] == 2
    assert [task["name"] for task in run_json(tmp_path / "all")["tasks"]] == ["capitals"]
    assert validate_run(tmp_path / "all").is_valid


def test_a_data_set_without_rows_that_every_shard_left_out_is_a_gap(tmp_path: Path) -> None:
    """At once the run would be missing; left out of all shards, the empty task must not turn it green."""
    plans = (*PLANS, EMPTY)
    shards = Made(HERE, WHOLE, plans), Made(THERE, WHOLE, plans)
    with pytest.raises(MergeRefused, match="task nothing: collected, its data set empty, and in no shard"):
        merge(tmp_path, *shards)


def test_an_empty_data_set_keeps_the_run_red(tmp_path: Path) -> None:
    merged = merge(tmp_path, Made(records_of(CAPITALS, "a")), Made([], plans=[EMPTY]))
    assert merged.summary.verdict is Verdict.MISSING
    assert [task.plan.name for task in merged.summary.tasks] == ["capitals", "nothing"]


def torn(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-9])


def without_a_line(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])


def unfinished(folder: Path) -> None:
    def change(run: dict[str, Any]) -> None:
        run.update(dict.fromkeys(("finished", "totals", "verdict", "records", "attempts", "collected")))
        run.update(tasks=[], gates=[])

    edit_run(folder, change)
    (folder / "verdict.json").unlink()


def collected_less(folder: Path) -> None:
    path = folder / "collected.jsonl"
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])


def written(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


UNTRUSTED: Mapping[str, tuple[Callable[[Path], object], type[Exception], str]] = {
    "torn": (torn, RunFolderError, "records.jsonl:2: the line does not end"),
    "short": (without_a_line, RunFolderError, "lines: 1; run.json says 2"),
    "unfinished": (unfinished, RunFolderError, "the run is not finished"),
    "edited": (lambda f: edit_run(f, lambda r: r.update(verdict="failed")), RunFolderError, "verdict"),
    "not JSON": (written("run.json", "{"), RunFolderError, "not JSON"),
    "foreign": (written("run.json", '{"schema": "other/1"}'), ForeignFolderError, "is not a run"),
    "newer": (written("run.json", '{"schema": "infergate.run/2"}'), ForeignFolderError, "is newer"),
    "without run.json": (lambda f: (f / "run.json").unlink(), ForeignFolderError, "has no run.json"),
    "with an edited list": (collected_less, RunFolderError, "collected.jsonl"),
    "without its list": (lambda f: (f / "collected.jsonl").unlink(), RunFolderError, "collected.jsonl"),
    "with a list that is none": (written("collected.jsonl", "{}\n"), RunFolderError, "not a task"),
}


@pytest.mark.parametrize("why", UNTRUSTED)
def test_a_shard_that_cannot_be_trusted_is_refused(why: str, tmp_path: Path) -> None:
    damage, error, says = UNTRUSTED[why]
    good, bad = write_all(tmp_path, FIRST, Made(THERE[:2], WHOLE))
    damage(bad)
    with pytest.raises(error) as caught:
        merge_runs([good, bad], tmp_path / "all", argv=[])
    assert says in str(caught.value)
    assert str(bad) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "all").exists()


def test_one_shard_named_twice_is_refused(tmp_path: Path) -> None:
    (folder,) = write_all(tmp_path, Made(WHOLE))
    with pytest.raises(MergeRefused, match="is given twice"):
        merge_runs([folder, folder], tmp_path / "all", argv=[])


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    folders = write_all(tmp_path, FIRST, Made(THERE, WHOLE))
    before = (folders[0] / "run.json").read_bytes()
    with pytest.raises(RunFolderError, match="is not empty"):
        merge_runs(folders, folders[0], argv=[])
    assert (folders[0] / "run.json").read_bytes() == before


ENDS = [
    # what a line that is written ends with, what is said of it, why
    (KeyboardInterrupt(), None, "Ctrl-C"),
    (
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        r"^cannot write to .*No space left on device; nothing was merged, and the shards are as they were: "
        r"make room, or name another folder with -o RUN$",
        "a full disk",
    ),
]


@pytest.mark.parametrize(("end", "says", "why"), ENDS)
def test_a_merge_that_is_cut_off_leaves_nothing_behind(
    end: BaseException, says: str | None, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = write_all(tmp_path, FIRST, Made(THERE, WHOLE))
    before = [path.read_bytes() for folder in folders for path in sorted(folder.iterdir())]
    lines = iter(range(3))

    def write(handle: int, raw: bytes) -> int:
        if next(lines, None) is None:
            raise end
        return real(handle, raw)

    real = os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write)
        with pytest.raises((KeyboardInterrupt, RunFolderError), match=says):
            merge_runs(folders, tmp_path / "all", argv=[])
    assert not (tmp_path / "all").exists()
    assert [path.read_bytes() for folder in folders for path in sorted(folder.iterdir())] == before
    merge_runs(folders, tmp_path / "all", argv=[])


ORDERS = [
    # the orders that shards know, function by function, the order of the run, why
    ([["b", "c"], ["a"]], {"a": "e/a.py", "b": "e/b.py", "c": "e/c.py"}, "abc", "by file"),
    ([["b", "a"]], {"a": "e/1.py", "b": "e/1.py"}, "ba", "as the file has them"),
    ([["c", "a"], ["b"]], {"a": "e/a.py", "b": "e/b.py", "c": "e/c.py"}, "bca", "as the shard had them"),
    ([["a", "b"], ["b", "a"]], {"a": "1.py", "b": "2.py"}, "ab", "two shards contradict each other"),
    ([["x"], ["y"]], {"x": "e/sub/a.py", "y": "e/sub.py"}, "xy", "a folder before a file of its name"),
    ([["a", "b"], ["c", "b"]], {"a": "a.py", "b": "0.py", "c": "c.py"}, "acb", "after both"),
]


@pytest.mark.parametrize(("orders", "files", "expected", "why"), ORDERS)
def test_tasks_come_in_the_order_of_the_suite(
    orders: list[list[str]], files: dict[str, str], expected: str, why: str
) -> None:
    for given_orders in (orders, list(reversed(orders))):
        assert "".join(order_tasks(given_orders, files)) == expected, why


def test_further_attempts_go_along(tmp_path: Path) -> None:
    from pytest_infergate.evidence import canonical_json
    from pytest_infergate.runs import Attempt, Because

    folder = tmp_path / "a"
    made = records_of(CAPITALS, "a", verdict=Verdict.FAILED)
    writer = RunWriter.create(folder, HEAD)
    writer.add_collected(collected(WHOLE, PLANS))
    writer.add(line_of(made[0]))
    again = Attempt(because=Because.RERUN, number=1, record=record("a"))
    writer.add_attempt(canonical_json(again.as_json()))
    ledger = RunLedger([CAPITALS])
    ledger.count(made[0])
    writer.finish(FINISHED, ledger.summary())
    other = Made(WHOLE[1:], WHOLE, head=replace(HEAD, run_id="other")).write(tmp_path / "b")
    merged = merge_runs([folder, other], tmp_path / "all", argv=[])
    assert list(read_run(tmp_path / "all").attempts()) == [again]
    assert validate_run(tmp_path / "all").is_valid
    assert merged.findings.reruns is not None
    assert merged.findings.reruns.changed == 1
