"""The closed list of reasons for missing evidence."""

from __future__ import annotations

import pytest

from pytest_infergate.evidence import ALLOWABLE, Missing, Reason, ReasonGroup

GROUPS = {
    ReasonGroup.NEVER_RAN: "not_run skipped empty_dataset nothing_evaluated",
    ReasonGroup.MODEL: "empty_reply no_answer truncated refused",
    ReasonGroup.SERVER: "unreachable rate_limited server_error broken_stream timeout context_limit",
    ReasonGroup.EVALUATOR: "evaluator_unavailable evaluator_error empty_reference undecodable_media "
    "invalid_score fallback_not_allowed not_exercised invalid_conditions",
}


@pytest.mark.parametrize(("group", "names"), GROUPS.items())
def test_each_reason_belongs_to_the_one_who_did_not_deliver(group: ReasonGroup, names: str) -> None:
    assert [reason.value for reason in Reason if reason.group is group] == names.split()


def test_only_what_an_exchange_did_not_deliver_can_be_allowed() -> None:
    assert {r for r in Reason if r.group in (ReasonGroup.MODEL, ReasonGroup.SERVER)} == ALLOWABLE


@pytest.mark.parametrize(
    ("missing", "text"),
    [
        (Missing(Reason.TIMEOUT), "timeout"),
        (Missing(Reason.TIMEOUT, "no end after 5 s"), "timeout: no end after 5 s"),
    ],
)
def test_missing_says_its_reason_and_what_was_seen(missing: Missing, text: str) -> None:
    assert str(missing) == text
    assert Missing.from_json(missing.as_json()) == missing
