"""Fixtures and marks that come by unusual ways are read, or refused in one line; never ignored."""

from __future__ import annotations

import pytest

from .conftest import Evaluate

HEAD = "import pytest\nfrom pytest_infergate import extract\n"


def test_a_fixture_asked_for_in_a_test_that_is_no_evaluation(evaluate: Evaluate) -> None:
    outcome = evaluate("def test_it(request): request.getfixturevalue('infer').chat('say x')")
    assert outcome.result.ret == 1
    outcome.result.stdout.fnmatch_lines(
        ["E  *test_it.py::test_it: fixture 'infer' needs a test that was collected as an evaluation; *"]
    )


LATE = [
    # mark, fixture, what is said
    ("infer_task", "reply", "*fixture 'reply' needs a prompt; add infer_task(prompt=…)*"),
    ("infer_task(prompt='say x')", "answer", "*fixture 'answer' needs an extractor; add *"),
]


@pytest.mark.parametrize(("mark", "fixture", "said"), LATE)
def test_what_a_fixture_lacks_is_no_wrong_answer(
    evaluate: Evaluate, mark: str, fixture: str, said: str
) -> None:
    suite = f"@pytest.mark.{mark}\ndef test_it(request): request.getfixturevalue({fixture!r})"
    outcome = evaluate(HEAD + suite)
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)
    (record,) = outcome.records.values()
    pytest.LineMatcher([record["missing"]["detail"]]).fnmatch_lines([said])


@pytest.mark.parametrize("mark", ["infer_task(oops=1)", "infer_task(min_pass_rate=0.1)", "infer_extract(1)"])
@pytest.mark.parametrize("arguments", ["n, infer", "n"])
def test_a_mark_on_one_parameter_is_not_ignored(evaluate: Evaluate, mark: str, arguments: str) -> None:
    suite = (
        f"@pytest.mark.parametrize('n', [pytest.param(1, marks=pytest.mark.{mark})])\n"
        f"def test_it({arguments}): pass"
    )
    outcome = evaluate(HEAD + suite)
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)
    (record,) = outcome.records.values()
    assert f"{mark.partition('(')[0]} on one parameter is not read" in record["missing"]["detail"]


@pytest.mark.parametrize(
    ("test", "verdict"), [("def test_x(): pass", "passed"), ("def test_x(infer): pass", "missing")]
)
def test_a_folder_that_its_conftest_skips_is_red_where_it_holds_evaluations(
    evaluate: Evaluate, pytester: pytest.Pytester, test: str, verdict: str
) -> None:
    folder = pytester.mkdir("gpu")
    (folder / "conftest.py").write_text("import pytest\npytest.skip('no GPU', allow_module_level=True)")
    (folder / "test_x.py").write_text(test)
    outcome = evaluate("def test_it(infer): infer.chat('say x')")
    assert outcome.run["verdict"] == verdict
