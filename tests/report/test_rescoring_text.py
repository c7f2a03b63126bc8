"""Both figures side by side, and why they differ."""

from __future__ import annotations

import pytest

from pytest_infergate.evidence import Tally
from pytest_infergate.evidence.width import text_width
from pytest_infergate.report import plain_text
from pytest_infergate.report.rescoring_text import rescoring_lines
from pytest_infergate.runs.rescored import Cause, EvaluatorChange, Rescored, TaskRescored, VerdictChange

MENDED = TaskRescored(
    task="evals.test_sums",
    before=Tally(passed=17, missing=83),
    after=Tally(passed=97, failed=3),
    evaluator=(
        EvaluatorChange(field="extractor number", before="v1", after="v2"),
        EvaluatorChange(field="backend of the judge judge", before=None, after="model b"),
    ),
    causes={Cause.EVALUATOR: 83},
    changes=(
        VerdictChange(
            sample="q17", repeat=0, before="missing (no_answer)", after="passed", cause=Cause.EVALUATOR
        ),
        VerdictChange(
            sample="q18", repeat=2, before="missing (no_answer)", after="failed", cause=Cause.EVALUATOR
        ),
    ),
)
SAME = TaskRescored(task="evals.test_same", before=Tally(passed=4), after=Tally(passed=4))
NEW = TaskRescored(task="evals.test_new", before=Tally(), after=Tally(), added=4)
MIXED = TaskRescored(
    task="evals.test_mixed",
    before=Tally(passed=3),
    after=Tally(passed=1, failed=1, missing=1),
    left_out=5,
    causes={Cause.NO_REPLY: 1, Cause.UNKNOWN: 1},
)


def test_a_whole_report() -> None:
    told = Rescored(
        run="20260102T030405Z-abcdef", tasks=(MENDED, SAME, NEW, MIXED), absent=("evals.test_old",)
    )
    assert (
        plain_text(rescoring_lines(told, 100))
        == """
judged again: the replies of 20260102T030405Z-abcdef
  evals.test_sums: 17 of 100 → 97 of 100 passed, missing 83 → 0
    83 verdicts changed: the evaluator changed; the replies are the same
      extractor number: v1 → v2
      backend of the judge judge: none → model b
      q17 missing (no_answer) → passed, q18#2 missing (no_answer) → failed, and 81 more
  evals.test_same: 4 of 4 passed, as before
  evals.test_new: nothing of it in that run
    4 not in that run, so without replies
  evals.test_mixed: 3 of 3 → 1 of 3 passed, missing 0 → 1
    1 verdict changed: there is no reply to what is asked now
    1 verdict changed: replies, sample and evaluator are the same: chance, time, or a judge asked
      again
    5 of that run left out
  not judged again, though that run has it: evals.test_old
"""
    )


@pytest.mark.parametrize("width", [60, 72, 100, 200])
def test_no_line_is_longer_than_the_terminal(width: int) -> None:
    long = "a_very_long_name_of_a_task_" * 4
    change = VerdictChange(sample="s" * 60, repeat=0, before="passed", after="failed", cause=Cause.UNKNOWN)
    task = TaskRescored(
        task=long,
        before=Tally(passed=10),
        after=Tally(failed=10),
        causes={Cause.UNKNOWN: 10},
        changes=(change,) * 10,
    )
    for shown in plain_text(rescoring_lines(Rescored(run="r", tasks=(task,)), width)).splitlines():
        assert text_width(shown) <= width, shown


def test_what_a_run_says_cannot_act_on_the_terminal() -> None:
    change = VerdictChange(sample="\x1b[2J", repeat=0, before="passed", after="failed", cause=Cause.UNKNOWN)
    task = TaskRescored(
        task="\x1b[2J",
        before=Tally(passed=1),
        after=Tally(failed=1),
        evaluator=(EvaluatorChange(field="\x1b[2J", before="\x07", after=None),),
        causes={Cause.UNKNOWN: 1},
        changes=(change,),
    )
    told = plain_text(rescoring_lines(Rescored(run="\x1b[2J", tasks=(task,), absent=("\x1b[2J",)), 100))
    assert "\x1b" not in told
    assert "\x07" not in told
