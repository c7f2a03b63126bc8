"""Checks of clips: time is read from time stamps, and what is not there is never passed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

from pytest_infergate.evidence import Reason, UndecodableMedia
from pytest_infergate.visual.check import CheckError, CheckResult
from pytest_infergate.visual.checks.aspect import aspect
from pytest_infergate.visual.checks.duration import duration
from pytest_infergate.visual.checks.fps import fps
from pytest_infergate.visual.checks.has_audio import has_audio
from pytest_infergate.visual.checks.matches import matches
from pytest_infergate.visual.checks.no_black_gap import no_black_gap
from pytest_infergate.visual.checks.not_blank import not_blank
from pytest_infergate.visual.checks.not_corrupt import not_corrupt
from pytest_infergate.visual.checks.not_frozen import not_frozen
from pytest_infergate.visual.checks.reads import reads
from pytest_infergate.visual.checks.same_clip import same_clip
from pytest_infergate.visual.checks.shows_no_text import shows_no_text
from pytest_infergate.visual.checks.size import size
from pytest_infergate.visual.clip import Clip, open_clip
from pytest_infergate.visual.picture import open_picture
from pytest_infergate.visual.sound import audible_seconds
from pytest_infergate.visual.survey import SurveyRule, survey

CASES = Path(__file__).resolve().parents[2] / ".." / "shared" / "cases" / "cases.jsonl"
FPS = 30
NOISE = np.random.default_rng(5)

Pixels = np.ndarray


def scene(step: int, width: int = 160, height: int = 96) -> Pixels:
    """A photograph-like ground with a square that is ``step`` pixels to the right."""
    y, x = np.mgrid[:height, :width]
    ground = np.dstack([40 + x % 150, 60 + y, 90 + (x + y) % 100]).astype(np.uint8)
    left = 4 + step % (width - 24)
    ground[30:46, left : left + 16] = (240, 220, 30)
    return ground


def of_one_brightness(step: int) -> Pixels:
    """A red square on a green as bright."""
    frame = np.full((96, 160, 3), (0, 102, 0), np.uint8)
    frame[30:62, 4 + step : 36 + step] = (200, 0, 0)
    return frame


def black(_: int = 0) -> Pixels:
    return np.zeros((96, 160, 3), np.uint8)


def video(
    frames: Sequence[Pixels],
    *,
    container: str = "mp4",
    codec: str = "libx264",
    ticks: Sequence[int] | None = None,
    audio: Pixels | None = None,
    **options: str,
) -> bytes:
    """Encode frames at 30 a second, or at the given ticks of 1/30 s; ``audio``: samples at 16 kHz."""
    file = io.BytesIO()
    with av.open(file, "w", format=container) as out:
        stream = out.add_stream(codec, rate=FPS, options={"preset": "ultrafast", "crf": "20", **options})
        height, width = frames[0].shape[:2]
        stream.width, stream.height = width, height
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, FPS)
        sound = out.add_stream("aac", rate=16_000, layout="mono") if audio is not None else None
        for tick, pixels in zip(ticks or range(len(frames)), frames, strict=True):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = tick, Fraction(1, FPS)
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
        if sound is not None and audio is not None:
            heard = av.AudioFrame.from_ndarray(audio[None].astype(np.float32), format="fltp", layout="mono")
            heard.sample_rate, heard.pts = 16_000, 0
            out.mux(sound.encode(heard))
            out.mux(sound.encode())
    return file.getvalue()


def clip(frames: Sequence[Pixels], **how: Any) -> Clip:
    return open_clip(video(frames, **how))


def gif(frames: Sequence[Pixels], milliseconds: int | list[int] = 100) -> Clip:
    first, *rest = (Image.fromarray(frame) for frame in frames)
    file = io.BytesIO()
    first.save(file, "WEBP", save_all=True, append_images=rest, duration=milliseconds, lossless=True)
    return open_clip(file.getvalue())


def moving(count: int) -> list[Pixels]:
    return [scene(2 * step) for step in range(count)]


def frozen(count: int, at: int = 0) -> list[Pixels]:
    return [scene(at)] * count


def grainy(sigma: float, count: int) -> list[Pixels]:
    still = scene(0).astype(float)
    return [
        np.clip(still + NOISE.normal(0, sigma, still.shape), 0, 255).astype(np.uint8) for _ in range(count)
    ]


def dot(step: int) -> Pixels:
    small = np.full((480, 640, 3), 90, np.uint8)
    small[200:204, 100 + 8 * step : 104 + 8 * step] = 250
    return small


@pytest.mark.parametrize(
    ("made", "share", "why"),
    [
        (lambda: clip(moving(60)), 0, "it moves"),
        (lambda: clip(frozen(60)), 1, "frozen to the end of its last frame, as an encoder writes it"),
        (lambda: clip(frozen(60), crf="38"), 1, "the same, at a low quality"),
        (lambda: clip(grainy(2, 45), crf="30"), 1, "noise alone is no change"),
        (lambda: clip(moving(45) + frozen(45, at=88)), 46 / 90, "half of it"),
        (lambda: clip(moving(30) + frozen(5, at=58) + moving(30)), 0, "too short for a freeze"),
        (lambda: clip(moving(3), ticks=[0, 1, 92]), 91 / 93, "a gap of 3.03 s between frames that differ"),
        (lambda: clip([dot(step) for step in range(45)]), 0, "something small moves"),
        (lambda: clip([scene(0) // 2 + step // 2 for step in range(90)]), 0, "a slow fade adds up"),
        (lambda: gif([scene(20 * step) for step in range(6)], 1000), 0, "slides of a second each"),
        (lambda: gif([scene(0), scene(40)], 100), 0, "two frames that differ"),
    ],
)
def test_frozen_is_the_time_in_which_nothing_changes(
    made: Callable[[], Clip], share: float, why: str
) -> None:
    result = not_frozen(made())
    assert result.value == pytest.approx(share, abs=0.012), f"{why}: {result.detail}"
    assert result.passed is (share <= 0.2)


def test_the_frames_of_a_freeze_are_in_the_record() -> None:
    result = not_frozen(clip(moving(30) + frozen(30, at=58)))
    assert result.frames is not None
    assert result.frames["count"] == 60
    (span,) = result.frames["frozen"]
    assert span == {
        "seconds": [pytest.approx(29 / 30, abs=1e-4), pytest.approx(2, abs=1e-4)],
        "frames": [29, 59],
    }


def test_one_frame_cannot_move_and_has_no_rate() -> None:
    one = clip(moving(1))
    for result in (not_frozen(one), fps(one, 30)):
        assert result.passed is None
        assert result.missing is not None
        assert result.missing.reason is Reason.NOT_EXERCISED
        assert result.missing.detail.startswith("needs_two_frames")


@pytest.mark.parametrize(
    ("made", "seconds", "why"),
    [
        (lambda: clip([black()] * 60), 2.0, "black to the end of the last frame"),
        (lambda: clip(moving(30) + [black()] * 30 + moving(30)), 1.0, "a gap in the middle"),
        (lambda: clip([black()] * 24 + moving(30)), 0.8, "at the beginning"),
        (lambda: clip(moving(60)), 0.0, "none"),
        (lambda: clip(moving(20) + [black() + 12] * 30), 1.0, "almost black"),
        (lambda: clip(moving(20) + [black() + 60] * 30), 0.0, "dark grey is not black"),
    ],
)
def test_black_is_as_long_as_its_frames_are_shown(made: Callable[[], Clip], seconds: float, why: str) -> None:
    result = no_black_gap(made())
    assert result.value == pytest.approx(seconds, abs=1e-3), why
    assert result.passed is (seconds <= 0.5)


def test_a_clip_that_is_black_throughout_has_a_gap_however_short() -> None:
    assert no_black_gap(clip([black()] * 3)).passed is False


@pytest.mark.parametrize(
    ("frames", "share"),
    [
        (moving(30), 1.0),
        ([black()] * 30, 0.0),
        ([np.full((96, 160, 3), 255, np.uint8)] * 30, 0.0),
        (moving(15) + [black()] * 15, 0.5),
        ([of_one_brightness(2 * step) for step in range(30)], 1.0),
    ],
)
def test_blank_time_is_time_that_shows_nothing(frames: list[Pixels], share: float) -> None:
    result = not_blank(clip(frames))
    assert result.value == pytest.approx(share, abs=1e-3)
    assert result.passed is (share >= 0.9)


def test_rate_and_duration_are_those_of_the_time_stamps() -> None:
    steady, varied = clip(moving(60)), clip(moving(30), ticks=[*range(29), 119])
    assert duration(steady, 2).passed is True
    assert fps(steady, 30).passed is True
    assert duration(varied, 4).passed is True
    assert duration(varied, 1).value == pytest.approx(3, abs=1e-3)
    assert fps(varied, 30).passed is False
    assert fps(varied, 7.5).passed is True


def test_size_and_aspect_are_of_what_is_shown() -> None:
    seen = clip(moving(5))
    assert size(seen, 160, 96).passed is True
    assert aspect(seen, "5:3").passed is True
    assert aspect(seen, "16:9").passed is False


CHECKS: list[Callable[[Clip], CheckResult]] = [
    lambda seen: not_frozen(seen),
    lambda seen: not_blank(seen),
    lambda seen: no_black_gap(seen),
    lambda seen: not_corrupt(seen),
    lambda seen: fps(seen, 30),
    lambda seen: size(seen, 160, 96),
    lambda seen: duration(seen, seen.duration_s),
    lambda seen: same_clip(seen, seen),
    lambda seen: same_clip(clip(moving(20)), seen),
]


@pytest.mark.parametrize("check", CHECKS)
def test_a_clip_without_its_end_passes_nothing(check: Callable[[Clip], CheckResult]) -> None:
    whole = video(moving(90), container="matroska")
    seen = open_clip(whole[: len(whole) // 2])
    assert seen.cut is not None
    assert check(seen).passed is not True


def test_a_clip_without_its_end_is_shorter_and_corrupt() -> None:
    whole = video(moving(90), container="matroska")
    seen = open_clip(whole[: len(whole) // 2])
    assert duration(seen, 3).passed is False
    assert not_corrupt(seen).passed is False
    assert not_corrupt(open_clip(whole)).passed is True
    assert not_corrupt(clip(moving(5))).passed is True


def test_a_clip_that_is_damaged_is_no_clip() -> None:
    whole = bytearray(video(moving(90)))
    middle = len(whole) // 3
    whole[middle : middle + 400] = bytes(byte ^ 0xFF for byte in whole[middle : middle + 400])
    with pytest.raises(UndecodableMedia):
        open_clip(bytes(whole))


def tone(seconds: float, level: float = 0.3) -> Pixels:
    return level * np.sin(np.arange(int(16_000 * seconds)) * 0.2)


@pytest.mark.parametrize(
    ("audio", "heard", "why"),
    [
        (tone(2), 2.0, "a tone"),
        (np.concatenate([tone(1), np.zeros(16_000)]), 1.0, "half of it"),
        (np.zeros(32_000), 0.0, "a silent track"),
        (tone(2, 1e-4), 0.0, "softer than the dither of 16 bits"),
        (tone(2) + 0.25, 2.0, "a tone on such a level"),
        (None, 0.0, "no track"),
    ],
)
def test_audio_is_what_can_be_heard(audio: Pixels | None, heard: float, why: str) -> None:
    result = has_audio(clip(moving(60), audio=audio))
    assert result.value == pytest.approx(heard, abs=0.15), why
    assert result.passed is (heard > 0)


def test_a_level_that_stays_is_heard_where_it_begins_and_no_longer() -> None:
    assert has_audio(clip(moving(60), audio=np.full(32_000, 0.25)), limit=0.3).passed is False


def test_white_that_moves_over_nothing_is_seen_to() -> None:
    frames = []
    for step in range(4):
        frame = np.zeros((64, 64, 4), np.uint8)
        frame[10:20, 12 * step : 12 * step + 10] = 255
        frames.append(frame)
    seen = gif(frames)
    assert not_blank(seen).passed is True
    assert not_frozen(seen).passed is True
    assert not_blank(gif([frame // 255 for frame in frames])).passed is False, "all but transparent"


def test_audio_that_is_damaged_is_not_heard_in_part() -> None:
    whole = bytearray(video(moving(60), container="mp4", audio=tone(2)))
    seen = open_clip(bytes(whole))
    track = audible_seconds(seen.file)
    with av.open(io.BytesIO(bytes(whole))) as file:
        packets = [bytes(packet) for packet in file.demux(audio=0) if packet.size]
    for packet in packets[3:20]:
        begin = bytes(whole).index(packet)
        whole[begin : begin + len(packet)] = bytes(byte ^ 0xA5 for byte in packet)
    assert track > 1.8
    with pytest.raises(UndecodableMedia, match="audio that does not decode"):
        audible_seconds(open_clip(bytes(whole)).file)
    result = not_corrupt(open_clip(bytes(whole)))
    assert (result.passed, result.value) == (False, 1)
    assert "audio that does not decode" in result.detail
    assert not_corrupt(seen).passed is True


def test_a_survey_is_made_once_for_a_clip_and_its_rule() -> None:
    seen = clip(moving(10))
    assert survey(seen) is survey(seen)
    assert survey(seen) is survey(clip(moving(10))), "the same bytes"
    assert survey(seen) is not survey(seen, SurveyRule(still=3))
    assert survey(seen) is not survey(clip(moving(11)))


def test_a_clip_is_the_same_as_itself_and_within_what_an_encoder_does() -> None:
    one, other = clip(moving(30)), clip(moving(30), crf="24")
    assert same_clip(one, one).passed is True
    assert same_clip(one, one).value == 0
    assert same_clip(one, clip(moving(30), container="matroska")).passed is True
    assert same_clip(one, other).passed is False
    assert same_clip(one, other, tolerance=60).passed is True


def test_one_frame_that_differs_is_found_and_shown() -> None:
    frames = [scene(2 * step) for step in range(20)]
    changed = [frame.copy() for frame in frames]
    changed[7][0, 0] ^= 255
    result = same_clip(gif(changed), gif(frames))
    assert (result.passed, result.value) == (False, 1 / (160 * 96))
    assert result.frames == {"rule": "all", "count": 20, "expected": 20, "worst": 7}
    assert [name for name, _, _ in result.artifacts] == ["actual", "expected", "difference"]
    assert same_clip(gif(changed), gif(frames), limit=1 / (160 * 96)).passed is True


@pytest.mark.parametrize(
    ("actual", "detail"),
    [
        (lambda: gif(moving(3)), "3 frames against 6"),
        (lambda: gif(moving(9)), "9 frames against 6"),
        (lambda: gif(moving(6), 200), "1.2 s against 0.6 s"),
        (lambda: gif(moving(6), [50, 150] * 3), "frames of the same number are shown up to 0.05 s apart"),
        (lambda: gif([scene(2 * s, 162) for s in range(6)]), "162 x 96 against 160 x 96 pixels"),
    ],
)
def test_clips_are_compared_whole_or_not_at_all(actual: Callable[[], Clip], detail: str) -> None:
    result = same_clip(actual(), gif(moving(6)))
    assert (result.passed, result.value, result.detail) == (False, None, detail)


def test_blank_clips_that_seem_the_same_are_missing() -> None:
    blank = clip([black()] * 10)
    result = same_clip(blank, blank)
    assert result.passed is None
    assert result.missing is not None
    assert result.missing.reason is Reason.EMPTY_REFERENCE


def picture() -> Any:
    file = io.BytesIO()
    Image.fromarray(scene(0)).save(file, "PNG")
    return open_picture(file.getvalue())


def test_what_is_of_the_other_kind_is_missing_and_says_what_is_needed() -> None:
    still, seen = picture(), clip(moving(3))
    results = [
        *(check(still) for check in (not_frozen, no_black_gap, has_audio)),
        *(duration(still, 1), fps(still, 30), same_clip(still, seen)),
    ]
    for result in results:
        assert result.missing is not None
        assert result.missing.detail == f"{result.name} needs a clip; bytes is a picture (png)"
    wrong = matches(seen, still)
    assert wrong.missing is not None
    assert wrong.missing.detail == "matches needs a picture; bytes is a clip; use same_clip"


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda seen: fps(seen, 0), "rate is 0; accepted: a number above 0"),
        (lambda seen: duration(seen, -1), "seconds is -1; accepted: a number of 0 or more"),
        (lambda seen: duration(seen, float("inf")), "seconds is inf; accepted: a finite number"),
        (lambda seen: not_frozen(seen, limit=1), "limit is 1, with which anything holds"),
        (lambda seen: same_clip(seen, seen, limit=1), "limit is 1, with which anything holds"),
        (lambda seen: same_clip(seen, seen, tolerance=255), "tolerance is 255, with which anything holds"),
        (lambda seen: not_frozen(seen, limit=1.5), "limit is 1.5, with which anything holds"),
        (lambda seen: duration(seen, 0), "seconds is 0; accepted: a number above 0"),
        (
            lambda seen: duration(seen, 3, tolerance=3),
            "tolerance is 3, with which a clip of no time would do",
        ),
        (lambda seen: duration(seen, 10**400), "accepted: a finite number"),
        (lambda seen: fps(seen, 30, tolerance=30), "with which a clip that stands still would do"),
        (lambda seen: same_clip(seen, seen, time_tolerance=9), "with which any time would do"),
        (lambda seen: shows_no_text(seen, samples=10**12), "a whole number above 0, up to 1,000"),
        (lambda seen: shows_no_text(seen, allow_fallback="no"), "is 'no'; accepted: True or False"),
        (lambda seen: reads(seen, "a", allow_fallback=1), "is 1; accepted: True or False"),
        (lambda seen: no_black_gap(seen, black=255), "black is 255; accepted: a number from 0 to 254"),
        (lambda seen: has_audio(seen, limit=0), "limit is 0; accepted: a number of 0.001 or more"),
        (lambda seen: same_clip(seen, None), "expected is NoneType; accepted: a Clip, or use matches"),
    ],
)
def test_a_check_that_is_written_wrong_says_what_is_accepted(
    check: Callable[[Clip], CheckResult], message: str
) -> None:
    with pytest.raises(CheckError) as caught:
        check(clip(moving(2)))
    assert message in str(caught.value)


@pytest.fixture(scope="module")
def cases() -> dict[str, dict[str, Any]]:
    if not CASES.exists():
        pytest.skip("the shared cases are not beside this project")
    lines = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {case["id"]: case for case in lines}


def grey_clip(frames: list[Any], milliseconds: int) -> Clip:
    """Write frames of grey levels one by one: an encoder would merge those that are equal."""
    file = io.BytesIO()
    with av.open(file, "w", format="matroska") as out:
        stream = out.add_stream("ffv1", rate=1000 // milliseconds)
        levels = [np.asarray(frame, np.uint8).reshape(len(np.atleast_1d(frame)), -1) for frame in frames]
        stream.height, stream.width = levels[0].shape
        stream.pix_fmt = "gray"
        for tick, level in enumerate(levels):
            frame = av.VideoFrame.from_ndarray(level, format="gray")
            frame.pts = tick
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return open_clip(file.getvalue())


def test_the_shared_case_of_a_frozen_clip(cases: dict[str, dict[str, Any]]) -> None:
    given = cases["E13"]["input"]
    seen = grey_clip(given["frames_grey_2x2"], 1000 // given["fps"])
    result = not_frozen(seen)
    assert (result.passed, result.value) == (False, 1)
    assert result.frames is not None
    assert result.frames["distinct"] == cases["E13"]["expected"]["distinct_frames"]


def test_the_shared_case_of_a_shorter_clip(cases: dict[str, dict[str, Any]]) -> None:
    given, expected = cases["E17"]["input"], cases["E17"]["expected"]
    result = same_clip(
        grey_clip(given["actual_frames_grey_1x1"], 100), grey_clip(given["reference_frames_grey_1x1"], 100)
    )
    assert result.passed is expected["match"]
    assert result.detail == expected["reason"]
