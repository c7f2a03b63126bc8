"""Sessions that end in odd ways are red where nothing was shown, and say why in one line."""

from __future__ import annotations

import pytest

from .conftest import Evaluate

EXITS = {
    "pytest.exit before the tests": (
        "def pytest_collection_modifyitems(): pytest.exit('no GPU here', returncode=0)",
        None,
    ),
    "a plugin that sets the status at the end": (
        "def pytest_sessionfinish(session): session.exitstatus = 0",
        "failed",
    ),
    "pytest.exit at the end": (
        "def pytest_sessionfinish(session): pytest.exit('done', returncode=0)",
        "failed",
    ),
}


@pytest.mark.parametrize("xdist", [[], ["-n2"]], ids=["plain", "n2"])
@pytest.mark.parametrize(("hook", "verdict"), EXITS.values(), ids=EXITS.keys())
def test_a_status_of_0_does_not_stand_for_a_verdict(
    evaluate: Evaluate, pytester: pytest.Pytester, hook: str, verdict: str | None, xdist: list[str]
) -> None:
    pytester.makeconftest(f"import pytest\n{hook}")
    outcome = evaluate(
        "def test_it(infer): assert infer.chat('say no').text == 'yes'", *xdist, subprocess=True
    )
    assert outcome.result.ret != 0
    if verdict:
        assert outcome.run["verdict"] == verdict


def test_a_run_folder_that_goes_away_is_one_line(evaluate: Evaluate) -> None:
    suite = """
    import shutil

    def test_it(infer, request):
        infer.chat("say x")
        shutil.rmtree(request.config.getoption("infer_run"))
    """
    outcome = evaluate(suite)
    assert outcome.result.ret == 1
    outcome.result.stdout.fnmatch_lines(["cannot write '*run.json': No such file or directory; *"])
    assert "INTERNALERROR" not in outcome.result.stdout.str()


UNPLANNED = {
    "the only worker dies before its first report": (
        "import os, pytest\n@pytest.fixture\ndef dies(): os._exit(0)\n"
        "def test_it(infer, dies): infer.chat('say x')",
        "worker 'gw0' crashed while running 'test_it.py::test_it'",
    ),
    "a module that cannot be imported": (
        "import no_such_module\ndef test_it(infer): infer.chat('say x')",
        "test_it.py could not be collected",
    ),
}


@pytest.mark.parametrize(("suite", "observed"), UNPLANNED.values(), ids=UNPLANNED.keys())
def test_what_kept_the_tests_from_being_planned_is_said(
    evaluate: Evaluate, suite: str, observed: str
) -> None:
    outcome = evaluate(suite, "-n1", subprocess=True)
    assert outcome.result.ret == 1
    (gate,) = [gate for gate in outcome.run["gates"] if gate["verdict"] != "passed"]
    assert (gate["name"], gate["observed"]) == ("nothing_evaluated", observed)
