"""A worker of xdist that dies takes no evaluation with it unseen."""

from __future__ import annotations

import pytest

from .conftest import Evaluate

SUITE = """
import os, signal
import pytest

@pytest.mark.infer_task({arguments})
@pytest.mark.parametrize("n", range(8))
def test_it(infer, n):
    assert infer.chat(f"say {{n}}").text == str(n)
    if n == 3:
        {death}
"""
DEATHS = {
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "left": "os._exit(0)",
}


@pytest.mark.parametrize("arguments", ["", "min_pass_rate=0.5", "min_pass_rate=0.5, max_missing=0.2"])
@pytest.mark.parametrize("death", DEATHS.values(), ids=DEATHS.keys())
def test_a_killed_worker_costs_only_the_evaluation_it_ran(
    evaluate: Evaluate, death: str, arguments: str
) -> None:
    outcome = evaluate(SUITE.format(death=death, arguments=arguments), "-n2", subprocess=True)
    assert outcome.result.ret == 1
    assert outcome.run["totals"] == {"planned": 8, "passed": 7, "failed": 0, "missing": 1}
    assert outcome.verdicts["3#0"] == "missing not_run"
    assert "crashed while running" in outcome.records["test_it.test_it/3#0"]["missing"]["detail"]


def test_a_worker_that_cannot_be_replaced_leaves_a_red_session(evaluate: Evaluate) -> None:
    suite = SUITE.format(death=DEATHS["killed"], arguments="")
    outcome = evaluate(suite, "-n2", "--max-worker-restart=0", subprocess=True)
    assert outcome.result.ret != 0
    totals = outcome.run["totals"]
    assert totals["planned"] == 8
    assert totals["missing"] >= 1
    assert outcome.run["verdict"] == "missing"


def test_a_worker_with_an_internal_error_is_not_green(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    """pytest-xdist itself exits 0 here: the test whose report broke disappears."""
    pytester.makeconftest(
        """
        import pytest

        @pytest.hookimpl(wrapper=True, tryfirst=True)
        def pytest_runtest_makereport(item, call):
            report = yield
            if "[7]" in item.nodeid and call.when == "call":
                raise RuntimeError("a plugin broke")
            return report
        """
    )
    outcome = evaluate(SUITE.format(death="pass", arguments=""), "-n2", subprocess=True)
    assert outcome.result.ret != 0
    if outcome.folder.exists():
        assert outcome.run["verdict"] in ("missing", None)
