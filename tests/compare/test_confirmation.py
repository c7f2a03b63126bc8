"""What further attempts say of a pass that turned into a failure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.compare.confirmation import confirmed_flips, read_confirmed
from pytest_infergate.evidence import Reason, Verdict, canonical_json
from pytest_infergate.runs import Attempt, Because, RunFolderError, RunLedger, RunWriter
from tests.runs.made import CAPITALS, FINISHED, HEAD, line_of, missing, record, write_run

KEY = (CAPITALS.name, "peru", 0)

#: What the candidate said when it was asked again, what the base said, and whether the loss is confirmed.
#: P passed, F failed, R refused (the model's own), s timed out (not the model's).
CASES = [
    ("F", "", True, "wrong twice of two"),
    ("P", "", False, "wrong once of two is no majority"),
    ("FP", "", True, "wrong twice of three"),
    ("PP", "", False, "wrong once of three"),
    ("FPP", "", False, "wrong twice of four is no majority"),
    ("FFP", "", True, "wrong three times of four"),
    ("R", "", True, "a refusal delivers nothing either"),
    ("s", "", None, "a timeout says nothing, and could have been either"),
    ("sF", "", True, "two of three are wrong whatever the timeout would have been"),
    ("sP", "", None, "one of three is unknown and decides"),
    ("sPP", "", False, "two of four at most"),
    ("F", "P", True, "the base is right twice of two"),
    ("F", "F", False, "the base is right once of two: it flips by itself"),
    ("FF", "FP", True, "the base is right twice of three"),
    ("F", "s", None, "the base's timeout decides"),
    ("P", "s", False, "the candidate's answer decides already"),
    ("s", "F", False, "the base's answer decides already"),
]


def attempts(letters: str, because: Because = Because.CONFIRM, sample: str = "peru") -> Iterator[Attempt]:
    for number, letter in enumerate(letters, 1):
        if letter in "PF":
            made = record(sample, Verdict.PASSED if letter == "P" else Verdict.FAILED)
        else:
            made = missing(sample, Reason.REFUSED if letter == "R" else Reason.TIMEOUT)
        yield Attempt(because=because, number=number, record=made)


@pytest.mark.parametrize(
    ("candidate", "base", "expected"), [case[:3] for case in CASES], ids=[case[3] for case in CASES]
)
def test_more_than_half_of_all_answers_decide(candidate: str, base: str, expected: bool | None) -> None:
    found = confirmed_flips(attempts(base), attempts(candidate))
    assert found == ({} if expected is None else {KEY: expected})


def test_what_was_not_asked_again_is_not_there() -> None:
    assert confirmed_flips((), ()) == {}
    assert confirmed_flips(attempts("PPP"), ()) == {}


def test_reruns_of_another_plugin_are_no_fair_draw() -> None:
    """They stop at the first that passes."""
    assert confirmed_flips((), attempts("FFFP", Because.RERUN)) == {}
    both = [*attempts("P", Because.RERUN), *attempts("F")]
    assert confirmed_flips((), both) == {KEY: True}


@given(st.text("PFRs", max_size=8), st.text("PFRs", max_size=8))
def test_what_is_unknown_never_decides(candidate: str, base: str) -> None:
    """However the unknown answers had turned out, the same would have been said, or nothing is said."""
    found = confirmed_flips(attempts(base), attempts(candidate)).get(KEY)
    if found is not None:
        for turned in "PF":
            for turned_base in "PF":
                told = confirmed_flips(
                    attempts(base.replace("s", turned_base)), attempts(candidate.replace("s", turned))
                )
                assert told.get(KEY) is found


@given(st.text("PF", min_size=1, max_size=8))
def test_a_further_wrong_answer_never_excuses_a_loss(candidate: str) -> None:
    before = confirmed_flips((), attempts(candidate))[KEY]
    after = confirmed_flips((), attempts(candidate + "F"))[KEY]
    assert after >= before


def run_with_attempts(folder: Path, letters: str) -> Path:
    ledger = RunLedger([CAPITALS])
    writer = RunWriter.create(folder, HEAD)
    first = record("peru", Verdict.FAILED)
    ledger.count(first)
    writer.add(line_of(first))
    for attempt in attempts(letters):
        writer.add_attempt(canonical_json(attempt.as_json()))
    writer.finish(FINISHED, ledger.summary())
    writer.close()
    return folder


def test_attempts_are_read_from_the_folders(tmp_path: Path) -> None:
    base = write_run(tmp_path / "base")
    assert read_confirmed(base, run_with_attempts(tmp_path / "a", "FF")) == {KEY: True}
    assert read_confirmed(base, run_with_attempts(tmp_path / "b", "PP")) == {KEY: False}
    assert read_confirmed(base, base) == {}
    file = tmp_path / "baseline.jsonl"
    file.write_text("{}")
    assert read_confirmed(file, tmp_path / "a") == {KEY: True}


def edited(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line["record"]["verdict"] = "passed"
    path.write_text("".join(canonical_json(line) + "\n" for line in lines))


@pytest.mark.parametrize(
    "damage",
    [edited, Path.unlink, lambda path: path.write_bytes(path.read_bytes()[:-9])],
    ids=["edited", "gone", "torn"],
)
def test_attempts_that_are_not_as_written_excuse_nothing(tmp_path: Path, damage: object) -> None:
    folder = run_with_attempts(tmp_path / "a", "FF")
    damage(folder / "attempts.jsonl")  # type: ignore[operator]
    with pytest.raises(RunFolderError, match="the run is damaged or was edited"):
        read_confirmed(write_run(tmp_path / "base"), folder)


def test_attempts_that_nobody_vouches_for_are_refused(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a")
    lines = [canonical_json(one.as_json()) for one in attempts("P")]
    (folder / "attempts.jsonl").write_text("\n".join(lines) + "\n")
    with pytest.raises(RunFolderError, match=r"run\.json says that no evaluation was asked again"):
        read_confirmed(write_run(tmp_path / "base"), folder)
