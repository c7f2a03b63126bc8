"""Pictures and clips in an evaluation: what passes, what fails, and what was not looked at is missing."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pytest_infergate.runs.validate import validate_run

from .conftest import Evaluate, Outcome


def png(*, blank: bool = False, size: tuple[int, int] = (64, 48), colour: str = "red") -> bytes:
    """A disc on white, or white alone."""
    image = Image.new("RGB", size, "white")
    if not blank:
        ImageDraw.Draw(image).ellipse((8, 8, 40, 40), fill=colour)
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def drawn(pytester: pytest.Pytester) -> Path:
    (pytester.path / "disc.png").write_bytes(png())
    (pytester.path / "blank.png").write_bytes(png(blank=True))
    (pytester.path / "cut.png").write_bytes(png()[:-60])
    return pytester.path


def suite(body: str, marks: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"import pytest\n{marks}\ndef test_it(visual):\n{lines}\n"


def requiring(*names: str) -> str:
    return f"@pytest.mark.infer_visual(require={list(names)!r})"


def only(outcome: Outcome) -> dict[str, Any]:
    (record,) = outcome.records.values()
    return record


def scores(outcome: Outcome) -> dict[str, dict[str, Any]]:
    return {score["name"]: score for score in only(outcome)["scores"]}


def test_a_check_that_holds_is_a_score_with_its_value_and_evaluator(evaluate: Evaluate, drawn: Path) -> None:
    outcome = evaluate(suite("visual.size(visual.open('disc.png'), 64, 48)"), url=None)
    assert outcome.verdict == ("passed", "passed", 0)
    (score,) = only(outcome)["scores"]
    assert (score["name"], score["value"], score["unit"]) == ("size", 0.0, "px off")
    evaluator = score["evaluator"]
    assert (evaluator["kind"], evaluator["name"], evaluator["version"]) == ("visual", "size", "1")
    assert evaluator["backend"].startswith("pillow ")
    media = score["details"]["media"]
    assert (media["kind"], media["format"], media["width"]) == ("picture", "png", 64)
    assert len(media["sha256"]) == 64
    assert validate_run(outcome.folder).problems == ()


def test_a_check_that_does_not_hold_fails_and_says_value_and_limit(evaluate: Evaluate, drawn: Path) -> None:
    outcome = evaluate(suite("visual.size(visual.open('disc.png'), 100)"), url=None)
    assert outcome.verdict == ("failed", "failed", 1)
    assert only(outcome)["message"] == (
        "size does not hold: 36 px off, the most that is accepted is 0 (64 x 48 pixels; asked for: 100 x any)"
    )
    assert scores(outcome)["size"]["value"] == 36.0


def test_a_required_check_that_does_not_hold_fails_also_where_the_test_catches_it(
    evaluate: Evaluate, drawn: Path
) -> None:
    body = "try:\n    visual.size(visual.open('disc.png'), 100)\nexcept AssertionError:\n    pass"
    required = evaluate(suite(body, requiring("size")), url=None)
    assert required.verdict == ("failed", "failed", 1)
    assert only(required)["message"].startswith("size does not hold: 36 px off")
    own = evaluate(suite(body), url=None)
    assert own.verdict == ("passed", "passed", 0), "a check that no marker asks for is the test's own"


MISSING = [
    # the test's body, its markers, the reason, a part of the detail
    ("visual.open('absent.png')", "", "undecodable_media", "there is no file"),
    ("visual.open('cut.png')", "", "undecodable_media", "cut.png"),
    ("visual.open(b'')", "", "undecodable_media", "zero bytes"),
    ("visual.open('https://example.org/a.png')", "", "undecodable_media", "never fetched"),
    ("visual.open('no picture\\nat all')", "", "no_answer", "no picture"),
    ("visual.open(7)", "", "evaluator_error", "MediaSourceError"),
    (
        "try:\n    visual.open('cut.png')\nexcept Exception:\n    pass",
        "",
        "undecodable_media",
        "cut.png",
    ),
    ("visual.not_frozen(visual.open('disc.png'))", "", "not_exercised", "needs a clip"),
    ("visual.size('disc.png', 64)", "", "evaluator_error", "what visual.open returns"),
    ("visual.size(visual.open('disc.png'))", "", "evaluator_error", "give at least one"),
    ("visual.size(visual.open('disc.png'), 64, colour=1)", "", "evaluator_error", "colour"),
    (
        "try:\n    visual.size(visual.open('disc.png'))\nexcept Exception:\n    pass",
        "",
        "evaluator_error",
        "give at least one",
    ),
    *(
        (
            f"p = visual.open('disc.png')\nvisual.size(p, 64)\ntry:\n    {call}\nexcept Exception:\n    pass",
            "",
            "evaluator_error",
            detail,
        )
        for call, detail in (
            ("visual.matches(p, reference='disc.jpg')", "the path of a PNG"),
            ("visual.matches(p, p, reference='disc.png')", "give one of them"),
            ("visual.matches(p, name='size')", "is recorded already"),
            ("visual.size(p, 1, name='size')", "is recorded already"),
            ("visual.size(p, 1, name='passed')", "is the verdict itself"),
            ("visual.size(p, 64, name='')", "name=''; accepted: printable text"),
            ("visual.size(p, 64, name=5)", "name=5; accepted: printable text"),
            ("visual.size(p, 64, name='a\\nb')", "accepted: printable text"),
            ("visual.check('sharpness', p)", "there is no check 'sharpness'"),
            ("visual.check('spoken', p)", "spoken is no check by name"),
            ("visual.ask(p, 'Is it?', parent=p)", "what another visual.ask returned"),
        )
    ),
    (
        "p = visual.open('disc.png')\nvisual.size(p, 64, name='not_blank')\n"
        "visual.size(p, 64, name='not_blank_required')",
        requiring("not_blank"),
        "not_exercised",
        "infer_visual requires 'not_blank'",
    ),
    ("visual.open('disc.png')", "", "nothing_evaluated", ""),
    ("pass", requiring("not_blank"), "not_exercised", "infer_visual requires 'not_blank'"),
    (
        "visual.size(visual.open('disc.png'), 64)",
        requiring("size", "not_blank"),
        "not_exercised",
        "infer_visual requires 'not_blank'",
    ),
    (
        "visual.size(visual.open('disc.png'), 64, name='not_blank')",
        requiring("not_blank"),
        "not_exercised",
        "infer_visual requires 'not_blank'",
    ),
    ("visual.not_frozen(visual.open('disc.png'))", requiring("not_frozen"), "not_exercised", "needs a clip"),
    ("visual.shiny(1)", "", "evaluator_error", "shiny"),
    ("visual.check('shiny', 1)", "", "evaluator_error", "there is no check 'shiny'; there are size"),
    ("pytest.skip('later')", requiring("size"), "skipped", "later"),
    (
        "image = visual.open('blank.png')\nvisual.matches(image, image)",
        "",
        "empty_reference",
        "low information",
    ),
]


@pytest.mark.parametrize(("body", "marks", "reason", "detail"), MISSING)
def test_what_was_not_looked_at_is_missing(
    evaluate: Evaluate, drawn: Path, body: str, marks: str, reason: str, detail: str
) -> None:
    outcome = evaluate(suite(body, marks), url=None)
    assert outcome.verdict == (f"missing {reason}", "missing", 1)
    assert detail in only(outcome)["missing"]["detail"]
    assert validate_run(outcome.folder).problems == ()


def test_a_required_check_has_a_row_also_where_the_test_failed_before_it(
    evaluate: Evaluate, drawn: Path
) -> None:
    body = "visual.size(visual.open('disc.png'), 1)\nvisual.not_blank(visual.open('disc.png'))"
    outcome = evaluate(suite(body, requiring("not_blank")), url=None)
    assert outcome.verdict == ("failed", "failed", 1)
    row = scores(outcome)["not_blank"]
    assert (row["value"], row["gates"], row["missing"]["reason"]) == (None, False, "not_exercised")


def test_what_markers_require_adds_up(evaluate: Evaluate, drawn: Path) -> None:
    source = (
        f"import pytest\npytestmark = pytest.mark.infer_visual(require=['size'])\n{requiring('not_blank')}"
    )
    body = "\ndef test_it(visual):\n    visual.not_blank(visual.open('disc.png'))\n"
    outcome = evaluate(source + body, url=None)
    assert outcome.verdict == ("missing not_exercised", "missing", 1)
    assert "requires 'size'" in only(outcome)["missing"]["detail"]


def test_required_checks_that_were_made_let_a_test_pass(evaluate: Evaluate, drawn: Path) -> None:
    body = "p=visual.open('disc.png')\nvisual.not_blank(p)\nvisual.size(p, 64)\nvisual.size(p, 64, name='w')"
    outcome = evaluate(suite(body, requiring("size", "not_blank")), url=None)
    assert outcome.verdict == ("passed", "passed", 0)
    assert list(scores(outcome)) == ["not_blank", "size", "w"]


def test_a_second_check_gets_a_number(evaluate: Evaluate, drawn: Path) -> None:
    outcome = evaluate(suite("p = visual.open('disc.png')\nvisual.size(p, 64)\nvisual.size(p, 64)"), url=None)
    assert list(scores(outcome)) == ["size", "size_2"]


DECLARATIONS = [
    # the marker's arguments, what is said
    (
        "require=['sharp']",
        "infer_visual: require holds 'sharp'*accepted: a list of names of checks: size, aspect",
    ),
    ("require=['not_blnk']", "(did you mean 'not_blank'?)"),
    ("require=[]", "infer_visual: require=[[]]; accepted: a list of names of checks"),
    ("require='size'", "infer_visual: require='size'; accepted: a list of names of checks"),
    ("require=[1]", "require holds 1; accepted"),
    ("'size'", "infer_visual got 'size' without a name; write require=[[]'size']"),
    ("requires=['size']", "unknown argument 'requires' (did you mean 'require'?); valid: require"),
]


@pytest.mark.parametrize(("arguments", "said"), DECLARATIONS)
def test_a_marker_that_is_not_usable_ends_the_collection(
    evaluate: Evaluate, arguments: str, said: str
) -> None:
    outcome = evaluate(suite("pass", f"@pytest.mark.infer_visual({arguments})"), url=None)
    assert outcome.result.ret == 2
    outcome.result.stdout.fnmatch_lines(f"*{said}*")


def test_paths_in_a_row_resolve_from_the_data_set_and_others_from_the_test(
    evaluate: Evaluate, drawn: Path
) -> None:
    (drawn / "rows").mkdir()
    (drawn / "rows" / "wide.png").write_bytes(png(size=(90, 48)))
    (drawn / "rows" / "rows.jsonl").write_text(json.dumps({"id": "a", "media": ["wide.png"]}))
    source = """
import pytest
@pytest.mark.infer_task(dataset="rows/rows.jsonl")
def test_it(visual, sample):
    visual.size(visual.open(sample["media"][0]), 90)
    visual.size(visual.open("disc.png"), 64)
"""
    assert evaluate(source, url=None).verdict == ("passed", "passed", 0)


CONFTEST = """
from pytest_infergate.visual import CheckResult

def bright(media, *, limit):
    value = float(media.rgba[..., :3].mean())
    return CheckResult(name="{name}", version="7", passed=value >= limit, value=value, unit="levels",
                       higher_is_better=True, limit=limit, detail="mean")

def pytest_infergate_visual_checks(config):
    return {{"bright": bright, "broken": lambda media: True}}
"""


@pytest.mark.parametrize(
    ("name", "call", "verdict"),
    [
        ("bright", "visual.check('bright', p, limit=10)", "passed"),
        ("bright", "visual.check('bright', p, limit=255)", "failed"),
        ("other", "visual.check('bright', p, limit=10)", "missing evaluator_error"),
        ("bright", "visual.check('broken', p)", "missing evaluator_error"),
        ("bright", "visual.size(p, 64)", "missing not_exercised"),
    ],
)
def test_checks_of_other_packages_are_held_to_the_same(
    evaluate: Evaluate, drawn: Path, name: str, call: str, verdict: str
) -> None:
    (drawn / "conftest.py").write_text(CONFTEST.format(name=name))
    outcome = evaluate(suite(f"p = visual.open('disc.png')\n{call}", requiring("bright")), url=None)
    assert outcome.verdict[0] == verdict


def test_a_check_of_another_package_cannot_take_the_name_of_a_built_in_one(evaluate: Evaluate) -> None:
    Path("conftest.py").write_text("def pytest_infergate_visual_checks(config): return {'size': print}\n")
    outcome = evaluate(suite("pass", requiring("size")), url=None)
    assert outcome.result.ret == 2
    outcome.result.stdout.fnmatch_lines("*was given 'size', which is taken; give the check another name*")


def test_a_library_that_is_not_installed_is_missing(evaluate: Evaluate, drawn: Path) -> None:
    (drawn / "conftest.py").write_text("import sys\nfor m in ('PIL', 'numpy', 'av'): sys.modules[m] = None\n")
    body = "visual.not_blank(visual.open('disc.png'))"
    outcome = evaluate(suite(body, requiring("not_blank")), url=None, subprocess=True)
    assert outcome.verdict == ("missing evaluator_unavailable", "missing", 1)
    assert "pytest-infergate[visual]" in only(outcome)["missing"]["detail"]


def test_workers_of_xdist_judge_alike(evaluate: Evaluate, drawn: Path) -> None:
    source = suite("visual.not_blank(visual.open(name + '.png'))").replace("(visual)", "(visual, name)")
    source = source.replace(
        "def test", "@pytest.mark.parametrize('name', ['disc', 'blank', 'cut'])\ndef test"
    )
    outcome = evaluate(source, "-n", "2", url=None, subprocess=True)
    assert outcome.verdicts == {
        "disc#0": "passed",
        "blank#0": "failed",
        "cut#0": "missing undecodable_media",
    }
    assert validate_run(outcome.folder).problems == ()
