"""Pictures that are not there whole, lie, or are traps: each is refused, with the reason."""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFile

from pytest_infergate.evidence import Reason, UndecodableMedia
from pytest_infergate.visual import open_picture, open_visual
from pytest_infergate.visual.limits import MAX_PIXELS

from .made import animated, cut, gradient, pdf, quarters, saved, svg
from .test_open_picture import chunk, png_of

WHOLE = {
    "png": saved(gradient()),
    "jpeg": saved(gradient(), "JPEG"),
    "jpeg in passes": saved(gradient(), "JPEG", progressive=True),
    "jpeg in grey": saved(gradient().convert("L"), "JPEG"),
    "jpeg in cmyk": saved(gradient().convert("CMYK"), "JPEG"),
    "webp": saved(gradient(), "WEBP"),
    "webp that loses nothing": saved(gradient(), "WEBP", lossless=True),
    "gif": saved(gradient(), "GIF"),
    "tiff": saved(gradient(), "TIFF"),
    "tiff in lzw": saved(gradient(), "TIFF", compression="tiff_lzw"),
    "pdf": pdf(),
    "svg": svg("<rect width='9' height='9'/>"),
    "gif that moves": animated([quarters(), gradient(32, 16)]),
    "apng": animated([quarters(), gradient(32, 16)], "PNG"),
    "webp that moves": animated([quarters(), gradient(32, 16)], "WEBP"),
}


def refusal(raw: bytes) -> str:
    with pytest.raises(UndecodableMedia) as caught:
        open_visual(raw)
    assert caught.value.reason is Reason.UNDECODABLE_MEDIA
    assert len(caught.value.detail.splitlines()) == 1
    return caught.value.detail


@pytest.fixture(params=[False, True], ids=["", "gaps filled with grey"])
def pillow_fills_gaps(request: pytest.FixtureRequest) -> Iterator[None]:
    """What any library can tell Pillow, for all."""
    before = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = request.param
    yield
    assert ImageFile.LOAD_TRUNCATED_IMAGES is request.param
    ImageFile.LOAD_TRUNCATED_IMAGES = before


@pytest.mark.usefixtures("pillow_fills_gaps")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.6, 0.9, 0.97])
@pytest.mark.parametrize("name", WHOLE)
def test_what_is_cut_off_is_refused_wherever_it_was_cut(name: str, share: float) -> None:
    refusal(cut(WHOLE[name], share))


@pytest.mark.usefixtures("pillow_fills_gaps")
@pytest.mark.parametrize("name", WHOLE)
def test_what_is_whole_is_opened(name: str) -> None:
    assert open_visual(WHOLE[name]).width > 0


@pytest.mark.parametrize("share", [0.4, 0.6, 0.9])
@pytest.mark.parametrize("name", [name for name in WHOLE if name.startswith("jpeg")])
def test_a_jpeg_is_not_whole_because_its_end_was_put_behind_the_cut(name: str, share: float) -> None:
    """libjpeg fills what is missing with grey and tells nobody."""
    whole = WHOLE[name]
    scan = whole.index(b"\xff\xda") + 14
    raw = whole[:scan] + cut(whole[scan:], share) + b"\xff\xd9"
    told = refusal(raw)
    assert "is damaged or cut off" in told or "make it sharp are not there" in told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("png", "(png) is cut off: its chunk 'IDAT' says"),
        ("gif", "(gif) is cut off: its trailer is not there"),
        ("webp", "(webp) is cut off: it says"),
        ("pdf", "(pdf) is cut off: the mark of its end (%%EOF) is not there"),
        ("svg", "(svg) is no well-formed SVG"),
        ("jpeg", "(jpeg) is damaged or cut off"),
        ("tiff", "(tiff) cannot be decoded"),
    ],
)
def test_a_cut_is_told(name: str, told: str) -> None:
    assert told in refusal(cut(WHOLE[name], 0.6))


def test_a_png_without_its_end_is_cut() -> None:
    assert "its last chunk (IEND) is not there" in refusal(WHOLE["png"][:-12])


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_png_with_one_bit_turned_over_is_damaged(share: float) -> None:
    raw = bytearray(WHOLE["png"])
    raw[int(share * len(raw))] ^= 1
    assert "is damaged" in refusal(bytes(raw)) or "is cut off" in refusal(bytes(raw))


def test_bytes_behind_the_end_are_no_damage() -> None:
    for name in ("png", "jpeg", "gif", "webp", "pdf"):
        assert open_picture(WHOLE[name] + b"\0\0\r\n").width > 0


def header_alone(width: int, height: int) -> bytes:
    """A PNG that says how large it is and holds one row of nothing."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + header + body + chunk(b"IEND", b"")


def large_jpeg() -> bytes:
    raw = bytearray(WHOLE["jpeg"])
    at = raw.index(b"\xff\xc0") + 5
    raw[at : at + 4] = b"\xff\xff\xff\xff"
    return bytes(raw)


def large_gif() -> bytes:
    raw = bytearray(WHOLE["gif"])
    raw[6:10] = b"\xff\xff\xff\xff"
    return bytes(raw)


@pytest.mark.parametrize("set_by_others", [None, 1 << 40])
@pytest.mark.parametrize(
    "raw",
    [header_alone(100_000, 100_000), header_alone(MAX_PIXELS + 1, 1), large_jpeg(), large_gif()],
    ids=["png", "one row", "jpeg", "gif"],
)
def test_a_bomb_is_refused_before_it_is_decoded(
    raw: bytes, set_by_others: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", set_by_others)
    assert f"up to {MAX_PIXELS:,} are decoded" in refusal(raw)


def test_the_limit_of_others_holds_as_well() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "cannot be decoded" in refusal(header_alone(100_000, 10_000))


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "media of zero bytes"),
        (header_alone(24, 24), "its header says 24 x 24 pixels, 1,000 of 1,752 bytes are there"),
        (header_alone(0, 5), "cannot be decoded"),
        (png_of(6, 8, b""), "its header says 2 x 1 pixels, 1 of 9 bytes are there"),
        (b"<!DOCTYPE html><html><body>502</body></html>", "it is an HTML page"),
        (b'{"error": "no picture for you"}', "it is text"),
        (b"a cat sits on a mat", "it begins with"),
        (bytes(5_000), "it begins with"),
        (b"\x89PNG\r\n\x1a\n", "(png) is cut off"),
        (b"\xff\xd8\xff\xe0", "cannot be decoded"),
        (b"GIF89a", "(gif) is cut off"),
        (b"RIFF\x04\0\0\0WEBP", "cannot be decoded"),
        (b"II*\0\x08\0\0\0\0\0\0\0\0\0", "cannot be decoded"),
        (b"%PDF-1.7\n%%EOF", "(pdf) cannot be drawn"),
        (b"BM" + bytes(60), "it is a BMP picture, which is not read; convert it to png"),
        (b"\0\0\0\x1cftypavif" + bytes(60), "it is an AVIF picture"),
        (b"\0\0\0\x1cftypheic" + bytes(60), "it is a HEIC picture"),
        (b"#EXTM3U\n#EXTINF:10,\n/etc/passwd\n", "it is a playlist"),
        (b"PK\x03\x04" + bytes(60), "it is a ZIP archive"),
        (b"\x1f\x8b" + bytes(60), "it is a gzip file"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "it is a Git LFS pointer"),
        (b"RIFF\x24\0\0\0WAVEfmt " + bytes(60), "is audio (wav): there is nothing to see"),
    ],
)
def test_what_is_no_picture_says_what_it_is(raw: bytes, told: str) -> None:
    assert told in refusal(raw)


@pytest.mark.parametrize("what", ["nothing there", "a directory", "an empty file"])
def test_a_path_without_a_picture_says_why(tmp_path: Path, what: str) -> None:
    path = tmp_path / "picture.png"
    if what == "a directory":
        path.mkdir()
    elif what == "an empty file":
        path.touch()
    told = {
        "nothing there": "there is no file",
        "a directory": "a directory",
        "an empty file": "has zero bytes",
    }
    with pytest.raises(UndecodableMedia, match=told[what]):
        open_visual(path)


def test_a_picture_that_moves_is_no_still_picture() -> None:
    with pytest.raises(UndecodableMedia, match=r"moves \(2 frames\): open it as a clip"):
        open_picture(WHOLE["apng"])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from([name for name in WHOLE if name not in ("pdf", "svg")]),
    places=st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=8),
    end=st.floats(0.0, 1.0),
)
def test_damage_is_seen_or_refused_and_nothing_else(
    name: str, places: list[tuple[float, int]], end: float
) -> None:
    raw = bytearray(WHOLE[name])
    for place, value in places:
        raw[int(place * len(raw))] = value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        told = ""
        try:
            opened = open_visual(bytes(raw[: max(1, int(end * len(raw)))]))
        except UndecodableMedia as error:
            told = error.detail
    if told:
        assert len(told.splitlines()) == 1
    else:
        assert opened.width * opened.height > 0
