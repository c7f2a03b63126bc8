"""Pillow, held to decoding whole files of the formats that are read, whatever others have set."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..evidence import NoAnswer, Reason, UndecodableMedia
from .limits import check_size

if TYPE_CHECKING:
    from PIL import Image

#: Pillow's names.
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF")
_LOCK = threading.RLock()


def check_pillow() -> None:
    """Raise ``NoAnswer`` (``evaluator_unavailable``) without what opens pictures: Pillow, PyAV and numpy."""
    try:
        import av as _av  # noqa: F401
        import numpy as _numpy  # noqa: F401
        import PIL as _  # noqa: F401
    except ImportError as error:
        raise NoAnswer(
            Reason.EVALUATOR_UNAVAILABLE,
            f"looking at pictures needs Pillow, PyAV and numpy ({error}); "
            "pip install 'pytest-infergate[visual]'",
        ) from error


@contextmanager
def whole_files_only() -> Iterator[None]:
    """Hold Pillow to whole files: any library may have told it, for all, to fill gaps with grey."""
    from PIL import ImageFile

    with _LOCK:
        before = ImageFile.LOAD_TRUNCATED_IMAGES
        ImageFile.LOAD_TRUNCATED_IMAGES = False
        try:
            yield
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = before


def load(image: Image.Image, frame: int = 0) -> None:
    """Decode a frame of ``image``, all of its pixels. Raises ``EOFError`` where there is no such frame."""
    with whole_files_only():
        if frame:
            image.seek(frame)
        image.load()


@contextmanager
def opened(raw: bytes, name: str) -> Iterator[Image.Image]:
    """Open ``raw`` with Pillow, its size checked and none of its pixels decoded yet.

    What Pillow raises on the way becomes ``UndecodableMedia``, which begins with ``name``.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(raw), formats=_FORMATS) as image:
            check_size(name, *image.size)
            yield image
    except NoAnswer:
        raise
    # Decoders raise what their bytes lead them to: OSError, SyntaxError, struct.error, IndexError and more.
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise UndecodableMedia(
            f"{name} cannot be decoded: {said.replace('<_io.BytesIO object', '<bytes')}"
        ) from error
