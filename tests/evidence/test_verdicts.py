"""Three verdicts: missing is neither failed nor passed."""

from __future__ import annotations

import pytest

from pytest_infergate.evidence import Verdict, combine_verdicts

P, F, M = Verdict.PASSED, Verdict.FAILED, Verdict.MISSING


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([P], P),
        ([P, P, P], P),
        ([P, M], M),  # missing evidence is never a pass
        ([M], M),
        ([F], F),
        ([P, F], F),
        ([M, F], F),  # one thing is known to be wrong, whatever else is not known
        ([F, M, P], F),
        ([], M),  # nothing was judged, so nothing is proven
    ],
)
def test_failed_wins_over_missing_and_missing_over_passed(verdicts: list[Verdict], expected: Verdict) -> None:
    assert combine_verdicts(verdicts) is expected
    assert combine_verdicts(reversed(verdicts)) is expected
