"""What is said in a clip: heard by the transcribers of the session, and missing where nobody heard it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_infergate.runs.validate import validate_run
from pytest_infergate.speech.canary import CANARY_WORDS
from tests.speech.asr_server import TranscriptionServer
from tests.visual.made import cut, encoded, moving

from .conftest import Evaluate
from .test_visual import drawn as drawn  # the fixture
from .test_visual import only, suite

WORDS = "the red bird flies"
MARKS = "@pytest.mark.infer_visual(require=['spoken'])\n@pytest.mark.infer_wer(max=0.1)"
CLIP = "visual.open('clip.mp4')"


def hear(raw: bytes, language: str | None) -> dict[str, object]:
    """The canary, its silence, and a clip of one second, told apart by what is in the file."""
    if not any(raw[44:]):
        return {"text": ""}
    return {"text": WORDS if len(raw) < 60_000 else CANARY_WORDS}


@pytest.fixture
def ears() -> Iterator[TranscriptionServer]:
    with TranscriptionServer(hear=hear) as server:
        yield server


@pytest.fixture
def clips(drawn: Path) -> Path:
    (drawn / "clip.mp4").write_bytes(encoded(moving(30), sound=True))
    (drawn / "cut.mkv").write_bytes(cut(encoded(moving(30), "mkv", sound=True), 0.6))
    (drawn / "mute.mp4").write_bytes(encoded(moving(30)))
    return drawn


@pytest.mark.parametrize(
    ("call", "marks", "verdict", "detail"),
    [
        (f"visual.spoken({CLIP}, '{WORDS}')", MARKS, "passed", ""),
        (f"visual.spoken(visual.open(open('clip.mp4', 'rb').read()), '{WORDS}')", MARKS, "passed", ""),
        (f"visual.spoken({CLIP}, 'another word')", MARKS, "failed", ""),
        (f"visual.spoken(visual.open('cut.mkv'), '{WORDS}')", MARKS, "missing undecodable_media", "cut"),
        (f"visual.spoken({CLIP}, ' ')", MARKS, "missing empty_reference", ""),
        (f"visual.spoken(visual.open('mute.mp4'), '{WORDS}')", MARKS, "missing undecodable_media", ""),
        (
            f"visual.spoken(visual.open('disc.png'), '{WORDS}')",
            MARKS,
            "missing not_exercised",
            "needs a clip",
        ),
        (f"visual.spoken({CLIP}, '{WORDS}')", "", "missing evaluator_error", "add @pytest.mark.infer_wer"),
        (f"visual.not_blank({CLIP})", MARKS, "missing not_exercised", "spoken"),
    ],
)
def test_what_is_heard_is_held_against_the_script(
    evaluate: Evaluate,
    clips: Path,
    ears: TranscriptionServer,
    call: str,
    marks: str,
    verdict: str,
    detail: str,
) -> None:
    outcome = evaluate(suite(call, marks), f"--infer-asr={ears.url}", url=None)
    assert outcome.verdict[0] == verdict
    assert detail in str(only(outcome)["missing"])
    assert validate_run(outcome.folder).problems == ()


def test_a_clip_that_nobody_hears_is_missing(evaluate: Evaluate, clips: Path) -> None:
    outcome = evaluate(suite(f"visual.spoken({CLIP}, '{WORDS}')", MARKS), url=None)
    assert outcome.verdict == ("missing evaluator_unavailable", "missing", 1)
