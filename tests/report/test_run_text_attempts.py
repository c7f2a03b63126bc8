"""What a person is told of further attempts, and of what was kept from a session before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_infergate.evidence import Record, ReplySource, Verdict
from pytest_infergate.report import RunView, plain_text, run_lines
from pytest_infergate.runs import RunLedger
from tests.runs.made import CAPITALS, exchange, record


def told(ledger: RunLedger) -> list[str]:
    view = RunView(summary=ledger.summary(), findings=ledger.findings(), folder="runs/a")
    text = plain_text(run_lines(view, 90))
    return text[text.index("\n\n") : text.index("\n\ngates")].strip("\n").splitlines()


def ledger_of(*records: Record) -> RunLedger:
    ledger = RunLedger([CAPITALS])
    for made in records:
        ledger.count(made)
    return ledger


@pytest.mark.parametrize(
    ("reruns", "lines"),
    [
        ([], []),
        (
            [("france", Verdict.PASSED)],
            [
                "1 evaluation was run again by another plugin: the first verdict counts; none came out",
                "  another way",
            ],
        ),
        (
            [("france", Verdict.FAILED), ("peru", Verdict.PASSED)],
            [
                "2 evaluations were run again by another plugin: the first verdict counts; 1 came out",
                "  another way, such as capitals/france#0",
            ],
        ),
    ],
)
def test_evaluations_that_were_run_again_are_told(
    reruns: list[tuple[str, Verdict]], lines: list[str]
) -> None:
    ledger = ledger_of(record("france"), record("peru"))
    for sample, again in reruns:
        ledger.count_rerun(f"capitals/{sample}#0", first=Verdict.PASSED, again=again)
    assert told(ledger) == lines if lines else ledger.findings().reruns is None


@pytest.mark.parametrize(
    ("kept", "line"),
    [
        (1, "1 of 3 evaluations was kept from the run that this one resumes: no measure of speed"),
        (2, "2 of 3 evaluations were kept from the run that this one resumes: no measure of speed"),
    ],
)
def test_evaluations_that_were_kept_are_told(kept: int, line: str) -> None:
    old = exchange(source=ReplySource.RESUME)
    records = [
        record(str(n), exchanges=[old, old], kept_from="first") if n < kept else record(str(n))
        for n in range(3)
    ]
    assert told(ledger_of(*records)) == [line]


def test_a_run_that_kept_nothing_says_nothing_of_it() -> None:
    ledger = ledger_of(replace(record("france")))
    assert ledger.findings().kept == 0
