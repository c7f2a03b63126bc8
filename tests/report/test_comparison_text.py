"""A whole comparison as it stands on a terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.compare import FlipRate, RunComparison, TaskSide, compare_runs
from pytest_infergate.evidence import digest
from pytest_infergate.evidence.width import text_width
from pytest_infergate.report import Style, comparison_lines, plain_text
from pytest_infergate.report.comparison_table import points
from tests.compare.sides import STYLE, observation, plan, score, server, side, task

LONG = "evals.test_code.test_a_name_that_goes_on_and_on_for_longer_than_a_terminal"


def styled(letters: str, values: list[float], **changes: Any) -> TaskSide:
    return TaskSide(
        plan=plan("evals.test_style", **changes),
        observations={
            (f"s{n}", 0): observation(letter, f"s{n}", scores=[score(STYLE, value)])
            for n, (letter, value) in enumerate(zip(letters, values, strict=True))
        },
    )


@pytest.fixture(scope="module")
def comparison() -> RunComparison:
    """A task of every outcome."""
    math = task("P" * 70 + "F" * 30, name="evals.test_math")
    base = side(
        replace(math, flip_rate=FlipRate(flips=3, pairs=200)),
        task("F" * 40, name="evals.test_sums"),
        task("P" * 20, name="evals.test_short"),
        task("P" * 60, name="evals.test_same"),
        task("P" * 80, name="evals.test_words"),
        styled("P" * 6, [1, 2, 3, 4, 5, 6]),
        task("P", name=LONG),
        task("P" * 52, name="evals.test_lost"),
        task("P", name="evals.test_probe", has_dataset=False),
        label="runs/base",
        run_id="20260102T030405Z-aaaaaa",
        conditions={"concurrency": 8},
        server=server(unknown=["slots", "runtime"]),
    )
    candidate = side(
        task("P" * 45 + "T" * 5 + "F" * 20 + "P" * 2 + "F" * 28, name="evals.test_math"),
        task("F" * 20 + "P" * 20, name="evals.test_sums"),
        task("P" * 20, name="evals.test_short", said="other "),
        task("P" * 60, name="evals.test_same"),
        task("P" * 60, name="evals.test_words", said="other "),
        styled("P" * 6, [1, 3, 3, 5, 4, 7]),
        task("P", name=LONG, digest=digest("edited")),
        task("P" * 51 + "s", name="evals.test_lost"),
        task("F", name="evals.test_probe", has_dataset=False),
        task("P", name="evals.test_new"),
        label="runs/candidate",
        run_id="20260103T030405Z-bbbbbb",
        conditions={"concurrency": 4},
        server=server(unknown=["slots"], quantization="Q4_0", runtime="cuda"),
    )
    return compare_runs(base, candidate)


def shown(comparison: RunComparison, width: int) -> str:
    return plain_text(comparison_lines(comparison, width))


@pytest.mark.parametrize("width", [80, 120])
def test_a_whole_comparison(comparison: RunComparison, width: int) -> None:
    expected = Path(__file__).with_name(f"comparison_{width}.txt").read_text(encoding="utf-8")
    assert shown(comparison, width) == expected


@pytest.mark.parametrize("width", [1, 60, 72, 80, 100, 107, 108, 120, 200])
def test_no_line_is_wider_than_the_terminal(comparison: RunComparison, width: int) -> None:
    rows = shown(comparison, width).splitlines()
    assert max(map(text_width, rows)) <= max(width, 60)
    assert all(row == row.rstrip() for row in rows)


def test_outcomes_have_their_colours(comparison: RunComparison) -> None:
    styles = {
        segment.text.strip(): segment.style
        for line in comparison_lines(comparison, 120)
        for segment in line
        if segment.style is not Style.PLAIN
    }
    assert {word: styles[word] for word in ("regressed", "improved", "no worse", "unchanged")} == {
        "regressed": Style.FAILED,
        "improved": Style.PASSED,
        "no worse": Style.PASSED,
        "unchanged": Style.PASSED,
    }
    assert {styles[word] for word in ("inconclusive", "incomparable", "missing")} == {Style.MISSING}


def test_what_differs_beside_the_treatment_is_told_once() -> None:
    base, candidate = (
        side(task("P"), task("P", name="other"), label=name, server=identity)
        for name, identity in (("a", server()), ("b", server(quantization="Q4_0", model="b")))
    )
    text = shown(compare_runs(base, candidate, treatment=("quantization",)), 100)
    assert text.count("model: gemma-3 → b") == 1
    assert "changed beside the declared treatment\n  model: gemma-3 → b\n" in text
    assert text.endswith("comparison: incomparable\n")


def test_a_subset_and_missing_evidence_are_told() -> None:
    candidate = side(task("P" * 99 + "s", said="other "), label="candidate")
    text = shown(compare_runs(side(task("P" * 200)), candidate), 100)
    assert "on 100 of the base's 200 samples, those that the candidate has" in text
    assert "≥ 99.0 %" in text
    assert "1 of 100 pairs are missing on a side (1 timeout)" in " ".join(text.split())


def test_flips_that_were_asked_again_say_what_came_of_it() -> None:
    confirmed = {("math", "s0", 0): True, ("math", "s1", 0): False}
    text = shown(compare_runs(side(task("P" * 20)), side(task("F" * 19 + "P")), confirmed=confirmed), 100)
    assert "lost: s0 (confirmed), s1 (not confirmed), s2, s3, s4, s5, s6, s7, s8, s9 and 9 more" in text


def test_flips_of_repeats_name_the_repeat() -> None:
    text = shown(compare_runs(side(task("PPPP", repeat=2)), side(task("PFPT", repeat=2))), 100)
    assert "lost: s0#1, s1#1 (truncated)" in text


def test_nothing_to_compare() -> None:
    text = shown(compare_runs(side(), side(label="candidate")), 80)
    assert "no task to compare" in text
    assert text.endswith("comparison: missing evidence\n")


def test_nothing_that_a_run_holds_acts_on_the_terminal() -> None:
    evil = "\x1b[2J\u202e"
    base = side(task("P", name=evil), label=evil, partial=(evil,), server=server(model=evil))
    candidate = side(task("F", name=evil), label=evil, server=server())
    text = shown(compare_runs(base, candidate), 80)
    assert "\x1b" not in text
    assert "\u202e" not in text


POINTS = [
    (0.0, "0.0"),
    (0.345, "+34.5"),
    (-0.018, "-1.8"),
    (-0.0004, "-0.04"),
    (0.00001, "+0.001"),
    (-1.0, "-100.0"),
]


@pytest.mark.parametrize(("value", "text"), POINTS)
def test_points(value: float, text: str) -> None:
    assert points(value) == text
