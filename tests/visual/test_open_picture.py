"""Pictures of every kind as the same pixels: upright, 8 bits, sRGB, straight alpha."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import struct
import zlib
from pathlib import Path

import numpy
import pytest
from PIL import Image, ImageCms

from pytest_infergate.evidence import UndecodableMedia
from pytest_infergate.media import MediaSourceError
from pytest_infergate.visual import Picture, open_picture

from .made import QUARTERS, gradient, pdf, quarters, saved, svg

LOSSLESS = {
    "png": saved(gradient()),
    "png in one pass more": saved(gradient(), compress_level=9, optimize=True),
    "webp": saved(gradient(), "WEBP", lossless=True),
    "tiff": saved(gradient(), "TIFF"),
    "tiff in lzw": saved(gradient(), "TIFF", compression="tiff_lzw"),
    "tiff in deflate": saved(gradient(), "TIFF", compression="tiff_adobe_deflate"),
}


def colours(picture: Picture) -> list[tuple[int, ...]]:
    """The colours in the middle of the four quarters, row by row."""
    high, wide = picture.height, picture.width
    return [tuple(picture.rgba[high * y // 4, wide * x // 4, :3].tolist()) for y in (1, 3) for x in (1, 3)]


@pytest.mark.parametrize("name", LOSSLESS)
def test_what_loses_nothing_has_the_pixels_that_were_saved(name: str) -> None:
    picture = open_picture(LOSSLESS[name])
    assert picture.format == name.split()[0]
    assert (picture.width, picture.height, picture.mode, picture.bit_depth) == (64, 48, "RGB", 8)
    assert (picture.rgba[..., :3] == numpy.asarray(gradient())).all()
    assert (picture.rgba[..., 3] == 255).all()
    assert not picture.has_alpha


@pytest.mark.parametrize(
    "options",
    [
        {"progressive": True},
        {"subsampling": 0},
        {"subsampling": 2},
        {"optimize": True},
        {"restart_marker_blocks": 3},
    ],
    ids=str,
)
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
def test_a_jpeg_of_any_make_is_nearly_what_was_saved(mode: str, options: dict[str, int]) -> None:
    smooth = gradient(333, 211).convert("L").resize((40, 30)).resize((333, 211)).convert("RGB")
    picture = open_picture(saved(smooth.convert(mode), "JPEG", quality=95, **options))
    assert picture.mode == mode
    away = picture.rgba[..., :3].astype(int) - numpy.asarray(smooth)
    assert abs(away).max() <= 8


def test_a_picture_tells_where_it_is_from(tmp_path: Path) -> None:
    raw = saved(gradient())
    path = tmp_path / "no-extension"
    path.write_bytes(raw)
    for given in (path, str(path)):
        picture = open_picture(given)
        assert (picture.source, picture.sha256) == (str(path), hashlib.sha256(raw).hexdigest())
    assert open_picture(raw).source == "bytes"
    assert open_picture(raw).decoder.startswith("pillow ")


def test_a_picture_cannot_be_changed() -> None:
    picture = open_picture(saved(gradient()))
    with pytest.raises(ValueError, match="read-only"):
        picture.rgba[0, 0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        picture.width = 1  # type: ignore[misc]


#: What has to be done to the upright picture so that its orientation tag puts it right again.
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", STORED)
def test_the_orientation_tag_is_applied(orientation: int, kind: str) -> None:
    upright = quarters(32, 16)
    how = STORED[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"JPEG": {"quality": 95, "subsampling": 0}, "WEBP": {"lossless": True}}.get(kind, {})
    picture = open_picture(
        saved(upright.transpose(how) if how is not None else upright, kind, exif=exif, **options)
    )
    assert (picture.width, picture.height) == (32, 16)
    for seen, asked in zip(colours(picture), QUARTERS, strict=True):
        assert max(abs(a - b) for a, b in zip(seen, asked, strict=True)) <= 3


@pytest.mark.parametrize("orientation", [0, 9, 65_535])
def test_an_orientation_that_is_none_is_passed_over(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert colours(open_picture(saved(quarters(), exif=exif))) == list(QUARTERS)


def test_a_damaged_exif_block_says_nothing() -> None:
    raw = saved(quarters(), "WEBP", lossless=True, exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff")
    assert colours(open_picture(raw)) == list(QUARTERS)


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_are_scaled_and_not_clipped(kind: str) -> None:
    deep = numpy.array([[0, 128, 129, 257, 1285, 21845, 43690, 64250, 65535]], numpy.uint16)
    picture = open_picture(saved(Image.fromarray(deep), kind))
    assert (picture.mode[:4], picture.bit_depth) == ("I;16", 16)
    assert picture.rgba[0, :, 0].tolist() == [0, 0, 1, 1, 5, 85, 170, 250, 255]
    assert (picture.rgba[..., 0] == picture.rgba[..., 2]).all()


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png_of(colour_type: int, depth: int, row: bytes, *more: bytes, width: int = 2) -> bytes:
    """A PNG of one row, made by hand: Pillow cannot write all kinds."""
    header = struct.pack(">IIBBBBB", width, 1, depth, colour_type, 0, 0, 0)
    body = chunk(b"IHDR", header) + b"".join(more) + chunk(b"IDAT", zlib.compress(b"\0" + row))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")


def transparent(*levels: int) -> bytes:
    return chunk(b"tRNS", struct.pack(f">{len(levels)}H", *levels))


PALETTE = chunk(b"PLTE", b"\x09\x08\x07\x01\x02\x03"), chunk(b"tRNS", b"\x80")
DEEP_COLOUR = struct.pack(">6H", 65535, 0, 21845, 0, 43690, 257)
#: What it is → the PNG, its two pixels.
BY_HAND: dict[str, tuple[bytes, list[tuple[int, ...]]]] = {
    "16-bit colour": (png_of(2, 16, DEEP_COLOUR), [(255, 0, 85, 255), (0, 170, 1, 255)]),
    "16-bit grey and alpha": (
        png_of(4, 16, struct.pack(">4H", 65535, 21845, 0, 65535)),
        [(255, 255, 255, 85), (0, 0, 0, 255)],
    ),
    "16-bit grey, one level transparent": (
        png_of(0, 16, struct.pack(">2H", 65535, 21845), transparent(21845)),
        [(255, 255, 255, 255), (85, 85, 85, 0)],
    ),
    "grey, one level transparent": (
        png_of(0, 8, b"\x10\x20", transparent(0x20)),
        [(16, 16, 16, 255), (32, 32, 32, 0)],
    ),
    "colour, one colour transparent": (
        png_of(2, 8, b"\x01\x02\x03\x04\x05\x06", transparent(1, 2, 3)),
        [(1, 2, 3, 0), (4, 5, 6, 255)],
    ),
    "1 bit": (png_of(0, 1, b"\x40"), [(0, 0, 0, 255), (255, 255, 255, 255)]),
    "2 bits": (png_of(0, 2, b"\x60"), [(85, 85, 85, 255), (170, 170, 170, 255)]),
    "palette with alpha": (png_of(3, 1, b"\x40", *PALETTE), [(9, 8, 7, 128), (1, 2, 3, 255)]),
    "straight alpha": (
        png_of(6, 8, b"\xff\x00\x00\x00\x00\xff\x00\x80"),
        [(255, 0, 0, 0), (0, 255, 0, 128)],
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_a_png_of_any_kind_is_what_it_says(name: str) -> None:
    raw, pixels = BY_HAND[name]
    picture = open_picture(raw)
    seen = [tuple(pixel) for pixel in picture.rgba[0].tolist()]
    for pixel, asked in zip(seen, pixels, strict=True):
        assert max(abs(a - b) for a, b in zip(pixel, asked, strict=True)) <= 1
    assert picture.has_alpha == any(pixel[3] < 255 for pixel in pixels)


@pytest.mark.parametrize(
    "mode", ["1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK", "YCbCr", "LAB", "F", "I;16"]
)
def test_every_mode_that_a_tiff_can_have_is_read(mode: str) -> None:
    if mode == "F":
        image = Image.fromarray(numpy.linspace(0, 1, 12, dtype=numpy.float32).reshape(3, 4))
    elif mode == "I;16":
        image = Image.fromarray(numpy.arange(0, 65_535, 5_461, dtype=numpy.uint16)[:12].reshape(3, 4))
    elif mode in ("LAB", "PA"):
        image = Image.new(mode, (4, 3))
    else:
        image = gradient(4, 3).convert(mode)
    # Pillow 12 does not read the YCbCr that it writes without compression.
    options = {"compression": "tiff_lzw"} if mode == "YCbCr" else {}
    assert open_picture(saved(image, "TIFF", **options)).rgba.shape == (3, 4, 4)


def test_floats_from_0_to_1_are_levels() -> None:
    samples = numpy.array([[0.0, 0.25, 0.5, 1.0]], numpy.float32)
    assert open_picture(saved(Image.fromarray(samples), "TIFF")).rgba[0, :, 0].tolist() == [0, 64, 128, 255]


@pytest.mark.parametrize(
    ("samples", "told"),
    [
        (numpy.array([[0.0, 255.0]], numpy.float32), "from 0 to 255, where 1 is full scale"),
        (numpy.array([[-1.0, 1.0]], numpy.float32), "from -1 to 1, where 1 is full scale"),
        (numpy.array([[0.0, numpy.nan]], numpy.float32), "no finite numbers"),
        (numpy.array([[0.0, numpy.inf]], numpy.float32), "no finite numbers"),
        (numpy.array([[0, 70_000]], numpy.int32), "32-bit integers, whose full scale nobody can know"),
    ],
)
def test_samples_of_a_scale_that_nobody_knows_are_refused(samples: numpy.ndarray, told: str) -> None:
    with pytest.raises(UndecodableMedia, match=told):
        open_picture(saved(Image.fromarray(samples), "TIFF"))


def wide_profile() -> bytes:
    """A profile whose red, green and blue are those of Display P3, with a gamma of 2.2."""

    def number(value: float) -> bytes:
        return struct.pack(">i", round(value * 65536))

    # Of each primary its XYZ under D50, as the profile of Display P3 has it.
    primaries = {
        b"rXYZ": (0.51512, 0.2412, -0.00105),
        b"gXYZ": (0.29198, 0.69225, 0.04189),
        b"bXYZ": (0.1571, 0.06657, 0.78407),
    }
    tags = {name: b"XYZ \0\0\0\0" + b"".join(map(number, xyz)) for name, xyz in primaries.items()}
    tags[b"wtpt"] = b"XYZ \0\0\0\0" + b"".join(map(number, (0.9642, 1.0, 0.8249)))
    curve = b"curv\0\0\0\0" + struct.pack(">IHH", 1, round(2.2 * 256), 0)
    tags |= {b"rTRC": curve, b"gTRC": curve, b"bTRC": curve}
    tags[b"desc"] = b"desc\0\0\0\0" + struct.pack(">I", 5) + b"wide\0" + bytes(78 + 1)
    tags[b"cprt"] = b"text\0\0\0\0none\0\0\0\0"
    table, body, at = struct.pack(">I", len(tags)), b"", 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        table += name + struct.pack(">II", at + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    head = bytearray(128)
    head[8:12], head[12:24], head[36:40] = b"\x02\x10\0\0", b"mntrRGB XYZ ", b"acsp"
    head[68:80] = b"".join(map(number, (0.9642, 1.0, 0.8249)))
    head[0:4] = struct.pack(">I", 128 + len(table) + len(body))
    return bytes(head) + table + body


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF"])
def test_colours_of_an_embedded_profile_become_srgb(kind: str) -> None:
    options = {"JPEG": {"quality": 100, "subsampling": 0}, "WEBP": {"lossless": True}}.get(kind, {})
    image = Image.new("RGB", (16, 16), (200, 100, 50))
    seen = open_picture(saved(image, kind, icc_profile=wide_profile(), **options)).rgba[8, 8].tolist()
    # The same colour needs more of red in sRGB, which has a duller one, and less of the others.
    assert seen[0] >= 208
    assert seen[1] <= 98
    assert seen[2] <= 40
    assert seen[3] == 255


def test_the_profile_of_srgb_changes_nothing() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    with_profile = open_picture(saved(gradient(), icc_profile=profile))
    assert (with_profile.rgba == open_picture(saved(gradient())).rgba).all()


@pytest.mark.parametrize("profile", [b"no profile", wide_profile()[:100], b""])
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
def test_a_profile_that_does_not_fit_is_passed_over(profile: bytes, mode: str) -> None:
    image = gradient().convert(mode)
    assert (open_picture(saved(image, icc_profile=profile)).rgba == open_picture(saved(image)).rgba).all()


def test_a_profile_leaves_alpha_alone() -> None:
    image = gradient().convert("RGBA")
    image.putalpha(gradient().convert("L"))
    seen = open_picture(saved(image, icc_profile=wide_profile())).rgba
    assert (seen[..., 3] == numpy.asarray(gradient().convert("L"))).all()
    assert (seen[..., :3] != numpy.asarray(gradient())).any()


def test_a_tiff_of_several_pages_is_its_first() -> None:
    raw = saved(quarters(), "TIFF", save_all=True, append_images=[gradient(), gradient()])
    picture = open_picture(raw)
    assert (picture.frames, picture.width, colours(picture)) == (3, 32, list(QUARTERS))


def test_a_photograph_with_a_preview_behind_it_is_the_photograph() -> None:
    raw = saved(quarters(), "MPO", save_all=True, append_images=[gradient()], quality=95, subsampling=0)
    picture = open_picture(raw)
    assert (picture.format, picture.width, picture.frames) == ("jpeg", 32, 2)


def test_the_preview_in_a_photograph_is_no_second_picture() -> None:
    preview = saved(gradient(), "JPEG")
    tiff = b"MM\0*\0\0\0\x08\0\0\0\0\0\0"
    raw = saved(quarters(), "JPEG", exif=b"Exif\0\0" + tiff + preview, quality=95, subsampling=0)
    assert raw.count(b"\xff\xd8\xff") == 2
    assert open_picture(raw).width == 32


def test_a_pdf_is_its_first_page_on_white_at_144_dpi() -> None:
    picture = open_picture(pdf(pages=3))
    assert (picture.format, picture.width, picture.height, picture.frames) == ("pdf", 288, 144, 3)
    assert colours(picture) == [(255, 255, 255), (255, 255, 255), (0, 0, 255), (255, 255, 255)]
    assert "pypdfium2" in picture.decoder


def test_an_svg_is_drawn_at_its_own_size() -> None:
    picture = open_picture(svg('<rect width="20" height="10" fill="#f00"/>'))
    assert (picture.format, picture.width, picture.height) == ("svg", 40, 20)
    assert picture.rgba[5, 10].tolist() == [255, 0, 0, 255]
    assert picture.rgba[15, 30].tolist() == [0, 0, 0, 0]
    assert "resvg_py" in picture.decoder


@pytest.mark.parametrize("given", [12, None, numpy.zeros((4, 4, 3), numpy.uint8), io.BytesIO(b"")])
def test_what_is_neither_path_nor_bytes_says_so(given: object) -> None:
    with pytest.raises(MediaSourceError, match="is given as the path of a file or as the bytes of one"):
        open_picture(given)  # type: ignore[arg-type]
