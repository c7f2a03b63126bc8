"""Pictures that stand within an SVG: what draws it leaves out those that it cannot read."""

from __future__ import annotations

from ..evidence import UndecodableMedia
from .data_url import decode_data_url
from .jpeg import check_jpeg
from .picture_format import PictureFormat, recognise_picture
from .strict import load, opened
from .structure import find_fault

_DRAWN = frozenset({PictureFormat.PNG, PictureFormat.JPEG, PictureFormat.GIF, PictureFormat.WEBP})


def check_inline_picture(url: str, name: str) -> None:
    """Raise ``UndecodableMedia`` where ``url`` holds no picture that is whole.

    Messages begin with ``name``.
    """
    within = f"{name}: a picture within it"
    try:
        raw = decode_data_url(url)
    except UndecodableMedia as error:
        raise UndecodableMedia(f"{within} is not there: {error.detail}") from error
    found = recognise_picture(raw)
    if found not in _DRAWN:
        raise UndecodableMedia(f"{within} is none of png, jpeg, gif and webp, which alone are drawn")
    fault = find_fault(raw, found)
    if fault is not None:
        raise UndecodableMedia(f"{within} {fault}")
    with opened(raw, within) as image:
        if found is PictureFormat.JPEG:
            check_jpeg(raw, within)
        load(image)
