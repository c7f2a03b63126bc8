"""However the workers of xdist are asked for: ordinary sessions are left alone, and requests are counted."""

from __future__ import annotations

import pytest

from tests.scripted import ScriptedServer

from .conftest import Evaluate

SUITE = """
import pytest

@pytest.mark.infer_task{arguments}
@pytest.mark.parametrize("n", range(4))
def test_it(infer, n):
    assert infer.chat(f"say {{n}}").text == str(n)
"""


def test_a_session_without_evaluations_has_as_many_workers_as_it_likes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(): pass")
    result = pytester.runpytest_subprocess("-n3", "-o", "infer_concurrency=2")
    assert result.ret == 0
    result.assert_outcomes(passed=1)


WORKERS = [
    # how they are asked for, whether 2 requests in flight are enough, why
    (["-n3"], False, "three"),
    (["--dist=load", "--tx=3*popen"], False, "one --tx for three"),
    (["--dist=load", "--tx=popen", "--tx=2*popen"], False, "three in two parts"),
    (["-n3", "--maxprocesses=2"], True, "no more than two of them"),
]


@pytest.mark.parametrize(("args", "is_enough", "why"), WORKERS)
def test_workers_are_counted_as_they_start(
    evaluate: Evaluate, args: list[str], is_enough: bool, why: str
) -> None:
    outcome = evaluate(SUITE.format(arguments=""), "--infer-concurrency=2", *args)
    if is_enough:
        assert outcome.result.ret == 0, why
        outcome.result.stdout.fnmatch_lines(["infergate: *, 2 at a time"])
    else:
        assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR, why
        outcome.result.stderr.fnmatch_lines(["ERROR: --infer-concurrency=2 is less than the 3 workers*"])


@pytest.mark.parametrize("has_server", [True, False])
def test_two_verdicts_for_one_evaluation_are_refused(
    evaluate: Evaluate, server: ScriptedServer, has_server: bool
) -> None:
    """The second worker's wrong answers of a tolerant task would be left out, and the session green."""
    outcome = evaluate(
        SUITE.format(arguments="(min_pass_rate=0.5)"),
        "--dist=each",
        "--tx=2*popen",
        url=server.url if has_server else None,
        subprocess=True,
    )
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    outcome.result.stderr.fnmatch_lines(["ERROR: --dist=each runs every evaluation once a worker*"])
    assert server.posts == []
