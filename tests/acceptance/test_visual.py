"""Real pictures and real clips in a session: drawn, photographed and encoded, whole and damaged.

Photographs and pages are those that scikit-image ships; clips are encoded here by x264, VP8 and VP9.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from skimage import data

from tests.examples.embedded_session import EmbeddedSession, call, infergate
from tests.visual.made import (
    black,
    black_gap,
    cut,
    encoded,
    flipped,
    frozen,
    half_frozen,
    moving,
    saved,
)

SUITE = """
import pytest

@pytest.mark.infer_task(dataset="media.jsonl")
def test_media(visual, sample):
    media = visual.open(sample["media"])
    for check, settings in sample["checks"]:
        if "expected" in settings:
            settings = {**settings, "expected": visual.open(settings["expected"])}
        visual.check(check, media, **settings)
"""
PAGE = """<!DOCTYPE html>
<body style="margin: 24px; font: 32px sans-serif; background: white">
<h1 style="font-size: 40px">Order 4711</h1><p id="sum"></p>
<script>document.getElementById("sum").textContent = "Total " + 12 * 34 + " EUR"</script>
</body>
"""
PAGE_SUITE = """
import pytest

@pytest.mark.infer_visual(require=["size", "not_blank", "reads"])
@pytest.mark.parametrize("total", ["408", "406"])
def test_page(visual, total):
    page = visual.open("page.png")
    visual.size(page, 640, 360)
    visual.not_blank(page)
    visual.reads(page, f"Order 4711 Total {total} EUR")
"""
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PHOTOS = Path(data.__file__).parent
FRAMES = 60  # two seconds


@dataclass(frozen=True, kw_only=True)
class Case:
    """A file, the checks that it is held to, and what comes of it.

    ``value`` is that of the last check that was made, ``None`` where it is not looked at.
    """

    why: str
    raw: bytes
    checks: tuple[tuple[str, dict[str, Any]], ...]
    verdict: str = "passed"
    value: float | None = None
    more: Mapping[str, bytes] = field(default_factory=dict)


def shipped(name: str) -> bytes:
    return (PHOTOS / name).read_bytes()


def photograph() -> Image.Image:
    return Image.fromarray(data.astronaut())


def one_pixel_off() -> bytes:
    image = photograph()
    red, green, blue = image.getpixel((200, 200))  # type: ignore[misc]
    image.putpixel((200, 200), (red, green ^ 64, blue))
    return saved(image)


def sign(text: str) -> bytes:
    """Return a sheet of several lines, the last of which is ``text``."""
    image = Image.new("RGB", (480, 200), "white")
    font = ImageFont.load_default(28)
    for row, line in enumerate(("Annual report", "North: 412", "South: 977", text)):
        ImageDraw.Draw(image).text((24, 16 + 44 * row), line, font=font, fill="black")
    return saved(image)


SHEET = "Annual report North: 412 South: 977 Total: 1389"
WHOLE_CLIP = (
    ("not_blank", {}),
    ("not_corrupt", {}),
    ("no_black_gap", {}),
    ("duration", {"seconds": 2.0}),
    ("fps", {"rate": 30}),
    ("not_frozen", {}),
)
ASTRONAUT = saved(photograph())
MP4, MKV = encoded(moving(FRAMES)), encoded(moving(FRAMES), "mkv")
#: A second at 30 frames a second, and the rest at 10; the encoder shows the last one for a thirtieth.
SLOWING = [number / 30 for number in range(30)] + [1 + number / 10 for number in range(30)]
#: Nothing is shown anew for three seconds.
WITH_A_HOLE = [number / 30 + (3 if number >= 30 else 0) for number in range(FRAMES)]

CASES = {
    # pictures
    "photograph": Case(
        why="a JPEG, whole",
        raw=shipped("rocket.jpg"),
        checks=(("size", {"width": 640, "height": 427}), ("not_blank", {}), ("not_corrupt", {})),
    ),
    "grey photograph": Case(
        why="of one channel", raw=shipped("camera.png"), checks=(("size", {"width": 512}), ("not_blank", {}))
    ),
    "animation": Case(
        why="a GIF of many frames is a clip",
        raw=shipped("no_time_for_that_tiny.gif"),
        checks=(("not_blank", {}), ("not_frozen", {})),
    ),
    "without text": Case(why="a cat", raw=shipped("chelsea.png"), checks=(("shows_no_text", {}),), value=0),
    "with text": Case(
        why="a page of a book",
        raw=shipped("page.png"),
        checks=(("shows_no_text", {}),),
        verdict="failed",
    ),
    "cut photograph": Case(
        why="a third of a JPEG would show as grey",
        raw=cut(shipped("rocket.jpg"), 0.67),
        checks=(("not_blank", {}),),
        verdict="missing undecodable_media",
    ),
    "flat": Case(
        why="a model that answered with nothing",
        raw=saved(Image.new("RGB", (256, 256), (117, 117, 117))),
        checks=(("not_blank", {}),),
        verdict="failed",
        value=0,
    ),
    "itself": Case(
        why="no pixel differs",
        raw=ASTRONAUT,
        checks=(("matches", {"expected": "expected"}),),
        value=0,
        more={"expected": ASTRONAUT},
    ),
    "one pixel": Case(
        why="of 262,144",
        raw=one_pixel_off(),
        checks=(("matches", {"expected": "expected"}),),
        verdict="failed",
        value=1 / 512**2,
        more={"expected": ASTRONAUT},
    ),
    "compressed": Case(
        why="a JPEG of it is alike, and no pixel need be the same",
        raw=saved(photograph(), "JPEG", quality=90),
        checks=(
            ("matches", {"expected": "expected", "method": "hash"}),
            ("matches", {"expected": "expected", "method": "ssim", "limit": 0.9}),
        ),
        more={"expected": ASTRONAUT},
    ),
    "blurred": Case(
        why="what a bad decoder of latents gives",
        raw=saved(photograph().filter(ImageFilter.GaussianBlur(3))),
        checks=(("matches", {"expected": "expected", "method": "ssim", "limit": 0.9}),),
        verdict="failed",
        more={"expected": ASTRONAUT},
    ),
    "halved": Case(
        why="other sizes never match",
        raw=saved(photograph().resize((256, 256))),
        checks=(("matches", {"expected": "expected", "method": "hash"}),),
        verdict="failed",
        more={"expected": ASTRONAUT},
    ),
    "read": Case(
        why="all its lines",
        raw=sign("Total: 1389"),
        checks=(("reads", {"text": SHEET}),),
        value=0,
    ),
    "a digit": Case(
        why="one wrong digit of a whole sheet, which structural similarity does not see",
        raw=sign("Total: 1339"),
        checks=(
            ("matches", {"expected": "expected", "method": "ssim", "limit": 0.98}),
            ("reads", {"text": SHEET}),
        ),
        verdict="failed",
        value=1 / len(SHEET.replace(" ", "")),
        more={"expected": sign("Total: 1389")},
    ),
    "another script": Case(
        why="the reader has no letter of it: unread is not wrong",
        raw=sign("Total: 1389"),
        checks=(("reads", {"text": "합계: 1389"}),),
        verdict="missing evaluator_unavailable",
    ),
    # clips
    "mp4": Case(why="moves", raw=MP4, checks=WHOLE_CLIP, value=0),
    "mkv": Case(why="moves", raw=MKV, checks=WHOLE_CLIP, value=0),
    "webm": Case(why="moves", raw=encoded(moving(FRAMES), "webm"), checks=WHOLE_CLIP, value=0),
    "webm in vp9": Case(why="moves", raw=encoded(moving(FRAMES), "webm in vp9"), checks=WHOLE_CLIP, value=0),
    "frozen": Case(
        why="one frame all the time",
        raw=encoded(frozen(FRAMES)),
        checks=WHOLE_CLIP,
        verdict="failed",
        value=1,
    ),
    "half frozen": Case(
        why="a generator that ran out",
        raw=encoded(half_frozen(FRAMES)),
        checks=WHOLE_CLIP,
        verdict="failed",
        value=31 / FRAMES,  # from its last change on
    ),
    "black gap": Case(
        why="a second in the middle",
        raw=encoded(black_gap(FRAMES, gap=30)),
        checks=(("not_blank", {"limit": 0.4}), ("no_black_gap", {})),
        verdict="failed",
        value=1,
    ),
    "black": Case(
        why="nothing at all",
        raw=encoded(black(FRAMES)),
        checks=(("not_blank", {}),),
        verdict="failed",
        value=0,
    ),
    "variable rate": Case(
        why="its length is in its time stamps: 60 frames of 30 a second would be two seconds",
        raw=encoded(moving(FRAMES), times=SLOWING),
        checks=(("not_frozen", {}), ("not_corrupt", {}), ("duration", {"seconds": 3.9 + 1 / 30})),
    ),
    "hole": Case(
        why="frames that differ, three seconds apart",
        raw=encoded(moving(FRAMES), "mkv", times=WITH_A_HOLE),
        checks=(("not_frozen", {}),),
        verdict="failed",
        value=0.6,
    ),
    "half an mp4": Case(
        why="its table is at its end",
        raw=cut(MP4),
        checks=WHOLE_CLIP,
        verdict="missing undecodable_media",
    ),
    "half an mkv": Case(
        why="decodes without an error up to the cut: what was seen is not all",
        raw=cut(MKV),
        checks=(("not_blank", {}),),
        verdict="missing undecodable_media",
    ),
    "half an mkv, asked for faults": Case(
        why="and that it is not whole is a fault",
        raw=cut(MKV),
        checks=(("not_corrupt", {}),),
        verdict="failed",
    ),
    "bit flips": Case(
        why="200 bytes in its middle",
        raw=flipped(MP4),
        checks=(("not_corrupt", {}),),
        verdict="missing undecodable_media",
    ),
    "sound": Case(why="a tone", raw=encoded(moving(FRAMES), sound=True), checks=(("has_audio", {}),)),
    "no sound": Case(why="no track", raw=MP4, checks=(("has_audio", {}),), verdict="failed", value=0),
    "the same clip": Case(
        why="in another container",
        raw=MKV,
        checks=(("same_clip", {"expected": "expected"}),),
        value=0,
        more={"expected": MP4},
    ),
    "a shorter clip": Case(
        why="is not compared over what both have",
        raw=encoded(moving(FRAMES - 1)),
        checks=(("same_clip", {"expected": "expected"}),),
        verdict="failed",
        more={"expected": MP4},
    ),
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedSession:
    """All of them in one session, which asks no server."""
    folder = tmp_path_factory.mktemp("visual")
    (folder / "media").mkdir()
    with (folder / "media.jsonl").open("w", encoding="utf-8") as rows:
        for number, (name, case) in enumerate(CASES.items()):
            (folder / "media" / str(number)).write_bytes(case.raw)
            checks = [list(check) for check in case.checks]
            for what, raw in case.more.items():
                (folder / "media" / f"{number}-{what}").write_bytes(raw)
                checks = [
                    [check, {**settings, **({what: f"media/{number}-{what}"} if what in settings else {})}]
                    for check, settings in checks
                ]
            rows.write(json.dumps({"id": name, "media": f"media/{number}", "checks": checks}) + "\n")
    return run(folder, SUITE)


def run(folder: Path, suite: str) -> EmbeddedSession:
    (folder / "test_it.py").write_text(suite, encoding="utf-8")
    run_folder = folder / "run"
    done = call(
        "-m", "pytest", "test_it.py", f"--infer-run={run_folder}", "-p", "no:cacheprovider", cwd=folder
    )
    return EmbeddedSession(status=done.returncode, output=done.stdout + done.stderr, folder=run_folder)


def records(session: EmbeddedSession) -> dict[str, dict[str, Any]]:
    """Sample → its record."""
    lines = (session.folder / "records.jsonl").read_text("utf-8").splitlines()
    return {record["sample"]["id"]: record for record in map(json.loads, lines)}


@pytest.mark.parametrize("name", CASES)
def test_it_comes_out_as_it_is(session: EmbeddedSession, name: str) -> None:
    case, record = CASES[name], records(session)[name]
    reason = record["missing"]["reason"] if record["missing"] else ""
    assert f"{record['verdict']} {reason}".strip() == case.verdict, (case.why, record["message"])
    if case.value is not None:
        assert record["scores"][-1]["value"] == pytest.approx(case.value, abs=0.02 * case.value), case.why


def test_the_session_is_red_and_its_run_is_in_order(session: EmbeddedSession) -> None:
    assert session.status == 1
    assert session.run["totals"]["planned"] == len(CASES)
    done = infergate("validate", session.folder, cwd=session.folder.parent)
    assert (done.returncode, done.stderr) == (1, "")  # in order, and its verdict is failed
    assert f": valid, records: {len(CASES)}, verdict: failed" in done.stdout


def test_every_check_was_made_on_something_real(session: EmbeddedSession) -> None:
    from pytest_infergate.plugin.scoring.visual_checks import PIXEL_CHECKS

    evaluated = {
        score["evaluator"]["name"]
        for record in records(session).values()
        for score in record["scores"]
        if score["value"] is not None
    }
    assert evaluated >= set(PIXEL_CHECKS) - {"aspect"}


def test_what_does_not_match_leaves_pictures_behind(session: EmbeddedSession) -> None:
    (score,) = records(session)["one pixel"]["scores"]
    kept = {artifact["name"]: artifact["sha256"] for artifact in score["details"]["artifacts"]}
    assert list(kept) == ["actual", "expected", "difference"]
    files = {path.name.partition(".")[0]: path for path in (session.folder / "artifacts").iterdir()}
    shown = {what: Image.open(BytesIO(files[digest].read_bytes())) for what, digest in kept.items()}
    assert numpy.array_equal(numpy.asarray(shown["expected"].convert("RGB")), data.astronaut())
    marked = numpy.asarray(shown["difference"].convert("RGB"))[:, -512:]
    assert [tuple(place) for place in numpy.argwhere((marked == (255, 0, 0)).all(axis=2))] == [(200, 200)]


@pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no Chromium is installed")
def test_a_page_is_read_off_its_screenshot(tmp_path: Path) -> None:
    """What a script of the page computes can be seen, and only there."""
    browser = next(found for found in map(shutil.which, BROWSERS) if found)
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",  # as root there is none, and the page is ours
            "--disable-gpu",
            "--hide-scrollbars",
            "--window-size=640,360",
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--screenshot={tmp_path / 'page.png'}",
            (tmp_path / "page.html").as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    session = run(tmp_path, PAGE_SUITE)
    verdicts = {name: record["verdict"] for name, record in records(session).items()}
    assert verdicts == {"408": "passed", "406": "failed"}, session.output
