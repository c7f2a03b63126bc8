"""Checks of other packages: what they return is held to the same, or missing, and the session goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_infergate.runs.validate import validate_run
from tests.visual.made import cut, encoded, moving

from .conftest import Evaluate
from .test_visual import drawn as drawn  # the fixture
from .test_visual import only, suite

#: A check that passes whatever it is given, but for what each row says.
CHECK = """
def pytest_infergate_visual_checks(config):
    import pytest
    from pytest_infergate.visual import CheckResult

    def made(**fields):
        right = dict(name="sharp", version="1", passed=True, value=1.0, unit="ratio", higher_is_better=True,
                     limit=0.5, detail="sharp")
        return CheckResult(**{**right, **fields})

    def sharp(media):
        BODY

    return {"sharp": sharp}
"""
SWALLOWED = (
    "p = visual.open('disc.png')\ntry:\n    visual.check('sharp', p)\nexcept BaseException:\n    pass\n"
)


def test_what_another_package_returns_is_a_score(
    evaluate: Evaluate, drawn: Path, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(CHECK.replace("BODY", "return made(artifacts=(('seen', b'x', '.png'),))"))
    outcome = evaluate(suite("visual.check('sharp', visual.open('disc.png'))"), url=None)
    assert outcome.verdict == ("passed", "passed", 0)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return None", "returned None; accepted: a CheckResult of that name"),
        ("return made(name='size')", "accepted: a CheckResult of that name"),
        (
            "return made(artifacts=(('seen', 'no bytes', '.png'),))",
            "accepted: a tuple of (name, bytes, suffix)",
        ),
        ("return made(seen={'at': {1, 2}})", "seen is {'at': {1, 2}}; accepted: a dict that JSON can hold"),
        ("return made(frames={'mean': float('nan')})", "accepted: a dict that JSON can hold"),
        ("return made(value='1')", "value is '1'; accepted: a finite number or None"),
        ("return made(value=True)", "value is True; accepted: a finite number or None"),
        ("return made(value=0.4)", "which it does not hold"),
        ("return made(passed=None, value=None, missing='later')", "accepted: a Missing or None"),
        ("pytest.skip('later')", "Skipped: later"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("assert media is None", "AssertionError"),
    ],
)
def test_what_is_no_result_is_missing_also_where_the_test_catches_it(
    evaluate: Evaluate, drawn: Path, pytester: pytest.Pytester, body: str, told: str
) -> None:
    pytester.makeconftest(CHECK.replace("BODY", body))
    outcome = evaluate(suite(f"{SWALLOWED}visual.size(p, 64)"), url=None)
    assert outcome.verdict == ("missing evaluator_error", "missing", 1)
    assert told in only(outcome)["missing"]["detail"]
    assert validate_run(outcome.folder).problems == ()


def test_nothing_passes_on_a_clip_without_its_end(
    evaluate: Evaluate, drawn: Path, pytester: pytest.Pytester
) -> None:
    (drawn / "cut.mkv").write_bytes(cut(encoded(moving(), "mkv"), 0.6))
    pytester.makeconftest(CHECK.replace("BODY", "return made()"))
    outcome = evaluate(suite("visual.check('sharp', visual.open('cut.mkv'))"), url=None)
    assert outcome.verdict == ("missing undecodable_media", "missing", 1)
    assert "cut.mkv is cut off" in only(outcome)["missing"]["detail"]
