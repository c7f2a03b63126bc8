"""How large a picture or a clip may be: checked on what a file says, before any of it is decoded."""

from __future__ import annotations

from ..evidence import UndecodableMedia

#: Pixels of a picture or of one frame, 8,192 by 8,192: 256 MiB of red, green, blue and alpha.
MAX_PIXELS = 1 << 26
#: Pixels of all frames of a moving picture: two minutes of 1080p at 60 frames a second.
MAX_ANIMATION_PIXELS = 1 << 34
#: Bytes of a picture's file, which is read into memory. Of a clip there may be any number.
MAX_PICTURE_BYTES = 1 << 28
#: A clip is no longer than a day.
MAX_SECONDS = 24 * 3600


def check_size(name: str, width: int, height: int) -> None:
    """Raise ``UndecodableMedia``, which begins with ``name``, for a size without pixels or with too many."""
    if width < 1 or height < 1:
        raise UndecodableMedia(f"{name} says that it is {width} x {height} pixels: there is nothing to see")
    if width * height > MAX_PIXELS:
        raise UndecodableMedia(
            f"{name} says that it is {width:,} x {height:,} pixels; up to {MAX_PIXELS:,} are decoded "
            "(more is a decompression bomb to most machines): make it smaller"
        )


def check_bytes(name: str, size: int) -> None:
    """Raise ``UndecodableMedia`` for the file of a picture that is too long to be read into memory."""
    if size > MAX_PICTURE_BYTES:
        raise UndecodableMedia(f"{name} has {size:,} bytes; pictures of up to {MAX_PICTURE_BYTES:,} are read")
