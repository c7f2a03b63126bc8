"""What docs/visual.md tells people to write, the message and the picture that it shows, are as they are."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.visual import open_picture
from pytest_infergate.visual.checks.matches import matches
from pytest_infergate.visual.checks.reads import reads

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "visual.md").read_text("utf-8")
SCRIPT = runpy.run_path(str(DOCS / "difference.py"))
RIGHT, WRONG = "Apples 2.49\nPears 3.15", "Apples 2.49\nPears 3.75"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sign that was accepted, and the same with a digit wrong."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "made.png").write_bytes(SCRIPT["make"](folder))
    return folder


def record(folder: Path, run: str) -> dict[str, Any]:
    (line,) = (folder / run / "records.jsonl").read_text("utf-8").splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_reference_is_made_where_it_is_asked_for_and_passes_nothing(folder: Path) -> None:
    accepted = record(folder, "accepted")
    assert (accepted["verdict"], accepted["missing"]["reason"]) == ("missing", "not_exercised")
    names = {path.name for path in (folder / "references" / "test_signs").iterdir()}
    assert names == {"test_sign-price.png", "test_sign-price.png.json"}


def test_without_a_reference_it_is_missing_and_none_is_made(tmp_path: Path) -> None:
    SCRIPT["write_suite"](tmp_path, RIGHT)
    assert SCRIPT["run_suite"](tmp_path, "run").returncode == 1
    assert record(tmp_path, "run")["verdict"] == "missing"
    assert not (tmp_path / "references").exists()


def test_a_digit_that_is_wrong_is_told_as_the_page_tells_it(folder: Path) -> None:
    (shown,) = re.findall(r"^```text message.txt\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
    said = record(folder, "run")
    assert said["verdict"] == "failed"
    assert said["message"] == shown


def test_the_picture_is_what_the_run_leaves_behind(folder: Path) -> None:
    made, shown = open_picture(folder / "made.png"), open_picture(DOCS / "difference.png")
    assert (made.rgba == shown.rgba).all()


def test_the_same_sign_passes(folder: Path) -> None:
    SCRIPT["write_suite"](folder, RIGHT)
    assert SCRIPT["run_suite"](folder, "again").returncode == 0
    assert record(folder, "again")["verdict"] == "passed"


def test_similarity_does_not_see_the_digit_and_reading_does(tmp_path: Path) -> None:
    signs = []
    for text in (WRONG, RIGHT):
        SCRIPT["draw_sign"](text, tmp_path / "sign.png")
        signs.append(open_picture(tmp_path / "sign.png"))
    alike = matches(*signs, method="ssim", limit=0.98)
    assert alike.passed, alike.detail
    assert [reads(sign, "Apples 2.49 Pears 3.15").passed for sign in signs] == [False, True]


def test_every_page_it_leads_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        page, _, heading = target.partition("#")
        assert (DOCS / page).exists(), target
        if heading:
            headings = re.findall(r"^#+ (.+)$", (DOCS / page).read_text("utf-8"), re.MULTILINE)
            assert heading in [one.lower().replace(" ", "-") for one in headings], target
