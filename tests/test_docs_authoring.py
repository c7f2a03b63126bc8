"""What the pages on extractors and evaluators tell people to write works as it stands there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.strategies import Promise

from .scripted import ScriptedServer

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = {
    name: (DOCS / f"writing-an-{name}.md").read_text(encoding="utf-8") for name in ("extractor", "evaluator")
}
_FENCE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Words of what is asked → what a good model says.
ANSWERS = {
    "23:40": "It arrives after midnight, at 00:30.",
    "11:15": "11:15 and 90 minutes: 12:45.",
    "9:05": "<think>10:06?</think>At 10:05 am.",
    "Where is my parcel": "Thank you for your letter, the parcel will arrive Monday.",
    "many thanks": "Thank you for your letter, yours.",
}
#: Page, file → how many evaluations it has, all of which pass with those answers.
PLANNED = {
    ("extractor", "test_trains.py"): 2,
    ("extractor", "test_trains_by_name.py"): 1,
    ("evaluator", "test_letters.py"): 2,
}


def write_page(name: str, folder: Path) -> set[str]:
    """Write the files of a page into a folder; return their names."""
    files = dict(_FENCE.findall(PAGES[name]))
    for file, content in files.items():
        (folder / file).write_text(content, encoding="utf-8")
    return set(files)


def good(body: dict[str, Any]) -> str:
    asked = body["messages"][-1]["content"]
    return next(said for words, said in ANSWERS.items() if words in asked)


def evaluate(
    pytester: pytest.Pytester, file: str, answers: Callable[[dict[str, Any]], str]
) -> tuple[int, dict[str, Any]]:
    with ScriptedServer.answering(answers) as server:
        result = pytester.runpytest_inprocess(
            file, f"--infer-server={server.url}", "--infer-run=run", "-p", "no:cacheprovider"
        )
    return int(result.ret), json.loads((pytester.path / "run" / "run.json").read_text("utf-8"))


def test_every_test_of_the_pages_is_run(tmp_path: Path) -> None:
    tests = {
        (name, file) for name in PAGES for file in write_page(name, tmp_path) if file.startswith("test_")
    }
    assert tests == PLANNED.keys() | {("extractor", "test_clock.py")}


@pytest.mark.parametrize(("page", "file"), PLANNED)
def test_the_tasks_pass_with_good_answers(page: str, file: str, pytester: pytest.Pytester) -> None:
    write_page(page, pytester.path)
    status, run = evaluate(pytester, file, good)
    planned = PLANNED[page, file]
    assert run["totals"] == {"planned": planned, "passed": planned, "failed": 0, "missing": 0}
    assert status == 0


@pytest.mark.parametrize(("page", "file"), PLANNED)
def test_and_none_of_them_is_green_with_bad_ones(page: str, file: str, pytester: pytest.Pytester) -> None:
    write_page(page, pytester.path)
    status, run = evaluate(pytester, file, lambda body: "Kkrx vvtz 25:99")
    assert (status, run["totals"]["passed"]) == (1, 0)


def test_the_extractor_of_the_page_keeps_the_contract(pytester: pytest.Pytester) -> None:
    write_page("extractor", pytester.path)
    pytester.runpytest_inprocess("test_clock.py", "-p", "no:cacheprovider").assert_outcomes(passed=2)


def test_one_that_takes_the_first_time_is_told_what_the_page_says(pytester: pytest.Pytester) -> None:
    write_page("extractor", pytester.path)
    path = pytester.path / "clock.py"
    path.write_text(
        path.read_text("utf-8").replace("reversed(list(_TIME.finditer(text)))", "_TIME.finditer(text)")
    )
    result = pytester.runpytest_inprocess("test_clock.py", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    said = (
        "extractor Clock does not keep its promise: it finds a known answer in every wrapping that it reads"
    )
    assert said in " ".join(PAGES["extractor"].split())
    result.stdout.fnmatch_lines([f"*{said}*"])


def test_the_table_of_promises_is_whole() -> None:
    table = re.findall(r"^\| (\w+) \| (?!kept)", PAGES["extractor"], re.MULTILINE)
    assert [row for row in table if row != "promise"] == [promise.name.lower() for promise in Promise]


def test_an_instrument_whose_canary_is_wrong_is_missing_evidence(pytester: pytest.Pytester) -> None:
    write_page("evaluator", pytester.path)
    (pytester.path / "words.txt").write_text("")
    status, run = evaluate(pytester, "test_letters.py", good)
    assert (status, run["tasks"][0]["reasons"]) == (1, {"evaluator_unavailable": 2})


def test_the_score_carries_who_measured(pytester: pytest.Pytester) -> None:
    write_page("evaluator", pytester.path)
    evaluate(pytester, "test_letters.py", good)
    record = json.loads((pytester.path / "run" / "records.jsonl").read_text().splitlines()[0])
    (score,) = [score for score in record["scores"] if score["name"] == "known words"]
    who = score["evaluator"]
    assert (who["kind"], who["name"], who["settings"]) == ("text", "known_words", {"shortest": 3})
    assert f"by text known_words v1 on {who['backend']}" in PAGES["evaluator"]


@pytest.mark.parametrize("name", PAGES)
def test_links_of_the_pages_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", _FENCE.sub("", PAGES[name]))
    assert links
    for link in links:
        assert (DOCS / link).exists(), link
