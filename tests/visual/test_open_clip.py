"""Clips: what they say, what is there, and when each frame is shown."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from pytest_infergate.evidence import NoAnswer, Reason, UndecodableMedia
from pytest_infergate.visual import Clip, open_clip, open_visual
from pytest_infergate.visual.video import believed_count

from .made import (
    CONTAINERS,
    animated,
    black,
    cut,
    encoded,
    flipped,
    gradient,
    moving,
    of_two_sizes,
    pdf,
    quarters,
    rotated,
    saved,
    sound_alone,
    svg,
    without_a_frame,
)

MOVING = moving()
WHOLE = {name: encoded(MOVING, name) for name in CONTAINERS}
MP4 = [name for name in CONTAINERS if name[:3] in ("mp4", "mov")]
MATROSKA = [name for name in CONTAINERS if name not in MP4]
KINDS = ["GIF", "PNG", "WEBP"]
PICTURES = [Image.fromarray(frame) for frame in moving(6, 64, 48)]


#: What FFmpeg's muxer calls common encryption.
PROTECTION = {
    "encryption_scheme": "cenc-aes-ctr",
    "encryption_key": "00112233445566778899aabbccddeeff",
    "encryption_kid": "ffeeddccbbaa99887766554433221100",
}


def refusal(raw: bytes) -> str:
    with pytest.raises(UndecodableMedia) as caught:
        open_clip(raw)
    assert caught.value.reason is Reason.UNDECODABLE_MEDIA
    assert len(caught.value.detail.splitlines()) == 1
    return caught.value.detail


@pytest.mark.parametrize("sound", [False, True])
@pytest.mark.parametrize("name", CONTAINERS)
def test_a_clip_is_what_was_encoded(name: str, sound: bool) -> None:
    clip = open_clip(encoded(MOVING, name, sound=sound))
    assert (clip.width, clip.height, clip.frame_count, clip.has_audio) == (160, 90, 30, sound)
    assert clip.container == ("mp4" if name in MP4 else "matroska")
    assert clip.header_frames == (30 if name in MP4 else None)
    assert clip.duration_s == pytest.approx(1.0, abs=1e-3)
    assert clip.frame_rate == pytest.approx(30.0, abs=0.05)
    assert (clip.cut, clip.warnings, clip.pixel_aspect) == (None, (), 1.0)
    assert clip.decoder.startswith("av ")


@pytest.mark.parametrize("name", CONTAINERS)
def test_frames_are_nearly_the_pixels_that_were_encoded(name: str) -> None:
    frames = list(open_clip(WHOLE[name]).frames())
    assert [frame.index for frame in frames] == list(range(30))
    for frame, pixels in zip(frames, MOVING, strict=True):
        assert frame.rgb.shape == (90, 160, 3)
        assert numpy.abs(frame.rgb.astype(int) - pixels).mean() < 15  # colours have half the rows
        expected = numpy.asarray(Image.fromarray(pixels).convert("L")).astype(int)
        assert numpy.abs(frame.grey - expected).mean() < 4


def test_grey_is_from_black_to_white() -> None:
    white = [numpy.full((90, 160, 3), 255, numpy.uint8)]
    levels = [frame.grey for frame in open_clip(encoded(black(1) + white)).frames()]
    assert [int(level.max()) for level in levels] == [0, 255]
    assert [int(level.min()) for level in levels] == [0, 255]


def test_frames_can_be_read_again_and_left_early() -> None:
    clip = open_clip(WHOLE["mp4"])
    first = next(iter(clip.frames())).grey
    for _ in range(2):
        assert (next(iter(clip.frames())).grey == first).all()
    assert sum(1 for _ in clip.frames()) == 30


@pytest.mark.parametrize("name", ["mp4", "mkv", "webm"])
def test_times_are_from_time_stamps_and_not_from_a_rate(name: str) -> None:
    times = [0.0, 0.1, 0.2, 3.23, 3.3]
    clip = open_clip(encoded(moving(5), name, times=times))
    frames = list(clip.frames())
    assert [frame.time_s for frame in frames] == pytest.approx(times)
    assert [frame.duration_s for frame in frames[:-1]] == pytest.approx([0.1, 0.1, 3.03, 0.07])
    assert clip.longest_frame_s == pytest.approx(3.03)
    assert clip.duration_s == pytest.approx(3.3 + frames[-1].duration_s)
    assert 0 < frames[-1].duration_s < 0.2


@pytest.mark.parametrize("begin", [0.5, 7.0])
def test_time_begins_with_the_first_frame(begin: float) -> None:
    clip = open_clip(encoded(moving(3), "mkv", times=[begin, begin + 0.1, begin + 0.2]))
    assert [frame.time_s for frame in clip.frames()] == pytest.approx([0.0, 0.1, 0.2])
    assert clip.duration_s < 0.5


@settings(max_examples=15, deadline=None)
@given(gaps=st.lists(st.integers(1, 2_000), min_size=1, max_size=8))
def test_frames_follow_one_another_without_gap(gaps: list[int]) -> None:
    times = [0.0, *(ms / 1000 for ms in itertools.accumulate(gaps))]
    clip = open_clip(encoded(moving(len(times), 32, 32), "mkv", times=times))
    frames = list(clip.frames())
    assert [frame.time_s for frame in frames] == pytest.approx(times)
    assert sum(frame.duration_s for frame in frames) == pytest.approx(clip.duration_s)
    assert clip.frame_rate == pytest.approx(len(times) / clip.duration_s)


@pytest.mark.parametrize("name", CONTAINERS)
def test_one_frame_has_a_duration(name: str) -> None:
    clip = open_clip(encoded(moving(1), name))
    assert clip.frame_count == 1
    assert 0 < clip.duration_s < 0.2


@pytest.mark.parametrize(
    ("degrees", "colours"),
    [
        (90, [(0, 0, 255), (255, 0, 0), (255, 255, 0), (0, 255, 0)]),
        (180, [(255, 255, 0), (0, 0, 255), (0, 255, 0), (255, 0, 0)]),
        (270, [(0, 255, 0), (255, 255, 0), (255, 0, 0), (0, 0, 255)]),
    ],
)
def test_a_clip_from_a_telephone_stands_upright(degrees: int, colours: list[tuple[int, ...]]) -> None:
    clip = open_clip(rotated(encoded([numpy.asarray(quarters(64, 32))] * 3), degrees))
    assert (clip.width, clip.height) == ((32, 64) if degrees % 180 else (64, 32))
    frame = next(iter(clip.frames()))
    assert frame.grey.shape == (clip.height, clip.width)
    for (row, column), asked in zip(itertools.product((8, -8), repeat=2), colours, strict=True):
        assert numpy.abs(frame.rgb[row, column].astype(int) - asked).max() <= 8


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.97])
@pytest.mark.parametrize("name", MP4)
def test_an_mp4_that_is_cut_off_is_refused_wherever_it_was_cut(name: str, share: float) -> None:
    assert "is cut off" in refusal(cut(WHOLE[name], share))


def test_an_mp4_with_its_index_first_is_refused_as_well() -> None:
    raw = encoded(MOVING, "mp4", movflags="faststart")
    assert open_clip(raw).frame_count == 30
    assert "is cut off: its box 'mdat' says" in refusal(cut(raw, 0.6))


def test_an_mp4_whose_index_says_more_than_is_there_is_refused_with_counts() -> None:
    """The box is made to fit what is left, so that nothing but the frames shows the cut."""
    raw = encoded(MOVING, "mp4", movflags="faststart")
    at = raw.index(b"mdat") - 4
    left = bytearray(cut(raw, 0.7))
    left[at : at + 4] = (len(left) - at).to_bytes(4, "big")
    assert "is damaged or cut off: its header says 30 frames, " in refusal(bytes(left))


@pytest.mark.parametrize("name", ["mp4", "mov", "mp4 in mpeg4"])
def test_damage_is_refused_with_counts(name: str) -> None:
    detail = refusal(flipped(WHOLE[name]))
    assert "is damaged or cut off: its header says 30 frames, " in detail
    assert "of 30 packets do not" in detail


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", [*MP4, "mkv"])
def test_damage_of_h264_and_mpeg4_never_goes_unseen(name: str, seed: int) -> None:
    """Either it is refused, or fewer frames are there than the clip says that it lasts.

    VP8 and VP9 decode most bytes to some picture, and hold nothing to check them against.
    """
    try:
        clip = open_clip(flipped(WHOLE[name], seed=seed))
    except UndecodableMedia:
        return
    assert clip.cut is not None
    assert clip.frame_count < 30


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["mkv", "mkv in vp8"])
def test_one_byte_of_a_matroska_is_held_to_the_checksum_of_its_part(name: str, seed: int) -> None:
    """VP8 decodes any bytes to some picture."""
    told = refusal(flipped(WHOLE[name], 1, seed, 0.1, 0.9))
    assert re.search(r"the checksum of its cluster at byte [\d,]+ is wrong", told)


@pytest.mark.parametrize("share", [0.4, 0.8])
def test_a_matroska_without_checksums_is_what_decodes(share: float) -> None:
    streamed = encoded(MOVING, "mkv in vp8", live="1")
    assert open_clip(streamed).frame_count == 30
    assert open_clip(cut(streamed, share)).cut is not None


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("name", MATROSKA)
def test_a_matroska_that_ends_early_says_what_is_there(name: str, share: float) -> None:
    """Its decoder raises nothing: only the time stamps show it."""
    clip = open_clip(cut(WHOLE[name], share))
    assert clip.cut is not None
    assert clip.cut.startswith("its segment says")
    assert clip.warnings == (f"cut off: {clip.cut}",)
    assert clip.declared_duration_s == pytest.approx(1.0)
    assert 0 < clip.duration_s < 0.95
    assert clip.frame_count == sum(1 for _ in clip.frames()) < 30
    assert clip.duration_s == pytest.approx(clip.frame_count / 30, abs=0.01)


def test_a_matroska_made_to_fit_what_is_left_is_cut_by_its_duration() -> None:
    raw = WHOLE["mkv"]
    segment = raw.index(b"\x18\x53\x80\x67") + 4
    length = 9 - raw[segment].bit_length()
    cluster = raw.index(b"\x1f\x43\xb6\x75") + 4
    its_length = 9 - raw[cluster].bit_length()
    left = bytearray(cut(raw, 0.5))
    for at, size in ((segment, length), (cluster, its_length)):  # all ones: unknown
        left[at : at + size] = bytes([0xFF >> (size - 1)]) + b"\xff" * (size - 1)
    clip = open_clip(bytes(left))
    assert clip.cut is not None
    assert clip.duration_s < 0.7


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "media of zero bytes"),
        (sound_alone(), "has no video track; it holds 1 audio"),
        (b"<!DOCTYPE html><html>404</html>", "it is an HTML page"),
        (b"\x1a\x45\xdf\xa3" + b"\xff" * 400, "(matroska)"),
        (b"\0\0\0\x18ftypmp42" + bytes(400), "(mp4)"),
        (saved(gradient()), "is a picture and no clip: it has one frame"),
        (saved(gradient(), "JPEG"), "is a picture (jpeg) and no clip"),
        (svg(""), "is a picture (svg) and no clip"),
        (pdf(), "is a picture (pdf) and no clip"),
        (b"fLaC" + bytes(400), "is audio (flac): there is nothing to see"),
        (encoded(MOVING, "mp4", **PROTECTION), "is encrypted (DRM)"),
        (WHOLE["mp4"].replace(b"avc1", b"zzzz"), "has a video track that cannot be decoded"),
    ],
)
def test_what_is_no_clip_says_what_it_is(raw: bytes, told: str) -> None:
    assert told in refusal(raw)


def test_a_track_without_a_frame_has_nothing_to_see() -> None:
    assert "has a video track without a frame" in refusal(without_a_frame())


@pytest.mark.parametrize("count", [0, 0x7FFF_FFFF, 0xFFFF_FFFF])
def test_a_nonsense_count_of_frames_is_not_believed(count: int) -> None:
    raw = bytearray(WHOLE["mp4"])
    at = raw.index(b"stsz") + 12
    raw[at : at + 4] = count.to_bytes(4, "big")
    try:
        clip = open_clip(bytes(raw))
    except UndecodableMedia as error:
        assert len(error.detail.splitlines()) == 1  # noqa: PT017
    else:
        assert clip.header_frames in (None, 30)
        assert clip.frame_count == 30


@pytest.mark.parametrize("said", [-(2**63), -1, 0, 2**63 - 1, 2**40])
def test_a_header_that_counts_nonsense_says_nothing(said: int) -> None:
    assert believed_count(said) is None
    assert believed_count(90) == 90


@pytest.mark.parametrize(
    "playlist",
    [
        "#EXTM3U\n#EXTINF:10,\n{secret}\n",
        "ffconcat version 1.0\nfile '{secret}'\n",
        "[playlist]\nFile1={secret}\n",
        "<?xml version='1.0'?><MPD><BaseURL>{secret}</BaseURL></MPD>",
        "v=0\nc=IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\n",
    ],
)
def test_what_names_other_files_never_opens_them(tmp_path: Path, playlist: str) -> None:
    secret = tmp_path / "secret.mp4"
    secret.write_bytes(WHOLE["mp4"])
    path = tmp_path / "clip.mp4"
    path.write_text(playlist.format(secret=secret), "utf-8")
    with pytest.raises(UndecodableMedia, match="is no picture or video"):
        open_clip(path)


def test_a_reference_of_an_mp4_to_another_file_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.mp4"
    secret.write_bytes(WHOLE["mp4"])
    raw = WHOLE["mp4"]
    own = b"\0\0\0\x0curl \0\0\0\x01"
    assert own in raw
    path = tmp_path / "clip.mp4"
    path.write_bytes(raw.replace(own, b"\0\0\0\x0curl \0\0\0\x00"))  # no longer: in this file
    try:
        clip = open_clip(path)
    except UndecodableMedia:
        return
    assert clip.frame_count == 30  # FFmpeg took it for its own


def test_a_file_that_changed_is_not_read_on(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(WHOLE["mp4"])
    clip = open_clip(path)
    path.write_bytes(WHOLE["mkv"])
    with pytest.raises(UndecodableMedia, match="was changed while it was being evaluated"):
        next(iter(clip.frames()))


def test_a_clip_that_changes_its_size_is_refused() -> None:
    assert "changes from 64 x 48 to 96 x 48 pixels after 2 frames" in refusal(of_two_sizes())


@pytest.mark.parametrize("kind", KINDS)
def test_a_moving_picture_is_a_clip(kind: str) -> None:
    clip = open_visual(animated(PICTURES, kind, [100, 50, 200, 300, 20, 30]))
    assert isinstance(clip, Clip)
    assert (clip.container, clip.width, clip.height, clip.frame_count) == (kind.lower(), 64, 48, 6)
    frames = list(clip.frames())
    assert [frame.duration_s for frame in frames] == [0.1, 0.05, 0.2, 0.3, 0.02, 0.03]
    assert [frame.time_s for frame in frames] == pytest.approx([0, 0.1, 0.15, 0.35, 0.65, 0.67])
    assert clip.duration_s == pytest.approx(0.7)
    assert not clip.has_audio
    for frame, picture in zip(frames, PICTURES, strict=True):
        away = numpy.abs(frame.rgb.astype(int) - numpy.asarray(picture))
        assert away.mean() < (6 if kind == "GIF" else 0.01)  # a GIF has 256 colours
        assert frame.grey.shape == (48, 64)


@pytest.mark.parametrize("kind", KINDS)
def test_frames_without_a_time_last_a_tenth_of_a_second_as_in_browsers(kind: str) -> None:
    frames = list(open_clip(animated(PICTURES[:3], kind, [0, 10, 20])).frames())
    assert [frame.duration_s for frame in frames] == [0.1, 0.1, 0.02]


def test_what_is_transparent_in_a_frame_is_on_white() -> None:
    clear = Image.new("RGBA", (16, 16), (255, 0, 0, 0))
    half = Image.new("RGBA", (16, 16), (255, 0, 0, 128))
    frames = list(open_clip(animated([clear, half], "PNG", disposal=1)).frames())
    assert frames[0].rgb[8, 8].tolist() == [255, 255, 255]
    assert frames[1].rgb[8, 8].tolist() == [255, 127, 127]


def test_the_picture_for_who_cannot_show_an_apng_is_no_frame_of_it() -> None:
    clip = open_clip(animated(PICTURES, "PNG", default_image=True))
    assert clip.frame_count == 5


def test_moving_pictures_have_a_limit_of_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_infergate.visual import animation

    monkeypatch.setattr(animation, "MAX_ANIMATION_PIXELS", 6 * 64 * 48 - 1)
    assert "6 frames of 64 x 48 pixels; up to" in refusal(animated(PICTURES))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(["mp4", "mkv", "webm", "webm in vp9"]),
    places=st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=8),
    end=st.floats(0.0, 1.0),
)
def test_any_bytes_are_a_clip_or_refused_and_nothing_else(
    name: str, places: list[tuple[float, int]], end: float
) -> None:
    raw = bytearray(WHOLE[name])
    for place, value in places:
        raw[int(place * len(raw))] = value
    try:
        clip = open_clip(bytes(raw[: max(1, int(end * len(raw)))]))
    except NoAnswer as error:
        assert len(error.detail.splitlines()) == 1  # noqa: PT017
    else:
        assert clip.frame_count > 0
        assert clip.duration_s > 0


@pytest.mark.parametrize("name", CONTAINERS)
def test_the_brightness_as_it_is_coded_is_the_brightness_by_its_levels(name: str) -> None:
    for frame in itertools.islice(open_clip(WHOLE[name]).frames(), 3):
        coded, levels = frame.coded_grey
        assert numpy.array_equal(numpy.frombuffer(levels, numpy.uint8)[coded], frame.grey)
        assert list(levels) == sorted(levels)
