"""What there was before a part of it was selected is kept, however the part was chosen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Evaluate, Outcome

SUITE = """
import pytest

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {word}", min_pass_rate=0.5)
def test_rows(reply, sample):
    assert reply.text == sample["word"]

@pytest.mark.infer_task(repeat=2)
@pytest.mark.parametrize("n", [1, 2])
def test_numbers(infer, n):
    assert infer.chat(f"say {n}").text == str(n)

class TestGroup:
    @pytest.mark.infer_task
    def test_inside(self, infer):
        assert infer.chat("say it").text == "it"

@pytest.mark.infer_task(dataset="empty.jsonl", prompt="say {word}")
def test_nothing(reply): pass

def test_ordinary(): pass
"""
#: Every evaluation, in the order of the file; the last task has none.
EVERYTHING = {
    "test_it.test_rows": [f"{n}#0" for n in range(4)],
    "test_it.test_numbers": ["1#0", "2#0", "1#1", "2#1"],
    "test_it.TestGroup.test_inside": ["0#0"],
    "test_it.test_nothing": [],
}

SELECTIONS = [
    # the arguments, how many are selected, why
    (["-k", "test_rows"], 4, "by a word"),
    (["-k", "test_numbers", "-n2"], 4, "by a word, and workers tell the controller"),
    (["test_it.py::test_rows[2]"], 1, "one sample by its node id"),
    (
        ["test_it.py::TestGroup", "test_it.py::test_numbers"],
        5,
        "a class before the function that precedes it",
    ),
    (["--deselect", "test_it.py::test_rows"], 5, "all but one"),
    (["-k", "test_ordinary or test_inside"], 1, "the empty data set is left out, too"),
]


def suite(pytester: pytest.Pytester, rows: int = 4) -> None:
    lines = (json.dumps({"id": str(n), "word": f"w{n}"}) + "\n" for n in range(rows))
    Path("rows.jsonl").write_text("".join(lines))
    Path("empty.jsonl").write_text("")


def collected(outcome: Outcome) -> dict[str, list[str]]:
    tasks = map(json.loads, (outcome.folder / "collected.jsonl").read_text().splitlines())
    return {
        task["plan"]["name"]: [f"{sample}#{repeat}" for sample, repeat, _ in task["evaluations"]]
        for task in tasks
    }


@pytest.mark.parametrize(("args", "selected", "why"), SELECTIONS)
def test_a_part_knows_the_whole(
    evaluate: Evaluate, pytester: pytest.Pytester, args: list[str], selected: int, why: str
) -> None:
    suite(pytester)
    outcome = evaluate(SUITE, *args)
    assert outcome.run["totals"]["planned"] == selected, why
    assert collected(outcome) == EVERYTHING, why
    assert list(collected(outcome)) == list(EVERYTHING), why
    assert outcome.run["collected"]["count"] == len(EVERYTHING)


def test_samples_are_known_by_their_content(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    suite(pytester)
    outcome = evaluate(SUITE, "-k", "test_rows or test_numbers")
    known = {
        f"{task['plan']['name']}/{sample}#{repeat}": digest
        for task in map(json.loads, (outcome.folder / "collected.jsonl").read_text().splitlines())
        for sample, repeat, digest in task["evaluations"]
    }
    assert len(outcome.records) == 8
    for id, record in outcome.records.items():
        assert known[id] == record["sample"]["digest"]


WHOLE = [
    ([], "everything was selected"),
    (["-m", "infer"], "what this leaves out is no evaluation"),
    (["--infer-limit=2"], "the limit says what the whole is"),
    (["test_it.py"], "a file is what there is to collect"),
]


@pytest.mark.parametrize(("args", "why"), WHOLE)
def test_a_whole_needs_no_list(
    evaluate: Evaluate, pytester: pytest.Pytester, args: list[str], why: str
) -> None:
    suite(pytester)
    outcome = evaluate(SUITE, *args)
    assert outcome.run["collected"] is None, why
    assert not (outcome.folder / "collected.jsonl").exists()
