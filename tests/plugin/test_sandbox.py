"""The fixture ``sandbox``: each run is a score, and where no sandbox works the evaluation is missing."""

from __future__ import annotations

import pytest

# pytester forgets modules that an inner session was the first to import, and patches with them.
import pytest_infergate.plugin.scoring.code_running  # noqa: F401

from .conftest import Evaluate, Outcome


def scores(outcome: Outcome) -> list[tuple[str, float | None]]:
    (record,) = outcome.records.values()
    return [(score["name"], score["value"]) for score in record["scores"]]


def test_a_run_is_a_score_with_the_backend_and_the_limits(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        def test_it(sandbox):
            assert sandbox.run("def f(): return 1", tests="assert f() == 1", timeout=20).ok
        """,
        url=None,
    )
    assert outcome.verdict == ("passed", "passed", 0)
    (record,) = outcome.records.values()
    (score,) = record["scores"]
    assert (score["name"], score["value"], score["unit"]) == ("functional", 1.0, "ratio")
    evaluator = score["evaluator"]
    assert (evaluator["kind"], evaluator["name"]) == ("sandbox", "python")
    assert evaluator["backend"].startswith("bubblewrap ")
    assert evaluator["settings"]["limits"]["wall_s"] == 20.0


def test_a_wrong_answer_and_a_limit_that_is_hit_are_wrong_not_missing(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        import pytest

        @pytest.mark.parametrize("code", ["def f(): return 2", "import os; os._exit(0)", "while True: pass"])
        def test_it(sandbox, code):
            assert sandbox.run(code, tests="assert f() == 1", timeout=1).ok
        """,
        url=None,
    )
    assert set(outcome.verdicts.values()) == {"failed"}
    assert [r["scores"][0]["value"] for r in outcome.records.values()] == [0.0, 0.0, 0.0]
    outcome.result.stdout.fnmatch_lines(["*LEFT_EARLY*", "*TIMEOUT*"])


def test_runs_without_a_name_are_numbered(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        def test_it(sandbox):
            sandbox.run("pass")
            sandbox.run("1/0")
            sandbox.run("pass", name="style")
            sandbox.map([sandbox.job("pass"), sandbox.job("1/0")])
            sandbox.map([sandbox.job("1/0"), sandbox.job("pass")], name="speed")
        """,
        url=None,
    )
    assert scores(outcome) == [
        ("functional", 1.0),
        ("functional_2", 0.0),
        ("style", 1.0),
        ("functional_3", 1.0),
        ("functional_4", 0.0),
        ("speed_1", 0.0),
        ("speed_2", 1.0),
    ]


def test_a_name_given_twice_is_the_tests_fault(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        def test_it(sandbox):
            sandbox.run("pass", name="style")
            sandbox.run("pass", name="style")
        """,
        url=None,
    )
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)


@pytest.mark.parametrize("caught", [False, True])
def test_where_no_sandbox_works_the_code_is_not_run_and_the_evaluation_is_missing(
    evaluate: Evaluate,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    caught: bool,
) -> None:
    ran = tmp_path_factory.mktemp("ran") / "ran"
    monkeypatch.setattr("pytest_infergate.sandbox.unusable.os.environ", {"PATH": ""})
    monkeypatch.setattr("pytest_infergate.sandbox.unusable.shutil.which", lambda *_, **__: None)
    body = f"sandbox.run(\"open({str(ran)!r}, 'w')\")"
    if caught:
        body = f"try: {body}\n            except Exception: pass"
    outcome = evaluate(
        f"""
        def test_it(sandbox):
            {body}
        """,
        url=None,
    )
    assert outcome.verdict == ("missing evaluator_unavailable", "missing", 1)
    (record,) = outcome.records.values()
    assert "bwrap is not installed" in record["missing"]["detail"]
    assert "install bubblewrap" in record["missing"]["detail"]
    assert not ran.exists()


def test_a_plain_subprocess_is_used_when_it_is_asked_for(evaluate: Evaluate) -> None:
    suite = "def test_it(sandbox):\n    assert sandbox.run('pass').ok\n"
    outcome = evaluate(suite, "--infer-sandbox=subprocess", url=None)
    (record,) = outcome.records.values()
    assert record["scores"][0]["evaluator"]["backend"].startswith("subprocess without isolation")
    assert outcome.run["settings"]["sandbox"] == "subprocess"


def test_the_canary_runs_once_a_session(evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_infergate.sandbox import choice

    checked: list[object] = []
    real = choice.check_canary
    monkeypatch.setattr(choice, "check_canary", lambda sandbox: (checked.append(sandbox), real(sandbox)))
    evaluate(
        """
        import pytest

        @pytest.mark.parametrize("n", range(3))
        def test_it(sandbox, n):
            sandbox.run("pass")
        """,
        url=None,
    )
    assert len(checked) == 1


def test_a_canary_that_is_wrong_makes_every_evaluation_missing(
    evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here a sandbox whose interpreter always says 0: nothing that it runs comes to its tests."""
    monkeypatch.setattr(
        "pytest_infergate.sandbox.bubblewrap.runner_command",
        lambda python, inlet, outlet: [
            python,
            "-c",
            f"import os; os.write({outlet}, b'{{\"started\": true}}\\n')",
        ],
    )
    outcome = evaluate(
        "def test_it(sandbox):\n    sandbox.run('pass')\n", "--infer-sandbox=bubblewrap", url=None
    )
    assert outcome.verdict == ("missing evaluator_unavailable", "missing", 1)
    (record,) = outcome.records.values()
    assert "the sandbox's canary: a right program did not pass" in record["missing"]["detail"]


def test_a_fixture_of_that_name_in_a_project_stays_its_own(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        import pytest

        @pytest.fixture
        def sandbox():
            return "mine"

        def test_it(sandbox):
            assert sandbox == "mine"
        """,
        url=None,
    )
    outcome.result.assert_outcomes(passed=1)
    assert not outcome.folder.exists()


def test_an_unknown_backend_ends_the_session_before_collection(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("--infer-sandbox=chroot")
    result.stderr.fnmatch_lines(
        ["ERROR: --infer-sandbox: 'chroot' is not auto, bubblewrap, container or subprocess"]
    )
    assert result.ret == 4
