"""A model swap with a known answer: the published GSM8K outputs of two models, as baseline and candidate."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_infergate.cli import main
from pytest_infergate.compare import Outcome, RunComparison, compare_runs, read_side
from pytest_infergate.evidence import EvaluatorIdentity, GateRule, Score
from pytest_infergate.runs import TaskPlan
from tests.runs.made import DIGEST, HEAD, exchange, record, write_run

from .gsm8k import LARGE, NEEDS_DATA, SMALL, Rows, read_rows, serving, write_suite


@pytest.fixture(scope="module")
def rows() -> Rows:
    return read_rows()


def run_both(pytester: pytest.Pytester, rows: Rows) -> dict[str, Path]:
    """Run the suite against each model and return the run folders by model."""
    write_suite(pytester, rows)
    for model in (SMALL, LARGE):
        with serving(model, rows) as server:
            result = pytester.runpytest_subprocess(
                "-q", f"--infer-server={server.url}", f"--infer-run={model}", "--infer-retries=0"
            )
        assert result.ret == 0
    return {model: pytester.path / model for model in (SMALL, LARGE)}


@NEEDS_DATA
def test_a_better_model_is_improved_and_a_worse_one_regressed(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str], rows: Rows
) -> None:
    runs = run_both(pytester, rows)
    capsys.readouterr()
    small, large = (str(runs[model]) for model in (SMALL, LARGE))
    # The paired table as the data itself has it.
    by_model = [(row[SMALL]["is_correct"], row[LARGE]["is_correct"]) for row in rows]
    both, lost, gained, neither = (
        by_model.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))
    )
    assert (both + lost, both + gained, len(rows)) == (286, 742, 1319)

    assert main(["compare", "--json", small, large]) == 0
    (better,) = json.loads(capsys.readouterr().out)["tasks"]
    assert better["outcome"] == "improved"
    assert better["table"] == {
        "both": both,
        "lost": lost,
        "gained": gained,
        "neither": neither,
        "unresolved": 0,
    }
    assert better["difference"]["value"] == pytest.approx((742 - 286) / 1319)
    assert (
        0.30
        < better["difference"]["low"]
        < better["difference"]["value"]
        < better["difference"]["high"]
        < 0.39
    )

    assert main(["compare", "--json", large, small]) == 1
    (worse,) = json.loads(capsys.readouterr().out)["tasks"]
    assert worse["outcome"] == "regressed"
    assert worse["table"] == {**better["table"], "lost": gained, "gained": lost}
    flipped = {flip["sample"] for flip in worse["flips"] if flip["base"] == "passed"}
    assert flipped == {
        str(row["id"]) for row in rows if row[LARGE]["is_correct"] and not row[SMALL]["is_correct"]
    }

    for model in (small, large):
        assert main(["compare", model, model]) == 0
        assert "unchanged" in capsys.readouterr().out

    # Told to people, with the model id as what was changed.
    assert main(["compare", small, large]) == 0
    out = capsys.readouterr().out
    assert f"  model: {SMALL} → {LARGE}\n" in out
    assert "improved" in out
    assert out.endswith("comparison: passed\n")
    # Several baselines at once: the first of 1, 4, 5, 3.
    assert main(["compare", large, small, large]) == 0
    assert main(["compare", small, large, small]) == 1


# Five coding tasks of 100 points, 80 of them functional: 400 of 400 each time, and 75, 80 and 82 for style.
STYLES = {475: (15, 16, 14, 15, 15), 480: (16, 15, 16, 16, 17), 482: (15, 17, 16, 18, 16)}
HEURISTIC = EvaluatorIdentity(kind="heuristic", name="style", version="1")
EXAM = EvaluatorIdentity(kind="sandbox", name="exam", version="1", backend="bubblewrap")
PLAN = TaskPlan(name="coding", version="1", digest=DIGEST, rule=GateRule(), has_dataset=True)


def coding_run(folder: Path, total: int) -> Path:
    records = []
    for number, style in enumerate(STYLES[total]):
        scores = (
            Score(name="functional", value=80.0, unit="points", higher_is_better=True, evaluator=EXAM),
            Score(
                name="style",
                value=float(style),
                unit="points",
                higher_is_better=True,
                evaluator=HEURISTIC,
                gates=False,
            ),
        )
        said = [exchange(f"def solve(): ...  # {total}")]
        records.append(record(f"task{number}", plan=PLAN, scores=scores, exchanges=said))
    return write_run(folder / str(total), records, [PLAN], head=replace(HEAD, run_id=str(total)))


@pytest.mark.parametrize(("base", "candidate"), [(475, 480), (475, 482), (480, 482), (482, 475)])
def test_a_style_heuristic_makes_no_difference_where_every_function_works(
    tmp_path: Path, base: int, candidate: int
) -> None:
    assert {total: 400 + sum(styles) for total, styles in STYLES.items()} == {475: 475, 480: 480, 482: 482}
    found: RunComparison = compare_runs(
        read_side(coding_run(tmp_path, base)), read_side(coding_run(tmp_path, candidate))
    )
    (task,) = found.tasks
    functional, style = task.scores
    # Every test passed on both sides: no difference, and five samples cannot show that a loss is below 5 %.
    assert task.table is not None
    assert (task.table.both, task.table.pairs) == (5, 5)
    assert (task.outcome, task.needed) == (Outcome.INCONCLUSIVE, 52)
    assert (functional.name, functional.outcome) == ("functional", Outcome.UNCHANGED)
    assert (functional.base, functional.candidate) == (80.0, 80.0)
    # What the style score can show: its interval. What it cannot: a difference as small as the one seen.
    assert (style.name, style.outcome) == ("style", Outcome.INCONCLUSIVE)
    assert style.difference is not None
    assert style.difference.value == pytest.approx((candidate - base) / 5)
    assert style.difference.low < 0 < style.difference.high
    least = (style.difference.high - style.difference.low) / 2
    assert least > abs(style.difference.value)
    assert style.detail == f"5 samples could have shown a difference of about {least:.3g}, no smaller one"
