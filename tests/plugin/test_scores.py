"""Repeats and component scores, through a whole session."""

from __future__ import annotations

import pytest

from pytest_infergate.cli import main
from tests.scripted import ScriptedServer

from .conftest import Evaluate


@pytest.mark.parametrize("xdist", [[], ["-n2"]], ids=["plain", "n2"])
def test_repeats_have_seeds_and_figures_of_their_own(
    evaluate: Evaluate, pytester: pytest.Pytester, xdist: list[str]
) -> None:
    suite = """
    import pytest
    from pytest_infergate import extract

    @pytest.mark.infer_task(dataset="rows.jsonl", prompt="{q}", repeat=3, seed=10, min_pass_rate=0.5)
    @pytest.mark.infer_extract(extract.last_line)
    def test_it(answer, sample): assert answer == sample["gold"]

    @pytest.mark.infer_task(repeat=2)
    def test_free(infer): assert infer.chat("say 10").text
    """
    said = {("a", 10): "x", ("a", 11): "x", ("a", 12): "y", ("b", 10): "y", ("b", 11): "z", ("b", 12): "y"}

    def answer(body: dict[str, object]) -> str:
        asked = body["messages"][-1]["content"]  # type: ignore[index]
        return said.get((asked, body["seed"]), f"seed {body['seed']}")  # type: ignore[arg-type]

    with ScriptedServer.answering(answer) as server:
        (pytester.path / "rows.jsonl").write_text('{"q": "a", "gold": "x"}\n{"q": "b", "gold": "z"}\n')
        outcome = evaluate(suite, *xdist, url=server.url)
    tasks = {task["name"]: task for task in outcome.run["tasks"]}
    repeats = tasks["test_it.test_it"]["repeats"]
    assert repeats["samples"] == 2
    assert repeats["pass_at_1"] == pytest.approx(0.5)
    assert repeats["pass_at"]["3"] == 1
    assert repeats["pass_all"]["3"] == 0
    assert repeats["agreement"] == pytest.approx(1 / 3)
    assert {k: repeats["majority"][k] for k in ("passed", "failed", "missing")} == {
        "passed": 1,
        "failed": 1,
        "missing": 0,
    }
    seeds = sorted(
        record["exchanges"][0]["request"]["sampling"]["seed"]
        for key, record in outcome.records.items()
        if key.startswith("test_it.test_free/")
    )
    assert seeds == [0, 1]
    assert main(["validate", str(outcome.folder)]) == 0
    outcome.result.stdout.fnmatch_lines(["*test_it.test_it: pass@1 50.0 %*"])


def test_components_have_rows_of_their_own_and_only_gate_if_asked(evaluate: Evaluate) -> None:
    suite = """
    import pytest

    @pytest.mark.parametrize("n", range(4))
    def test_it(infer, n):
        reply = infer.chat("say yes")
        infer.score("functional", reply.text == "yes")
        infer.score("style", n / 4 if n else float("nan"), gate=False)
        infer.score("seconds", 0.5 + n, unit="s", higher_is_better=False, gate=False)
    """
    outcome = evaluate(suite)
    assert outcome.result.ret == 0
    (task,) = outcome.run["tasks"]
    found = {one["name"]: one for one in task["components"] if one["evaluator"]["kind"] != "byproduct"}
    assert {name: (one["measured"], one["missing"], one["mean"]) for name, one in found.items()} == {
        "functional": (4, 0, 1.0),
        "style": (3, 1, pytest.approx(0.5)),
        "seconds": (4, 0, 2.0),
    }
    outcome.result.stdout.fnmatch_lines(
        [
            "scores, each for itself",
            "  test_it.test_it: functional mean 1 ratio (95 % 0.5101 to 1); 4 measured, 0",
            "    missing; higher is better",
            "  test_it.test_it: style mean 0.5 ratio (95 % 0.2171 to 0.7829); 3 measured, 1",
            "    missing; higher is better; does not gate",
            "  test_it.test_it: seconds mean 2 s (95 % 0.7348 to 3.265); 4 measured, 0",
            "    missing; lower is better; does not gate",
        ]
    )
    assert main(["validate", str(outcome.folder)]) == 0


def test_a_loop_deserves_a_look_and_no_verdict(evaluate: Evaluate) -> None:
    outcome = evaluate("def test_it(infer): infer.chat('say ' + 'I am sorry. ' * 50)")
    assert outcome.verdict == ("passed", "passed", 0)
    outcome.result.stdout.fnmatch_lines(
        ["worth a look, though no verdict follows from it", "*repetition loop*"]
    )
