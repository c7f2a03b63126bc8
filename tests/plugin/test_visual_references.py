"""References of pictures: never made silently, and never green in the run that makes them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_infergate.compare import Outcome as ComparisonOutcome
from pytest_infergate.compare import compare_runs, read_side
from pytest_infergate.runs.validate import validate_run

from .conftest import Evaluate, Outcome
from .test_visual import drawn as drawn  # the fixture
from .test_visual import only, png, scores

UPDATE = "--infer-update-references"
SUITE = """
def test_it(visual):
    visual.matches(visual.open("disc.png"))
"""
DEFAULT = Path("references", "test_it", "test_it-0.png")


def missing(outcome: Outcome) -> dict[str, Any]:
    assert outcome.verdict[1:] == ("missing", 1)
    return dict(only(outcome)["missing"])


def shown(outcome: Outcome) -> dict[str, bytes]:
    """The pictures that the record names, by what they show."""
    return {
        one["name"]: (outcome.folder / "artifacts" / one["sha256"]).read_bytes()
        for score in only(outcome)["scores"]
        for one in (score["details"] or {}).get("artifacts", ())
    }


def test_a_reference_that_is_not_there_is_missing_and_is_not_made(evaluate: Evaluate, drawn: Path) -> None:
    outcome = evaluate(SUITE, url=None)
    assert missing(outcome)["reason"] == "empty_reference"
    assert f"accept it with {UPDATE}" in missing(outcome)["detail"]
    assert not (drawn / "references").exists()
    assert list(shown(outcome)) == ["actual"]  # for a person to look at
    assert validate_run(outcome.folder).problems == ()


def test_an_update_writes_the_reference_and_is_not_green(evaluate: Evaluate, drawn: Path) -> None:
    outcome = evaluate(SUITE, UPDATE)
    assert missing(outcome)["reason"] == "not_exercised"
    assert "updated: this run writes the reference" in missing(outcome)["detail"]
    told = json.loads((drawn / f"{DEFAULT}.json").read_text())
    assert told["sha256"] == hashlib.sha256((drawn / DEFAULT).read_bytes()).hexdigest()
    assert told["source"] == hashlib.sha256(png()).hexdigest()
    assert told["run"] == outcome.run["run_id"]
    assert "model scripted" in told["server"]
    assert told["evaluation"] == "test_it.test_it/0#0"
    assert told["tool"]["name"] == "pytest-infergate"
    assert outcome.run["settings"]["update_references"] is True
    again = evaluate(SUITE, url=None)
    assert again.verdict == ("passed", "passed", 0)
    assert scores(again)["matches"]["details"]["reference"]["provenance"]["run"] == outcome.run["run_id"]


@pytest.mark.parametrize(
    "after",
    [
        "visual.size(picture, 1)",
        "assert False",
        "pytest.skip('later')",
        "pytest.xfail('known')",
        "visual.open('absent.png')",
        "try:\n        visual.open('absent.png')\n    except Exception:\n        pass",
        "raise KeyError('a')",
    ],
)
def test_a_picture_of_a_test_that_does_not_hold_is_not_accepted(
    evaluate: Evaluate, drawn: Path, after: str
) -> None:
    start = "import pytest\ndef test_it(visual):\n    picture = visual.open('disc.png')"
    outcome = evaluate(f"{start}\n    visual.matches(picture)\n    {after}\n", UPDATE, url=None)
    assert int(outcome.result.ret) == 1
    assert not (drawn / "references").exists()


def test_an_update_leaves_a_reference_with_the_same_pixels_alone(evaluate: Evaluate, drawn: Path) -> None:
    evaluate(SUITE, UPDATE, url=None)
    before = (drawn / f"{DEFAULT}.json").read_text()
    outcome = evaluate(SUITE, UPDATE, url=None)
    assert "has these pixels already" in missing(outcome)["detail"]
    assert (drawn / f"{DEFAULT}.json").read_text() == before


def test_a_picture_that_differs_fails_and_leaves_three_pictures(evaluate: Evaluate, drawn: Path) -> None:
    evaluate(SUITE, UPDATE, url=None)
    (drawn / "disc.png").write_bytes(png(colour="blue"))
    outcome = evaluate(SUITE, url=None)
    assert outcome.verdict == ("failed", "failed", 1)
    assert list(shown(outcome)) == ["actual", "expected", "difference"]
    assert all(content.startswith(b"\x89PNG") for content in shown(outcome).values())
    assert validate_run(outcome.folder).problems == ()
    for file in (outcome.folder / "artifacts").iterdir():
        file.write_bytes(b"another")
    assert "artifacts/" in str(validate_run(outcome.folder).problems)


SPOILT = [
    # what is done to the reference, the reason, a part of the detail
    (lambda path: path.write_bytes(png()), "invalid_conditions", "is not the reference that was accepted"),
    (lambda path: path.write_bytes(b"no picture"), "undecodable_media", "the reference: "),
    (lambda path: path.unlink(), "empty_reference", "there is no reference"),
    (
        lambda path: path.with_name(f"{path.name}.json").write_text("{}"),
        "invalid_conditions",
        "does not say which reference was accepted",
    ),
]


@pytest.mark.parametrize(("spoil", "reason", "detail"), SPOILT)
def test_a_reference_that_is_not_as_it_was_accepted_is_missing(
    evaluate: Evaluate, drawn: Path, spoil: Any, reason: str, detail: str
) -> None:
    evaluate(SUITE, UPDATE, url=None)
    spoil(drawn / DEFAULT)
    outcome = evaluate(SUITE, url=None)
    assert missing(outcome)["reason"] == reason
    assert detail in missing(outcome)["detail"]


def test_a_reference_drawn_by_hand_counts_without_provenance(evaluate: Evaluate, drawn: Path) -> None:
    outcome = evaluate(SUITE.replace('"disc.png")', '"disc.png"), reference="disc.png"'), url=None)
    assert outcome.verdict == ("passed", "passed", 0)
    assert scores(outcome)["matches"]["details"]["reference"]["provenance"] is None


def test_samples_and_scores_have_references_of_their_own(evaluate: Evaluate, drawn: Path) -> None:
    source = """
import pytest
@pytest.mark.parametrize("name", ["disc", "blank/é"])
def test_it(visual, name):
    visual.matches(visual.open("disc.png"), name="first")
    visual.matches(visual.open("disc.png"))
"""
    evaluate(source, UPDATE, url=None)
    made = sorted(path.name for path in (drawn / "references" / "test_it").glob("*.png"))
    assert len(made) == 4
    assert {"test_it-disc.png", "test_it-disc-first.png"} < set(made)
    assert evaluate(source, url=None).run["verdict"] == "passed"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("visual.matches(p, p, reference='a.png')", "give one of them"),
        ("visual.matches(p, reference='a.jpg')", "accepted: the path of a PNG"),
        ("visual.matches(p, reference=3)", "accepted: the path of a PNG"),
        ("visual.matches(p, method='nearly')", "method is 'nearly'"),
    ],
)
def test_what_cannot_be_compared_as_written_is_an_error(
    evaluate: Evaluate, drawn: Path, call: str, said: str
) -> None:
    outcome = evaluate(f"def test_it(visual):\n    p = visual.open('disc.png')\n    {call}\n", url=None)
    assert missing(outcome)["reason"] == "evaluator_error"
    assert said in missing(outcome)["detail"]


def test_a_task_that_requires_matches_is_not_green_by_an_update(evaluate: Evaluate, drawn: Path) -> None:
    task = "import pytest\n@pytest.mark.infer_task(min_pass_rate=0.01)\n"
    source = task + "@pytest.mark.infer_visual(require=['matches'])" + SUITE
    assert evaluate(source, UPDATE, url=None).run["verdict"] == "missing"


def test_the_controller_of_xdist_keeps_pictures_and_writes_references(
    evaluate: Evaluate, drawn: Path
) -> None:
    outcome = evaluate(SUITE, UPDATE, "-n", "2", url=None, subprocess=True)
    assert outcome.run["verdict"] == "missing"
    assert json.loads((drawn / f"{DEFAULT}.json").read_text())["run"] == outcome.run["run_id"]
    (drawn / "disc.png").write_bytes(png(colour="blue"))
    outcome = evaluate(SUITE, "-n", "2", url=None, subprocess=True)
    assert outcome.run["verdict"] == "failed"
    assert list(shown(outcome)) == ["actual", "expected", "difference"]
    assert validate_run(outcome.folder).problems == ()


HELD = SUITE.replace('"disc.png")', '"disc.png"), reference="accepted.png"')


def test_runs_whose_references_differ_are_not_compared(evaluate: Evaluate, drawn: Path) -> None:
    """The pixels are the same and both runs are green: what one was held against is another file."""
    (drawn / "accepted.png").write_bytes(png())
    base, same = evaluate(HELD, url=None), evaluate(HELD, url=None)
    Image.open(drawn / "disc.png").save(drawn / "accepted.png", compress_level=0)
    other = evaluate(HELD, url=None)
    assert [one.run["verdict"] for one in (base, same, other)] == ["passed"] * 3
    assert len({scores(one)["matches"]["evaluator"]["digest"] for one in (base, other)}) == 1
    (found,) = compare_runs(read_side(base.folder), read_side(same.folder)).tasks
    assert found.outcome is ComparisonOutcome.UNCHANGED
    (found,) = compare_runs(read_side(base.folder), read_side(other.folder)).tasks
    assert found.outcome is ComparisonOutcome.INCOMPARABLE
    assert [one.field for one in found.refusals] == ["reference of matches"]


def test_samples_with_references_of_their_own_have_one_evaluator(evaluate: Evaluate, drawn: Path) -> None:
    source = """
import pytest
@pytest.mark.parametrize("name", ["disc.png", "blue.png"])
def test_it(visual, name):
    visual.matches(visual.open(name))
"""
    (drawn / "blue.png").write_bytes(png(colour="blue"))
    evaluate(source, UPDATE, url=None)
    made = [one["scores"][0] for one in evaluate(source, url=None).records.values()]
    assert len({score["details"]["against"] for score in made}) == 2
    assert len({score["evaluator"]["digest"] for score in made}) == 1


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (lambda folder: None, True),
        (lambda folder: (folder / "accepted.png").write_bytes(png(colour="blue")), False),
        (lambda folder: (folder / "accepted.png").unlink(), False),
        (lambda folder: (folder / "disc.png").write_bytes(png(colour="blue")), False),
    ],
    ids=["as it was", "another reference", "no reference", "another picture"],
)
def test_what_was_judged_by_another_file_is_not_kept(
    evaluate: Evaluate, drawn: Path, change: Any, kept: bool
) -> None:
    (drawn / "accepted.png").write_bytes(png())
    first = evaluate(HELD, url=None)
    change(drawn)
    again = evaluate(HELD, f"--infer-replay={first.folder}", "--infer-rescore=missing", url=None)
    assert (only(again)["kept_from"] is not None) is kept
    assert (again.run["verdict"] == "passed") is kept
