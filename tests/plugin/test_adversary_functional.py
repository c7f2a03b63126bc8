"""Evaluations of what a model does that would be green, or blame the model, without evidence for it."""

from __future__ import annotations

import pytest

# pytester forgets modules that an inner session was the first to import, and patches with them.
import pytest_infergate.plugin.scoring.code_running  # noqa: F401
from pytest_infergate.cli import main

from .conftest import Evaluate

UNCHECKED = [
    # arguments of sandbox.run, why
    ("'x = 1', tests=''", "no tests"),
    ("'x = 1', tests='# assert f() == 1'", "a remark"),
    ("'x = 1', tests='\"assert f() == 1\"'", "a text"),
    ("'x = 1', tests='import math'", "a name"),
    ("'x = 1', tests='def check(f):\\n    assert f() == 1'", "a function that nobody calls"),
    ("'x = 1', tests='class T:\\n    def test(self):\\n        assert f() == 1'", "a class that nobody runs"),
    ("'x = 1', name='passed'", "the verdict's own score"),
]


@pytest.mark.parametrize(("arguments", "why"), UNCHECKED)
def test_a_run_that_checks_nothing_is_the_tests_fault(evaluate: Evaluate, arguments: str, why: str) -> None:
    outcome = evaluate(f"def test_it(sandbox): assert sandbox.run({arguments}).ok", url=None)
    assert outcome.verdict == ("missing evaluator_error", "missing", 1), why


def test_an_outcome_is_neither_true_nor_false(evaluate: Evaluate) -> None:
    """``assert sandbox.run(…)`` would hold for every object, so for code that is wrong too."""
    outcome = evaluate("def test_it(sandbox): assert sandbox.run('1/0')", url=None)
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)
    (record,) = outcome.records.values()
    assert "write `assert outcome.ok`" in record["missing"]["detail"]
    assert record["scores"][0]["value"] == 0.0


UNHOLDABLE = [
    ("{'a': 'x', 'a/b': 'y'}", "a file and a folder at once"),
    ("{'main.py/b': 'y'}", "the code is no folder"),
    ("{'\\ud800': 'x'}", "half of a character"),
    (f"{{'{'a' * 256}': 'x'}}", "longer than a name can be"),
    (f"{{'{'a/' * 2500}b': 'x'}}", "longer than a path can be"),
    ("{1: 'x'}", "no text"),
    ("['a']", "no dict"),
]


@pytest.mark.parametrize(("files", "why"), UNHOLDABLE)
def test_files_that_no_folder_holds_are_not_the_models_fault(
    evaluate: Evaluate, files: str, why: str
) -> None:
    outcome = evaluate(f"def test_it(sandbox): assert sandbox.run('x = 1', files={files}).ok", url=None)
    assert outcome.verdict == ("missing evaluator_error", "missing", 1), why
    (record,) = outcome.records.values()
    assert record["missing"]["detail"].startswith("SandboxError: sandbox file"), why


def test_a_job_that_is_none_is_named(evaluate: Evaluate) -> None:
    outcome = evaluate("def test_it(sandbox): sandbox.map(['x = 1'])", url=None)
    (record,) = outcome.records.values()
    assert record["missing"]["detail"].startswith("SandboxError: sandbox.map got 'x = 1'; give")


def test_a_file_of_the_run_does_not_lift_its_limits(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        FAKE = '''
        RLIM_INFINITY = -1
        def __getattr__(name): return 0
        def getrlimit(which): return -1, -1
        def setrlimit(which, limits): pass
        '''.replace("        ", "")

        def test_it(sandbox):
            code = "held = bytearray(3 * 1024 ** 3)"
            assert not sandbox.run(code, files={"resource.py": FAKE}).ok
        """,
        url=None,
    )
    assert outcome.verdict == ("passed", "passed", 0)


def test_a_missing_score_that_does_not_gate_is_no_evidence_by_itself(evaluate: Evaluate) -> None:
    suite = "def test_it(infer): infer.score('style', float('nan'), gate=False)"
    assert evaluate(suite).verdict == ("missing nothing_evaluated", "missing", 1)
    beside = "def test_it(infer):\n    infer.chat('say x')\n    infer.score('s', float('nan'), gate=False)"
    assert evaluate(beside).verdict == ("passed", "passed", 0)


def test_repeats_that_were_not_selected_are_not_counted_as_wrong(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    (pytester.path / "rows.jsonl").write_text('{"id": "a", "q": "1"}\n{"id": "b", "q": "2"}\n')
    suite = """
    import pytest

    @pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {q}", repeat=3)
    def test_it(reply):
        assert reply.text
    """
    one_each = evaluate(suite, "test_it.py::test_it[a#1]", "test_it.py::test_it[b#1]")
    assert [task["repeats"] for task in one_each.run["tasks"]] == [None]
    assert "pass@3" not in one_each.result.stdout.str()
    assert main(["validate", str(one_each.folder)]) == 0
    whole = evaluate(suite, *(f"test_it.py::test_it[a#{repeat}]" for repeat in range(3)))
    assert whole.run["tasks"][0]["repeats"]["pass_at"]["3"] == 1


EXPECTED = [
    # expected calls, why they say nothing
    ("'add'", "a name in place of a list: its letters would be calls"),
    ("{'name': 'add'}", "a call in place of a list"),
    ("None", "no list"),
    ("[{'name': 'add', 'args': {'a': 1}}]", "arguments under a name that nothing reads"),
]


@pytest.mark.parametrize(("expected", "why"), EXPECTED)
def test_expected_calls_that_are_none_are_the_tests_fault(
    evaluate: Evaluate, expected: str, why: str
) -> None:
    outcome = evaluate(
        f"""
        from pytest_infergate import tools

        def test_it(infer):
            tools.check_calls(infer.chat("say x"), {expected})
        """
    )
    assert outcome.verdict == ("missing evaluator_error", "missing", 1), why
    (record,) = outcome.records.values()
    assert record["missing"]["detail"].startswith("ToolError: the call"), why


def test_a_schema_that_refers_to_nothing_is_not_sent(evaluate: Evaluate) -> None:
    outcome = evaluate("def test_it(infer): infer.chat('say {}', schema={'$ref': '#/none'})")
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)
    (record,) = outcome.records.values()
    assert "schema: the schema refers to '#/none', which is not in it" in record["missing"]["detail"]
    assert record["exchanges"] == []


def test_a_schema_of_ones_own_that_cannot_be_checked_loses_no_reply(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        FORM = {"type": "json_schema", "json_schema": {"name": "s", "schema": {"$ref": "#/none"}}}

        def test_it(infer):
            assert infer.chat("say {}", response_format=FORM).text == "{}"
        """
    )
    assert outcome.verdict == ("passed", "passed", 0)


def test_scores_under_different_limits_are_told_apart(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        import pytest

        @pytest.mark.infer_task
        @pytest.mark.parametrize("seconds", [4, 5])
        def test_it(sandbox, seconds):
            sandbox.run("pass", timeout=seconds)
        """,
        url=None,
    )
    digests = [record["scores"][0]["evaluator"]["digest"] for record in outcome.records.values()]
    text = " ".join(outcome.result.stdout.str().split())
    assert all(digest.removeprefix("sha256:")[:8] in text for digest in digests)


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("allow_self='no'", "a word that is true, and would let the model judge itself"),
        ("canary=''", "no canary where one was meant"),
        ("canary=3", "no path"),
    ],
)
def test_an_argument_that_a_judge_would_take_for_another_is_refused(
    evaluate: Evaluate, argument: str, why: str
) -> None:
    outcome = evaluate(f"def test_it(infer): infer.judge('q', 'r', {argument})")
    (record,) = outcome.records.values()
    assert record["missing"]["detail"].startswith(f"JudgeError: {argument}"), why
