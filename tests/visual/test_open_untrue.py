"""Files whose parts can all be read, and which do not hold what they say: refused, with the reason."""

from __future__ import annotations

import re
import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator

import numpy
import pytest
from PIL import Image

from pytest_infergate.visual import Clip, Picture, open_visual
from pytest_infergate.visual.pdf_streams import find_damaged_stream

from .made import animated, cut, flipped, gradient, pdf, quarters, saved, svg
from .test_open_damaged import refusal
from .test_open_picture import chunk

ROWS = b"".join(b"\0" + bytes(range(48)) for _ in range(16))
APNG = animated([quarters(), gradient(32, 16), quarters()], "PNG")
PASSES = saved(gradient(200, 150), "JPEG", progressive=True)
SCANS = [scan.start() for scan in re.finditer(b"\xff\xda", PASSES)]
INTERLACE = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def png(
    height: int,
    data: bytes,
    *,
    colours: int = 2,
    width: int = 16,
    more: bytes = b"",
    interlaced: bool = False,
) -> bytes:
    """A PNG of 8 bits whose checksums are right."""
    head = struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, interlaced)
    end = chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + end


def saying(frames: int) -> bytes:
    """An animated PNG of three frames whose header says another number."""
    at = APNG.index(b"acTL") - 4
    return APNG[:at] + chunk(b"acTL", struct.pack(">II", frames, 0)) + APNG[at + 20 :]


def with_short_frame() -> bytes:
    """An animated PNG whose last frame lacks half of its pixels, its checksum made right."""
    at = APNG.rindex(b"fdAT") - 4
    length = int.from_bytes(APNG[at : at + 4], "big")
    content = APNG[at + 8 : at + 8 + length // 2]
    return APNG[:at] + chunk(b"fdAT", content) + chunk(b"IEND", b"")


def interlaced(width: int, height: int) -> tuple[bytes, numpy.ndarray]:
    """A grey PNG in seven passes, and its pixels."""
    pixels = numpy.asarray(gradient(width, height).convert("L"))
    passes = (pixels[top::down, left::across] for left, top, across, down in INTERLACE)
    rows = b"".join(b"\0" + row.tobytes() for one in passes if one.size for row in one)
    return png(height, zlib.compress(rows), colours=0, width=width, interlaced=True), pixels


def pages(compression: str, damaged: bool = False) -> bytes:
    raw = saved(
        gradient(60, 50),
        "TIFF",
        compression=compression,
        save_all=True,
        append_images=[gradient(60, 50), quarters(60, 50)],
    )
    return flipped(raw, 20, 1, 0.5, 0.6) if damaged else raw


def deflated_pdf(content: bytes) -> bytes:
    """A PDF whose page is drawn by ``content``, compressed or damaged."""
    raw = pdf("X" * len(content))
    return raw.replace(b"X" * len(content), content).replace(
        b"<< /Length", b"<< /Filter /FlateDecode /Length"
    )


DRAWN = zlib.compress(b"0 0 1 rg 0 0 72 36 re f " * 100)


def holding(content: bytes, media_type: str = "png") -> bytes:
    url = f"data:image/{media_type};base64,{b64encode(content).decode()}"
    return svg(f"<image href='{url}' width='20' height='20'/><rect width='9' height='9'/>")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (png(32, zlib.compress(ROWS)), "its header says 16 x 32 pixels, 784 of 1,568 bytes are there"),
        (png(8, zlib.compress(ROWS)), "its header says 16 x 8 pixels, more are there"),
        (png(16, zlib.compress(ROWS)[:-4]), "the data end before them"),
        (png(16, zlib.compress(ROWS)[:-1] + b"\0"), "its pixels do not decompress"),
        (png(16, zlib.compress(ROWS), colours=3, width=48), "a palette (PLTE) that is not there"),
        (interlaced(21, 13)[0].replace(b"\x15\0\0\0\x0d", b"\x15\0\0\0\x0e"), "checksum"),
        *((saying(frames), f"says {frames:,} frames, 3 are there") for frames in (0, 1, 2, 4, 2**32 - 1)),
        (with_short_frame(), "the data end before them"),
        *((PASSES[:scan] + b"\xff\xd9", "make it sharp are not there") for scan in SCANS[1:]),
        *((pages(kind, damaged=True), "page 2 of 3,") for kind in ("tiff_lzw", "tiff_adobe_deflate")),
        (cut(pages("raw"), 0.8), "page 3 of 3, cannot be decoded"),
        (deflated_pdf(DRAWN[:-6]), "ends too early"),
        (deflated_pdf(flipped(DRAWN, 2)), "does not decompress"),
        (flipped(saved(gradient(300, 200), "PDF"), 20, 1, 0.3, 0.6), "(jpeg) is damaged or cut off"),
        (holding(saved(quarters())[:-20]), "a picture within it is cut off"),
        (holding(flipped(saved(gradient(), "JPEG"), 20), "jpeg"), "a picture within it is damaged"),
        (holding(b"no picture"), "a picture within it is none of png"),
        (svg("<image href='data:image/png;base64,!!!' width='9' height='9'/>"), "base64 does not decode"),
    ],
)
def test_what_is_not_what_it_says_is_refused(raw: bytes, told: str) -> None:
    assert told in refusal(raw)


@pytest.mark.parametrize(
    "raw",
    [
        png(16, zlib.compress(ROWS)),
        APNG,
        PASSES,
        saved(gradient(), "JPEG", progressive=True, subsampling=2, restart_marker_blocks=2),
        saved(gradient().convert("L"), "JPEG", progressive=True),
        *(pages(kind) for kind in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits")),
        deflated_pdf(DRAWN),
        saved(gradient(), "PDF"),
        saved(gradient().convert("CMYK"), "PDF"),
        holding(saved(quarters())),
        holding(saved(quarters(), "JPEG"), "jpeg"),
    ],
)
def test_what_is_what_it_says_is_opened(raw: bytes) -> None:
    assert isinstance(open_visual(raw), (Picture, Clip))


@pytest.mark.parametrize(("width", "height"), [(1, 1), (4, 4), (5, 3), (8, 8), (21, 13)])
def test_a_png_in_seven_passes_is_whole(width: int, height: int) -> None:
    raw, pixels = interlaced(width, height)
    opened = open_visual(raw)
    assert isinstance(opened, Picture)
    assert numpy.array_equal(opened.rgba[..., 0], pixels)


def test_the_first_page_is_the_picture_and_the_others_are_decoded() -> None:
    opened = open_visual(pages("tiff_lzw"))
    assert isinstance(opened, Picture)
    assert opened.frames == 3
    assert numpy.array_equal(opened.rgba[..., :3], numpy.asarray(gradient(60, 50)))


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff\xd8" + b"\xff" * 3_000_000,
        b"\xff\xd8" + b"\xff\xda\0\x02" * 700_000,
        b"%PDF-1.4\n" + b" obj<< /Filter /FlateDecode >>" + b" " * 2_000_000 + b"%%EOF",
        b"%PDF-1.4\n" + b">>stream\n" * 300_000 + b"%%EOF",
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"\0" * 13) + chunk(b"fcTL", b"\0" * 26) * 40_000,
    ],
    ids=["fill", "scans", "spaces", "streams", "frames"],
)
def test_what_is_made_to_take_long_is_refused_in_a_time_that_grows_with_its_length(raw: bytes) -> None:
    """At the square of the length each of these would take hours."""
    refusal(raw)


def depths() -> Iterator[bytes]:
    """PNGs of every depth and kind of colour that Pillow writes."""
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA"):
        yield saved(quarters(37, 11).convert(mode))
    yield saved(quarters(37, 11).quantize(4))
    yield saved(Image.fromarray(numpy.arange(407, dtype=numpy.uint16).reshape(11, 37)))


@pytest.mark.parametrize("raw", list(depths()))
def test_pixels_are_counted_at_every_depth(raw: bytes) -> None:
    assert open_visual(raw).width == 37


def test_of_an_encrypted_pdf_nothing_can_be_said_before_it_is_decrypted() -> None:
    raw = deflated_pdf(flipped(DRAWN, 2))
    assert find_damaged_stream(raw) is not None
    assert find_damaged_stream(raw.replace(b"/Root", b"/Encrypt 4 0 R /Root")) is None


def test_an_svg_in_a_data_url_as_it_is_in_a_reply_is_one_picture() -> None:
    drawing = svg("<rect width='9' height='9'/>").decode()
    opened = open_visual(f"Here it is: ![a](data:image/svg+xml;utf8,{drawing})\n")
    assert isinstance(opened, Picture)
    assert opened.format == "svg"
