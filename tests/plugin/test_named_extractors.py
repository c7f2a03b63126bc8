"""Other packages make extractors known by name."""

from __future__ import annotations

import pytest

from .conftest import Evaluate

PLUGIN = """
import re
from dataclasses import dataclass
from pytest_infergate.extract import Extractor

@dataclass(frozen=True)
class Chord(Extractor[str]):
    name = "chord"
    version = "3"
    rule = "The last chord symbol of the reply."
    marks: str = "m"

    def find(self, text, sample):
        found = re.findall(rf"\\b[A-G]{self.marks}\\b", text)
        return found[-1] if found else self.no_answer("chord symbol")

"""
HOOK = "def pytest_infergate_extractors(config):\n    return [%s]\n"
TEST = """
import pytest

@pytest.mark.infer_task(prompt="say It is Am.")
@pytest.mark.infer_extract(%r)
def test_it(answer):
    assert answer == "Am"
"""


def test_a_name_finds_what_a_plugin_adds(pytester: pytest.Pytester, evaluate: Evaluate) -> None:
    pytester.makeconftest(PLUGIN + HOOK % "Chord()")
    outcome = evaluate(TEST % "chord")
    assert outcome.verdict == ("passed", "passed", 0)
    (record,) = outcome.records.values()
    (score,) = [score for score in record["scores"] if score["name"] == "passed"]
    assert score["evaluator"]["settings"]["extractors"] == [
        {"name": "chord", "version": "3", "settings": {"marks": "m"}}
    ]


@pytest.mark.parametrize(
    ("added", "name", "said", "why"),
    [
        (
            "Chord()",
            "accord",
            "test_it.py::test_it: infer_extract('accord'): no plugin adds an extractor of that name; known "
            "by name: 'chord'; those of pytest-infergate are values, such as extract.number",
            "a wrong name",
        ),
        (
            "",
            "number",
            "test_it.py::test_it: infer_extract('number'): no plugin adds an extractor of that name; known "
            "by name: none; those of pytest-infergate are values, such as extract.number",
            "the project's own have one way to be given",
        ),
        (
            "Chord",
            "chord",
            "test_it.py::test_it: the hook pytest_infergate_extractors was given <class 'conftest.Chord'>; "
            "it takes values whose class derives from pytest_infergate.extract.Extractor",
            "the class instead of a value",
        ),
        (
            "Chord(), Chord('7')",
            "chord",
            "test_it.py::test_it: two extractors are named 'chord', conftest and conftest add them; import "
            "the one you mean and give it as a value",
            "nobody can tell which is meant",
        ),
    ],
)
def test_what_cannot_be_found_is_a_collection_error_of_one_line(
    pytester: pytest.Pytester, evaluate: Evaluate, added: str, name: str, said: str, why: str
) -> None:
    pytester.makeconftest(PLUGIN + HOOK % added)
    outcome = evaluate(TEST % name)
    assert outcome.result.ret != 0, why
    outcome.result.stdout.fnmatch_lines([said.replace("[", "[[]")])
