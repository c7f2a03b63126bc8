"""A picture that decodes whole: what its file says, and its pixels in the one form that checks see."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import version
from os import PathLike
from typing import TYPE_CHECKING

from ..evidence import UndecodableMedia
from ..media import HEAD, MediaSource, describe, find_source
from .animation import count_frames
from .jpeg import check_jpeg
from .limits import check_bytes
from .pdf import render_pdf
from .picture_format import READ, PictureFormat, describe_picture, recognise_picture
from .pixels import has_alpha, rgba_of
from .strict import check_pillow, load, opened
from .structure import find_fault
from .svg import render_svg
from .tiff_pages import check_pages

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from PIL import Image

#: What messages call bytes whose kind nobody knows yet.
KIND = "media"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """A picture of which every pixel was decoded.

    ``sha256`` is of the bytes as given, in hex. ``source`` is the path, ``bytes`` or ``reply``. ``format`` is
    a value of ``PictureFormat``; ``mode`` is Pillow's name of how it is stored (``P``, ``I;16``, ``CMYK``),
    ``bit_depth`` the bits of a sample. ``width`` and ``height`` are in pixels, after the orientation tag.
    ``has_alpha``: it has an alpha channel, or a colour that is declared transparent. ``frames`` counts the
    pictures in the file, of which this is the first: pages of a TIFF, all of them decoded, or of a PDF.
    ``renderer`` is the library, with its version, that drew an SVG or a PDF; ``None``: nothing was drawn.

    ``rgba`` is (height, width, 4), uint8, 0 to 255, sRGB, alpha not multiplied in; it cannot be written to.
    """

    sha256: str
    source: str
    format: str
    width: int
    height: int
    mode: str
    has_alpha: bool
    bit_depth: int
    frames: int
    renderer: str | None = None
    rgba: NDArray[numpy.uint8] = field(repr=False)

    @property
    def decoder(self) -> str:
        """What decoded it, with versions: two may not see the same pixels."""
        own = f"pillow {version('pillow')}"
        return own if self.renderer is None else f"{self.renderer}, {own}"


def open_picture(source: bytes | str | PathLike[str]) -> Picture:
    """Open and decode a picture that stands still, whole or not at all.

    ``source`` is the path of a file or the bytes of one: PNG, JPEG, WebP, GIF, TIFF (its first page), SVG or
    PDF (its first page), by content and not by name. Addresses are not fetched. Raises ``UndecodableMedia``
    with the reason, ``MediaSourceError`` for what is neither path nor bytes, ``NoAnswer``
    (``evaluator_unavailable``) where a library is not installed.
    """
    found = find_source(source, KIND)
    raw = read_picture_bytes(found)
    picture_format = recognise_picture(raw[:HEAD])
    if picture_format is None:
        raise no_picture(found.name, raw[:HEAD])
    return decode_picture(raw, found, picture_format)


def read_picture_bytes(source: MediaSource) -> bytes:
    """Return all bytes of ``source``. Raises ``UndecodableMedia`` past the limit."""
    check_bytes(source.name, source.size)
    with source.open() as file:
        return file.read()


def no_picture(name: str, head: bytes) -> UndecodableMedia:
    """Return the error for what begins with ``head`` and is nothing that is read."""
    return UndecodableMedia(
        f"{name} is no picture or video: {describe_picture(head) or describe(head)}; {READ}"
    )


def decode_picture(
    raw: bytes, source: MediaSource, picture_format: PictureFormat, origin: str | None = None
) -> Picture:
    """Decode ``raw``, the bytes of ``source``; ``origin`` is what ``Picture.source`` says of bytes."""
    check_pillow()
    name = f"{source.name} ({picture_format.value})"
    fault = find_fault(raw, picture_format)
    if fault is not None:
        raise UndecodableMedia(f"{name} {fault}")
    content, renderer, pages = raw, None, None
    if picture_format in (PictureFormat.SVG, PictureFormat.PDF):
        drawn = (render_svg if picture_format is PictureFormat.SVG else render_pdf)(raw, name)
        content, renderer, pages = drawn.png, drawn.renderer, drawn.pages
    with opened(content, name) as image:
        frames = count_frames(image)
        if frames > 1 and picture_format in MOVING:
            raise UndecodableMedia(f"{name} moves ({frames} frames): open it as a clip")
        mode, seen_through, depth = image.mode, has_alpha(image), _bit_depth(image, content, picture_format)
        if picture_format is PictureFormat.JPEG:
            check_jpeg(raw, name)
        if picture_format is PictureFormat.TIFF:
            check_pages(image, raw, frames, name)
        load(image)
        rgba = rgba_of(image, name)
    rgba.flags.writeable = False
    return Picture(
        sha256=source.sha256,
        source=origin or (str(source.path) if source.path is not None else "bytes"),
        format=picture_format.value,
        width=rgba.shape[1],
        height=rgba.shape[0],
        mode=mode,
        has_alpha=seen_through,
        bit_depth=depth,
        frames=pages if pages is not None else frames,
        renderer=renderer,
        rgba=rgba,
    )


#: Kinds whose further pictures follow one another in time, and are no pages.
MOVING = frozenset({PictureFormat.PNG, PictureFormat.GIF, PictureFormat.WEBP})


def _bit_depth(image: Image.Image, raw: bytes, picture_format: PictureFormat) -> int:
    if picture_format is PictureFormat.PNG:
        return raw[24]
    if picture_format is PictureFormat.TIFF:
        bits = getattr(image, "tag_v2", {}).get(258, (1,))
        return int(bits[0] if isinstance(bits, tuple) else bits)
    return 8
