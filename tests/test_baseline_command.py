"""``infergate baseline``: what it prints, how it ends, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.compare.baseline_file import read_baseline
from pytest_infergate.evidence import EvaluatorIdentity, Missing, Reason, Record, Verdict
from pytest_infergate.runs import TaskPlan

from .runs.made import CAPITALS, HEAD, SERVER, SUMS, edit_run, exchange, record, write_run
from .terminal import Cli, block

LETTERS = [record(name, exchanges=[exchange(name)]) for name in "abcd"]


pytestmark = pytest.mark.usefixtures("terminal")


@pytest.fixture
def cli(cli: Cli) -> Cli:
    return partial(cli, "baseline")


def run_of(
    name: str,
    wrong: str = "",
    *,
    records: Any = LETTERS,
    plans: tuple[TaskPlan, ...] = (CAPITALS,),
    **head: Any,
) -> Path:
    """A run in which these samples are wrong."""
    made = [_wrong(one) if one.evaluation.key.sample in wrong else one for one in records]
    return write_run(Path(name), made, plans, head=replace(HEAD, run_id=f"id-{name}", **head))


def _wrong(one: Record) -> Record:
    return record(one.evaluation.key.sample, Verdict.FAILED, exchanges=[exchange("wrong")])


# save


def test_save_writes_a_file_and_tells_what_deserves_to_be_known(cli: Cli) -> None:
    run_of("one")
    assert cli("save", "one", "-o", "evals/main.json") == (
        0,
        "wrote evals/main.json, of run id-one\n",
        "",
    )
    assert read_baseline(Path("evals/main.json")).side.run_id == "id-one"


def test_a_run_that_did_not_pass_is_saved_and_that_is_said(cli: Cli) -> None:
    run_of("one", wrong="abc", partial=("-k x",))
    code, out, _ = cli("save", "one", "-o", "b.json")
    assert (code, out) == (
        0,
        block("""
            wrote b.json, of run id-one
              the run's verdict is failed; no worse than that is all it can ask
              partial run, by -k x; what it left out is not compared
        """),
    )


def test_repeated_runs_measure_how_often_verdicts_flip(cli: Cli) -> None:
    run_of("one", wrong="a")
    run_of("two", wrong="b")  # a and b flip
    run_of("three", wrong="ab")  # b flips
    code, out, _ = cli("save", "one", "two", "three", "-o", "b.json")
    assert (code, out) == (
        0,
        block("""
            wrote b.json, of run id-one
              capitals: 3 of 8 verdicts (37.5 %) flipped by themselves from run to run
        """),
    )
    baseline = read_baseline(Path("b.json"))
    assert baseline.repeats == ("id-two", "id-three")
    assert baseline.side.run_id == "id-one"


def test_what_is_missing_beyond_the_model_is_no_pair(cli: Cli) -> None:
    lost = Missing(Reason.TIMEOUT, "slow")
    silent = Missing(Reason.NO_ANSWER, "nothing")
    asked = [exchange("a")]
    run_of("one", records=[record("a", exchanges=asked), record("b", exchanges=asked)])
    run_of(
        "two",
        records=[
            record("a", Verdict.MISSING, missing=lost, exchanges=asked),
            record("b", Verdict.MISSING, missing=silent, exchanges=asked),
        ],
    )
    _, out, _ = cli("save", "one", "two", "-o", "b.json")
    assert "capitals: 1 of 1 verdicts" in out


def test_replies_are_kept_where_they_are_asked_for(cli: Cli) -> None:
    run_of("one")
    cli("save", "one", "-o", "without.json")
    cli("save", "one", "-o", "with.json", "--with-replies")
    assert '"replies":["a"]' not in Path("without.json").read_text()
    assert '"replies":["a"]' in Path("with.json").read_text()


def quantized(value: str) -> dict[str, Any]:
    fields = {**dict(SERVER["fields"]), "quantization": {"value": value, "origin": "declared"}}  # type: ignore[call-overload]
    return {**SERVER, "fields": fields}


JUDGED = replace(CAPITALS, evaluator=EvaluatorIdentity(kind="extractor", name="last_line", version="2"))


def test_a_repeated_run_is_of_the_same_server_and_suite(cli: Cli) -> None:
    run_of("one", server=quantized("Q8_0"))
    sums = record("2+2", plan=SUMS)
    for name, arguments, said in (
        (
            "quantized",
            {"server": quantized("Q4_K")},
            "quantization is Q8_0 in the first and Q4_K in the other",
        ),
        ("nobody", {"server": None}, "server is a model server in the first and none in the other"),
        ("other", {"plans": (JUDGED,)}, "version"),
        ("fewer", {"records": LETTERS[:2]}, "task 'capitals' has other samples"),
        ("more", {"records": [*LETTERS, sums], "plans": (CAPITALS, SUMS)}, "it has a further task 'sums'"),
        ("without", {"records": [sums], "plans": (SUMS,)}, "it has no task 'capitals'"),
    ):
        fields: dict[str, Any] = {"server": quantized("Q8_0"), **arguments}
        run_of(name, **fields)
        code, out, err = cli("save", "one", name, "-o", "b.json")
        assert (code, out) == (2, ""), name
        assert f"'{name}'" in err
        assert said in err
        assert err.count("\n") == 1
        assert not Path("b.json").exists()


def test_a_run_does_not_repeat_itself(cli: Cli) -> None:
    run_of("one")
    assert cli("save", "one", "one", "-o", "b.json") == (
        2,
        "",
        "infergate: run id-one is given twice; a run says nothing of how it differs from itself\n",
    )


def test_only_a_whole_and_finished_run_is_a_baseline(cli: Cli) -> None:
    write_run(Path("unfinished"), is_finished=False)
    edited = write_run(Path("edited"))
    edit_run(edited, lambda run: run.update(verdict="passed"))
    torn = write_run(Path("torn"))
    (torn / "records.jsonl").write_bytes((torn / "records.jsonl").read_bytes()[:-9])
    write_run(Path("nothing"), [], [])
    Path("foreign").mkdir()
    Path("newer").mkdir()
    Path("newer/run.json").write_text('{"schema": "infergate.run/2"}')
    for name, said in (
        ("unfinished", "is not finished, so it is no baseline; finish it with --infer-resume=unfinished"),
        ("edited", "is not valid, so it is no baseline: run.json: $.verdict is 'passed'"),
        ("torn", "is not valid, so it is no baseline: records.jsonl:"),
        ("nothing", "has no evaluations, so there is nothing to compare with"),
        ("foreign", "has no run.json"),
        ("newer", "is newer than"),
        ("nowhere", "is not a folder"),
    ):
        code, out, err = cli("save", name, "-o", "b.json")
        assert (code, out) == (2, ""), name
        assert said in err
        assert err.count("\n") == 1
        assert not Path("b.json").exists()


def test_nothing_is_overwritten_silently(cli: Cli) -> None:
    run_of("one")
    run_of("two")
    cli("save", "one", "-o", "b.json")
    before = Path("b.json").read_bytes()
    code, _, err = cli("save", "two", "-o", "b.json")
    assert code == 2
    assert "'b.json' is there already and nothing is overwritten; accept new figures with" in err
    assert Path("b.json").read_bytes() == before
    assert cli("save", "two", "-o", "b.json", "--replace")[0] == 0
    assert read_baseline(Path("b.json")).side.run_id == "id-two"
    Path("folder").mkdir()
    for options in ((), ("--replace",)):
        assert cli("save", "two", "-o", "folder", *options)[0] == 2


# show, check


def test_show_tells_the_run_its_tasks_and_what_it_replaced(cli: Cli) -> None:
    run_of("one", wrong="a")
    run_of("two", wrong="b")
    run_of("three", wrong="abc")
    cli("save", "one", "two", "-o", "b.json")
    cli("accept", "b.json", "three", "--because", "smaller model, half the cost")
    assert cli("show", "b.json") == (
        0,
        block("""
            baseline   b.json
            run        id-three
            finished   2026-01-02T03:05:05Z
            server     http://127.0.0.1:8080, model gemma-3, llama.cpp b6000
            with       pytest-infergate 0.1.0

            task          planned  passed  failed  missing  delivered   95 % interval
            capitals            4       1       3        0     25.0 %  4.6 % – 69.9 %
              extractor last_line v1

              the run's verdict is failed; no worse than that is all it can ask

            what it replaced, newest first
              run id-one, finished 2026-01-02T03:05:05Z, http://127.0.0.1:8080, model
                  gemma-3, llama.cpp b6000
                capitals: 3 of 4 passed, then 1 of 4 passed (regressed)
                because: smaller model, half the cost
        """),
        "",
    )


def test_show_and_save_answer_programs(cli: Cli) -> None:
    run_of("one")
    _, out, _ = cli("save", "one", "-o", "b.json", "--json")
    saved = json.loads(out)
    assert saved["file"] == "b.json"
    assert saved["run_id"] == "id-one"
    assert [task["totals"]["passed"] for task in saved["tasks"]] == [4]
    assert json.loads(cli("show", "b.json", "--json")[1]) == saved
    assert json.loads(cli("check", "b.json", "--json")[1]) == {
        "file": "b.json",
        "valid": True,
        "problem": None,
        "tasks": 1,
        "evaluations": 4,
        "exit_code": 0,
    }


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (lambda text: text, 0, "b.json: valid, tasks: 1, evaluations: 4"),
        (lambda text: text.replace('"a"', '"A"'), 5, "edited by hand"),
        (lambda text: text[:-20], 5, "damaged"),
        (lambda text: "", 2, "not a baseline file"),
        (lambda text: text.replace("baseline/1", "baseline/2"), 2, "upgrade pytest-infergate"),
    ],
)
def test_check_says_whether_a_baseline_is_as_it_was_written(
    cli: Cli, change: Callable[[str], str], code: int, said: str
) -> None:
    run_of("one")
    cli("save", "one", "-o", "b.json")
    Path("b.json").write_text(change(Path("b.json").read_text()))
    found, out, err = cli("check", "b.json")
    assert (found, err) == (code, "")
    assert said in out
    assert json.loads(cli("check", "b.json", "--json")[1])["exit_code"] == code
    # Whoever only wants to see what is in it gets one line, and the code of a command that cannot answer.
    shown, _, err = cli("show", "b.json")
    assert (shown == 0) == (code == 0)
    assert err.count("\n") == (code != 0)


# accept


def test_accepted_figures_keep_the_old_ones_and_the_reason(cli: Cli) -> None:
    run_of("one")
    run_of("two", wrong="ab", server=quantized("Q4_K"))
    cli("save", "one", "-o", "b.json")
    code, out, err = cli("accept", "b.json", "two", "--because", "  Q4 fits on one  GPU ")
    assert (code, err) == (0, "")
    assert out == block("""
        wrote b.json, of run id-two
        in the place of
          run id-one, finished 2026-01-02T03:05:05Z, http://127.0.0.1:8080, model
              gemma-3, llama.cpp b6000
            capitals: 4 of 4 passed, then 2 of 4 passed (regressed)
            because: Q4 fits on one GPU
    """)
    run_of("three", wrong="abc")
    cli("accept", "b.json", "three", "--because", "again")
    history = read_baseline(Path("b.json")).history
    assert [(one.run_id, one.by, one.because) for one in history] == [
        ("id-one", "id-two", "Q4 fits on one GPU"),
        ("id-two", "id-three", "again"),
    ]
    assert [one.tallies["capitals"].passed for one in history] == [4, 2]
    assert cli("check", "b.json")[0] == 0


def test_a_flip_rate_is_of_the_accepted_run_or_not_known(cli: Cli) -> None:
    for name in ("one", "two", "three", "four"):
        run_of(name)
    cli("save", "one", "two", "-o", "b.json")
    _, out, _ = cli("accept", "b.json", "three", "--because", "x")
    assert "how often its verdicts flip by themselves is not known" in out
    assert read_baseline(Path("b.json")).side.tasks["capitals"].flip_rate is None
    _, out, _ = cli("accept", "b.json", "two", "four", "--because", "x")
    assert "0 of 4 verdicts" in out


@pytest.mark.parametrize("because", ["", " ", "\t\n"])
def test_a_reason_has_words(cli: Cli, because: str) -> None:
    run_of("one")
    run_of("two", wrong="a")
    cli("save", "one", "-o", "b.json")
    before = Path("b.json").read_bytes()
    code, out, err = cli("accept", "b.json", "two", "--because", because)
    assert (code, out) == (2, "")
    assert err == (
        f"infergate: --because={because!r} is blank; say why the new figures are accepted, for whoever reads "
        "them\n"
    )
    assert Path("b.json").read_bytes() == before


def test_a_reason_is_asked_for(cli: Cli) -> None:
    code, _, err = cli("accept", "b.json", "two")
    assert code == 2
    assert "--because" in err


def test_the_reason_holds_no_secret(cli: Cli) -> None:
    run_of("one")
    run_of("two", wrong="a")
    cli("save", "one", "-o", "b.json")
    cli("accept", "b.json", "two", "--because", "asked with --api-key sk-verysecret-01234")
    assert "sk-verysecret-01234" not in Path("b.json").read_text()


def test_what_cannot_be_accepted(cli: Cli) -> None:
    run_of("one")
    run_of("part", records=LETTERS[:2], partial=("--infer-limit=2",))
    run_of("other", records=[record("2+2", plan=SUMS)], plans=(SUMS,), partial=("-k sums",))
    write_run(Path("unfinished"), is_finished=False)
    cli("save", "one", "-o", "b.json")
    Path("edited.json").write_text(Path("b.json").read_text().replace('"a"', '"A"'))
    before = Path("b.json").read_bytes()
    for file, name, said in (
        ("b.json", "one", "is of run id-one already; there is nothing to accept"),
        (
            "b.json",
            "part",
            "a partial run (--infer-limit=2) without 2 of the 4 evaluations of task 'capitals'",
        ),
        ("b.json", "other", "a partial run (-k sums) without task 'capitals'"),
        ("b.json", "unfinished", "is not finished"),
        ("edited.json", "part", "edited by hand"),
        ("nowhere.json", "part", "No such file"),
        ("one", "part", "is a folder; name a baseline file"),
    ):
        code, out, err = cli("accept", file, name, "--because", "x")
        assert (code, out) == (2, ""), (file, name)
        assert said in err
        assert err.count("\n") == 1
    assert Path("b.json").read_bytes() == before


def test_a_task_that_was_taken_away_stays_in_the_history(cli: Cli) -> None:
    sums = record("2+2", plan=SUMS)
    run_of("one", records=[*LETTERS, sums], plans=(CAPITALS, SUMS))
    run_of("two")
    cli("save", "one", "-o", "b.json")
    code, out, _ = cli("accept", "b.json", "two", "--because", "sums moved")
    assert code == 0
    assert "sums: 1 of 1 passed, then no longer there (missing)" in out


def test_every_action_has_help(cli: Cli) -> None:
    for action in ("save", "show", "check", "accept"):
        code, out, _ = cli(action, "--help")
        assert code == 0
        assert out.startswith(f"usage: infergate baseline {action} ")
        assert "--json" in out
