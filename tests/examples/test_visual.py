"""The example of pictures and clips, its drawings by the embedded model, held against its README."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import numpy
import pytest

from pytest_infergate.visual import open_clip, open_picture
from pytest_infergate.visual.checks.matches import matches
from pytest_infergate.visual.checks.same_clip import same_clip

from .embedded_session import EmbeddedSession, call, infergate, run_embedded

SUITE = Path(__file__).resolve().parents[2] / "examples" / "visual"
DRAWINGS, SIGNS, CLIPS = "test_drawings.test_drawing", "test_signs.test_sign", "test_clips.test_clip"
PLANNED = {DRAWINGS: 8, SIGNS: 4, CLIPS: 3}
_ROW = re.compile(r"^(test_\S+) +\d+ +\d+ +\d+ +\d+ +[\d.]+ % +([\d.]+) % – +([\d.]+) %$", re.MULTILINE)


def rows(dataset: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SUITE / dataset).read_text(encoding="utf-8").splitlines()]


def records(session: EmbeddedSession) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (session.folder / "records.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.xdist_group("embedded")
def test_the_suite_is_green_on_the_embedded_model_at_the_rates_of_its_readme(tmp_path: Path) -> None:
    """One test, since its session takes a while."""
    session = run_embedded(SUITE, cwd=tmp_path)
    assert session.status == 0, session.output
    assert session.gates == dict.fromkeys(PLANNED, "passed")
    assert {task: totals["planned"] for task, totals in session.totals.items()} == PLANNED
    assert {task: totals["missing"] for task, totals in session.totals.items()} == dict.fromkeys(PLANNED, 0)
    stated = {
        name: (float(low) / 100, float(high) / 100)
        for name, low, high in _ROW.findall((SUITE / "README.md").read_text(encoding="utf-8"))
    }
    assert stated.keys() == PLANNED.keys()
    for task, (low, high) in stated.items():
        assert low <= session.totals[task]["passed"] / PLANNED[task] <= high, task
    drawn = [record for record in records(session) if record["task"]["name"] == DRAWINGS]
    assert all(record["exchanges"][0]["reply"]["text"].lstrip().startswith("<svg") for record in drawn)
    done = infergate("validate", session.folder, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_signs_and_clips_need_no_server_and_are_told_apart_from_damaged_ones(tmp_path: Path) -> None:
    """A clip whose second half is gone, and a sign with another word."""
    for name in ("conftest.py", "test_signs.py", "test_clips.py", "signs.jsonl", "clips.jsonl"):
        (tmp_path / name).write_bytes((SUITE / name).read_bytes())
    (tmp_path / "media").mkdir()
    for path in (SUITE / "media").iterdir():
        (tmp_path / "media" / path.name).write_bytes(path.read_bytes())
    ball = (SUITE / "media" / "ball.mp4").read_bytes()
    (tmp_path / "media" / "ball.mp4").write_bytes(ball[: len(ball) // 2])
    (tmp_path / "media" / "gate.png").write_bytes((SUITE / "media" / "price.png").read_bytes())
    done = call("-m", "pytest", "--infer-run=run", "-p", "no:cacheprovider", cwd=tmp_path)
    session = EmbeddedSession(status=done.returncode, output=done.stdout, folder=tmp_path / "run")
    wrong = {r["sample"]["id"]: r["verdict"] for r in records(session) if r["verdict"] != "passed"}
    assert (session.status, wrong) == (1, {"gate": "failed", "ball": "missing"})
    assert sum(totals["passed"] for totals in session.totals.values()) == 5


def test_its_media_can_be_made_anew(tmp_path: Path) -> None:
    made = runpy.run_path(str(SUITE / "make_media.py"))
    for row in rows("signs.jsonl"):
        made["draw_sign"](row["says"], tmp_path / "sign.png")
        anew = matches(
            open_picture(tmp_path / "sign.png"), open_picture(SUITE / row["picture"]), method="ssim"
        )
        assert anew.passed, anew.detail
    for row in rows("clips.jsonl"):
        made["encode"](made["SCENES"][row["id"]], tmp_path / "clip.mp4")
        # Other versions of the encoder round otherwise.
        anew = same_clip(
            open_clip(tmp_path / "clip.mp4"), open_clip(SUITE / row["clip"]), tolerance=32, limit=0.02
        )
        assert anew.passed, anew.detail


@pytest.mark.parametrize(("at_least", "holds"), [(0.25, True), (0.26, False)])
def test_its_check_tells_the_share_of_a_colour(at_least: float, holds: bool) -> None:
    colour_share = runpy.run_path(str(SUITE / "conftest.py"))["colour_share"]
    (square,) = (row for row in rows("drawings.jsonl") if row["id"] == "green-square")
    picture = open_picture(square["expected"].encode())
    result = colour_share(picture, square["rgb"], at_least=at_least)
    assert (result.passed, result.value) == (holds, 32 * 32 / 64**2)
    assert numpy.count_nonzero(picture.rgba[..., 3]) == 32 * 32


def test_what_is_asked_for_is_not_in_the_prompt_already() -> None:
    prompt = runpy.run_path(str(SUITE / "test_drawings.py"))["PROMPT"]
    assert not [row["colour"] for row in rows("drawings.jsonl") if row["colour"] in prompt]
